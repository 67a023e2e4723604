import Codec

/// A battery and its charger (`/sys/class/power_supply`, kernel document sysfs-class-power).
public struct BatteryReading: Equatable, Sendable {
  /// The state of charging.
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

  /// The source of external power.
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

    /// From the attribute `type` of a supply; nil when it is a battery. HATs report their power input as a UPS without
    /// a charge. Apple's chargers (`BrickID`) are USB's. A supply whose driver does not know the type (`Unknown`), or
    /// names a newer one, still feeds the board: that counts as mains.
    public init?(type text: Span<UInt8>) {
      let word = text.trimmed
      if word.matches("Battery") { return nil }
      if word.hasPrefix("USB") || word.matches("BrickID") {
        self = .usb
      } else {
        self = word.matches("Wireless") ? .wireless : .ac
      }
    }
  }

  /// The charge of a battery without a percentage (`capacity_level`).
  public enum Rank: Equatable, Sendable {
    case critical, low, normal, high, full

    /// The word of `device.health`.
    public var word: StaticString {
      switch self {
      case .critical: "critical"
      case .low: "low"
      case .normal: "normal"
      case .high: "high"
      case .full: "full"
      }
    }

    /// From the attribute's text; nil when unknown.
    public init?(capacityLevel text: Span<UInt8>) {
      let word = text.trimmed
      if word.matches("Critical") {
        self = .critical
      } else if word.matches("Low") {
        self = .low
      } else if word.matches("Normal") {
        self = .normal
      } else if word.matches("High") {
        self = .high
      } else if word.matches("Full") {
        self = .full
      } else {
        return nil
      }
    }
  }

  /// The state of charging; `.unknown` without a battery.
  public var state = State.unknown
  /// Charge as a fraction, 0...1; nil without a battery, or when unknown.
  public var level: Double?
  /// The charge as a word, where the battery reports that.
  public var rank: Rank?
  /// The source of external power.
  public var charger = Charger.none
  /// Degrees Celsius, when the battery has a thermometer.
  public var temperature: Double?
  /// Milliamperes; by convention positive while charging. When the battery measures it.
  public var current: Double?
  /// Volts, when the battery measures them.
  public var voltage: Double?
  /// Seconds until it is empty at the present current, while it is discharging.
  public var timeToEmpty: Double?

  /// No battery.
  public init() {}

  /// True when its charge is known and nearly none: by the percentage, and without one by the word.
  public var isNearlyEmpty: Bool {
    if let level { return level <= 0.1 }
    return rank == .critical || rank == .low
  }
}
