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
}
