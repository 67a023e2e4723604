import Runtime

/// What whoever is at the screen is asked, in front of everything.
public struct ConsentFacts: Equatable, Sendable {
  /// What is asked: whether the agent may use a device, with all its answers, whether a link may be opened, with yes
  /// and no, or whether a request of the gateway is allowed.
  public enum Kind: Sendable {
    case use, link, request
  }

  public var kind = Kind.use
  /// The question's number: an answer is for this one.
  public var number = 0
  /// "The agent wants to take a photo." No words of others are in it.
  public var sentence = InlineText<192>()
  /// A command line, a link's message, what the gateway asks about, or a reason: words of others, quoted, with the
  /// board's words before them; empty without them.
  public var purpose = InlineText<800>()
  /// True when that is only the beginning of it.
  public var isCut = false
  /// With a use: true when a yes is to these words, so that they must be shown to their end.
  public var mustShowAll = false
  /// With a use: true when only once is possible.
  public var isOnceOnly = false
  /// Lines of it that are shown at most.
  public var mostLines: Int32 = 2
  /// What is good to know beside that: the beginning of a link, who asks and why.
  public var preview = InlineText<500>()
  /// When it appeared, and until when it waits, in milliseconds of the monotonic clock; `.max`: until it is answered.
  public var askedAt: Int64 = 0
  public var until: Int64 = 0

  public init() {}
}

/// What people at the board have granted.
public struct GrantFacts: Equatable, Sendable {
  /// "camera, location".
  public var names = InlineText<96>()
  /// When the first of it ends by time, in milliseconds of the monotonic clock; nil: not by time.
  public var end: Int64?

  public init() {}
}
