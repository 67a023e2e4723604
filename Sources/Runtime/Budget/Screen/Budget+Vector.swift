/// Limits of drawing with paths. Memory is reserved: only what was used costs any.
extension Budget {
  /// States of a 2D context that `save` keeps, the current one among them. Scripts nest a handful.
  public static let canvasStates = 64
  /// Dashes and gaps of a pattern; drawings have six at most.
  public static let dashes = 32
  /// Gradients in use in one context, and stops of each: each bar of a chart often has its own gradient.
  public static let gradients = 256
  public static let gradientStops = 32
  /// Bytes of a font's family list that are kept.
  public static let fontFamilyBytes = 96
  /// Lines and curves of one glyph; the largest of the built-in faces has 150.
  public static let outlineSteps = 1024
  /// Points of one flattened path, 24 bytes each: the outline of a map, or a line of text.
  public static let pathPoints = 64 * 1024
  /// Edges of one shape inside the picture, of 32 bytes: four for each line of a stroke.
  public static let vectorEdges = 256 * 1024
  /// Edge crossings of all scan lines of one shape: half a second on a desktop, three on the slowest board. A
  /// full-screen shape has 17 280 scan lines, and may have 2 000 edges on each.
  public static let vectorWork = 32 * 1024 * 1024
  /// Dashes and gaps of one path: lines a pixel apart, all over a screen of 1920x1080, with dashes of 20 pixels.
  public static let dashPieces = 100_000
  /// Clips that `restore` can take back.
  public static let canvasClips = 64
  /// Samples of a picture for one pixel, across and down: one that is drawn 16 times smaller is still averaged.
  public static let pictureSamples = 16
  /// Nesting of groups with opacity, each drawn into a layer of its own; deeper groups apply it to each element.
  public static let vectorLayers = 3

  // MARK: SVG

  /// Milliseconds of a worker's processor time for one drawing. A map of 20 000 elements takes a tenth of it on a
  /// desktop.
  public static let svgMilliseconds: Int64 = 2_000
  /// Elements and texts of a drawing, of 32 bytes, and attributes, of 16; a map has 20 000.
  public static let svgNodes = 64 * 1024
  public static let svgAttributes = 256 * 1024
  /// Bytes of a value after its entities were replaced, and of a text without its tags.
  public static let svgValueBytes = 8 * 1024
  /// Selectors of a drawing's style sheets that are applied, of 56 bytes: some programs write a class for each color.
  public static let svgRules = 4096
  /// Nesting of elements, those of `use` included: each takes two states of the 2D context, and 1 KiB of a worker's
  /// stack.
  public static let svgDepth = 30
  /// Elements that are visited, counted again for each `use`.
  public static let svgSteps = 200_000
  /// Parts of a text with positions of their own.
  public static let svgTextParts = 256

  // MARK: Documents to read

  /// Blocks of a document and bytes of its text: a book's chapter, arranged in a quarter of a second on the slowest
  /// board.
  public static let readerBlocks = 8192
  public static let readerBytes = 256 * 1024
  /// Nesting of elements that is tracked.
  public static let readerDepth = 64
  /// Columns of a table; further cells are put into the last one.
  public static let readerColumns = 12
  /// Bytes of a picture's address: `data:` addresses of icons among them.
  public static let readerURLBytes = 16 * 1024
  /// Bytes of a tag's attributes that are read; of a tag with more of them none is. A picture's address, and what
  /// stands beside it.
  public static let readerTagBytes = readerURLBytes + 4 * 1024
  /// Bytes of a document that are read in one turn of the loop, and what a tag or a text counts as beside its bytes:
  /// 4 ms on a core of 512 MHz.
  public static let readBytes = 8 * 1024
  public static let readStep = 16
}
