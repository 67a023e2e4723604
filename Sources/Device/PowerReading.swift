import Codec
import Runtime

/// Power and heat as reported by a Raspberry Pi's firmware: the bits of its property "get throttled".
public struct ThrottlingReading: Equatable, Sendable {
  /// A reason for throttling, now or since the start.
  public enum Cause: Sendable {
    case underVoltage, frequencyCapped, throttled, softTemperatureLimit

    /// The word of `device.health`.
    public var word: StaticString {
      switch self {
      case .underVoltage: "underVoltage"
      case .frequencyCapped: "frequencyCapped"
      case .throttled: "throttled"
      case .softTemperatureLimit: "softTemperatureLimit"
      }
    }

    fileprivate var bit: UInt32 {
      switch self {
      case .underVoltage: 0
      case .frequencyCapped: 1
      case .throttled: 2
      case .softTemperatureLimit: 3
      }
    }
  }

  /// All of them.
  static let causes: InlineArray<4, Cause> = [.underVoltage, .frequencyCapped, .throttled, .softTemperatureLimit]

  /// The firmware's bits: 0...3 for now, 16...19 for any time since the start.
  public var bits: UInt32

  /// A reading from its bits.
  public init(bits: UInt32) { self.bits = bits }

  /// From the text of the kernel's `get_throttled`, a hexadecimal number with or without 0x.
  public init?(text: Span<UInt8>) {
    let word = text.trimmed
    let digits = word.hasPrefix("0x") ? word.extracting(2...) : word
    guard let number = digits.hexadecimal, let bits = UInt32(exactly: number) else { return nil }
    self.bits = bits
  }

  /// True when the cause is present now.
  public func isNow(_ cause: Cause) -> Bool { bits >> cause.bit & 1 != 0 }

  /// True when the cause was present at any time since the start.
  public func hasBeen(_ cause: Cause) -> Bool { bits >> (cause.bit + 16) & 1 != 0 }
}

/// One thermometer of the board.
public struct ZoneReading: Sendable {
  /// The kernel's name of the zone, such as "cpu-thermal".
  public var name: DeviceName
  /// Degrees Celsius.
  public var celsius: Double

  /// A reading; see the properties.
  public init(name: DeviceName, celsius: Double) {
    self.name = name
    self.celsius = celsius
  }
}
