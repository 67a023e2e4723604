/// What is bounded about the processes that work on what strangers made.
extension Budget {
  /// Private memory of the process that decodes a picture, in bytes: a lossless WebP of `decodedPixels` has 64 MB while it is decoded, the
  /// layers of a drawing 25 MB, a copy of the result 8 MB.
  public static let decoderBytes = 112 * 1024 * 1024
  /// Its address space: that, the program itself, what it decodes, and its result.
  public static let decoderAddressBytes = decoderBytes + 96 * 1024 * 1024
  /// Seconds of the processor that a drawing has, and a picture: the former ends by itself after `svgMilliseconds`, with what was drawn until
  /// then, the latter has at most `decodedPixels`, for which the slowest board takes some seconds.
  public static let drawingSeconds: Int64 = svgMilliseconds / 1000 + 2
  public static let pictureSeconds: Int64 = 8
  /// Milliseconds after which it is ended, however little of the processor it got: less than an invoke has (30 s).
  public static let decoderMilliseconds: Int64 = 15_000
  /// How often whoever waits for such a process looks whether that is still wanted, in milliseconds.
  public static let confinedLookMilliseconds: Int64 = 50
  /// Private memory of the process that runs scripts, in bytes: their heap (`scriptHeapBytes`), pictures of a screen's size that they hold (eight
  /// of 8 MB), and one that is being decoded, as far as they are not all of the largest at once. Then one is not decoded.
  public static let scriptProcessBytes = 128 * 1024 * 1024
  /// Its address space: that, the program itself, its drawing, and what it says.
  public static let scriptProcessAddressBytes = scriptProcessBytes + 96 * 1024 * 1024
  /// Milliseconds after which it is ended when an order is not carried out, because even its own limits did not end what it does: longer than an evaluation
  /// with all that belongs to it (13 s) and than a turn with a dozen callbacks of a second.
  public static let scriptProcessMilliseconds: Int64 = 30_000
  /// Processes that decode pictures at once: for what documents show, and for what is navigated to.
  public static let decoders = 2
}
