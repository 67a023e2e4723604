/// A battery and what charges it (`/sys/class/power_supply`, kernel document sysfs-class-power).
public struct BatteryReading: Equatable, Sendable {
  /// What happens to the charge.
  public enum State: Equatable, Sendable {
    case unknown, unplugged, charging, full

    /// The word of `device.status`.
    public var word: StaticString {
      switch self {
      case .unknown: "unknown"
      case .unplugged: "unplugged"
      case .charging: "charging"
      case .full: "full"
      }
    }

    /// From the attribute `status`. A battery that external power does not charge counts as unplugged, as on Android.
    public init(status text: Span<UInt8>) {
      let word = text.trimmed
      if word.matches("Charging") {
        self = .charging
      } else if word.matches("Discharging") || word.matches("Not charging") {
        self = .unplugged
      } else if word.matches("Full") {
        self = .full
      } else {
        self = .unknown
      }
    }
  }

  /// Where external power comes from.
  public enum Charger: Equatable, Sendable {
    case none, ac, usb, wireless

    /// The word of `device.health`.
    public var word: StaticString {
      switch self {
      case .none: "none"
      case .ac: "ac"
      case .usb: "usb"
      case .wireless: "wireless"
      }
    }

    /// From the attribute `type` of a supply; nil when it is no charger.
    public init?(type text: Span<UInt8>) {
      let word = text.trimmed
      if word.matches("Mains") {
        self = .ac
      } else if word.hasPrefix("USB") {
        self = .usb
      } else if word.matches("Wireless") {
        self = .wireless
      } else {
        return nil
      }
    }
  }

  /// What happens to the charge; `.unknown` without a battery.
  public var state = State.unknown
  /// Charge as a fraction, 0...1; nil without a battery.
  public var level: Double?
  /// Where external power comes from.
  public var charger = Charger.none
  /// Degrees Celsius, when the battery has a thermometer.
  public var temperature: Double?
  /// Milliamperes; by convention positive while charging. When the battery measures it.
  public var current: Double?

  /// No battery.
  public init() {}
}
