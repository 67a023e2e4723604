/// How long a connection waits for what.
extension Session {
  /// Timeouts in milliseconds of the steps of an attempt (gateway reference 3.1). Each ends early enough that, with the
  /// longest pause after it, a board is back within 45 s of the network.
  static let findTimeout: Int64 = 8_000
  static let openTimeout: Int64 = 14_000
  /// Milliseconds of attempts until the network is asked beside them: a live address has answered by then.
  static let searchDelay: Int64 = 2_000
  static let upgradeTimeout: Int64 = 10_000
  static let challengeTimeout: Int64 = 10_000
  static let helloTimeout: Int64 = 12_000
  /// Milliseconds between attempts while only a person can help (gateway reference 8.4), and while one side must be
  /// upgraded (1.5).
  static let pausedPoll: Int64 = 900_000
  static let upgradePoll: Int64 = 3_600_000
  /// The close code for a message that is too big to process (RFC 6455 section 7.4.1).
  static let messageTooBig: UInt16 = 1009
  /// So many answers 401 or 403 in a row to the upgrade are retried at the usual pace, before it is left to a person.
  static let forbiddenMax = 5
  /// Milliseconds of a lockout whose end the gateway does not name (gateway reference 5.6).
  static let lockout: Int64 = 300_000
  /// Milliseconds before another credential or form is tried (gateway reference 5.6).
  static let quickRetry: Int64 = 250
}
