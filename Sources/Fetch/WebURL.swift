import Codec
import Gateway
import Runtime

/// Why an address was refused.
public enum WebURLError: Error, Equatable, Sendable {
  case scheme, userInfo, host, port, characters, tooLong

  /// The error for people, to be put after the word "url".
  public var text: StaticString {
    switch self {
    case .scheme: "must begin with https://, data: or /"
    case .userInfo: "must not contain a user name or password"
    case .host: "has no valid host"
    case .port: "has no valid port (1 to 65535)"
    case .characters: "has characters that are not allowed"
    case .tooLong: "is too long"
    }
  }
}

/// A web address (RFC 3986) without its fragment.
public struct WebURL: Sendable {
  /// True for `https`.
  public let isSecure: Bool
  /// Lower-case; an IPv6 literal without its brackets.
  public let host: String
  public let port: UInt16
  /// Path and query; starts with "/", has no dot segments, and nothing but visible ASCII.
  public let target: String

  /// An address; see the properties.
  public init(isSecure: Bool, host: String, port: UInt16, target: String) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.target = target
  }

  /// A gateway's address as a web address.
  public init(_ url: GatewayURL) {
    self.init(isSecure: url.isSecure, host: url.host, port: url.port, target: "/")
  }

  /// Parses `http://` and `https://`. Characters that are not allowed in a path are written as `%xx`, as browsers do.
  public init(_ text: Span<UInt8>) throws(WebURLError) {
    let text = text.trimmed
    guard text.count <= Budget.fetchURLBytes else { throw .tooLong }
    let start: Int
    if text.hasPrefix(lowercased: "https://") {
      (isSecure, start) = (true, 8)
    } else if text.hasPrefix(lowercased: "http://") {
      (isSecure, start) = (false, 7)
    } else {
      throw .scheme
    }
    var end = start
    while end < text.count, !Self.endsAuthority(text[end]) { end += 1 }
    (host, port) = try Self.authority(text.extracting(start..<end), isSecure: isSecure)
    target = try Self.target(text.extracting(end..<text.count))
  }

  /// Resolves `reference` relative to this address (RFC 3986 section 5.2).
  public func resolving(_ reference: Span<UInt8>) throws(WebURLError) -> WebURL {
    let reference = reference.trimmed
    guard reference.count <= Budget.fetchURLBytes else { throw .tooLong }
    if reference.hasScheme { return try WebURL(reference) }
    if reference.hasPrefix(lowercased: "//") {
      let whole = Array((isSecure ? "https:" : "http:").utf8) + [UInt8](copying: reference)
      return try WebURL(whole.span)
    }
    var path = Array(target.utf8)
    if let query = path.firstIndex(of: UInt8(ascii: "?")), reference.first != UInt8(ascii: "#") {
      path.removeSubrange(query...)
    }
    switch reference.first {
    case nil, UInt8(ascii: "#"), UInt8(ascii: "?"): break
    case UInt8(ascii: "/"): path.removeAll()
    default: while let last = path.last, last != UInt8(ascii: "/") { path.removeLast() }
    }
    return with(target: try Self.target((path + [UInt8](copying: reference)).span))
  }

  /// The same server's other address.
  public func with(target: String) -> WebURL {
    WebURL(isSecure: isSecure, host: host, port: port, target: target)
  }

  /// The same server, at the same port, and encrypted alike.
  public func isSameOrigin(as other: WebURL) -> Bool {
    host == other.host && port == other.port && isSecure == other.isSecure
  }

  /// True for a loopback name or address.
  public var isLoopback: Bool { endpoint.isLoopback }

  /// What a transport connects to.
  public var endpoint: GatewayURL { GatewayURL(isSecure: isSecure, host: host, port: port, path: target) }

  // MARK: Parts

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\")
  }

  private static func authority(_ text: Span<UInt8>, isSecure: Bool) throws(WebURLError) -> (String, UInt16) {
    for index in 0..<text.count where text[index] == UInt8(ascii: "@") { throw .userInfo }
    let whole = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    do throws(GatewayURLError) {
      // The same rules for hosts and ports as for gateways.
      let url = try GatewayURL((isSecure ? "wss://" : "ws://") + whole)
      return (url.host, url.port)
    } catch {
      throw error == .port ? .port : .host
    }
  }

  private static func target(_ text: Span<UInt8>) throws(WebURLError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 1)
    if text.first != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
    for index in 0..<text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "#") { break }
      guard byte >= 0x20, byte != 0x7F else { throw .characters }
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\"") {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] { bytes.append(digit + (digit < 10 ? 48 : 55)) }
      }
    }
    bytes = withoutDots(bytes)
    guard bytes.count <= Budget.fetchURLBytes else { throw .tooLong }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Follows `.` and `..` in the path (RFC 3986 section 5.2.4).
  private static func withoutDots(_ target: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
    var result: [UInt8] = []
    result.reserveCapacity(target.count)
    var start = 0
    while start < end {
      var next = start + 1
      while next < end, target[next] != slash { next += 1 }
      let segment = target[start + 1..<next]
      let dots = segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") } ? segment.count : 0
      if dots == 2 {
        while let last = result.popLast(), last != slash {}
      }
      if dots == 0 { result += target[start..<next] } else if next == end { result.append(slash) }
      start = next
    }
    if result.isEmpty { result.append(slash) }
    return result + target[end...]
  }
}

extension Span where Element == UInt8 {
  var first: UInt8? { isEmpty ? nil : self[0] }

  /// True when it begins with a scheme (RFC 3986 section 3.1).
  public var hasScheme: Bool {
    for index in 0..<count {
      switch self[index].asciiLowercased {
      case UInt8(ascii: ":"): return index > 0
      case UInt8(ascii: "a")...UInt8(ascii: "z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if index == 0 { return false }
      default: return false
      }
    }
    return false
  }
}

extension Array where Element == UInt8 {
  init(copying span: Span<UInt8>) { self = span.withUnsafeBufferPointer { Array($0) } }
}
