extension Budget {

  // MARK: Sensors

  /// Milliseconds between two readings of a sensor, of the usual one and of what may be configured: a 1-Wire
  /// thermometer measures for 750 ms, and a day is the longest window.
  public static let sensorMilliseconds: Int64 = 10_000
  public static let sensorSeconds: ClosedRange<Int64> = 1...86_400
  /// Minutes of the window of minimum, maximum and mean, the usual one and what may be configured.
  public static let sensorWindowMinutes = 60
  public static let sensorWindowRange: ClosedRange<Int> = 1...10_080
  /// Milliseconds between two events of a sensor: a value that swings over both ends of its hysteresis must not fill
  /// the outbox, nor the agent's session.
  public static let sensorEventMilliseconds: Int64 = 300_000
}
