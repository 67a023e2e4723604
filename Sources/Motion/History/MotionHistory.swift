import Codec
import Runtime

/// Steps and meters of each minute, and activities, for the last seven days.
///
/// One day is one slot and one record on flash. Only changed days are written, so a save is usually one record of 6 KB.
/// A save every five minutes is 288 records a day: some 7 MB with the file system's overhead, which a card of 4 GB and
/// 3,000 cycles endures for thousands of years, and raw NOR of 100,000 cycles for decades. A power cut loses what was
/// not saved.
///
/// Before the board's clock is set, minutes are counted from the start, in days without a date; they get their date
/// when the clock is set. They are not written, because their date would be unknown after a restart.
///
/// Used by one thread at a time.
public final class MotionHistory {
  /// Longest gap in the samples within one activity, in milliseconds.
  private static let pause: Int64 = 10_000
  /// Milliseconds that the wall clock may drift against the monotonic one between two updates before it counts as set.
  private static let jump: Int64 = 2_000

  let days: [MotionDay]
  /// The wall clock less the monotonic one, in milliseconds; nil before the first update.
  private(set) var offset: Int64?
  /// The wall clock at the last update.
  private(set) var latest = Int64.min
  /// The day of the newest activity, and when it was last seen in monotonic milliseconds.
  private var open: (day: MotionDay, reading: Activity, seen: Int64)?
  private let buffer: FixedBuffer

  /// An empty history.
  @export(interface)
  public init() {
    // A window of seven days touches eight dates, and one more slot is for days without a date.
    days = (0..<Budget.motionDays).map { _ in MotionDay() }
    buffer = FixedBuffer(capacity: MotionDay.recordBytes)
  }

  /// True when a dated day is not on flash yet.
  public var isChanged: Bool {
    for day in days where day.isChanged && day.isDated { return true }
    return false
  }

  // MARK: Adding

  /// Adds the engine's update for the time up to now: `wall` in milliseconds since the Unix epoch, plausible or not,
  /// and `monotonic` in milliseconds.
  public func add(_ news: MotionUpdate, wall: Int64, monotonic: Int64) {
    let ahead = wall - monotonic
    if let offset, abs(ahead - offset) > Self.jump { open = nil }
    (offset, latest) = (ahead, wall)
    let isDated = BelievableDate.contains(wall)
    if isDated { dateDays(by: ahead) }
    let now = isDated ? wall : max(0, monotonic)
    let day = self.day(now / MotionDay.milliseconds, isDated: isDated)
    let time = now % MotionDay.milliseconds
    day.add(
      steps: news.steps, centimeters: Int(clamping: (news.distance * 100).rounded()), to: Int(time / 60_000))
    note(news.reading, in: day, at: UInt32(time / 1000), monotonic)
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

  /// The day with this number; when there is none, the slot of the day that is farthest from it.
  private func day(_ number: Int64, isDated: Bool) -> MotionDay {
    for day in days where day.number == number && day.isDated == isDated { return day }
    let place = leastNeeded(beside: isDated ? number : nil)
    if let open, open.day === place { self.open = nil }
    place.begin(number, isDated: isDated)
    return place
  }

  /// An empty slot; else the day farthest from `today`, dated days first; else the oldest.
  private func leastNeeded(beside today: Int64?) -> MotionDay {
    var best = days[0]
    var farthest = Int64.min
    for day in days {
      guard let number = day.number else { return day }
      let distance: Int64
      if let today, day.isDated {
        distance = abs(number - today)
      } else {
        distance = day.isDated ? .max - number : -1 - number
      }
      if distance > farthest { (best, farthest) = (day, distance) }
    }
    return best
  }

  /// Dates the days without a date, now that the clock is set.
  private func dateDays(by ahead: Int64) {
    for undated in days where !undated.isDated && undated.number != nil {
      let start = undated.number! * MotionDay.milliseconds + ahead
      for index in 0..<MotionDay.minutes {
        let minute = undated.minute(index)
        guard minute.steps > 0 || minute.centimeters > 0 else { continue }
        let time = start + Int64(index) * 60_000
        let day = datedDay(at: time, keeping: undated)
        day?.add(
          steps: minute.steps, centimeters: minute.centimeters,
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

  /// The day of an instant, but never in the slot of one that is being dated.
  private func datedDay(at time: Int64, keeping undated: MotionDay) -> MotionDay? {
    guard BelievableDate.contains(time) else { return nil }
    let found = day(time / MotionDay.milliseconds, isDated: true)
    return found === undated ? nil : found
  }

  // MARK: Flash

  /// Loads the history; blocks. Days that are torn or not valid are skipped; returns how many.
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

  /// Copies the record of a changed day into `bytes`, which has at least `MotionDay.recordBytes`, and returns its slot
  /// and length; nil when none changed. The day then counts as written, unless `putBack` is called.
  func takeRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> (place: Int, count: Int)? {
    for (place, day) in days.enumerated() where day.isChanged && day.isDated {
      day.isChanged = false
      return (place, day.encode(into: bytes))
    }
    return nil
  }

  /// Marks a record as changed again because it could not be written.
  func putBack(_ place: Int) { days[place].isChanged = true }

  /// To write the record of a place, "motion-0" and so on.
  static func order(_ place: Int, _ count: Int) -> RecordOrder {
    var name: InlineArray<8, UInt8> = [109, 111, 116, 105, 111, 110, 45, 48]
    name[7] += UInt8(place)
    return name.span.withUnsafeBufferPointer { RecordOrder($0, count) }
  }

  /// The record of a place, as a path.
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
