import Canvas

/// Pictures of the screen by libpng and libjpeg-turbo.
public final class ScreenSnapshots: SnapshotCodec {
  public init() {}

  public func encode(
    _ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, size: Size)? {
    do throws(SnapshotFault) {
      switch format {
      case .png: return try SnapshotEncoder.encode(pixels, .png, atMost: width, into: target)
      case .jpeg(let quality): return try SnapshotEncoder.encode(pixels, .jpeg(quality: quality), atMost: width, into: target)
      }
    } catch {
      return nil
    }
  }
}
