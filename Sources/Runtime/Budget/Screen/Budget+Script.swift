/// Limits of scripts (`canvas.eval`; canvas reference 3.4).
extension Budget {
  /// All memory of a script's context, in bytes. Reserved; a fresh context has 0.3 MB.
  public static let scriptHeapBytes = 16 * 1024 * 1024
  /// Stack of a script in bytes; its thread has far more, because native functions that the script calls need theirs.
  public static let scriptStackBytes = 256 * 1024
  /// Timeout in milliseconds for an evaluation, promises included: what OpenClaw's Linux app allows.
  public static let scriptMilliseconds: Int64 = 8_000
  /// Timeout in milliseconds for one callback of a timer or a frame: a page that blocks for longer is broken.
  public static let scriptCallbackMilliseconds: Int64 = 1_000
  /// Milliseconds from one turn of timers and frames to the next: 30 frames a second. While an evaluation waits for a
  /// promise, timers may be as short as in a browser.
  public static let scriptTurnMilliseconds: Int64 = 34
  public static let scriptWaitMilliseconds: Int64 = 4
  /// Evaluations at once: one runs or waits for its promise, the other waits in the queue.
  public static let evalInvokes = 2
  /// Bytes of a script's source, and of its result as text. Agents' scripts have a few KiB. Reserved, one of each for
  /// each evaluation.
  public static let scriptSourceBytes = 256 * 1024
  public static let scriptResultBytes = 256 * 1024
  /// Bytes in use after an evaluation beyond which the context is discarded: it has no room for another script.
  public static let scriptKeptBytes = scriptHeapBytes / 4 * 3
  /// Lines of `console.log` that are logged in one turn, and in a minute; each is cut like the log's lines.
  public static let scriptLines = 16
  public static let scriptLinesPerMinute = 60
  /// Pictures that a script holds, and the bytes of each as data: URL. The decoded ones have `shownPixels` at most.
  public static let scriptImages = 8
  public static let scriptImageBytes = 512 * 1024
  /// Bytes of one request of a script to the loop: as much as a push (`canvasParameterBytes`).
  public static let scriptRequestBytes = canvasParameterBytes
  /// Bytes of the loop's answer to a script: the ids of all surfaces.
  public static let scriptAnswerBytes = 32 * 1024
}
