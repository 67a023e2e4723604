import Runtime

/// The first or the last value that may be entered (`min`, `max` of v0.9): a date, a time of day, or both. One of a
/// time of day alone counts on every day.
struct DateTimeLimit: Equatable, Sendable {
  private var value = DateTimeValue(unixMilliseconds: 0)
  private var hasDate = false
  private var hasTime = false

  /// Parses an ISO 8601 value; nil for what is none.
  init?(_ text: Span<UInt8>) {
    // What changes none of two different values is no date, and no time.
    var other = DateTimeValue(unixMilliseconds: 40_000_000_000_000)
    value.take(text)
    other.take(text)
    hasDate = value.minutes(hasDate: true, hasTime: false) == other.minutes(hasDate: true, hasTime: false)
    hasTime = value.minutes(hasDate: false, hasTime: true) == other.minutes(hasDate: false, hasTime: true)
    guard hasDate || hasTime else { return nil }
  }

  /// A value that is not before it, where `isLeast`, or else not behind it. What the limit does not have stays.
  func applied(to given: DateTimeValue, isLeast: Bool) -> DateTimeValue {
    let (one, other) = (
      given.minutes(hasDate: hasDate, hasTime: hasTime), value.minutes(hasDate: hasDate, hasTime: hasTime)
    )
    guard isLeast ? one < other : one > other else { return given }
    var result = given
    result.take(value, hasDate: hasDate, hasTime: hasTime)
    return result
  }
}
