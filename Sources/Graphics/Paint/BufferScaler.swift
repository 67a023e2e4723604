import Runtime

/// Rows of what is on the screen, at another size: averaged over the area that each pixel stands for.
public final class BufferScaler {
  private let scaler = PictureScaler()
  /// What the rows have.
  public let size: Size

  /// Rows of a buffer at a size. The buffer outlives the scaler, and is not painted meanwhile.
  @export(interface)
  public init(_ buffer: PixelBuffer, _ size: Size) {
    self.size = size
    let picture = PictureTable.Picture(pixels: buffer.pixels.baseAddress!, size: buffer.size)
    scaler.begin(picture, Rect(0, 0, buffer.size.width, buffer.size.height), size, from: 0, size.width)
  }

  /// The size that a buffer has at no more than `width` pixels across: never larger than it is, at least one pixel
  /// high.
  public static func size(of buffer: PixelBuffer, atMost width: Int32) -> Size {
    let (across, down) = (Int64(buffer.size.width), Int64(buffer.size.height))
    guard width > 0, Int64(width) < across else { return buffer.size }
    return Size(width, Int32(max((down * Int64(width) + across / 2) / across, 1)))
  }

  /// One row: 0xXXRRGGBB.
  public func row(_ y: Int32, into pixels: UnsafeMutablePointer<UInt32>) {
    scaler.row(y, into: UnsafeMutableBufferPointer(start: pixels, count: Int(size.width)))
  }
}
