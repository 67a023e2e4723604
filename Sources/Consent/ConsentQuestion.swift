import Runtime

/// What whoever is at the board is asked.
public struct ConsentQuestion: Sendable {
  /// Its number, so that an answer is never taken for another question.
  public var number: Int
  /// What a yes grants.
  public var permissions: PermissionSet
  /// What the agent wants to do: "take a photo".
  public var what: InlineText<96>
  /// The agent's session; empty when the gateway does not say.
  public var who: InlineText<64>
  /// The agent's reason, in its own words; empty without one.
  public var purpose: InlineText<160>
  /// When it was asked, and until when it waits, in milliseconds of the monotonic clock.
  public var askedAt: Int64
  public var until: Int64

  /// A question; see the properties.
  public init(
    number: Int, permissions: PermissionSet, what: InlineText<96>, who: InlineText<64>, purpose: InlineText<160>,
    askedAt: Int64, until: Int64
  ) {
    self.number = number
    self.permissions = permissions
    self.what = what
    self.who = who
    self.purpose = purpose
    self.askedAt = askedAt
    self.until = until
  }

  /// Writes "The agent wants to take a photo".
  public func writeSentence(to line: inout LogLine) {
    line.add("The agent")
    if !who.isEmpty {
      line.add(" (session ")
      line.add(who.span)
      line.add(")")
    }
    line.add(" wants to ")
    line.add(what.span)
  }
}
