extension Budget {

  // MARK: Programs that the gateway runs (system.run)

  /// Programs that the configuration may allow: one bit each of a 64-bit number, and a list that a person can oversee.
  public static let runPrograms = 32
  /// Words of a command, and bytes of all of them with a zero byte after each. 25 KB for one at a time.
  public static let runWords = 64
  public static let runCommandBytes = 8192
  /// Names in one question of `system.which`, and questions and preparations at once, which are answered when they
  /// begin.
  public static let runBins = 64
  public static let runQuestions = 4
  /// Runs at once: more would be more than a small board can serve beside its agent.
  public static let runsAtOnce = 2
  /// Milliseconds that a program may run, the usual time, and what may be configured, in seconds. `RuntimeMaxSec` of
  /// talon-run@.service is above it.
  public static let runMilliseconds: Int64 = 30_000
  public static let runSeconds: ClosedRange<Int64> = 1...600
  /// Bytes of output and errors together: the usual number, and what may be configured; a gateway takes 200,000
  /// (node-commands 4.7). Reserved four times for each run: both texts, and the answer, where each byte may be escaped.
  public static let runOutputBytes = 65_536
  public static let runOutputRange: ClosedRange<Int> = 1024...200_000
  /// Mebibytes of address space of each process: the usual number, and what may be configured. `MemoryMax` of
  /// talon-run@.service holds for all processes of a run together.
  public static let runMegabytes = 128
  public static let runMegabytesRange: ClosedRange<Int> = 16...256
  /// Processes of the user that programs run as, whatever run they belong to, and of the service itself.
  public static let runProcesses = 32
  /// Bytes of one frame between the service and the agent: what is read from a pipe at once.
  public static let runFrameBytes = 1024
  /// Milliseconds that the service waits for the request of a connection.
  public static let runRequestMilliseconds: Int32 = 5000
  /// Milliseconds of silence after which a gateway that got progress is told that the program still runs: the
  /// reference's longest (newer-gateways 2).
  public static let runBeatMilliseconds: Int64 = 5000
  /// Bytes of output in an event: the gateway shows 180 characters. Milliseconds for which an event is of use: gateways
  /// forget a run 300 s after its end.
  public static let runTailBytes = 512
  public static let runEventMilliseconds: Int64 = 300_000
}
