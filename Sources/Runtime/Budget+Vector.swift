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
  /// Groups inside each other that fade as a whole, each a picture of its own; deeper ones fade part by part.
  public static let vectorLayers = 3

  // MARK: SVG

  /// Milliseconds of a worker's processor time for one drawing. A map of 20 000 elements takes a tenth of it here.
  public static let svgMilliseconds: Int64 = 2_000
  /// Elements and texts of a drawing, of 32 bytes, and attributes, of 16; a map has 20 000.
  public static let svgNodes = 64 * 1024
  public static let svgAttributes = 256 * 1024
  /// Bytes of a value with entities in it, and of a text without tags.
  public static let svgValueBytes = 8 * 1024
  /// Selectors of a drawing's style sheets that are heeded, of 56 bytes: some programs write a class for each colour.
  public static let svgRules = 4096
  /// Elements inside each other, used ones among them: each takes two states of the 2D context, and 1 KiB of a worker's
  /// stack.
  public static let svgDepth = 30
  /// Elements that are gone over, each time that one is used.
  public static let svgSteps = 200_000
  /// Parts of a text that stand at places of their own.
  public static let svgTextParts = 256

  // MARK: Documents to read

  /// Blocks of a document and bytes of its text: a book's chapter, arranged in a quarter of a second on the slowest board.
  public static let readerBlocks = 8192
  public static let readerBytes = 256 * 1024
  /// Elements inside each other that are told apart.
  public static let readerDepth = 64
  /// Columns of a table; further cells stand in the last.
  public static let readerColumns = 12
  /// Bytes of a picture's address: `data:` addresses of icons among them.
  public static let readerURLBytes = 16 * 1024
}
