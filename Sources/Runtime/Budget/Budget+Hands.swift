extension Budget {

  // MARK: Hands

  /// Sections `[tool NAME]`. About 1 KiB each.
  public static let hands = 16
  /// A hand's name in bytes: with a board's name before it, it is the name of a tool.
  public static let handNameBytes = 16
  /// What the owner says of a hand to the agent, in bytes: gateways cut a description at 1024 (newer-gateways 1.1), and
  /// ours of a kind have about 300.
  public static let handAboutBytes = 300
  /// Calls of one hand that run at once.
  public static let handInvokes = 2
  /// Outputs that are never on together with one of them.
  public static let handRivals = 8
  /// A word or a unit of a hand in bytes.
  public static let handWordBytes = 16
  /// The record of a hand on flash in bytes: a version and four numbers.
  public static let handRecordBytes = 33
  /// Room to read a record of a hand in bytes: a newer release may have appended to it.
  public static let handRecordRoom = 64
  /// Least milliseconds between two writes of one hand's record: 1440 a day at most, as a board that moves writes its
  /// position.
  public static let handRecordSpacing: Int64 = 60_000
  /// Milliseconds between writes of how long an output that is on has been on today: so much of it is lost with the
  /// power at most.
  public static let handUseSaving: Int64 = 600_000
  /// Shortest pulse of an output in milliseconds: what the loop can keep.
  public static let shortestPulse: Int64 = 10
  /// Milliseconds before a device of a hand that failed is tried again: at first, and at most.
  public static let handRetry: ClosedRange<Int64> = 1_000...60_000
  /// Pulses in a second above which a counter's line is noise. The kernel keeps 16 edges, so that beyond this some
  /// would be lost in any case.
  public static let counterPulsesPerSecond = 2_000
  /// Parts of a counter's window for its rate. 4 bytes each.
  public static let counterWindowParts = 12
}
