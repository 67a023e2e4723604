/// The three components of a picture that is not compressed: Y, Cb and Cr, or R, G and B.
struct FrameComponents {
  /// The components in this order; those of a gray picture's colour have no samples.
  let first, second, third: SampleGrid

  /// The components of a decoded picture.
  init(_ image: PlanarImage) {
    (first, second, third) = (image.luma.grid, image.blue.grid, image.red.grid)
  }

  /// Where the components of `frame` lie; nil when its bytes are fewer than its size asks for, or it has less
  /// than 2 x 2 pixels.
  init?(_ frame: RawFrame) {
    guard let row = Self.leastRowBytes(frame.format, frame.width), frame.rowBytes >= row, frame.width >= 2,
      frame.height >= 2, let base = frame.bytes.baseAddress
    else { return nil }
    let (luma, overflow) = frame.rowBytes.multipliedReportingOverflow(by: frame.height)
    guard !overflow, luma <= frame.bytes.count else { return nil }
    func grid(_ offset: Int, _ step: Int, _ shared: Int = 1, _ rowBytes: Int? = nil, rows: Int = 1)
      -> SampleGrid
    {
      SampleGrid(
        base: base + offset, step: step, rowBytes: rowBytes ?? frame.rowBytes, width: frame.width / shared,
        height: frame.height / rows)
    }
    switch frame.format {
    case .mjpeg: return nil
    case .yuyv:
      (first, second, third) = (grid(0, 2), grid(1, 4, 2), grid(3, 4, 2))
    case .rgb24:
      (first, second, third) = (grid(0, 3), grid(1, 3), grid(2, 3))
    case .nv12:
      guard luma / 2 <= frame.bytes.count - luma else { return nil }
      first = grid(0, 1)
      (second, third) = (grid(luma, 2, 2, rows: 2), grid(luma + 1, 2, 2, rows: 2))
    case .yu12:
      guard luma / 2 <= frame.bytes.count - luma else { return nil }
      let half = frame.rowBytes / 2
      first = grid(0, 1)
      second = grid(luma, 1, 2, half, rows: 2)
      third = grid(luma + half * (frame.height / 2), 1, 2, half, rows: 2)
    }
  }

  private static func leastRowBytes(_ format: PixelFormat, _ width: Int) -> Int? {
    guard width <= 1 << 16 else { return nil }
    return switch format {
    case .mjpeg: nil
    case .yuyv: (width + 1) / 2 * 4
    case .nv12, .yu12: width
    case .rgb24: 3 * width
    }
  }
}
