import Codec
import Completion
import Fetch
import Gateway
import Runtime

/// One model, as a section `[model NAME]` of the configuration names it.
public struct ModelSettings: Sendable {
  /// The address before `/chat/completions`, such as `https://api.example.org/v1`.
  public let base: WebURL
  /// The name by which the server knows it.
  public let name: String
  /// The value of `Authorization`, or empty; never in a log.
  let authorization: InlineText<600>
  /// The key itself, which is left out of what the server says.
  let key: String
  /// The only certificate that its server may show; nil: one of the board's authorities vouches for it.
  public var pin: Fingerprint?
  public var price = ModelPrice()
  /// Milliseconds that an answer may take, and that the server may be silent: a small board reads a long prompt for a
  /// minute before it says a word.
  public var totalMilliseconds = Budget.modelMilliseconds
  public var idleMilliseconds = Budget.modelIdleMilliseconds
  /// Tokens of an answer; nil: the server's limit.
  public var maximumTokens: Int64? = Budget.modelAnswerTokens
  public var temperature: Double?
  /// It takes pictures.
  public var seesPictures = false
  /// Its answers begin with a thought that has no opening mark (`ThoughtFilter`).
  public var startsInThought = false
  /// Its server wants `max_completion_tokens`.
  public var usesCompletionTokens = false

  /// A model; `key` is empty for a server that wants none. Nil when the key is longer than a header field may be, or
  /// has characters that none may have.
  public init?(base: WebURL, name: String, key: String) {
    (self.base, self.name, self.key) = (base, name, key)
    guard !key.utf8.isEmpty else {
      authorization = InlineText()
      return
    }
    for byte in key.utf8 where byte <= 0x20 || byte >= 0x7F { return nil }
    var field = InlineText<600>()
    guard field.set(("Bearer " + key).utf8.span) else { return nil }
    authorization = field
  }

  /// The address of a part of the API, such as `/chat/completions`.
  public func address(_ part: String) -> WebURL {
    var target = base.target
    while target.utf8.last == UInt8(ascii: "/") { target.removeLast() }
    return base.with(target: target + part)
  }
}
