/// An activity and when it was, in milliseconds since the Unix epoch.
public struct ActivityInterval: Equatable, Sendable {
  public var start: Int64
  public var end: Int64
  public var reading: ActivityReading

  /// An interval; see the properties.
  public init(start: Int64, end: Int64, reading: ActivityReading) {
    (self.start, self.end, self.reading) = (start, end, reading)
  }
}

// What was, between two moments in milliseconds since the Unix epoch. Days without a date answer by the clock as it is.
extension MotionHistory {
  /// Steps and metres from `start` to `end`. Of a minute that lies across an edge its part counts.
  public func pedometer(_ start: Int64, _ end: Int64) -> (steps: Int, metres: Double) {
    var steps = 0.0
    var centimetres = 0.0
    for day in days {
      guard let begin = beginning(of: day), begin < end, begin + MotionDay.milliseconds > start else {
        continue
      }
      let first = Int(max(0, start - begin) / 60_000)
      let last = Int((min(end - begin, MotionDay.milliseconds) - 1) / 60_000)
      guard first <= last else { continue }
      for index in first...last {
        let minute = day.minute(index)
        guard minute.steps > 0 || minute.centimetres > 0 else { continue }
        let from = begin + Int64(index) * 60_000
        let part = Double(min(end, from + 60_000) - max(start, from)) / 60_000
        steps += Double(minute.steps) * part
        centimetres += Double(minute.centimetres) * part
      }
    }
    return (Int(steps.rounded()), centimetres / 100)
  }

  /// Calls `body` with what was done from `start` to `end`, cut there: the last `limit` intervals, in their order.
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
