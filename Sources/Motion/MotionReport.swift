import Codec

// The results of node-commands 4.8.
extension MotionHistory {
  /// The result of `motion.pedometer`.
  public func writePedometer(_ window: MotionWindow, to writer: inout JSONWriter) {
    let counted = pedometer(window.start, window.end)
    writer.beginObject()
    Self.write("startISO", window.start, to: &writer)
    Self.write("endISO", window.end, to: &writer)
    writer.key("steps")
    writer.int(Int64(counted.steps))
    writer.key("distanceMeters")
    writer.decimal(counted.meters, fractionDigits: 1)
    writer.endObject()
  }

  /// The result of `motion.activity`.
  public func writeActivities(_ window: MotionWindow, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("activities")
    writer.beginArray()
    activities(window.start, window.end, limit: window.limit) { interval in
      interval.write(to: &writer)
    }
    writer.endArray()
    writer.endObject()
  }

  fileprivate static func write(_ key: StaticString, _ moment: Int64, to writer: inout JSONWriter) {
    writer.key(key)
    let text = ISO8601(unixMilliseconds: moment)
    writer.string(text.text)
  }
}

extension ActivityInterval {
  /// One entry of `activities`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    MotionHistory.write("startISO", start, to: &writer)
    MotionHistory.write("endISO", end, to: &writer)
    writer.key("confidence")
    writer.string(reading.confidence.word)
    Self.write("isWalking", reading.activity == .walking, to: &writer)
    Self.write("isRunning", reading.activity == .running, to: &writer)
    Self.write("isCycling", reading.activity == .cycling, to: &writer)
    Self.write("isAutomotive", reading.activity == .automotive, to: &writer)
    Self.write("isStationary", reading.activity == .stationary, to: &writer)
    Self.write("isUnknown", reading.activity == .unknown, to: &writer)
    writer.endObject()
  }

  private static func write(_ key: StaticString, _ value: Bool, to writer: inout JSONWriter) {
    writer.key(key)
    writer.bool(value)
  }
}
