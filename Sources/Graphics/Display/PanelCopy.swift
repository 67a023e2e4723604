/// Copies a part of a picture to a panel's memory, turned and in the panel's format. The memory is only ever written,
/// row by row from left to right: it is often uncached, and slow to read.
public struct PanelCopy {
  /// Side in pixels of the tiles that are copied when the picture is rotated, so that the source stays in the
  /// processor's cache. A multiple of 8, so that no byte of a panel is written twice.
  private static let blockWidth: Int32 = 64
  private static let blockHeight: Int32 = 16

  private let pixels: UnsafePointer<UInt32>
  private let memory: UnsafeMutableRawPointer
  private let layout: PanelLayout
  /// In pixels of the picture: the upper left one of the panel, and one to the right and one down on the panel.
  private let origin: Int
  private let across: Int
  private let down: Int

  private init(_ picture: PixelBuffer, _ memory: UnsafeMutableRawPointer, _ layout: PanelLayout, _ rotation: Rotation) {
    pixels = UnsafePointer(picture.pixels.baseAddress!)
    self.memory = memory
    self.layout = layout
    let width = Int(picture.size.width)
    let corner = rotation.toPicture(Point(0, 0), layout.size)
    origin = Int(corner.y) * width + Int(corner.x)
    switch rotation {
    case .none: (across, down) = (1, width)
    case .quarter: (across, down) = (-width, 1)
    case .half: (across, down) = (-1, -width)
    case .threeQuarters: (across, down) = (width, -1)
    }
  }

  /// Copies `rect` of the picture and returns the written area of the panel: a little more where pixels share a byte.
  /// Writes nothing when the sizes of picture and panel differ or the memory is too small.
  @discardableResult
  public static func copy(
    _ rect: Rect, of picture: PixelBuffer, to memory: UnsafeMutableRawBufferPointer, _ layout: PanelLayout,
    _ rotation: Rotation
  ) -> Rect {
    guard rotation.turned(picture.size) == layout.size, memory.count >= layout.byteCount else { return .empty }
    let rect = rect.intersection(Rect(0, 0, picture.size.width, picture.size.height))
    guard !rect.isEmpty, let base = memory.baseAddress else { return .empty }
    let copy = PanelCopy(picture, base, layout, rotation)
    let area = copy.wholeBytes(rotation.toPanel(rect, layout.size))
    copy.run(area, isTurned: rotation.isUpright)
    return area
  }

  /// Widened to whole bytes.
  private func wholeBytes(_ area: Rect) -> Rect {
    guard layout.format.bitsPerPixel < 8 else { return area }
    let perByte = Int32(8 / layout.format.bitsPerPixel)
    let left = area.x / perByte * perByte
    let right = min((area.maxX + perByte - 1) / perByte * perByte, layout.size.width)
    return Rect(left, area.y, right - left, area.height)
  }

  private func run(_ area: Rect, isTurned: Bool) {
    switch layout.format.kind {
    case .color(let red, let green, let blue):
      switch layout.format.bitsPerPixel {
      case 16: fill(area, isTurned, DitheredWords<UInt16>(red, green, blue))
      case 24: fill(area, isTurned, PackedBytes(red, green, blue))
      default:
        if layout.format == .xrgb8888 {
          fill(area, isTurned, PlainPixels())
        } else {
          fill(area, isTurned, DitheredWords<UInt32>(red, green, blue))
        }
      }
    case .gray(let isInverted, let isLowFirst):
      fill(area, isTurned, GrayLevels(layout.format.bitsPerPixel, isInverted: isInverted, isLowFirst: isLowFirst))
    }
  }

  private func fill<Writer: RowWriter>(_ area: Rect, _ isTurned: Bool, _ writer: Writer) {
    // Without rotation, rows are copied directly.
    let width = isTurned ? Self.blockWidth : layout.size.width
    let height = isTurned ? Self.blockHeight : layout.size.height
    var top = area.y
    while top < area.maxY {
      let bottom = min(top + height, area.maxY)
      var left = area.x
      while left < area.maxX {
        let right = min(left / width * width + width, area.maxX)
        for row in top..<bottom { fill(row, left..<right, writer) }
        left = right
      }
      top = bottom
    }
  }

  @inline(__always)
  private func fill<Writer: RowWriter>(_ row: Int32, _ columns: Range<Int32>, _ writer: Writer) {
    let first = pixels + (origin + Int(row) * down + Int(columns.lowerBound) * across)
    writer.write(
      first, across, to: memory + Int(row) * layout.stride, row: Int(row), from: Int(columns.lowerBound),
      count: columns.count)
  }
}
