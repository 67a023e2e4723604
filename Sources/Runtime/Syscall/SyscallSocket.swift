import CLinux

/// The address of a peer: IPv4 or IPv6, without a name.
public struct SocketAddress: Equatable, Sendable {
  /// The address in network order; an IPv4 address uses the first 4 bytes.
  public var bytes: InlineArray<16, UInt8>
  /// 4 or 16.
  public var byteCount: Int
  /// Interface of a link-local IPv6 address, or 0.
  public var scope: UInt32
  /// TCP or UDP port.
  public var port: UInt16

  /// An address from its 4 or 16 bytes.
  public init(bytes: Span<UInt8>, scope: UInt32 = 0, port: UInt16) {
    precondition(bytes.count == 4 || bytes.count == 16)
    self.bytes = InlineArray(repeating: 0)
    for index in 0..<bytes.count { self.bytes[index] = bytes[index] }
    byteCount = bytes.count
    self.scope = scope
    self.port = port
  }

  /// Parses an address in text form, IPv6 without brackets, and with the interface of a link-local one as in
  /// `fe80::1%eth0`; nil for a host name, and for an interface that is not there.
  public init?(literal: String, port: UInt16) {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var scope: UInt32 = 0
    let count = span.withUnsafeMutableBufferPointer { tl_literal_address(literal, $0.baseAddress!, &scope) }
    guard count > 0 else { return nil }
    self.init(bytes: bytes.span.extracting(first: Int(count)), scope: scope, port: port)
  }

  public static func == (left: SocketAddress, right: SocketAddress) -> Bool {
    guard left.byteCount == right.byteCount, left.port == right.port, left.scope == right.scope else {
      return false
    }
    for index in 0..<16 where left.bytes[index] != right.bytes[index] { return false }
    return true
  }

  /// 127.0.0.0/8, ::1 or ::ffff:127.0.0.0/104 (gateway reference 6.4).
  public var isLoopback: Bool {
    if byteCount == 4 { return bytes[0] == 127 }
    var isMapped = bytes[10] == 0xFF && bytes[11] == 0xFF && bytes[12] == 127
    for index in 0..<10 where bytes[index] != 0 { isMapped = false }
    if isMapped { return true }
    for index in 0..<15 where bytes[index] != 0 { return false }
    return bytes[15] == 1
  }
}

extension Syscall {
  /// `socket(2)`: a non-blocking TCP socket of the address's family, with Nagle off, keepalive on and
  /// unacknowledged data bounded in time (`TCP_USER_TIMEOUT`, milliseconds).
  public static func tcpSocket(
    for address: SocketAddress, userTimeout: UInt32
  ) throws(Errno) -> Descriptor {
    let socket = Descriptor(Int32(try check(tl_socket(Int32(address.byteCount), TL_STREAM))))
    do throws(Errno) {
      try check(tl_tcp_options(socket.number, userTimeout))
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// `connect(2)`: true when connected at once, false when it continues in the background.
  public static func connect(_ socket: Descriptor, to address: SocketAddress) throws(Errno) -> Bool {
    var bytes = address.bytes
    let result = withUnsafePointer(to: &bytes) { pointer in
      pointer.withMemoryRebound(to: UInt8.self, capacity: 16) {
        tl_connect(socket.number, $0, Int32(address.byteCount), address.scope, address.port)
      }
    }
    if result == -Int64(Errno.inProgress.number) { return false }
    try check(result)
    return true
  }

  /// `getsockopt(SO_ERROR)`: throws the reason why a background connect failed.
  public static func finishConnect(_ socket: Descriptor) throws(Errno) {
    try check(tl_socket_error(socket.number))
  }

  /// `shutdown(SHUT_WR)`: nothing more will be sent.
  public static func finishWriting(_ socket: Descriptor) { _ = tl_shutdown(socket.number) }
}
