/// Why a picture could not be coded.
public enum JPEGError: Error {
  /// The picture is damaged.
  case broken
  /// The picture is of a kind that the codec does not read, or too large in pixels for the storage.
  case unsupported
  /// The buffer is smaller than the longest possible encoding of such a picture.
  case doesNotFit
}

/// How a picture's coefficients are coded: the further down, the fewer bytes of the same picture, and the more time.
public enum JPEGCoding: Int, Sendable {
  /// In one scan, with the standard Huffman tables.
  case standard
  /// In one scan, with Huffman tables made for the picture. All its coefficients are held meanwhile.
  case optimized
  /// In several scans with tables of their own (progressive). Takes twice the time.
  case progressive

  static let count = 3
}

/// JPEG in both directions, for one worker at a time. Whatever bytes come in, only errors come out.
public protocol JPEGCodec: AnyObject {
  /// Decodes `jpeg` into planes laid out in `storage`, reduced as far as the codec does that cheaply while the
  /// result stays at least `width` pixels across, and further when `storage` is too small.
  /// Standard Huffman tables (ITU-T T.81 annex K.3) count where the picture defines none.
  func decode(
    _ jpeg: UnsafeBufferPointer<UInt8>, atLeast width: Int, into storage: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> PlanarImage

  /// Encodes `image`, full range, at `quality` 1...100; answers the bytes written to `buffer`.
  /// `buffer` needs 3 bytes for each pixel, sides rounded up to 16, and 2048 more.
  func encode(
    _ image: PlanarImage, quality: Int, coding: JPEGCoding, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int

  /// Turns `jpeg` without decoding its blocks; answers the bytes written to `buffer`, which `JPEGLayout` reads. Where
  /// a side is no whole number of blocks, up to 15 pixels of an edge that would have to move are left out.
  func transform(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ orientation: Orientation, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int
}
