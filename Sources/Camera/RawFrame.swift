/// How the pixels of a frame are laid out (V4L2's names).
public enum PixelFormat: Sendable {
  /// A JPEG picture, perhaps without its Huffman tables.
  case mjpeg
  /// Y0 Cb Y1 Cr: 4:2:2, packed.
  case yuyv
  /// A plane of Y, then a plane of Cb Cr pairs: 4:2:0.
  case nv12
  /// Planes of Y, Cb and Cr: 4:2:0.
  case yu12
  /// R G B.
  case rgb24
}

/// A frame as the device gave it, borrowed for the time of one visit.
public struct RawFrame {
  /// The layout.
  public let format: PixelFormat
  /// Pixels across; for MJPEG the picture's own header counts instead.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Bytes from one row to the next (of Y when planar; planar chroma rows take half of it). 0 for MJPEG.
  public let rowBytes: Int
  /// True when Y, Cb and Cr use 0...255; false for video's 16...235 and 16...240 (ITU-R BT.601).
  public let isFullRange: Bool
  /// The bytes that the device filled.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// A frame; see the properties.
  public init(
    format: PixelFormat, width: Int, height: Int, rowBytes: Int, isFullRange: Bool,
    bytes: UnsafeBufferPointer<UInt8>
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.rowBytes = rowBytes
    self.isFullRange = isFullRange
    self.bytes = bytes
  }
}
