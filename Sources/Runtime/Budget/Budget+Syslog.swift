extension Budget {

  // MARK: Syslog

  /// A line as a message of syslog in bytes: the line, 128 of the board's name, and 80 of the rest of the header.
  /// Servers must take
  /// 480 (RFC 5424 section 6.1) and take 2048 and more.
  public static let syslogFrameBytes = logLineBytes + 128 + 80
  /// Milliseconds before a server that was not reached is tried again: first, and at most.
  public static let syslogPauses: ClosedRange<Int64> = 5_000...600_000
}
