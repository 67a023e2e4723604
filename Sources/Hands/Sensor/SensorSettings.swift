import Runtime

/// `kind = sensor`.
public struct SensorSettings: Sendable {
  /// Nil until the configuration names it.
  public var source: SensorSource?
  /// What its sentences call it; empty: its name.
  public var label = ""
  /// Milliseconds between readings.
  public var every = Budget.sensorMilliseconds
  /// Minutes of minimum, maximum and mean.
  public var windowMinutes = Budget.sensorWindowMinutes
  /// The agent is told above and below these values; nil: it is not.
  public var above: Double?
  public var below: Double?
  public var hysteresis = 0.5
  /// What is told is the sensor's value times this, plus that, in this unit; empty: the unit of what it measures.
  public var scale = 1.0
  public var offset = 0.0
  public var unit = ""

  /// A sensor with the defaults.
  public init() {}

  /// The unit that is told.
  public var unitText: String {
    guard unit.isEmpty, let source else { return unit }
    return String(decoding: source.quantity.unit.bytes, as: UTF8.self)
  }

  /// Digits after the decimal point.
  public var fractionDigits: Int { unit.isEmpty ? source?.quantity.fractionDigits ?? 1 : 2 }
}
