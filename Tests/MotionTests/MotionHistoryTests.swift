import Codec
import Motion
import Runtime
import Simulated
import Testing

@testable import struct Motion.ActivitySpan
@testable import class Motion.MotionDay

@Suite struct MotionHistoryTests {
  /// 1 July 2026, noon, UTC.
  private static let noon: Int64 = 1_782_907_200_000
  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000

  private static func walking(_ steps: Int) -> MotionUpdate {
    MotionUpdate(steps: steps, distance: Float(steps) * 0.7, reading: ActivityReading(.walking, .high))
  }

  private static func resting() -> MotionUpdate { MotionUpdate(reading: ActivityReading(.stationary, .high)) }

  private func intervals(
    _ history: MotionHistory, _ start: Int64, _ end: Int64, limit: Int = 1000
  ) -> [ActivityInterval] {
    var found: [ActivityInterval] = []
    history.activities(start, end, limit: limit) { found.append($0) }
    return found
  }

  @Test func answersWhatWasInAWindowAndPartsOfMinutes() {
    let history = MotionHistory()
    for minute in 0..<10 {
      history.add(
        Self.walking(100), wall: Self.noon + Int64(minute) * 60_000, monotonic: Int64(minute) * 60_000)
    }
    #expect(history.pedometer(Self.noon, Self.noon + 600_000).steps == 1000)
    #expect(abs(history.pedometer(Self.noon, Self.noon + 600_000).meters - 700) < 0.01)
    #expect(history.pedometer(Self.noon + 30_000, Self.noon + 90_000).steps == 100)
    #expect(history.pedometer(Self.noon + 15_000, Self.noon + 30_000).steps == 25)
    #expect(history.pedometer(Self.noon - Self.hour, Self.noon).steps == 0)
    #expect(history.pedometer(Self.noon, Self.noon).steps == 0)
  }

  @Test func theMinuteThatIsNotOverCountsInFull() {
    let history = MotionHistory()
    for second in 0..<20 {
      let time = Int64(second) * 1000
      history.add(Self.walking(2), wall: Self.noon + time, monotonic: time)
    }
    #expect(history.pedometer(Self.noon, Self.noon + 20_000).steps == 40)
    #expect(history.pedometer(Self.noon, Self.noon + Self.hour).steps == 40)
    #expect(history.pedometer(Self.noon + 9_500, Self.noon + 20_000).steps == 20)
  }

  @Test func answersActivitiesCutToTheWindowAndTheLastOfThem() {
    let history = MotionHistory()
    for second in 0..<300 {
      let news = second / 60 % 2 == 0 ? Self.walking(2) : Self.resting()
      history.add(news, wall: Self.noon + Int64(second) * 1000, monotonic: Int64(second) * 1000)
    }
    let all = intervals(history, Self.noon, Self.noon + Self.hour)
    #expect(all.map(\.reading.activity) == [.walking, .stationary, .walking, .stationary, .walking])
    #expect(all.map { ($0.start - Self.noon) / 1000 } == [0, 60, 120, 180, 240])
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(intervals(history, Self.noon, Self.noon + Self.hour, limit: 2) == Array(all.suffix(2)))
    let cut = intervals(history, Self.noon + 30_000, Self.noon + 90_000)
    #expect(cut.map(\.start) == [Self.noon + 30_000, Self.noon + 60_000])
    #expect(cut.map(\.end) == [Self.noon + 60_000, Self.noon + 90_000])
  }

  @Test func midnightSplitsAnActivityAndLosesNothing() {
    let history = MotionHistory()
    let start = Self.noon + 12 * Self.hour - 30_000
    for second in 0..<60 {
      history.add(Self.walking(2), wall: start + Int64(second) * 1000, monotonic: Int64(second) * 1000)
    }
    #expect(history.pedometer(start - 60_000, start + 120_000).steps == 120)
    let found = intervals(history, start, start + 120_000)
    #expect(found.map { ($0.start - start) / 1000 } == [0, 30])
    #expect(found.map { ($0.end - start) / 1000 } == [30, 59])
  }

  @Test func timeBeforeTheClockWasSetIsDatedWhenItIs() {
    let history = MotionHistory()
    // From 20 hours after the start on, over the second midnight of the board's own days.
    let begin = 20 * Self.hour
    for minute in 0..<(8 * 60) {
      let monotonic = begin + Int64(minute) * 60_000
      history.add(Self.walking(10), wall: monotonic, monotonic: monotonic)
    }
    #expect(!history.isChanged, "what has no date cannot be saved")
    #expect(
      history.pedometer(begin, begin + 8 * Self.hour).steps == 4800,
      "until then the wrong clock's word counts")
    let set = begin + 8 * Self.hour
    history.add(Self.walking(0), wall: Self.noon, monotonic: set)
    #expect(history.isChanged)
    #expect(history.pedometer(Self.noon - 8 * Self.hour, Self.noon + 60_000).steps == 4800)
    #expect(history.pedometer(Self.noon - 4 * Self.hour, Self.noon + 60_000).steps == 2400)
    #expect(history.pedometer(0, set).steps == 0)
  }

  @Test func aClockThatJumpsLosesNothingAndDoublesNothing() {
    let history = MotionHistory()
    var monotonic: Int64 = 1000
    var total = 0
    for jump in [
      0, 2 * Self.hour, -3 * Self.hour, 30 * Self.day, -30 * Self.day, 40_000 * Self.day / 2, -Self.hour,
    ] {
      for minute in 0..<30 {
        history.add(Self.walking(120), wall: Self.noon + jump + Int64(minute) * 60_000, monotonic: monotonic)
        monotonic += 60_000
        total += 120
      }
    }
    #expect(history.pedometer(0, Self.noon + 40_000 * Self.day).steps == total)
    for interval in intervals(history, 0, Self.noon + 40_000 * Self.day) {
      #expect(interval.end - interval.start <= Self.hour)
    }
  }

  @Test func sevenDaysAreKeptAndTheEighthGoes() {
    let history = MotionHistory()
    for day in 0..<30 {
      history.add(
        Self.walking(100), wall: Self.noon + Int64(day) * Self.day, monotonic: Int64(day) * Self.day)
    }
    let now = Self.noon + 29 * Self.day
    #expect(history.pedometer(now - 7 * Self.day, now + 60_000).steps == 800)
    #expect(history.pedometer(0, now + 60_000).steps == 100 * Budget.motionDays)
  }

  @Test func aDayOfTooManyActivitiesKeepsTheLongOnes() {
    let history = MotionHistory()
    var monotonic: Int64 = 0
    for index in 0..<(3 * Budget.motionDayActivities) {
      let news = index % 2 == 0 ? Self.walking(1) : Self.resting()
      for _ in 0...(index % 7) {
        history.add(news, wall: Self.noon + monotonic, monotonic: monotonic)
        monotonic += 1000
      }
    }
    let found = intervals(history, Self.noon, Self.noon + Self.day)
    #expect(found.count == Budget.motionDayActivities)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(found.first!.start == Self.noon)
  }

  @Test func survivesARestart() throws {
    let store = MemoryStore()
    let history = MotionHistory()
    for day in 0..<9 {
      history.add(Self.walking(77), wall: Self.noon + Int64(day) * Self.day, monotonic: Int64(day) * Self.day)
      history.add(
        Self.resting(), wall: Self.noon + Int64(day) * Self.day + 5000,
        monotonic: Int64(day) * Self.day + 5000)
    }
    #expect(history.isChanged)
    try history.save(to: store)
    #expect(!history.isChanged)
    let again = MotionHistory()
    #expect(try again.load(from: store) == 0)
    #expect(!again.isChanged)
    let end = Self.noon + 9 * Self.day
    #expect(again.pedometer(0, end) == history.pedometer(0, end))
    #expect(intervals(again, 0, end) == intervals(history, 0, end))
    #expect(again.pedometer(0, end).steps == 77 * 9)
  }

  @Test func aTornRecordCostsItsDayAlone() throws {
    let store = MemoryStore()
    let history = MotionHistory()
    for day in 0..<3 {
      history.add(Self.walking(50), wall: Self.noon + Int64(day) * Self.day, monotonic: Int64(day) * Self.day)
    }
    try history.save(to: store)
    let junk: [UInt8] = Array("TLMD\u{1}nonsense".utf8)
    try junk.withUnsafeBufferPointer { bytes throws(StoreError) in
      try store.save(("motion-1" as StaticString).path, bytes)
    }
    let again = MotionHistory()
    #expect(try again.load(from: store) == 1)
    #expect(again.pedometer(0, Self.noon + 9 * Self.day).steps == 100)
  }

  @Test func aMinuteThatIsFullSpillsOver() {
    let day = MotionDay()
    day.begin(20_000, isDated: true)
    day.add(steps: 1000, centimeters: 200_000, to: 1439)
    #expect(day.minute(1439).steps == 255 && day.minute(1439).centimeters == 65_535)
    #expect((0..<1440).reduce(0) { $0 + day.minute($1).steps } == 1000)
    #expect((0..<1440).reduce(0) { $0 + day.minute($1).centimeters } == 200_000)
  }

  @Test func saysItInJSON() throws {
    let history = MotionHistory()
    for second in 0..<30 {
      history.add(Self.walking(2), wall: Self.noon + Int64(second) * 1000, monotonic: Int64(second) * 1000)
    }
    let window = try MotionWindow(
      JSONView(Array(#"{"startISO":"2026-07-01T14:00:00+02:00","endISO":"2026-07-01T12:01:00Z"}"#.utf8).span),
      now: Self.noon + Self.hour)
    let pedometer = json { history.writePedometer(window, to: &$0) }
    #expect(
      pedometer == """
        {"startISO":"2026-07-01T12:00:00.000Z","endISO":"2026-07-01T12:01:00.000Z","steps":60,"distanceMeters":42.0}
        """)
    let activities = json { history.writeActivities(window, to: &$0) }
    #expect(
      activities == """
        {"activities":[{"startISO":"2026-07-01T12:00:00.000Z","endISO":"2026-07-01T12:00:29.000Z",\
        "confidence":"high","isWalking":true,"isRunning":false,"isCycling":false,"isAutomotive":false,\
        "isStationary":false,"isUnknown":false}]}
        """)
  }

  private func json(_ write: (inout JSONWriter) -> Void) -> String {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
    defer { buffer.deallocate() }
    var writer = JSONWriter(into: buffer)
    write(&writer)
    return String(decoding: buffer[..<writer.count], as: UTF8.self)
  }
}

extension MotionHistory {
  /// Writes the changed days.
  fileprivate func save(to store: any RecordStore) throws(StoreError) {
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: MotionDay.recordBytes)
    defer { room.deallocate() }
    while let (place, count) = takeRecord(into: room) {
      let bytes = UnsafeBufferPointer(rebasing: room[..<count])
      try Self.withName(place) { name throws(StoreError) in try store.save(name, bytes) }
    }
  }
}
