/// What is bounded about scripts (`canvas.eval`; canvas reference 3.4).
extension Budget {
  /// All memory of a script's context, in bytes. Reserved; a fresh context has 0.3 MB.
  public static let scriptHeapBytes = 16 * 1024 * 1024
  /// Stack of a script in bytes; the thread that it runs on has far more, for the page's own functions stand above the script's.
  public static let scriptStackBytes = 256 * 1024
  /// Milliseconds that an evaluation has, promises included: what OpenClaw's Linux app allows.
  public static let scriptMilliseconds: Int64 = 8_000
  /// Milliseconds that one callback of a timer or of a frame has: nobody waits for it, and a page that stands still for
  /// longer is broken.
  public static let scriptCallbackMilliseconds: Int64 = 1_000
  /// Milliseconds from one turn of timers and frames to the next: 30 frames a second. While an evaluation waits for a promise
  /// timers may be as short as a browser's.
  public static let scriptTurnMilliseconds: Int64 = 34
  public static let scriptWaitMilliseconds: Int64 = 4
  /// Evaluations at once: one runs or waits for its promise, the other for it.
  public static let evalInvokes = 2
  /// A program in bytes, and a result as text. Programs of agents have a few KiB. Reserved, one of each waiting program.
  public static let scriptSourceBytes = 256 * 1024
  public static let scriptResultBytes = 256 * 1024
  /// Bytes in use after an evaluation beyond which its context is thrown away: nothing more would run in it.
  public static let scriptKeptBytes = scriptHeapBytes / 4 * 3
  /// Lines of the console that one turn tells, and that are told in a minute; each is cut as the log's are.
  public static let scriptLines = 16
  public static let scriptLinesPerMinute = 60
  /// Pictures that a script holds, and the bytes of each as data: URL. The decoded ones have `shownPixels` at most.
  public static let scriptImages = 8
  public static let scriptImageBytes = 512 * 1024
  /// What a script sends the loop at once, in bytes: as much as a push of the agent's (`canvasParameterBytes`).
  public static let scriptRequestBytes = canvasParameterBytes
  /// What the loop answers a script, in bytes: the ids of all surfaces.
  public static let scriptAnswerBytes = 32 * 1024
}
