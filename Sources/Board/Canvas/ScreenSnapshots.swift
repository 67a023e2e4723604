import Canvas
import Graphics

/// Snapshots by libpng and libjpeg-turbo.
public final class ScreenSnapshots: SnapshotCodec {
  @export(interface)
  public init() {}

  public func encode(
    _ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, size: Size)? {
    do throws(SnapshotFault) {
      return try SnapshotEncoder.encode(pixels, format, atMost: width, into: target)
    } catch {
      return nil
    }
  }
}
