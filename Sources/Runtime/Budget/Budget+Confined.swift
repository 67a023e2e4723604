/// Limits of the confined processes that handle untrusted input.
extension Budget {
  /// Private memory of the process that decodes a picture, in bytes: a lossless WebP of `decodedPixels` has 64 MB while
  /// it is decoded, the layers of a drawing 25 MB, a copy of the result 8 MB.
  public static let decoderBytes = 112 * 1024 * 1024
  /// Its address space in bytes: that, the program itself, the input, and the result.
  public static let decoderAddressBytes = decoderBytes + 96 * 1024 * 1024
  /// Processor seconds for a drawing, and for a picture. A drawing stops by itself after `svgMilliseconds` and keeps
  /// what was drawn; a picture has at most `decodedPixels`, for which the slowest board takes some seconds.
  public static let drawingSeconds: Int64 = svgMilliseconds / 1000 + 2
  public static let pictureSeconds: Int64 = 8
  /// Milliseconds after which it is killed, however little processor time it got: less than an invoke has (30 s).
  public static let decoderMilliseconds: Int64 = 15_000
  /// Milliseconds between checks for cancellation while a worker waits for such a process.
  public static let confinedPollMilliseconds: Int64 = 50
  /// Private memory of the process that runs scripts, in bytes: their heap (`scriptHeapBytes`), pictures of a screen's
  /// size that they hold (eight of 8 MB), and one that is being decoded, unless all are of the largest size at once:
  /// then the last is not decoded.
  public static let scriptProcessBytes = 128 * 1024 * 1024
  /// Its address space in bytes: that, the program itself, its drawing, and its messages.
  public static let scriptProcessAddressBytes = scriptProcessBytes + 96 * 1024 * 1024
  /// Milliseconds after which it is killed when it has not finished an order, because its own limits did not work:
  /// longer than an evaluation with everything around it (13 s) and than a turn with a dozen callbacks of a second.
  public static let scriptProcessMilliseconds: Int64 = 30_000
  /// Processes that decode pictures at once: one for documents, one for navigation.
  public static let decoders = 2
}
