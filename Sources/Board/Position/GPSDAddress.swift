import CCares
import Runtime

/// The address of a gpsd. Host names are not resolved: the daemon is on this board or at a known address.
public enum GPSDAddress {
  case tcp(SocketAddress)
  /// A Unix socket.
  case local(Path)

  /// The daemon's port (IANA, `gpsd`).
  public static let defaultPort: UInt16 = 2947

  /// Parses `127.0.0.1:2947`, `localhost`, `[::1]:2947`, `fd00::1` or `/run/gpsd.sock`; an empty text is this board.
  /// Throws `EINVAL` for anything else, and for a path that is too long.
  public init(_ text: String) throws(Errno) {
    if text.utf8.first == UInt8(ascii: "/") {
      self = .local(try Path(text))
      return
    }
    let bytes = Array(text.utf8)
    let (host, port) = try Self.split(bytes)
    let name = host.isEmpty || host == "localhost" ? "127.0.0.1" : host
    guard let address = SocketAddress(literal: name, port: port) else { throw .invalidArgument }
    self = .tcp(address)
  }

  /// Host and port. In a bracketed IPv6 address only a colon after the brackets separates the port.
  private static func split(_ bytes: [UInt8]) throws(Errno) -> (String, UInt16) {
    var colons = 0
    var colon = bytes.count
    for index in 0..<bytes.count where bytes[index] == UInt8(ascii: ":") { (colons, colon) = (colons + 1, index) }
    if bytes.first == UInt8(ascii: "[") {
      guard let end = closingBracket(bytes) else { throw .invalidArgument }
      let host = String(decoding: bytes[1..<end], as: UTF8.self)
      if end + 1 == bytes.count { return (host, defaultPort) }
      guard bytes[end + 1] == UInt8(ascii: ":") else { throw .invalidArgument }
      return (host, try number(bytes[(end + 2)...]))
    }
    let text = String(decoding: bytes[..<(colons == 1 ? colon : bytes.count)], as: UTF8.self)
    return (text, colons == 1 ? try number(bytes[(colon + 1)...]) : defaultPort)
  }

  private static func closingBracket(_ bytes: [UInt8]) -> Int? {
    for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "]") { return index }
    return nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) throws(Errno) -> UInt16 {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit), value < 10_000 else { throw .invalidArgument }
      value = value * 10 + Int(digit) - 0x30
    }
    guard !digits.isEmpty, value > 0, let port = UInt16(exactly: value) else { throw .invalidArgument }
    return port
  }
}
