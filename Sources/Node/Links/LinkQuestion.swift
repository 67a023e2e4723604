import Consent
import Runtime

/// Where a link came from.
public enum LinkOrigin: Sendable {
  case console, screen, scanner

  /// What is asked about it.
  var sentence: StaticString {
    switch self {
    case .console: "A link that was opened at the console wants to tell the agent something."
    case .screen: "A link on this page wants to tell the agent something."
    case .scanner: "A link that was scanned at this board wants to tell the agent something."
    }
  }
}

/// What whoever is at the board is asked about a link.
public struct LinkQuestion: Sendable {
  /// Its number, so that an answer is never taken for another question.
  public var number = 0
  /// Its name for answers from consoles.
  public var name = QuestionName()
  public var origin = LinkOrigin.console
  /// The message: all of it but for one with the board's own key, which may be longer.
  public var message = InlineText<720>()
  /// True when the message is longer.
  public var isCut = false
  /// The beginning of the link.
  public var preview = InlineText<500>()
  /// When it was asked, and until when it waits, in milliseconds of the monotonic clock.
  public var askedAt: Int64 = 0
  public var until: Int64 = 0

  /// What is asked, without the message.
  public var sentence: StaticString { origin.sentence }
}
