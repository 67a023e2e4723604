/// What is bounded about painting.
extension Budget {
  /// Glyphs of one line of text that are drawn; 1920 pixels hold some 600 of the smallest type. Also the characters that are
  /// ordered and joined at once.
  public static let lineGlyphs = 1024
  /// Faces: five that are built in, and fallback faces of the board.
  public static let fontFaces = 16
  /// Characters whose glyph and width are remembered, for each of three styles: more than an alphabet's two cases.
  public static let rememberedCharacters = 512
  /// Pictures of glyphs and icons, and their bytes: a screen of small type has 300, at four places between pixels.
  public static let cachedGlyphs = 2048
  public static let cachedGlyphBytes = 512 * 1024
  /// The largest type in pixels: a digit as high as a screen of 1920x1080 is wide enough for a clock.
  public static let fontPixels: Int16 = 600
  /// Clips within clips; deeper ones cut rectangles off, but no corners.
  public static let clipDepth = 64
  /// Longest side of what is painted, in pixels, and of a picture that is decoded (WebP has 16383).
  public static let paintSidePixels = 8192
  public static let pictureSidePixels: Int32 = 16384
  /// Pixels of a picture that is decoded (canvas reference 1.14).
  public static let decodedPixels = 16_000_000
  /// Pixels of a picture that is kept: those of the largest screen in common use, 1920x1080.
  public static let shownPixels = 2_100_000
  /// Bytes that a picture may take while its rows cannot be reduced one by one (interlaced PNG).
  public static let wholePictureBytes = 32 * 1024 * 1024
  /// Softest shadow and roundest shadowed corner in pixels, and how many pairs of them are remembered: a theme has three.
  public static let shadowBlur = 96
  public static let shadowRadius = 64
  public static let shadows = 6
  /// Longest side of an icon in pixels; larger ones are drawn smaller, in the middle.
  public static let iconPixels = 256
  /// Comparisons spent on finding what moved between two frames; what is not found then is drawn again: a millisecond here.
  public static let damageComparisons = 1_000_000
  /// How far away an unchanged command is searched for.
  public static let damageReach = 256
}
