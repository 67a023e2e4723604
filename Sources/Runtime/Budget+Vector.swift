/// What is bounded about drawing with paths. Memory is reserved: only what was used costs any.
extension Budget {
  /// States of a 2D context that `save` keeps, the current one among them. Scripts nest a handful.
  public static let canvasStates = 64
  /// Dashes and gaps of a pattern; drawings have six at most.
  public static let dashes = 32
  /// Gradients of a context that are in use, and the stops of each: a bar of a chart often has its own.
  public static let gradients = 256
  public static let gradientStops = 32
  /// Bytes of a font's family list that are kept.
  public static let fontFamilyBytes = 96
  /// Lines and curves of one glyph; the largest of the built-in faces has 150.
  public static let outlineSteps = 1024
  /// Points of one path whose curves have become lines, of 24 bytes: the outline of a map, or a line of text.
  public static let pathPoints = 64 * 1024
  /// Edges of one shape inside the picture, of 32 bytes: four for each line of a stroke.
  public static let vectorEdges = 256 * 1024
  /// Steps from edge to edge along scan lines for one shape: half a second here, three on the slowest board. A
  /// full-screen shape has 17 280 scan lines, and may have 2 000 edges on each.
  public static let vectorWork = 32 * 1024 * 1024
  /// Dashes and gaps of one path: lines a pixel apart, all over a screen of 1920x1080, with dashes of 20 pixels.
  public static let dashPieces = 100_000
  /// Clips that `restore` can take back.
  public static let canvasClips = 64
  /// Samples of a picture for one pixel, across and down: one that is drawn 16 times smaller is still averaged.
  public static let pictureSamples = 16
}
