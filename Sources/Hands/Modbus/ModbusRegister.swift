import Codec
import Runtime

/// One of the four areas of a Modbus device (application protocol V1.1b3, section 4.3).
public enum ModbusArea: Equatable, Sendable {
  case coil, discrete, holding, input

  /// The function that reads it (V1.1b3, sections 6.1 to 6.4).
  var readFunction: UInt8 {
    switch self {
    case .coil: 1
    case .discrete: 2
    case .holding: 3
    case .input: 4
    }
  }

  var isBit: Bool { self == .coil || self == .discrete }
}

/// How the bits of a register are a number.
public enum ModbusType: Equatable, Sendable {
  case bit, u16, i16, u32, i32, f32

  var words: UInt16 {
    switch self {
    case .bit, .u16, .i16: 1
    case .u32, .i32, .f32: 2
    }
  }
}

/// A named value of a device, as the configuration describes it:
///
///     holding 0x0010 u16 scale 0.1 unit l/min
///     input 8 f32 low-first unit kW
///     holding 3 i16 scale 0.1 unit °C writable 5..30
///     coil 2 writable
///
/// Addresses are those of the protocol, from 0; a manual that numbers registers from 1, or from 40001, says one more.
public struct ModbusRegister: Sendable {
  public var name = InlineText<32>()
  public var area = ModbusArea.holding
  public var address: UInt16 = 0
  public var type = ModbusType.u16
  /// Of two registers the first has the lower half. Modbus says nothing of it; the higher half first is usual.
  public var isLowFirst = false
  public var scale = 1.0
  public var unit = InlineText<16>()
  /// The values that may be written; nil for none.
  public var writable: ClosedRange<Double>?

  public init() {}

  /// Reads a description; a sentence when it is wrong.
  public static func parse(name: String, _ text: String) -> (register: ModbusRegister?, complaint: String) {
    var register = ModbusRegister()
    guard isName(name), register.name.set(name.utf8.span) else {
      return (nil, "must have a name of small letters, digits and _, at most \(Budget.modbusNameBytes)")
    }
    let words = text.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).map {
      String(decoding: Array($0), as: UTF8.self)
    }
    guard words.count >= 2 else { return (nil, form) }
    switch words[0] {
    case "coil": register.area = .coil
    case "discrete": register.area = .discrete
    case "holding": register.area = .holding
    case "input": register.area = .input
    default: return (nil, form)
    }
    guard let address = number(words[1]) else { return (nil, "\(words[1]) is no address from 0 to 65535") }
    register.address = address
    if register.area.isBit { register.type = .bit }
    return register.take(words[2...]) ?? (register, "")
  }

  private static let form =
    "must be holding, input, coil or discrete, an address and a type; "
    + "for example: holding 0x0010 u16 scale 0.1 unit l/min"

  /// The words after the address; an answer only when one is wrong.
  private mutating func take(_ words: ArraySlice<String>) -> (ModbusRegister?, String)? {
    var words = words
    var hasType = false
    var range: String?
    while let word = words.popFirst() {
      switch word {
      case "u16", "i16", "u32", "i32", "f32":
        guard !area.isBit else { return (nil, "a coil or discrete input is one bit and has no type") }
        type = word == "u16" ? .u16 : word == "i16" ? .i16 : word == "u32" ? .u32 : word == "i32" ? .i32 : .f32
        hasType = true
      case "low-first": isLowFirst = true
      case "scale":
        guard let value = words.popFirst().flatMap(Self.decimal), value != 0 else {
          return (nil, "scale must be followed by a number other than 0")
        }
        scale = value
      case "unit":
        guard let text = words.popFirst(), unit.set(text.utf8.span) else {
          return (nil, "unit must be followed by a word of at most 16 bytes")
        }
      case "writable":
        guard area == .coil || area == .holding else { return (nil, "only a coil or a holding register is writable") }
        range = area == .coil ? "0..1" : words.popFirst() ?? ""
      default: return (nil, "\(word) is nothing that describes a register")
      }
    }
    guard area.isBit || hasType else { return (nil, "needs a type: u16, i16, u32, i32 or f32") }
    if isLowFirst, type.words == 1 { return (nil, "low-first is for types of two registers") }
    guard let range else { return nil }
    guard let limits = Self.range(range) else {
      return (nil, "writable must be followed by the values that may be written, for example 5..30")
    }
    // What the owner allows must be what the register can hold.
    guard encode(limits.lowerBound) != nil, encode(limits.upperBound) != nil else {
      return (nil, "cannot hold all values from \(range)")
    }
    writable = limits
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }
  }

  private static func number(_ text: String) -> UInt16? {
    text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text, radix: 10)
  }

  private static func decimal(_ text: String) -> Double? {
    guard let value = text.utf8.span.decimalNumber, value.isFinite else { return nil }
    return value
  }

  /// "5..30": also for other kinds of values.
  static func range(_ text: String) -> ClosedRange<Double>? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 4 else { return nil }
    for index in 1..<(bytes.count - 2) where bytes[index] == UInt8(ascii: ".") && bytes[index + 1] == bytes[index] {
      let low = String(decoding: bytes[..<index], as: UTF8.self)
      let high = String(decoding: bytes[(index + 2)...], as: UTF8.self)
      guard let least = decimal(low), let most = decimal(high), least <= most else { return nil }
      return least...most
    }
    return nil
  }

  // MARK: Values

  /// The value that the data of a response holds; `bytes` are those after its count. Nil for what is no number.
  func decode(_ bytes: Span<UInt8>) -> Double? {
    if type == .bit { return bytes.count >= 1 ? Double(bytes[0] & 1) : nil }
    guard bytes.count >= 2 * Int(type.words) else { return nil }
    let first = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    guard type.words == 2 else {
      return scale * (type == .i16 ? Double(Int16(bitPattern: first)) : Double(first))
    }
    let second = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    let bits = isLowFirst ? UInt32(second) << 16 | UInt32(first) : UInt32(first) << 16 | UInt32(second)
    switch type {
    case .i32: return scale * Double(Int32(bitPattern: bits))
    case .f32:
      let value = scale * Double(Float(bitPattern: bits))
      return value.isFinite ? value : nil
    default: return scale * Double(bits)
    }
  }

  /// The registers that hold a value, or a coil's FF00h or 0000h; nil when they cannot.
  func encode(_ value: Double) -> InlineList<2, UInt16>? {
    var words = InlineList<2, UInt16>()
    if type == .bit {
      guard value == 0 || value == 1 else { return nil }
      words.append(value == 1 ? 0xFF00 : 0)
      return words
    }
    let raw = (value / scale).rounded()
    guard raw.isFinite, value.isFinite else { return nil }
    let bits: UInt32
    switch type {
    case .u16:
      guard (0...65_535).contains(raw) else { return nil }
      words.append(UInt16(truncatingIfNeeded: Int64(clamping: raw)))
      return words
    case .i16:
      guard (-32_768...32_767).contains(raw) else { return nil }
      words.append(UInt16(truncatingIfNeeded: Int64(clamping: raw)))
      return words
    case .u32:
      guard (0...4_294_967_295).contains(raw) else { return nil }
      bits = UInt32(truncatingIfNeeded: Int64(clamping: raw))
    case .i32:
      guard (-2_147_483_648...2_147_483_647).contains(raw) else { return nil }
      bits = UInt32(truncatingIfNeeded: Int64(clamping: raw))
    default:
      let single = Float(value / scale)
      guard single.isFinite else { return nil }
      bits = single.bitPattern
    }
    let (high, low) = (UInt16(bits >> 16), UInt16(bits & 0xFFFF))
    words.append(isLowFirst ? low : high)
    words.append(isLowFirst ? high : low)
    return words
  }
}
