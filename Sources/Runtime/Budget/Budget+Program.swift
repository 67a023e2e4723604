extension Budget {

  // MARK: Programs of the owner

  /// Words of the command line of a program, and bytes of all of them together: a page.
  public static let programWords = 32
  public static let programTextBytes = 4096
  /// Values that an agent may choose, and choices of one of them.
  public static let programValues = 8
  public static let programChoices = 16
  /// Bytes of a text that an agent may choose.
  public static let programTextRange: ClosedRange<Int> = 1...512
  /// Milliseconds that a program may run, the usual time, and what may be configured, in seconds: below the 120 s of a
  /// call.
  public static let programMilliseconds: Int64 = 10_000
  public static let programSeconds: ClosedRange<Int64> = 1...100
  /// Bytes of its output and of its errors that are kept; the rest is read and left out, and that is said.
  public static let programOutputBytes = 4096
  public static let programErrorBytes = 1024
  /// Limits of each process (setrlimit(2)), beside processor seconds for its time: address space, size of a file that
  /// it writes, open files, and processes of its user, threads of the agent included when that is the same user.
  public static let programAddressBytes = 256 << 20
  public static let programFileBytes = 16 << 20
  public static let programOpenFiles = 64
  public static let programProcesses = 64
}
