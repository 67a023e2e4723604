import Runtime

/// An activity from one second of a day to another.
struct ActivitySpan: Equatable {
  /// Seconds since the day began; the end is no later than the day's.
  var start: UInt32
  var end: UInt32
  var reading: ActivityReading
}

/// The steps, metres and activities of one day, minute by minute. Its memory is allocated once.
final class MotionDay {
  /// Of a day.
  static let minutes = 1440
  static let milliseconds: Int64 = 86_400_000
  static let seconds: UInt32 = 86_400

  /// Days since 1 January 1970; of a day without a date, since the board started. Nil: an empty slot.
  private(set) var number: Int64?
  /// False for a day that began before the board's clock was set.
  private(set) var isDated = true
  /// True when there is something that is not on flash.
  var isChanged = false
  /// Activities in their order.
  private(set) var spanCount = 0

  private let steps: UnsafeMutablePointer<UInt8>
  private let centimeters: UnsafeMutablePointer<UInt16>
  private let spans: UnsafeMutablePointer<ActivitySpan>

  init() {
    steps = .allocate(capacity: Self.minutes)
    steps.initialize(repeating: 0, count: Self.minutes)
    centimeters = .allocate(capacity: Self.minutes)
    centimeters.initialize(repeating: 0, count: Self.minutes)
    let none = ActivitySpan(start: 0, end: 0, reading: ActivityReading())
    spans = .allocate(capacity: Budget.motionDayActivities)
    spans.initialize(repeating: none, count: Budget.motionDayActivities)
  }

  deinit {
    steps.deallocate()
    centimeters.deallocate()
    spans.deallocate()
  }

  /// Resets it to an empty day.
  func begin(_ number: Int64?, isDated: Bool) {
    (self.number, self.isDated) = (number, isDated)
    steps.update(repeating: 0, count: Self.minutes)
    centimeters.update(repeating: 0, count: Self.minutes)
    (spanCount, isChanged) = (0, false)
  }

  // MARK: Minutes

  /// Steps and centimeters of a minute.
  func minute(_ index: Int) -> (steps: Int, centimeters: Int) {
    precondition(index >= 0 && index < Self.minutes)
    return (Int(steps[index]), Int(centimeters[index]))
  }

  /// Adds to a minute. What exceeds its byte (a clock that was set back counts an hour twice) goes to the minutes after
  /// it and then before it. A whole day cannot fill up.
  func add(steps: Int, centimeters: Int, to minute: Int) {
    precondition(minute >= 0 && minute < Self.minutes)
    var (steps, centimeters) = (max(0, steps), max(0, centimeters))
    guard steps > 0 || centimeters > 0 else { return }
    isChanged = true
    for place in 0..<Self.minutes {
      let index = (minute + place) % Self.minutes
      let some = min(steps, Int(UInt8.max - self.steps[index]))
      self.steps[index] += UInt8(some)
      steps -= some
      let way = min(centimeters, Int(UInt16.max - self.centimeters[index]))
      self.centimeters[index] += UInt16(way)
      centimeters -= way
      if steps == 0, centimeters == 0 { return }
    }
  }

  // MARK: Activities

  /// The activity by this index, in `0..<spanCount`.
  func span(_ index: Int) -> ActivitySpan {
    precondition(index >= 0 && index < spanCount)
    return spans[index]
  }

  /// Extends the newest activity to a second, which must not be before its end.
  func extend(to end: UInt32, _ confidence: Confidence) {
    guard spanCount > 0 else { return }
    spans[spanCount - 1].end = max(spans[spanCount - 1].end, end)
    spans[spanCount - 1].reading.confidence = confidence
    isChanged = true
  }

  /// Appends an activity. When there is no room, the shortest one is merged into the one before it.
  func append(_ span: ActivitySpan) {
    if spanCount == Budget.motionDayActivities { mergeShortest() }
    spans[spanCount] = span
    spanCount += 1
    isChanged = true
  }

  private func mergeShortest() {
    var shortest = 1
    for index in 1..<spanCount where length(index) < length(shortest) { shortest = index }
    // After a clock was set back, an activity may be earlier than the one before it.
    spans[shortest - 1].end = max(spans[shortest - 1].end, spans[shortest].end)
    for index in shortest..<(spanCount - 1) { spans[index] = spans[index + 1] }
    spanCount -= 1
  }

  private func length(_ index: Int) -> UInt32 { spans[index].end - spans[index].start }
}
