import Codec

/// An activity with its start and end, in milliseconds since the Unix epoch.
public struct ActivityInterval: Equatable, Sendable {
  public var start: Int64
  public var end: Int64
  public var reading: ActivityReading

  /// An interval; see the properties.
  public init(start: Int64, end: Int64, reading: ActivityReading) {
    (self.start, self.end, self.reading) = (start, end, reading)
  }
}

// Queries between two instants in milliseconds since the Unix epoch. Days without a date use the current clock.
extension MotionHistory {
  /// Steps and meters from `start` to `end`. Minutes at the edges count in proportion; the current minute ends at the
  /// newest update.
  public func pedometer(_ start: Int64, _ end: Int64) -> (steps: Int, meters: Double) {
    var steps = 0.0
    var centimeters = 0.0
    let newest = newestMinute
    for day in days {
      guard let begin = beginning(of: day), begin < end, begin + MotionDay.milliseconds > start else {
        continue
      }
      let first = Int(max(0, start - begin) / 60_000)
      let last = Int((min(end - begin, MotionDay.milliseconds) - 1) / 60_000)
      guard first <= last else { continue }
      for index in first...last {
        let minute = day.minute(index)
        guard minute.steps > 0 || minute.centimeters > 0 else { continue }
        let from = begin + Int64(index) * 60_000
        let to = self.end(ofMinute: from, newest: newest, end)
        let part = Double(max(0, min(end, to) - max(start, from))) / Double(to - from)
        steps += Double(minute.steps) * part
        centimeters += Double(minute.centimeters) * part
      }
    }
    return (Int(clamping: steps.rounded()), centimeters / 100)
  }

  /// When a minute ends. The current one ends at the newest update; after a restart, without an update, at the end of
  /// the query.
  private func end(ofMinute from: Int64, newest: Int64, _ end: Int64) -> Int64 {
    let whole = from + 60_000
    if latest >= from, latest < whole { return latest + 1 }
    return from == newest && end > from && end < whole ? end : whole
  }

  /// The start of the last minute with steps.
  private var newestMinute: Int64 {
    var newest = Int64.min
    for day in days {
      guard let begin = beginning(of: day), begin + MotionDay.milliseconds > newest else { continue }
      for index in 0..<MotionDay.minutes where day.minute(index).steps > 0 {
        newest = max(newest, begin + Int64(index) * 60_000)
      }
    }
    return newest
  }

  /// Calls `body` with the activities from `start` to `end`, clipped to these: the last `limit` intervals, in order.
  public func activities(_ start: Int64, _ end: Int64, limit: Int, _ body: (ActivityInterval) -> Void) {
    var skip = 0
    visit(start, end) { _ in skip += 1 }
    skip -= min(skip, limit)
    visit(start, end) { interval in
      if skip > 0 { skip -= 1 } else { body(interval) }
    }
  }

  private func visit(_ start: Int64, _ end: Int64, _ body: (ActivityInterval) -> Void) {
    var previous = Int64.min
    while let day = nextDay(after: previous), let begin = beginning(of: day) {
      previous = begin
      for index in 0..<day.spanCount {
        let span = day.span(index)
        let from = max(start, begin + Int64(span.start) * 1000)
        let to = min(end, begin + Int64(span.end) * 1000)
        if from < to { body(ActivityInterval(start: from, end: to, reading: span.reading)) }
      }
    }
  }

  private func nextDay(after moment: Int64) -> MotionDay? {
    var next: MotionDay?
    var earliest = Int64.max
    for day in days {
      guard let begin = beginning(of: day), begin > moment, begin < earliest else { continue }
      (next, earliest) = (day, begin)
    }
    return next
  }

  private func beginning(of day: MotionDay) -> Int64? {
    guard let number = day.number else { return nil }
    return number * MotionDay.milliseconds + (day.isDated ? 0 : offset ?? 0)
  }
}
