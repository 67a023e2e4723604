import Codec
import Runtime

/// Steps and metres of each minute and what was done when, for the last seven days.
///
/// One day is one place and one record on flash. Only changed days are written, so a save is one record of 6 KB as a
/// rule. With a save every five minutes of a day that is all movement, 288 records: some 7 MB with what a file system
/// adds, which a card of 4 GB and 3,000 cycles bears for thousands of years, and raw NOR of 100,000 cycles for decades.
/// A power cut loses what was not saved.
///
/// Before the board's clock can be believed, minutes are counted from its start, in days without a date; they get
/// their date when the clock does. They are not written: after a restart nothing could tell their date.
///
/// Used by one thread at a time.
public final class MotionHistory {
  /// 7 April 2019 in milliseconds since the Unix epoch: earlier clocks are not believed. A board without a battery
  /// for its clock starts in 1970 or when its software was made.
  public static let firstBelieved: Int64 = 1_554_595_200_000
  /// Days from then to the end of 2199.
  static let plausibleDays = firstBelieved / MotionDay.milliseconds...84_005

  /// Time in milliseconds that an activity may pause in the samples and still be one.
  private static let pause: Int64 = 10_000
  /// Milliseconds that the clock may drift against the monotonic one between two looks before it counts as set.
  private static let jump: Int64 = 2_000

  let days: [MotionDay]
  /// What the wall clock is ahead of the monotonic one, in milliseconds; nil before anything was added.
  private(set) var offset: Int64?
  /// The wall clock when something was last added.
  private(set) var latest = Int64.min
  /// Where the newest activity stands, and when in monotonic milliseconds it was last seen.
  private var open: (day: MotionDay, reading: Activity, seen: Int64)?
  private let buffer: FixedBuffer

  /// An empty history.
  public init() {
    // One place more than days: a window of seven days touches eight, and one is for days without a date.
    days = (0..<Budget.motionDays).map { _ in MotionDay() }
    buffer = FixedBuffer(capacity: MotionDay.recordBytes)
  }

  /// True when something is not on flash that can be.
  public var isChanged: Bool {
    for day in days where day.isChanged && day.isDated { return true }
    return false
  }

  // MARK: Adding

  /// Adds what the engine said about the time up to now: `wall` in milliseconds since the Unix epoch, believable or
  /// not, and `monotonic` in milliseconds.
  public func add(_ news: MotionNews, wall: Int64, monotonic: Int64) {
    let ahead = wall - monotonic
    if let offset, abs(ahead - offset) > Self.jump { open = nil }
    (offset, latest) = (ahead, wall)
    let isDated = Self.isBelievable(wall)
    if isDated { dateDays(by: ahead) }
    let now = isDated ? wall : max(0, monotonic)
    let day = self.day(now / MotionDay.milliseconds, isDated: isDated)
    let time = now % MotionDay.milliseconds
    day.add(
      steps: news.steps, centimetres: Int(clamping: (news.distance * 100).rounded()), to: Int(time / 60_000))
    note(news.reading, in: day, at: UInt32(time / 1000), monotonic)
  }

  static func isBelievable(_ wall: Int64) -> Bool {
    wall >= firstBelieved && plausibleDays.contains(wall / MotionDay.milliseconds)
  }

  private func note(_ reading: ActivityReading, in day: MotionDay, at second: UInt32, _ monotonic: Int64) {
    if let open, open.reading == reading.activity, monotonic - open.seen <= Self.pause {
      if open.day === day {
        day.extend(to: second, reading.confidence)
      } else {
        // Midnight.
        open.day.extend(to: MotionDay.seconds, reading.confidence)
        day.append(ActivitySpan(start: 0, end: second, reading: reading))
      }
    } else {
      if let open, open.day === day, monotonic - open.seen <= Self.pause {
        day.extend(to: second, day.span(day.spanCount - 1).reading.confidence)
      }
      day.append(ActivitySpan(start: second, end: second, reading: reading))
    }
    open = (day, reading.activity, monotonic)
  }

  // MARK: Days

  /// The day by this number; when there is none, the place of the day that is farthest from it.
  private func day(_ number: Int64, isDated: Bool) -> MotionDay {
    for day in days where day.number == number && day.isDated == isDated { return day }
    let place = leastNeeded(beside: isDated ? number : nil)
    if let open, open.day === place { self.open = nil }
    place.begin(number, isDated: isDated)
    return place
  }

  /// An empty place; else the day farthest from `today`, where dated days are far and others near; else the oldest.
  private func leastNeeded(beside today: Int64?) -> MotionDay {
    var best = days[0]
    var farthest = Int64.min
    for day in days {
      guard let number = day.number else { return day }
      let distance: Int64
      if let today, day.isDated {
        distance = abs(number - today)
      } else {
        distance = day.isDated ? MotionHistory.plausibleDays.upperBound - number : -1 - number
      }
      if distance > farthest { (best, farthest) = (day, distance) }
    }
    return best
  }

  /// Gives the days without a date theirs: their minutes go where the clock says that they were.
  private func dateDays(by ahead: Int64) {
    for undated in days where !undated.isDated && undated.number != nil {
      let start = undated.number! * MotionDay.milliseconds + ahead
      for index in 0..<MotionDay.minutes {
        let minute = undated.minute(index)
        guard minute.steps > 0 || minute.centimetres > 0 else { continue }
        let time = start + Int64(index) * 60_000
        let day = datedDay(at: time, keeping: undated)
        day?.add(
          steps: minute.steps, centimetres: minute.centimetres,
          to: Int(time % MotionDay.milliseconds / 60_000))
      }
      for index in 0..<undated.spanCount { date(undated.span(index), from: start, keeping: undated) }
      if let open, open.day === undated { self.open = nil }
      undated.begin(nil, isDated: true)
    }
  }

  private func date(_ span: ActivitySpan, from start: Int64, keeping undated: MotionDay) {
    var begin = start + Int64(span.start) * 1000
    let end = start + Int64(span.end) * 1000
    repeat {
      let midnight = (begin / MotionDay.milliseconds + 1) * MotionDay.milliseconds
      let part = min(end, midnight)
      let dayStart = midnight - MotionDay.milliseconds
      datedDay(at: begin, keeping: undated)?.append(
        ActivitySpan(
          start: UInt32((begin - dayStart) / 1000), end: UInt32((part - dayStart) / 1000),
          reading: span.reading))
      begin = part
    } while begin < end
  }

  /// The day of a moment, but never in place of one that is being dated.
  private func datedDay(at time: Int64, keeping undated: MotionDay) -> MotionDay? {
    guard Self.isBelievable(time) else { return nil }
    let found = day(time / MotionDay.milliseconds, isDated: true)
    return found === undated ? nil : found
  }

  // MARK: Flash

  /// Reads what was saved; blocks. Days that are torn, or say what cannot be, are left out; answers how many.
  public func load(from store: any RecordStore) throws(StoreError) -> Int {
    var bad = 0
    open = nil
    for (index, day) in days.enumerated() {
      do throws(StoreError) {
        guard
          let record = try Self.withName(
            index, { name throws(StoreError) in try store.load(name, into: buffer.bytes) })
        else {
          day.begin(nil, isDated: true)
          continue
        }
        if !day.decode(UnsafeBufferPointer(rebasing: buffer.bytes[..<record.count])) { bad += 1 }
        if isTwice(day, before: index) { day.begin(nil, isDated: true) }
      } catch {
        day.begin(nil, isDated: true)
        if case .system = error { throw error }
        bad += 1
      }
    }
    return bad
  }

  private func isTwice(_ day: MotionDay, before index: Int) -> Bool {
    guard let number = day.number else { return false }
    for other in 0..<index where days[other].number == number { return true }
    return false
  }

  /// Copies the record of a day that changed into `bytes`, at least `MotionDay.recordBytes` of them: its place and length; nil when
  /// none changed. It counts as written from then on, unless it is put back.
  func takeRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> (place: Int, count: Int)? {
    for (place, day) in days.enumerated() where day.isChanged && day.isDated {
      day.isChanged = false
      return (place, day.encode(into: bytes))
    }
    return nil
  }

  /// A record that was taken could not be written.
  func putBack(_ place: Int) { days[place].isChanged = true }

  /// Writes the days that changed; blocks. What could not be written is still changed afterwards.
  public func save(to store: any RecordStore) throws(StoreError) {
    while let (place, count) = takeRecord(into: buffer.bytes) {
      do throws(StoreError) {
        let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
        try Self.withName(place) { name throws(StoreError) in try store.save(name, bytes) }
      } catch {
        putBack(place)
        throw error
      }
    }
  }

  /// The record of a place: "motion-0" and so on.
  static func withName<Result>(
    _ index: Int, _ body: (UnsafePointer<CChar>) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var name: InlineArray<9, CChar> = [109, 111, 116, 105, 111, 110, 45, 48, 0]
    name[7] += CChar(index)
    var span = name.mutableSpan
    return try span.withUnsafeMutableBufferPointer { (characters) throws(StoreError) -> Result in
      try body(UnsafePointer(characters.baseAddress!))
    }
  }
}
