import Runtime

/// What whoever is at the board is asked.
public struct ConsentQuestion: Sendable {
  /// Its number, so that an answer is never taken for another question of this run.
  public var number: Int
  /// Its name for answers from consoles.
  public var name: QuestionName
  /// What a yes grants.
  public var permissions: PermissionSet
  /// What the agent wants to do, in the board's words: "take a photo".
  public var what: InlineText<96>
  /// What exactly that is about, in words of others, quoted; empty where `what` tells all.
  public var subject: ConsentSubject
  /// The agent's session; empty when the gateway does not say.
  public var who: InlineText<64>
  /// The agent's reason, in its own words; empty without one.
  public var purpose: InlineText<160>
  /// A yes is for this once: not all of it can be shown, or words of others may have led to it.
  public var isOnceOnly = false
  /// The board's own agent asks, and no session of a gateway, whatever that is called.
  public var isOwnAgent = false
  /// Since when it is the question that people see, and until when it waits, in milliseconds of the monotonic clock.
  public var shownAt: Int64
  public var until: Int64

  /// A question; see the properties.
  public init(
    number: Int, name: QuestionName, permissions: PermissionSet, what: InlineText<96>, subject: ConsentSubject,
    who: InlineText<64>, purpose: InlineText<160>, shownAt: Int64, until: Int64
  ) {
    self.number = number
    self.name = name
    self.permissions = permissions
    self.what = what
    self.subject = subject
    self.who = who
    self.purpose = purpose
    self.shownAt = shownAt
    self.until = until
  }

  /// Writes "The agent wants to take a photo." No words of others are in it: they stand after it, quoted.
  public func writeSentence(to line: inout LogLine) {
    line.add(isOwnAgent ? "The board's own agent wants to " : "The agent wants to ")
    line.add(what.span)
    line.add(".")
  }

  /// Writes `Session "main". It says: "to see the parcel".`; nothing where nobody says anything.
  public func writeWords(to line: inout LogLine) {
    if !who.isEmpty, !isOwnAgent {
      line.add("Session ")
      line.quote(who.span)
      line.add(purpose.isEmpty ? "." : ". ")
    }
    guard !purpose.isEmpty else { return }
    line.add("It says: ")
    line.quote(purpose.span)
  }
}
