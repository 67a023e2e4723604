/// Limits of painting.
extension Budget {
  /// Glyphs of one line of text that are drawn; 1920 pixels hold some 600 of the smallest type. Also the characters
  /// that are reordered (bidirectional text) at once.
  public static let lineGlyphs = 1024
  /// Typefaces that are open: eight that are built in, and those of the board's that a text has asked for, 700 bytes
  /// each. Their numbers fit into a byte.
  public static let fontFaces = 200
  /// Font files of the board that are known, and bytes of their names together: all that Debian's Noto packages have.
  public static let fontPacks = 192
  public static let fontPackNameBytes = 8 * 1024
  /// The longest word that is shaped as a whole, in characters; longer ones are divided where a character stands for
  /// itself. Glyphs of one word: four for each character.
  public static let wordCharacters = 96
  public static let wordGlyphs = 384
  /// Words that are kept shaped, and glyphs of them all, of 24 bytes: a screen of small type has 600 words of six
  /// letters.
  public static let shapedWords = 1024
  public static let shapedGlyphs = 8192
  /// Characters whose glyph and width are remembered, for each of three styles: more than an alphabet's two cases.
  public static let rememberedCharacters = 512
  /// Pictures of glyphs and icons, and their bytes: a screen of small type has 300, at four places between pixels.
  public static let cachedGlyphs = 2048
  public static let cachedGlyphBytes = 512 * 1024
  /// The largest type in pixels: a clock that fills the width of a 1920x1080 screen.
  public static let fontPixels: Int16 = 600
  /// Nesting of clips; deeper ones clip to rectangles without rounded corners.
  public static let clipDepth = 64
  /// Longest side of what is painted, in pixels, and of a picture that is decoded (WebP has 16383).
  public static let paintSidePixels = 8192
  public static let pictureSidePixels: Int32 = 16384
  /// Pixels of a picture that is decoded (canvas reference 1.14).
  public static let decodedPixels = 16_000_000
  /// Pixels of a picture that is kept: those of the largest screen in common use, 1920x1080.
  public static let shownPixels = 2_100_000
  /// Bytes of a picture whose rows cannot be scaled down one by one (interlaced PNG, progressive JPEG: six bytes a
  /// pixel at most, instead of four).
  public static let wholePictureBytes = 32 * 1024 * 1024
  /// Largest blur and corner radius of a shadow in pixels, and how many pairs of them are cached: a theme has three.
  public static let shadowBlur = 96
  public static let shadowRadius = 64
  public static let shadows = 6
  /// Longest side of an icon in pixels; larger ones are drawn smaller, in the middle.
  public static let iconPixels = 256
  /// The largest coordinate and the largest size in pixels: sums of four such numbers fit into 32 bits.
  public static let farthestPixel: Int32 = 1 << 24
  /// Comparisons for finding what moved between two frames, about a millisecond on a desktop; what is not found by then
  /// is drawn again.
  public static let damageComparisons = 1_000_000
  /// How many draw commands away an unchanged one is searched for.
  public static let damageReach = 256
}
