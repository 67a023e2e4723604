import Runtime

/// Why a gateway URL was refused.
public enum GatewayURLError: Error, Equatable, Sendable {
  case scheme, userInfo, queryOrFragment, host, port, path

  /// What a person reads.
  public var text: StaticString {
    switch self {
    case .scheme: "must begin with wss:// or ws://, or be a host alone, as in gateway.local or gateway.local:18789"
    case .userInfo: "must not contain a user name or password"
    case .queryOrFragment: "must not contain a query or fragment"
    case .host: "has no valid host"
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
    if Self.isURL(text) {
      try self.init(text)
    } else {
      for byte in text.utf8 where byte == UInt8(ascii: "/") { throw .scheme }
      try self.init("wss://" + text, allowsQuery: false, portIfMissing: Self.usualPort)
    }
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
      guard name.allSatisfy({ isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
        throw .host
      }
    } else {
      let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      name = authority[..<colon]
      tail = authority[colon...]
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

  /// The value of the HTTP `Host` header.
  public var hostHeader: String {
    port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)"
  }

  /// What the gateway's pin and tokens are stored under (gateway reference 6.3).
  public var key: String { "manual|\(host)|\(port)" }

  /// The URL in canonical form, for people.
  public var text: String {
    "\(isSecure ? "wss" : "ws")://\(bracketedHost):\(port)\(path == "/" ? "" : path)"
  }
}
