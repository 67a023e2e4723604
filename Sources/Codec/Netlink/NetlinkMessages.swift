/// A message whose contents contradict its header, and its offset.
public struct NetlinkError: Error, Equatable, Sendable {
  /// Bytes from the start of the datagram.
  public let offset: Int
}

/// The messages of one datagram (`struct nlmsghdr` of `<linux/netlink.h>`), in the byte order of this machine.
struct NetlinkMessages: ~Escapable {
  struct Message {
    /// Its type.
    let kind: UInt16
    /// Where its header begins.
    let offset: Int
    fileprivate let end: Int
  }

  /// `NLMSG_ERROR` and `NLMSG_DONE`.
  static let (error, done): (UInt16, UInt16) = (2, 3)
  static let headerBytes = 16

  private let datagram: Span<UInt8>
  private var index = 0

  @_lifetime(copy datagram)
  init(_ datagram: Span<UInt8>) { self.datagram = datagram }

  /// The next message, or nil at the end.
  mutating func next() throws(NetlinkError) -> Message? {
    guard index < datagram.count else { return nil }
    let start = index
    guard datagram.count - start >= Self.headerBytes else { throw NetlinkError(offset: start) }
    let length = datagram.nativeUInt32(at: start)
    guard length >= Self.headerBytes, length <= datagram.count - start else { throw NetlinkError(offset: start) }
    // Messages begin at multiples of four bytes.
    index = min(start + (Int(length) + 3) / 4 * 4, datagram.count)
    return Message(kind: datagram.nativeUInt16(at: start + 4), offset: start, end: start + Int(length))
  }

  /// The bytes after the header.
  @_lifetime(copy self)
  func body(of message: Message) -> Span<UInt8> {
    datagram.extracting((message.offset + Self.headerBytes)..<message.end)
  }

  /// The errno of an `NLMSG_ERROR`, or nil for a plain acknowledgement.
  static func refusal(_ body: Span<UInt8>, _ offset: Int) throws(NetlinkError) -> Int32? {
    guard body.count >= 4 else { throw NetlinkError(offset: offset) }
    let number = Int32(bitPattern: body.nativeUInt32(at: 0))
    return number == 0 ? nil : number == .min ? .max : abs(number)
  }
}

/// The attributes after the fixed part of a message (`struct rtattr`).
struct NetlinkAttributes: ~Escapable {
  struct Attribute {
    let kind: UInt16
    let range: Range<Int>
  }

  private let bytes: Span<UInt8>
  private let offset: Int
  private var index = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func next() throws(NetlinkError) -> Attribute? {
    // Padding after the last one may be shorter than a header.
    guard bytes.count - index >= 4 else { return nil }
    let length = Int(bytes.nativeUInt16(at: index))
    guard length >= 4, length <= bytes.count - index else { throw NetlinkError(offset: offset) }
    let range = index + 4..<index + length
    // The two top bits are flags (NLA_F_NESTED, NLA_F_NET_BYTEORDER).
    let kind = bytes.nativeUInt16(at: index + 2) & 0x3FFF
    index = min(index + (length + 3) / 4 * 4, bytes.count)
    return Attribute(kind: kind, range: range)
  }

  @_lifetime(copy self)
  func value(_ attribute: Attribute) -> Span<UInt8> { bytes.extracting(attribute.range) }
}

extension Span where Element == UInt8 {
  @inline(__always)
  func nativeUInt16(at index: Int) -> UInt16 {
    precondition(index >= 0 && index + 2 <= count)
    return bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt16.self)
  }

  @inline(__always)
  func nativeUInt32(at index: Int) -> UInt32 {
    precondition(index >= 0 && index + 4 <= count)
    return bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
  }
}
