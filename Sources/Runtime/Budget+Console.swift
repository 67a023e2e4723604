/// What is bounded about the serial console.
extension Budget {
  /// A line that a person types, in bytes: the longest setup codes are pasted into `talon pair` instead, which reads more.
  public static let consoleLineBytes = 2048
  /// Lines that are kept to be had again, and bytes of the longest of them: 8 KiB in all.
  public static let consoleHistoryLines = 32, consoleHistoryLineBytes = 256
  /// Bytes of an escape sequence behind its introducer; a terminal's own have at most 12.
  public static let consoleSequenceBytes = 24
  /// Bytes of a string that a terminal sends (its name, say), all of which are dropped.
  public static let consoleStringBytes = 128
  /// Milliseconds after which ESC alone is a key, and an unfinished sequence is noise: at 9600 baud a sequence of eight
  /// bytes takes 8 ms; what terminal servers add is less than this.
  public static let consoleEscapeMilliseconds: Int64 = 150
  /// Rows and columns of a screen that are used; a terminal may have more. 8 bytes a cell: 15 KiB at 80x24, 53 at most.
  public static let consoleRows = 50, consoleColumns = 132
  /// Rows and columns of a terminal that does not tell: a VT100's.
  public static let consoleUsualRows = 24, consoleUsualColumns = 80
  /// Least rows and columns on which a screen is drawn; on less there are plain lines.
  public static let consoleLeastRows = 10, consoleLeastColumns = 40
  /// Bytes a second to the terminal: 115200 baud are 11520; the rest is for echo and what the kernel holds.
  public static let consoleBytesPerSecond = 9_600
  /// Bytes of one update of the screen: a tenth of a second of the line. What does not fit is in the next.
  public static let consoleFrameBytes = 960
  /// Milliseconds between updates of the screen, at least.
  public static let consoleFrameMilliseconds: Int64 = 40
  /// Bytes read from the terminal at once: what the kernel holds.
  public static let consoleReadBytes = 4096
  /// Bytes that are read from a terminal in a second, so that noise leaves the board its processor: five times the line.
  public static let consoleReadBytesPerSecond = 65_536
  /// Milliseconds between two bells.
  public static let consoleBellMilliseconds: Int64 = 500
  /// Milliseconds of silence behind noise, after which the screen is drawn anew, and between two such drawings at least.
  public static let consoleNoiseMilliseconds: Int64 = 1_000, consoleRepaintMilliseconds: Int64 = 5_000
  /// Milliseconds between two rows that are sent again, so that a terminal that is plugged in later shows all of them.
  public static let consoleRefreshMilliseconds: Int64 = 1_000
  /// Milliseconds without a key after which that, and looking at the agent, are less frequent by `consoleIdleFactor`.
  public static let consoleIdleMilliseconds: Int64 = 600_000, consoleIdleFactor: Int64 = 5
  /// Milliseconds between two looks at the agent, and how often its log is looked at: every so many of them.
  public static let consoleLookMilliseconds: Int64 = 2_000, consoleLooksPerLog = 5
  /// Milliseconds for which an agent may leave a question unanswered before the screen says so.
  public static let consoleSilenceMilliseconds: Int64 = 10_000
  /// Bytes of an answer of the agent to the console: its state has about 3 KiB, lines of its log 300 each.
  public static let consoleAnswerBytes = 64 * 1024
  /// Words of a command line.
  public static let consoleWords = 40
  /// Lengths of a PIN in bytes.
  public static let consolePinBytes = 4...64
  /// What a hash of a password costs, as the power of two of scrypt's N with r = 8: 2^13 takes 8 MiB, and about half a second
  /// on a Pi Zero; this is what is made. Lines that ask for up to 2^16 (64 MiB) are read: the console has 192.
  public static let passwordCostBits: ClosedRange<UInt8> = 13...16
  /// Milliseconds for which another console may have the PIN's lock: the dearest hash on the slowest board.
  public static let consolePinPatience: Int64 = 5_000
  /// First and longest pause in milliseconds behind a wrong PIN; it doubles in between. Nine wrong ones in a row reach it.
  public static let consolePinPause: ClosedRange<Int64> = 1_000...300_000
  /// Milliseconds for which a command that was stopped may go on before it is killed.
  public static let consoleStopMilliseconds: Int64 = 2_000
  /// Lines that `talon log` asks for unless told otherwise, and the most.
  public static let consoleLogLines = 20, consoleLogLinesMost = 256
}
