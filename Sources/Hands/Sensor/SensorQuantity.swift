/// What a sensor measures, in the unit in which it is told.
public enum SensorQuantity: Sendable, CaseIterable {
  case temperature, humidity, pressure, light, voltage, current, power, concentration, resistance

  /// The name of the unit that people read.
  public var unit: StaticString {
    switch self {
    case .temperature: "°C"
    case .humidity: "%"
    case .pressure: "hPa"
    case .light: "lx"
    case .voltage: "V"
    case .current: "A"
    case .power: "W"
    case .concentration: "ppm"
    case .resistance: "ohm"
    }
  }

  /// What is measured, in a word.
  public var word: StaticString {
    switch self {
    case .temperature: "temperature"
    case .humidity: "humidity"
    case .pressure: "pressure"
    case .light: "light"
    case .voltage: "voltage"
    case .current: "current"
    case .power: "power"
    case .concentration: "concentration"
    case .resistance: "resistance"
    }
  }

  /// Digits after the decimal point that mean something on usual sensors.
  public var fractionDigits: Int {
    switch self {
    case .temperature, .humidity, .pressure: 1
    case .light, .concentration, .resistance: 0
    case .voltage, .current, .power: 3
    }
  }
}

/// A type of channel of one of the kernel's interfaces: how its names begin, what it measures, and what one of the
/// kernel's units is in Talon's.
public struct SensorChannelType: Sendable {
  public let name: StaticString
  public let quantity: SensorQuantity
  public let factor: Double

  /// Channels of Industrial I/O (kernel document ABI/testing/sysfs-bus-iio): millidegrees, thousandths of a percent,
  /// kilopascal, lux, millivolts, milliamperes, milliwatts, percent of a substance, ohm.
  public static let iio: [SensorChannelType] = [
    SensorChannelType(name: "temp", quantity: .temperature, factor: 0.001),
    SensorChannelType(name: "humidityrelative", quantity: .humidity, factor: 0.001),
    SensorChannelType(name: "pressure", quantity: .pressure, factor: 10),
    SensorChannelType(name: "illuminance", quantity: .light, factor: 1),
    SensorChannelType(name: "voltage", quantity: .voltage, factor: 0.001),
    SensorChannelType(name: "current", quantity: .current, factor: 0.001),
    SensorChannelType(name: "power", quantity: .power, factor: 0.001),
    SensorChannelType(name: "concentration", quantity: .concentration, factor: 10_000),
    SensorChannelType(name: "resistance", quantity: .resistance, factor: 1),
  ]

  /// Values of hwmon (kernel document hwmon/sysfs-interface): millidegrees, thousandths of a percent, millivolts,
  /// milliamperes, microwatts.
  public static let hwmon: [SensorChannelType] = [
    SensorChannelType(name: "temp", quantity: .temperature, factor: 0.001),
    SensorChannelType(name: "humidity", quantity: .humidity, factor: 0.001),
    SensorChannelType(name: "in", quantity: .voltage, factor: 0.001),
    SensorChannelType(name: "curr", quantity: .current, factor: 0.001),
    SensorChannelType(name: "power", quantity: .power, factor: 0.000_001),
  ]
}
