/// What is bounded about recordings of the screen (node-commands 4.3). One has at most the bytes, the length and the size of a
/// camera's clip (`clipBytes`, `clipMilliseconds`, `clipLongEdge`), and is kept where that would be: there is one of both.
extension Budget {
  /// Pictures a second: what moves by itself on the screen has no more than 30 (`scrollFrameMilliseconds`).
  public static let recordRate: ClosedRange<Double> = 1...30
  /// `screen.record` at once: one is made, and another is told so.
  public static let recordInvokes = 2
  /// Pixels for each bit at which type looks sharp: 3 Mbit/s for 1280x720 at 10 pictures a second. What does not move costs nearly
  /// nothing at any.
  public static let recordPixelsPerBit = 3
  /// Pictures of the same after each change, in which an encoder makes sharp what it had too few bits for.
  public static let recordRepeats = 4
  /// Milliseconds from one picture to the next while nothing changes: rare, but less than the longest pause of a clip.
  public static let recordStillMilliseconds: Int64 = 4_000
  /// Milliseconds before an invoke's end at which its recording is over, so that it can be finished.
  public static let recordMargin: Int64 = 500
  /// The picture that the encoder takes, in bytes: 4:2:0. Reserved, and given back after each recording.
  public static let recordPictureBytes = clipLongEdge * clipShortEdge * 3 / 2
}
