import Codec
import Runtime

/// Why a proxy's address was refused.
public enum ProxyAddressError: Error, Equatable, Sendable {
  case scheme, credentials, host, port, path

  /// What a person reads after the value's name.
  public var text: StaticString {
    switch self {
    case .scheme:
      "must begin with http:// or socks5://: a proxy is spoken to in clear, and what passes it is encrypted"
    case .credentials: "must have a user, a colon and a password before the @, other characters as %xx"
    case .host: "has no valid host"
    case .port: "must name the port of the proxy (1 to 65535)"
    case .path: "must end with the port"
    }
  }
}

/// A proxy that makes tunnels, with or without a user: of HTTP (RFC 9110 section 9.3.6, CONNECT) or of SOCKS 5 (RFC
/// 1928).
public struct ProxyAddress: Sendable {
  /// What the proxy speaks.
  public enum Kind: Sendable { case http, socks5 }

  public let kind: Kind
  public let host: String
  public let port: UInt16
  /// The credentials of the Basic scheme (RFC 7617 section 2), base64 of "user:password"; empty without a user. Secret.
  public let credentials: String
  /// Both without coding; empty without a user. Secret.
  public let user: [UInt8]
  public let password: [UInt8]

  /// Parses `http://[USER:PASSWORD@]HOST:PORT`, and the same with `socks5://` or `socks5h://`, as some programs spell
  /// it where the proxy resolves names, which here it always does.
  public init(_ text: String) throws(ProxyAddressError) {
    let bytes = Array(text.utf8)
    let schemes: [(StaticString, Kind)] = [("http://", .http), ("socks5://", .socks5), ("socks5h://", .socks5)]
    guard let scheme = schemes.first(where: { bytes.span.hasPrefix(lowercased: $0.0) }),
      bytes.count > scheme.0.utf8CodeUnitCount
    else { throw .scheme }
    kind = scheme.1
    var rest = bytes[scheme.0.utf8CodeUnitCount...]
    if rest.last == UInt8(ascii: "/") { rest.removeLast() }
    var userInfo: ArraySlice<UInt8> = []
    if let end = rest.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = rest[..<end]
      rest = rest[(end + 1)...]
      guard !userInfo.isEmpty else { throw .credentials }
    }
    guard !rest.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { throw .path }
    (host, port) = try Self.place(rest)
    (user, password) = try Self.userAndPassword(userInfo)
    // Each has a byte for its length (RFC 1929 section 2).
    if kind == .socks5, user.count > 255 || password.count > 255 { throw .credentials }
    if kind == .socks5, !user.isEmpty, password.isEmpty { throw .credentials }
    credentials = Self.credentials(user, password)
  }

  /// Host and port, by the rules for gateways. The port must be there: proxies have no usual one.
  private static func place(_ authority: ArraySlice<UInt8>) throws(ProxyAddressError) -> (String, UInt16) {
    let afterHost = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    guard authority[afterHost...].contains(UInt8(ascii: ":")) else { throw authority.isEmpty ? .host : .port }
    do throws(GatewayURLError) {
      let url = try GatewayURL("ws://" + String(decoding: authority, as: UTF8.self))
      return (url.host, url.port)
    } catch {
      throw error == .port ? .port : .host
    }
  }

  private static func userAndPassword(_ userInfo: ArraySlice<UInt8>) throws(ProxyAddressError) -> ([UInt8], [UInt8]) {
    if userInfo.isEmpty { return ([], []) }
    guard let colon = userInfo.firstIndex(of: UInt8(ascii: ":")), colon > userInfo.startIndex else {
      throw .credentials
    }
    let user = try decoded(userInfo[..<colon])
    let password = try decoded(userInfo[(colon + 1)...])
    // A user with a colon could not be told from its password.
    guard !user.contains(UInt8(ascii: ":")) else { throw .credentials }
    guard user.count + 1 + password.count <= Budget.proxyCredentialBytes else { throw .credentials }
    return (user, password)
  }

  private static func credentials(_ user: [UInt8], _ password: [UInt8]) -> String {
    if user.isEmpty { return "" }
    let both = user + [UInt8(ascii: ":")] + password
    var text = [UInt8](repeating: 0, count: Base64.standard.encodedLength(of: both.count))
    let count = text.withUnsafeMutableBufferPointer { Base64.standard.encode(both.span, into: $0) }
    return String(decoding: text[..<count], as: UTF8.self)
  }

  /// With each `%xx` as the byte that it stands for; control characters are refused (RFC 7617 section 2).
  private static func decoded(_ text: ArraySlice<UInt8>) throws(ProxyAddressError) -> [UInt8] {
    let text = Array(text)
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      var byte = text[index]
      if byte == UInt8(ascii: "%") {
        guard let decoded = text.span.percentDecoded(at: index) else { throw .credentials }
        byte = decoded
        index += 2
      }
      guard byte >= 0x20, byte != 0x7F else { throw .credentials }
      bytes.append(byte)
      index += 1
    }
    return bytes
  }

  /// For people: without the user and the password.
  public var text: String {
    "\(kind == .http ? "http" : "socks5")://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
  }
}
