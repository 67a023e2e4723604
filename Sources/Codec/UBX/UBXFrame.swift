/// A frame of UBX, u-blox's own protocol (u-blox 8 / M8 interface description, "UBX frame structure"): two bytes to
/// recognize it, class, identity, length, payload and two bytes of checksum.
public enum UBXFrame {
  static let firstSync: UInt8 = 0xB5
  static let secondSync: UInt8 = 0x62
  /// Bytes around a payload.
  public static let overhead = 8

  /// Writes a frame.
  public static func write(
    _ message: UBXMessageID, _ payload: Span<UInt8>, to writer: inout ByteWriter
  ) {
    var sum = UBXChecksum()
    let length = UInt16(truncatingIfNeeded: payload.count)
    writer.byte(firstSync)
    writer.byte(secondSync)
    let header: InlineArray<4, UInt8> = [
      message.group, message.identity, UInt8(length & 255), UInt8(length >> 8),
    ]
    sum.add(header.span)
    writer.bytes(header.span)
    sum.add(payload)
    writer.bytes(payload)
    writer.byte(sum.first)
    writer.byte(sum.second)
  }
}

/// The checksum of UBX (RFC 1145 with 8 bits: J. Fletcher's).
struct UBXChecksum {
  private(set) var first: UInt8 = 0
  private(set) var second: UInt8 = 0

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    first &+= byte
    second &+= first
  }

  mutating func add(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { add(bytes[index]) }
  }
}

/// What a frame is about: class and identity.
public struct UBXMessageID: Equatable, Sendable {
  /// The class.
  public let group: UInt8
  public let identity: UInt8

  public init(_ group: UInt8, _ identity: UInt8) {
    self.group = group
    self.identity = identity
  }
}

extension Span where Element == UInt8 {
  /// Two bytes, the lower one first.
  @inline(__always)
  func u16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  /// Four bytes, the lowest first.
  @inline(__always)
  func u32(at index: Int) -> UInt32 { UInt32(u16(at: index)) | UInt32(u16(at: index + 2)) << 16 }

  /// Four bytes with a sign.
  @inline(__always)
  func i32(at index: Int) -> Int32 { Int32(bitPattern: u32(at: index)) }
}
