import Runtime

/// Why a gateway URL was refused.
public enum GatewayURLError: Error, Equatable, Sendable {
  case scheme, userInfo, token, queryOrFragment, host, letters, port, path

  /// What a person reads.
  public var text: StaticString {
    switch self {
    case .scheme: "must begin with wss:// or ws://, or be a host alone, as in gateway.local or gateway.local:18789"
    case .userInfo: "must not contain a user name or password"
    case .token:
      """
      holds a token: put that into [gateway] token_file and leave it out here, or give the whole of it to talon \
      connect
      """
    case .queryOrFragment: "must not contain a query or fragment: leave out what follows the first ? or #"
    case .host: "has no valid host"
    case .letters: "has letters beyond ASCII in its host: write it as browsers send it, with xn--"
    case .port: "has no valid port (1 to 65535)"
    case .path: "has a path with characters that are not allowed"
    }
  }
}

/// The address of a gateway (gateway reference 1.1).
public struct GatewayURL: Sendable {
  /// True for `wss`.
  public let isSecure: Bool
  /// Lower-case; an IPv6 literal without its brackets.
  public let host: String
  /// TCP port.
  public let port: UInt16
  /// Starts with "/".
  public let path: String

  /// An address from checked parts.
  public init(isSecure: Bool, host: String, port: UInt16, path: String) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.path = path
  }

  /// The default port of gateways.
  public static let usualPort: UInt16 = 18_789

  /// Parses an address as a person types it: a URL, or a host with or without a port. A host alone means TLS at the
  /// gateway's default port, as in the gateway's own clients; a URL without a port has the scheme's default.
  public init(address text: String) throws(GatewayURLError) {
    let text = Self.unwrapped(text)
    if Self.isURL(text) {
      try self.init(text)
    } else if Self.isBareLiteral(text) {
      try self.init("wss://[\(text)]", allowsQuery: false, portIfMissing: Self.usualPort)
    } else {
      for byte in text.utf8 where byte == UInt8(ascii: "/") { throw .scheme }
      try self.init("wss://" + text, allowsQuery: false, portIfMissing: Self.usualPort)
    }
  }

  /// Without the signs in which chats and shells wrap an address.
  private static func unwrapped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count > 2, let first = bytes.first, let last = bytes.last else { return text }
    switch (first, last) {
    case (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "\""), UInt8(ascii: "\"")),
      (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "`"), UInt8(ascii: "`")):
      return String(decoding: bytes[1..<(bytes.count - 1)], as: UTF8.self)
    default: return text
    }
  }

  /// An address of IPv6 without brackets, as a router's page shows it.
  private static func isBareLiteral(_ text: String) -> Bool {
    guard text.utf8.first != UInt8(ascii: "["), text.utf8.contains(UInt8(ascii: ":")) else { return false }
    return SocketAddress(literal: Self.splitZone(Array(text.utf8)[...]).address, port: 0)?.byteCount == 16
  }

  /// The address before the interface of a link-local one, and that: `fe80::1%eth0`; a URL spells the sign %25 (RFC
  /// 6874).
  private static func splitZone(_ bytes: ArraySlice<UInt8>) -> (address: String, zone: ArraySlice<UInt8>?) {
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "%")) else {
      return (String(decoding: bytes, as: UTF8.self), nil)
    }
    var zone = bytes[(sign + 1)...]
    if zone.count > 2, zone.prefix(2).elementsEqual("25".utf8) { zone = zone.dropFirst(2) }
    return (String(decoding: bytes[..<sign], as: UTF8.self), zone)
  }

  private static func isURL(_ text: String) -> Bool {
    var last: (UInt8, UInt8) = (0, 0)
    for byte in text.utf8 {
      if last == (UInt8(ascii: ":"), UInt8(ascii: "/")), byte == UInt8(ascii: "/") { return true }
      last = (last.1, byte)
    }
    return false
  }

  /// Reads a URL. `http` and `https` count as `ws` and `wss`; a missing port is 80 or 443, as for any URL.
  /// Gateways take no query; test servers do.
  @export(interface)
  public init(_ text: String, allowsQuery: Bool = false) throws(GatewayURLError) {
    try self.init(text, allowsQuery: allowsQuery, portIfMissing: nil)
  }

  private init(_ text: String, allowsQuery: Bool, portIfMissing: UInt16?) throws(GatewayURLError) {
    let bytes = Array(text.utf8)
    let start: Int
    (isSecure, start) = try Self.scheme(bytes)
    let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") } ?? bytes.endIndex
    if Self.token(in: text) != nil, !allowsQuery { throw .token }
    if bytes.contains(UInt8(ascii: "#")) { throw .queryOrFragment }
    if !allowsQuery, bytes.contains(UInt8(ascii: "?")) { throw .queryOrFragment }
    let authority = bytes[start..<end]
    if authority.contains(UInt8(ascii: "@")) { throw .userInfo }
    let tail: ArraySlice<UInt8>
    (host, tail) = try Self.host(authority)
    port = try Self.port(tail) ?? portIfMissing ?? (isSecure ? 443 : 80)
    let rest = bytes[end...]
    guard rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .path }
    path = rest.isEmpty ? "/" : String(decoding: rest, as: UTF8.self)
  }

  private static func scheme(_ bytes: [UInt8]) throws(GatewayURLError) -> (Bool, Int) {
    if starts(bytes, with: "wss://") { return (true, 6) }
    if starts(bytes, with: "https://") { return (true, 8) }
    if starts(bytes, with: "ws://") { return (false, 5) }
    if starts(bytes, with: "http://") { return (false, 7) }
    throw .scheme
  }

  private static func starts(_ bytes: [UInt8], with prefix: StaticString) -> Bool {
    guard bytes.count >= prefix.utf8CodeUnitCount else { return false }
    for (index, byte) in prefix.bytes.enumerated() where lower(bytes[index]) != byte { return false }
    return true
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func host(
    _ authority: ArraySlice<UInt8>
  ) throws(GatewayURLError) -> (String, ArraySlice<UInt8>) {
    let name: ArraySlice<UInt8>
    let tail: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      name = authority[(authority.startIndex + 1)..<close]
      tail = authority[(close + 1)...]
      let (address, zone) = splitZone(name)
      guard address.utf8.allSatisfy({ isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
        throw .host
      }
      if let zone {
        guard !zone.isEmpty, zone.count <= 15, zone.allSatisfy(isHostByte) else { throw .host }
        // The names of interfaces have small and large letters.
        let host =
          String(decoding: address.utf8.map(lower), as: UTF8.self) + "%" + String(decoding: zone, as: UTF8.self)
        return (host, tail)
      }
    } else {
      let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      var host = authority[..<colon]
      tail = authority[colon...]
      if host.contains(where: { $0 >= 0x80 }) { throw .letters }
      // The dot of the root is no part of the name that certificates are of.
      if host.count > 1, host.last == UInt8(ascii: ".") { host = host.dropLast() }
      name = host
      guard name.allSatisfy(isHostByte) else { throw .host }
    }
    guard !name.isEmpty, name.count <= 253 else { throw .host }
    return (String(decoding: name.map(lower), as: UTF8.self), tail)
  }

  private static func port(_ tail: ArraySlice<UInt8>) throws(GatewayURLError) -> UInt16? {
    if tail.isEmpty { return nil }
    guard tail.first == UInt8(ascii: ":"), tail.count >= 2, tail.count <= 6 else { throw .port }
    var value = 0
    for byte in tail.dropFirst() {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw .port }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    guard value >= 1, value <= 65535 else { throw .port }
    return UInt16(value)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    let letter = lower(byte)
    return (byte >= 48 && byte <= 57) || (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f"))
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    let letter = lower(byte)
    return (byte >= 48 && byte <= 57) || (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }

  /// True for a name, false for a literal address.
  public var isName: Bool {
    SocketAddress(literal: Self.splitZone(Array(host.utf8)[...]).address, port: 0) == nil
  }

  /// True for names and literals that always mean this machine (gateway reference 6.4). A name that merely
  /// starts with "127." is a name.
  public var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    var octets = 0
    var value = -1
    for byte in host.utf8 {
      if byte == UInt8(ascii: ".") {
        guard value >= 0, octets > 0 || value == 127 else { return false }
        octets += 1
        value = -1
        continue
      }
      guard byte >= 48, byte <= 57 else { return false }
      value = max(value, 0) * 10 + Int(byte - 48)
      guard value <= 255 else { return false }
    }
    return octets == 3 && value >= 0
  }

  /// The host for a URL or a `Host` header: an IPv6 literal gets its brackets back.
  public var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  /// The value of the HTTP `Host` header. The interface of a link-local address is this machine's matter (RFC 6874).
  public var hostHeader: String {
    let bytes = Array(host.utf8)[...]
    let address = Self.splitZone(bytes).address
    let host = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
    return port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
  }

  /// What the gateway's trust and tokens are stored under (gateway reference 6.3). Several gateways may stand behind
  /// one name, told apart by their paths.
  public var key: String { path == "/" ? keyOfHost : "\(keyOfHost)|\(path)" }

  /// The same without the path, as releases before it counted had it.
  public var keyOfHost: String { "manual|\(host)|\(port)" }

  /// The token in the address of a dashboard, `https://HOST/#token=TOKEN` or `?token=TOKEN`; nil where there is none.
  public static func token(in text: String) -> Substring? {
    guard let start = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }) else {
      return nil
    }
    var rest = text[text.utf8.index(after: start)...]
    while true {
      let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
      if rest.utf8.starts(with: "token=".utf8) {
        let value = rest[rest.utf8.index(rest.startIndex, offsetBy: 6)..<end]
        return value.utf8.isEmpty ? nil : value
      }
      guard end < rest.endIndex else { return nil }
      rest = rest[rest.utf8.index(after: end)...]
    }
  }

  /// The URL in canonical form, for people.
  public var text: String {
    "\(isSecure ? "wss" : "ws")://\(bracketedHost):\(port)\(path == "/" ? "" : path)"
  }
}
