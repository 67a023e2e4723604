/// Settings for receivers of generation 9 and later (u-blox F9 and M10 interface descriptions, "UBX-CFG-VALSET" and
/// "Configuration items"): gathered key by key, written as one frame. A receiver takes all of them or none.
public struct UBXValues {
  /// The memory layers that settings are written to.
  public struct Layers: Equatable, Sendable {
    let mask: UInt8
    /// Effective at once, lost without power.
    public static let volatile = Layers(mask: 1)
    /// Effective at once, and also in battery-backed memory and flash.
    public static let all = Layers(mask: 7)
  }

  /// A message whose rate can be set.
  public enum Message: Sendable {
    case gga, rmc, gsa, gsv, gll, vtg, gns, gst, zda, gbs
    case pvt, sat, timeUTC, dop, status
  }

  private var payload = UBXPayload()

  /// Settings without a key.
  public init(_ layers: Layers) {
    payload.u8(0)
    payload.u8(layers.mask)
    payload.zeros(2)
  }

  /// Writes the frame.
  public func write(to writer: inout ByteWriter) {
    UBXFrame.write(UBXCommand.values, payload.bytes, to: &writer)
  }

  /// Sets the rate of the serial port in bits a second (CFG-UART1-BAUDRATE).
  public mutating func setBaud(_ baud: UInt32) {
    guard append(0x4052_0001, bytes: 4) else { return }
    payload.u32(baud)
  }

  /// Sets the protocols of a port (CFG-UART1INPROT, CFG-UART1OUTPROT, CFG-USBINPROT, CFG-USBOUTPROT; UBX is item 1 of
  /// each, NMEA item 2).
  public mutating func setProtocols(
    of port: UBXCommand.Port, input: UBXCommand.Protocols, output: UBXCommand.Protocols
  ) {
    let inputKey: UInt32 = port == .uart1 ? 0x1073_0000 : 0x1077_0000
    let outputKey: UInt32 = port == .uart1 ? 0x1074_0000 : 0x1078_0000
    set(inputKey | 1, input.mask & 1 != 0)
    set(inputKey | 2, input.mask & 2 != 0)
    set(outputKey | 1, output.mask & 1 != 0)
    set(outputKey | 2, output.mask & 2 != 0)
  }

  /// Sets how often a message is sent on a port: once every `fixes` fixes, never for 0 (CFG-MSGOUT).
  public mutating func send(_ message: Message, on port: UBXCommand.Port, every fixes: UInt8) {
    // Keys stand in the order I2C, UART1, UART2, USB, SPI.
    guard append(Self.key(message) + (port == .uart1 ? 1 : 3), bytes: 1) else { return }
    payload.u8(fixes)
  }

  /// Sets the time between fixes in milliseconds (CFG-RATE-MEAS).
  public mutating func measure(everyMilliseconds period: UInt16) {
    guard append(0x3021_0001, bytes: 2) else { return }
    payload.u16(period)
  }

  /// Selects the systems to receive (CFG-SIGNAL-xxx_ENA).
  public mutating func receive(_ systems: UBXSystems) {
    let all = UBXSystems.all
    for index in 0..<all.count { set(Self.key(all[index]), systems.contains(all[index])) }
  }

  /// True while all settings fit.
  public private(set) var isComplete = true

  private mutating func set(_ key: UInt32, _ value: Bool) {
    guard append(key, bytes: 1) else { return }
    payload.u8(value ? 1 : 0)
  }

  private mutating func append(_ key: UInt32, bytes: Int) -> Bool {
    guard payload.room >= 4 + bytes else {
      isComplete = false
      return false
    }
    payload.u32(key)
    return true
  }

  /// The key for the I2C port.
  private static func key(_ message: Message) -> UInt32 {
    switch message {
    case .gga: 0x2091_00BA
    case .rmc: 0x2091_00AB
    case .gsa: 0x2091_00BF
    case .gsv: 0x2091_00C4
    case .gll: 0x2091_00C9
    case .vtg: 0x2091_00B0
    case .gns: 0x2091_00B5
    case .gst: 0x2091_00D3
    case .zda: 0x2091_00D8
    case .gbs: 0x2091_00DD
    case .pvt: 0x2091_0006
    case .sat: 0x2091_0015
    case .timeUTC: 0x2091_005B
    case .dop: 0x2091_0038
    case .status: 0x2091_001A
    }
  }

  private static func key(_ constellation: Constellation) -> UInt32 {
    switch constellation {
    case .gps: 0x1031_001F
    case .sbas: 0x1031_0020
    case .galileo: 0x1031_0021
    case .beidou: 0x1031_0022
    case .qzss: 0x1031_0024
    case .glonass: 0x1031_0025
    case .navic, .imes: 0x1031_0026
    }
  }
}

extension UBXValues.Message {
  /// The message as frames and CFG-MSG name it ("NMEA messages overview": class 0xF0).
  public var id: UBXMessageID {
    switch self {
    case .gga: UBXMessageID(0xF0, 0x00)
    case .gll: UBXMessageID(0xF0, 0x01)
    case .gsa: UBXMessageID(0xF0, 0x02)
    case .gsv: UBXMessageID(0xF0, 0x03)
    case .rmc: UBXMessageID(0xF0, 0x04)
    case .vtg: UBXMessageID(0xF0, 0x05)
    case .gst: UBXMessageID(0xF0, 0x07)
    case .zda: UBXMessageID(0xF0, 0x08)
    case .gbs: UBXMessageID(0xF0, 0x09)
    case .gns: UBXMessageID(0xF0, 0x0D)
    case .pvt: UBXMessageID(0x01, 0x07)
    case .sat: UBXMessageID(0x01, 0x35)
    case .timeUTC: UBXMessageID(0x01, 0x21)
    case .dop: UBXMessageID(0x01, 0x04)
    case .status: UBXMessageID(0x01, 0x03)
    }
  }
}
