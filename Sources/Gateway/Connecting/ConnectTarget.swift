import Codec

/// What a person gives to connect a board: a join URL, a setup code (alone or as an `oc-pair://` link), an
/// `openclaw://` link, or a file that holds one of these. A setup code has no dot and, but for the link's scheme, no
/// slash, so a name with one of them is a file's.
public enum ConnectTarget {
  /// To be asked for its payload once.
  case join(JoinURL)
  /// The text of an `openclaw://` link, for `DeepLink`.
  case link(String)
  /// The text of a code, for `SetupCode`.
  case code(String)
  /// A path.
  case file(String)

  /// Sorts a text, without white space around it. Only a join URL is checked here.
  public init(_ text: String) throws(JoinURLError) {
    if JoinURL.isMeant(by: text) {
      self = .join(try JoinURL(text))
    } else if text.utf8.span.hasPrefix(lowercased: "openclaw:") {
      self = .link(text)
    } else if Self.isPath(text) {
      self = .file(text)
    } else {
      self = .code(text)
    }
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
