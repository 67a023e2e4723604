/// The three components of an uncompressed picture: Y, Cb and Cr, or R, G and B.
struct FrameComponents {
  /// The components in this order; the color components of a gray picture have no samples.
  let first, second, third: SampleGrid

  /// The components of a decoded picture.
  init(_ image: PlanarImage) {
    (first, second, third) = (image.luma.grid, image.blue.grid, image.red.grid)
  }

  /// The components of `frame`; nil when it has too few bytes for its size, fewer than 2 x 2 pixels, or samples other
  /// than bytes.
  init?(_ frame: RawFrame) {
    guard let layout = FormatLayout(frame.format), frame.width >= 2, frame.width <= 1 << 16,
      frame.height >= 2, frame.height <= 1 << 16, let planes = Self.planes(of: frame, layout)
    else { return nil }
    for index in 0..<layout.planes {
      let (plane, rows) = (planes[index], layout.rows(index, height: frame.height))
      guard plane.rowBytes >= layout.rowBytes(index, width: frame.width) else { return nil }
      let (count, overflow) = plane.rowBytes.multipliedReportingOverflow(by: rows)
      guard !overflow, count <= plane.bytes.count, plane.bytes.baseAddress != nil else { return nil }
    }
    func grid(_ place: FormatLayout.Place, _ width: Int, _ height: Int) -> SampleGrid {
      let plane = planes[place.plane]
      return SampleGrid(
        base: plane.bytes.baseAddress! + place.offset, step: place.step, rowBytes: plane.rowBytes,
        width: width,
        height: height)
    }
    let width = layout.across == 0 ? 0 : frame.width / layout.across
    let height = layout.down == 0 ? 0 : frame.height / layout.down
    first = grid(layout.first, frame.width, frame.height)
    second = grid(layout.second, width, height)
    third = grid(layout.third, width, height)
  }

  /// The separate planes; those of a contiguous frame follow each other, and planar chroma has rows of half the length.
  /// Nil when there are too few.
  private static func planes(of frame: RawFrame, _ layout: FormatLayout) -> InlineArray<3, FramePlane>? {
    guard frame.planeCount == 1, layout.planes > 1 else {
      return frame.planeCount == layout.planes ? frame.planes : nil
    }
    let whole = frame.planes[0]
    let (luma, overflow) = whole.rowBytes.multipliedReportingOverflow(by: frame.height)
    guard !overflow, luma >= 0, luma <= whole.bytes.count, luma / 2 <= whole.bytes.count - luma else {
      return nil
    }
    let rowBytes = layout.planes == 2 ? whole.rowBytes : whole.rowBytes / 2
    let size = rowBytes * (frame.height / 2)
    func part(_ start: Int, _ rowBytes: Int) -> FramePlane {
      FramePlane(
        bytes: UnsafeBufferPointer(rebasing: whole.bytes[min(start, whole.bytes.count)...]),
        rowBytes: rowBytes)
    }
    return [whole, part(luma, rowBytes), part(luma + size, rowBytes)]
  }
}
