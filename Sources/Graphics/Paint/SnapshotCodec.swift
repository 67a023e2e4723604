/// How a picture of the screen is written.
public enum SnapshotFormat: Equatable, Sendable {
  case png
  /// Quality 1...100.
  case jpeg(quality: Int)
}

/// Writes pictures of the screen. Called on a worker.
public protocol SnapshotCodec: AnyObject {
  /// Writes the pixels at no more than `width` across into `target`: how many bytes, and the size of the picture. Nil
  /// when they do not fit, or there is no memory for it.
  func encode(
    _ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, size: Size)?
}
