/// Limits of drawings by coordinates (`canvas.draw`).
extension Budget {
  /// Elements at once: a dashboard has some fifty.
  public static let drawingElements = 128
  /// Bytes of an element's id, and of its text or address; longer ones are refused.
  public static let drawingIdBytes = 64
  public static let drawingTextBytes = 512
  /// Operations and elements of one command.
  public static let drawingOperations = 64
  /// Largest coordinate and longest side, in pixels or units of the drawing's space: far beyond any screen, and exact
  /// in a `Float`.
  public static let drawingReach = 100_000
  /// Thickest border and largest type, in the same unit.
  public static let drawingSizeMaximum = 1000
  /// Longest duration of an animation in milliseconds, and the default.
  public static let drawingDurationMaximum: Int64 = 60_000
  public static let drawingDuration: Int64 = 300
  /// Milliseconds between frames while something moves (canvas reference 3.2), and half the period of a pulsing
  /// highlight.
  public static let drawingFrameMilliseconds: Int64 = 34
  public static let drawingPulseMilliseconds: Int64 = 500
  /// Points that a person may draw on a sketch, each of four bytes: a page of handwriting has some 1,500. What is drawn
  /// beyond is left out.
  public static let sketchPoints = 4096
  /// The finest step of a sketch, as a share of its sides, and the shortest way between two of its points: a finger
  /// reports more than anybody can see.
  public static let sketchSteps: Float = 16_384
  public static let sketchShortest = 24
  /// Longest side of a sketch's picture in pixels, at one bit each: with it the message to the agent fits into
  /// `pressBytes`, and handwriting can be read.
  public static let sketchPixels: Int32 = 512
  /// Bytes of the picture: signature, header, palette, rows and checksums (`TwoColorPNG`).
  public static let sketchPictureBytes = 36 * 1024
  /// Bytes of what is told of a touch: an id of 64 bytes, escaped, and six numbers.
  public static let drawingActionBytes = 1024
  /// How much two fingers change their distance before it counts as pinching, in percent.
  public static let pinchPercent: Float = 10

  // MARK: Video

  /// Bytes of one picture of a video, kept twice while one is decoded: 1280x720 at the quality of a camera's stream has
  /// some 150 KiB. A larger one is left out.
  public static let videoFrameBytes = 512 * 1024
  /// Bytes that are read of a stream at a time: the end of a picture waits for the beginning of the next one by less
  /// than that.
  public static let videoPieceBytes = 1024
  /// Bytes that are taken of a stream in a second: 25 pictures of 160 KiB.
  public static let videoBytesPerSecond = 4 << 20
  /// Milliseconds between pictures, at least: each is decoded in a process of its own.
  public static let videoFrameMilliseconds: Int64 = 100
  /// Milliseconds without a byte after which a stream is over, and the pauses before it is asked for again.
  public static let videoIdleMilliseconds: Int64 = 15_000
  public static let videoRetryMilliseconds: ClosedRange<Int64> = 2_000...60_000
  /// Bytes of the line between two pictures: two hyphens, and a boundary of 70 (RFC 2046 section 5.1.1), with its line
  /// ends; of a line of a part's header, of which the length alone matters; and of the whole header.
  public static let videoDelimiterBytes = 76
  public static let videoLineBytes = 128
  public static let videoHeaderBytes = 2048
}
