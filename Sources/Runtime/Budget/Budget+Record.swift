/// Limits of recordings of the screen (node-commands 4.3). A recording has the limits of a camera's clip (`clipBytes`,
/// `clipMilliseconds`, `clipLongEdge`) and uses the same buffer: only one of both exists at a time.
extension Budget {
  /// Pictures a second: the screen's own animations have at most 30 (`scrollFrameMilliseconds`).
  public static let recordRate: ClosedRange<Double> = 1...30
  /// `screen.record` at once: one is made; a second one is accepted only to be answered with the reason.
  public static let recordInvokes = 2
  /// Pixels for each bit at which type looks sharp: 3 Mbit/s for 1280x720 at 10 pictures a second. Still content costs
  /// nearly nothing.
  public static let recordPixelsPerBit = 3
  /// Identical pictures that are encoded after each change, so that the encoder can sharpen what it had too few bits
  /// for.
  public static let recordRepeats = 4
  /// Milliseconds between pictures while nothing changes: less than the longest pause of a clip.
  public static let recordStillMilliseconds: Int64 = 4_000
  /// Milliseconds before an invoke's deadline at which its recording stops, so that the file can be finished.
  public static let recordMargin: Int64 = 500
  /// The picture that the encoder takes, in bytes: 4:2:0. Reserved, and given back after each recording.
  public static let recordPictureBytes = clipLongEdge * clipShortEdge * 3 / 2
}
