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
}
