import Codec

/// What a person gives to connect a board: a join URL, the address of a gateway's dashboard with its token, a setup
/// code (alone or as an `oc-pair://` link), an `openclaw://` link, or a file that holds one of these. A setup code has
/// no dot and, but for the link's scheme, no slash, so a name with one of them is a file's.
public enum ConnectTarget {
  /// To be asked for its payload once.
  case join(JoinURL)
  /// A gateway's address and its token, from the address of its dashboard as a browser shows it.
  case dashboard(GatewayURL, token: [UInt8])
  /// The text of an `openclaw://` link, for `DeepLink`.
  case link(String)
  /// The text of a code, for `SetupCode`.
  case code(String)
  /// A path.
  case file(String)

  /// Sorts a text, without white space around it. Only a join URL is checked here.
  public init(_ text: String) throws(JoinURLError) {
    if let token = GatewayURL.token(in: text), let url = Self.dashboard(text) {
      self = .dashboard(url, token: Self.decoded(token))
    } else if JoinURL.isMeant(by: text) {
      self = .join(try JoinURL(text))
    } else if text.utf8.span.hasPrefix(lowercased: "openclaw:") {
      self = .link(text)
    } else if Self.isPath(text) {
      self = .file(text)
    } else {
      self = .code(text)
    }
  }

  /// The gateway of a dashboard's address: what stands before the first ? or #. The page itself is no part of it.
  private static func dashboard(_ text: String) -> GatewayURL? {
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    guard let url = try? GatewayURL(String(text[..<end])) else { return nil }
    var path = Array(url.path.utf8)[...]
    for page in ["/chat", "/overview", "/control", "/"] as [StaticString] {
      let bytes = page.utf8Bytes
      guard path.count >= bytes.count else { continue }
      var isLast = true
      for index in 0..<bytes.count where path[path.endIndex - bytes.count + index] != bytes[index] { isLast = false }
      guard isLast else { continue }
      path = path.dropLast(bytes.count)
      break
    }
    let rest = path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    return GatewayURL(isSecure: url.isSecure, host: url.host, port: url.port, path: rest)
  }

  /// The bytes that a part of a URL stands for (RFC 3986 section 2.1). A sign without two digits behind it stands for
  /// itself.
  private static func decoded(_ text: Substring) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let byte = bytes.span.percentDecoded(at: index) {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isPath(_ text: String) -> Bool {
    var hasColon = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ":") { hasColon = true }
      if byte == UInt8(ascii: ".") { return true }
      if byte == UInt8(ascii: "/") { return !hasColon }
    }
    return false
  }
}
