/// Why a picture could not be decoded or encoded.
public enum JPEGError: Error {
  /// The picture is damaged.
  case broken
  /// The codec does not support the picture, or it is too large for the storage.
  case unsupported
  /// The buffer is smaller than the longest possible encoding of such a picture.
  case doesNotFit
}

/// The coding of a picture's coefficients: later ones need fewer bytes and more time.
public enum JPEGCoding: Int, Sendable {
  /// In one scan, with the standard Huffman tables.
  case standard
  /// In one scan, with optimized Huffman tables. All coefficients are in memory meanwhile.
  case optimized
  /// In several scans with tables of their own (progressive). Takes twice the time.
  case progressive

  /// Cases above.
  static let count = 3
}

/// A JPEG decoder and encoder, for one worker at a time. Any input is safe.
public protocol JPEGCodec: AnyObject {
  /// Decodes `jpeg` into planes laid out in `storage`, scaled down as far as that is cheap and the result is at least
  /// `width` pixels wide, and further when `storage` is too small. Standard Huffman tables (ITU-T T.81 annex K.3) are
  /// used where the picture defines none.
  func decode(
    _ jpeg: UnsafeBufferPointer<UInt8>, atLeast width: Int, into storage: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> PlanarImage

  /// False when the coded data of the picture that was decoded last ended before its last block: what is below is gray.
  var hadAllData: Bool { get }

  /// Encodes `image`, full range, at `quality` 1...100; returns the bytes written to `buffer`, which needs 3 bytes for
  /// each pixel, sides rounded up to 16, and 2048 more.
  func encode(
    _ image: PlanarImage, quality: Int, coding: JPEGCoding, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int

  /// Rotates `jpeg` losslessly; returns the bytes written to `buffer`. If a side is not a whole number of blocks, up to
  /// 15 pixels at an edge may be cut off.
  func transform(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ orientation: Orientation, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int
}
