/// Limits of the serial console.
extension Budget {
  /// A line that a person types, in bytes: the longest setup codes are pasted into `talon connect` instead, which reads
  /// more.
  public static let consoleLineBytes = 2048
  /// Lines of the history, and bytes of each: 8 KiB in all.
  public static let consoleHistoryLines = 32, consoleHistoryLineBytes = 256
  /// Bytes of an escape sequence after its introducer; a terminal's own have at most 12.
  public static let consoleSequenceBytes = 24
  /// Bytes of a string that a terminal sends (its name, say), all of which are dropped.
  public static let consoleStringBytes = 128
  /// Milliseconds after which a lone ESC is the Escape key, and an unfinished sequence is discarded as noise: at 9600
  /// baud a sequence of eight bytes takes 8 ms; what terminal servers add is less than this.
  public static let consoleEscapeMilliseconds: Int64 = 150
  /// Rows and columns of a screen that are used; a terminal may have more. 8 bytes a cell: 15 KiB at 80x24, 53 at most.
  public static let consoleRows = 50, consoleColumns = 132
  /// Rows and columns assumed of a terminal that does not report its size: a VT100's.
  public static let consoleUsualRows = 24, consoleUsualColumns = 80
  /// Least rows and columns on which a screen is drawn; on less there are plain lines.
  public static let consoleMinimumRows = 10, consoleMinimumColumns = 40
  /// Bytes a second to the terminal: 115200 baud are 11520; the rest is for echo and what the kernel holds.
  public static let consoleBytesPerSecond = 9_600
  /// Bytes of one update of the screen: a tenth of a second of the line. What does not fit is in the next.
  public static let consoleFrameBytes = 960
  /// Milliseconds between updates of the screen, at least.
  public static let consoleFrameMilliseconds: Int64 = 40
  /// Bytes read from the terminal at once: what the kernel holds.
  public static let consoleReadBytes = 4096
  /// Bytes that are read from a terminal in a second, so that noise leaves the board its processor: five times the
  /// line.
  public static let consoleReadBytesPerSecond = 65_536
  /// Milliseconds between two bells.
  public static let consoleBellMilliseconds: Int64 = 500
  /// Milliseconds of silence after noise until the screen is repainted, and the least time between two such repaints.
  public static let consoleNoiseMilliseconds: Int64 = 1_000, consoleRepaintMilliseconds: Int64 = 5_000
  /// Milliseconds between two rows that are sent again unchanged, so that a terminal that is plugged in later gets the
  /// whole screen.
  public static let consoleRefreshMilliseconds: Int64 = 1_000
  /// Milliseconds without a key after which that, and polling the agent, become `consoleIdleFactor` times rarer.
  public static let consoleIdleMilliseconds: Int64 = 600_000, consoleIdleFactor: Int64 = 5
  /// Milliseconds between two polls of the agent's status, and after how many of them its log is polled.
  public static let consolePollMilliseconds: Int64 = 2_000, consolePollsPerLog = 5
  /// Milliseconds without an answer of the agent after which the screen reports that.
  public static let consoleSilenceMilliseconds: Int64 = 10_000
  /// Bytes of an answer of the agent to the console: its state has about 3 KiB, lines of its log 300 each.
  public static let consoleAnswerBytes = 64 * 1024
  /// Words of a command line.
  public static let consoleWords = 40
  /// Lengths of a PIN in bytes.
  public static let consolePinBytes = 4...64
  /// Cost of a password hash: log2 of scrypt's N, with r = 8. Talon makes hashes of 2^13 (8 MiB, about half a second on
  /// a Pi Zero) and accepts up to 2^16 (64 MiB): the console's unit may use 192 MiB.
  public static let passwordCostBits: ClosedRange<UInt8> = 13...16
  /// Milliseconds for which another console may hold the PIN's lock: the most expensive hash on the slowest board.
  public static let consolePinLockMilliseconds: Int64 = 5_000
  /// First and longest pause in milliseconds after a wrong PIN; it doubles in between. Nine wrong ones in a row reach
  /// the longest.
  public static let consolePinPause: ClosedRange<Int64> = 1_000...300_000
  /// Milliseconds for which a command that was stopped may go on before it is killed.
  public static let consoleStopMilliseconds: Int64 = 2_000
  /// Lines that `talon log` requests by default, and at most.
  public static let consoleLogLines = 20, consoleLogLinesMaximum = 256
}
