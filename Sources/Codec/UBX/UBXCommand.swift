/// Commands for receivers up to generation 8 (u-blox 8 / M8 interface description, section in brackets), and the
/// version poll for any receiver. Each writes one frame.
public enum UBXCommand {
  /// A port of the receiver.
  public enum Port: UInt8, Sendable {
    case uart1 = 1
    case usb = 3
  }

  /// Protocols on a port, as masks of CFG-PRT have them.
  public struct Protocols: Equatable, Sendable {
    public let mask: UInt16
    public static let none = Protocols(mask: 0)
    public static let ubx = Protocols(mask: 1)
    public static let nmea = Protocols(mask: 2)
    public static let both = Protocols(mask: 3)
    /// Both, and RTCM 3 corrections, which are input only.
    public static let all = Protocols(mask: 0x23)
  }

  static let version = UBXMessageID(0x0A, 0x04)
  public static let port = UBXMessageID(0x06, 0x00)
  public static let messageRate = UBXMessageID(0x06, 0x01)
  public static let measurementRate = UBXMessageID(0x06, 0x08)
  public static let save = UBXMessageID(0x06, 0x09)
  public static let constellations = UBXMessageID(0x06, 0x3E)
  public static let values = UBXMessageID(0x06, 0x8A)

  /// Polls the receiver's version ("UBX-MON-VER", "Poll"). Every generation answers, in UBX.
  public static func pollVersion(to writer: inout ByteWriter) {
    UBXFrame.write(version, Span(), to: &writer)
  }

  /// Sets rate and protocols of a port ("UBX-CFG-PRT"), 8 bits without parity. The answer comes at the new rate.
  public static func configure(
    _ port: Port, baud: UInt32, input: Protocols, output: Protocols, to writer: inout ByteWriter
  ) {
    var payload = UBXPayload()
    payload.u8(port.rawValue)
    payload.zeros(3)
    // 8 bits, no parity, one stop bit; a USB port has none of them.
    payload.u32(port == .uart1 ? 0x0000_08D0 : 0)
    payload.u32(port == .uart1 ? baud : 0)
    payload.u16(input.mask)
    payload.u16(output.mask)
    payload.zeros(4)
    UBXFrame.write(Self.port, payload.bytes, to: &writer)
  }

  /// Sets how often a message is sent on the port that receives this: once every `fixes` fixes, never for 0
  /// ("UBX-CFG-MSG", "Set message rate").
  public static func send(_ message: UBXMessageID, every fixes: UInt8, to writer: inout ByteWriter) {
    let payload: InlineArray<3, UInt8> = [message.group, message.identity, fixes]
    UBXFrame.write(messageRate, payload.span, to: &writer)
  }

  /// Sets the time between fixes in milliseconds, aligned to GPS time ("UBX-CFG-RATE").
  public static func measure(everyMilliseconds period: UInt16, to writer: inout ByteWriter) {
    var payload = UBXPayload()
    payload.u16(period)
    payload.u16(1)
    payload.u16(1)
    UBXFrame.write(measurementRate, payload.bytes, to: &writer)
  }

  /// Selects the systems to receive ("UBX-CFG-GNSS"), each with its first signal and the default number of channels. A
  /// receiver refuses combinations that its radio cannot receive: M8 has GPS with either GLONASS or BeiDou.
  public static func receive(_ systems: UBXSystems, to writer: inout ByteWriter) {
    let blocks = UBXSystems.all
    var payload = UBXPayload()
    payload.u8(0)
    payload.u8(0)
    // As many channels as there are.
    payload.u8(0xFF)
    payload.u8(UInt8(blocks.count))
    for index in 0..<blocks.count {
      let constellation = blocks[index]
      let channels = channels(constellation)
      payload.u8(constellation.rawValue)
      payload.u8(channels.reserved)
      payload.u8(channels.most)
      payload.u8(0)
      payload.u32(0x0001_0000 | (systems.contains(constellation) ? 1 : 0))
    }
    UBXFrame.write(constellations, payload.bytes, to: &writer)
  }

  private static func channels(_ constellation: Constellation) -> (reserved: UInt8, most: UInt8) {
    switch constellation {
    case .gps, .beidou: (8, 16)
    case .glonass: (8, 14)
    case .galileo: (4, 8)
    case .sbas: (1, 3)
    case .qzss: (0, 3)
    case .imes, .navic: (0, 8)
    }
  }

  /// Saves the configuration in all memories that the receiver has ("UBX-CFG-CFG").
  public static func saveConfiguration(to writer: inout ByteWriter) {
    var payload = UBXPayload()
    payload.u32(0)
    payload.u32(0xFFFF)
    payload.u32(0)
    // Battery-backed memory, flash, EEPROM, flash on SPI.
    payload.u8(0x17)
    UBXFrame.write(save, payload.bytes, to: &writer)
  }
}

/// A set of satellite systems.
public struct UBXSystems: Equatable, Sendable {
  /// The systems that can be chosen, in the order of the interface description.
  static let all: InlineArray<6, Constellation> = [.gps, .sbas, .galileo, .beidou, .qzss, .glonass]

  private var bits: UInt8 = 0

  /// None.
  public init() {}

  public mutating func insert(_ constellation: Constellation) { bits |= 1 << constellation.rawValue }
  public func contains(_ constellation: Constellation) -> Bool { bits & 1 << constellation.rawValue != 0 }
}

/// Builds a payload, little-endian.
struct UBXPayload {
  /// Enough for 36 keys with their values, or 12 systems.
  static let lengthMax = 256

  private var storage = InlineArray<256, UInt8>(repeating: 0)
  private(set) var count = 0

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<count) }
  }

  var room: Int { Self.lengthMax - count }

  mutating func u8(_ value: UInt8) {
    storage[count] = value
    count += 1
  }

  mutating func u16(_ value: UInt16) {
    u8(UInt8(truncatingIfNeeded: value))
    u8(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func u32(_ value: UInt32) {
    u16(UInt16(truncatingIfNeeded: value))
    u16(UInt16(truncatingIfNeeded: value >> 16))
  }

  mutating func zeros(_ count: Int) {
    for _ in 0..<count { u8(0) }
  }
}
