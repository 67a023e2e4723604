import Codec
import Runtime

/// Lays rows of color on premultiplied pixels, which may be transparent, inside a clip.
final class PixelComposer {
  /// What a shape is painted with: one color, or one for each pixel of a row, which someone puts into `colors`.
  enum Source {
    enum Maker { case gradient, picture }

    case solid(UInt32)
    case row(Maker)
  }

  /// What is drawn into: the picture, or a layer on it, which has nothing but what is drawn. Of a layer no more rows
  /// are made transparent, and laid on what is below, than something is drawn in: most groups are small.
  struct Canvas {
    /// As many as the size has; nothing until there are some.
    var pixels = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
    /// Of a layer: what can be drawn in. Empty: it is the picture, whose pixels all are there.
    var bounds = Rect.empty
    /// Around what was drawn; its rows are there as wide as the bounds.
    var drawn = Rect.empty
  }

  private(set) var size = Size(0, 0)
  private(set) var canvas = Canvas()
  var pixels: UnsafeMutableBufferPointer<UInt32> { canvas.pixels }
  /// What can be painted at all.
  private(set) var bounds = Rect.empty
  /// Inside the bounds, each pixel as far as the mask says.
  private(set) var isMasked = false
  private let maskMemory: ReservedBuffer
  private let cover = ScratchRow<UInt8>(Budget.paintSidePixels)
  /// Colors of one row, premultiplied; the first is that of the first pixel of the run.
  let colors = ScratchRow<UInt32>(Budget.paintSidePixels)

  init() throws(Errno) { maskMemory = try ReservedBuffer(capacity: Budget.shownPixels) }

  /// Draws into as many pixels as the size has.
  func attach(_ pixels: UnsafeMutablePointer<UInt32>, _ size: Size) {
    self.size = size
    canvas = Canvas(pixels: UnsafeMutableBufferPointer(start: pixels, count: Int(size.width) * Int(size.height)))
    endClips()
  }

  // MARK: Layers

  /// Draws into a layer of as many pixels as the size has, in no particular state, inside the clip; the clip stays.
  func begin(layer pixels: UnsafeMutablePointer<UInt32>) {
    let all = UnsafeMutableBufferPointer(start: pixels, count: Int(size.width) * Int(size.height))
    canvas = Canvas(pixels: all, bounds: bounds)
  }

  /// Draws into what was drawn into before; gives the layer.
  func end(on below: Canvas) -> Canvas {
    defer { canvas = below }
    return canvas
  }

  /// Something is going to be drawn in a part of a row.
  @inline(__always)
  private func touch(_ y: Int32, _ x: Int32, _ count: Int32) {
    if canvas.bounds.width > 0 { touchLayer(y, x, count) }
  }

  private func touchLayer(_ y: Int32, _ x: Int32, _ count: Int32) {
    let drawn = canvas.drawn
    if drawn.isEmpty {
      clear(rows: y, y + 1)
      return canvas.drawn = Rect(x, y, count, 1)
    }
    if y < drawn.y { clear(rows: y, drawn.y) }
    if y >= drawn.maxY { clear(rows: drawn.maxY, y + 1) }
    let (left, top) = (min(drawn.x, x), min(drawn.y, y))
    canvas.drawn = Rect(left, top, max(drawn.maxX, x + count) - left, max(drawn.maxY, y + 1) - top)
  }

  private func clear(rows first: Int32, _ end: Int32) {
    for y in first..<end { target(y, canvas.bounds.x, canvas.bounds.width).update(repeating: 0) }
  }

  /// Lays a layer on the pixels, in which the clip was heeded.
  func merge(_ layer: Canvas, _ opacity: Double) {
    let share = UInt32(clamping: opacity.bounded(0, 1) * 255 + 0.5)
    let area = layer.drawn
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      touch(y, area.x, area.width)
      let row = target(y, area.x, area.width)
      let layer = layer.pixels.run(offset(y, area.x), row.count)
      for index in 0..<row.count where layer[index] != 0 {
        row[index] = Blend.over(Blend.scaled(layer[index], by: share), row[index])
      }
    }
  }

  private func offset(_ y: Int32, _ x: Int32) -> Int { Int(y) * Int(size.width) + Int(x) }

  private func target(_ y: Int32, _ x: Int32, _ count: Int32) -> UnsafeMutableBufferPointer<UInt32> {
    pixels.run(offset(y, x), Int(count))
  }

  private func mask(_ y: Int32, _ x: Int32, _ count: Int32) -> UnsafeMutableBufferPointer<UInt8> {
    maskMemory.bytes.run(offset(y, x), Int(count))
  }

  /// Keeps of a layer as much as another one is bright (CSS Masking level 1, 7.10.1: luminance); where nothing was
  /// drawn in that, nothing.
  func multiply(by mask: Canvas) {
    let area = canvas.drawn
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      let row = target(y, area.x, area.width)
      guard y >= mask.drawn.y, y < mask.drawn.maxY else {
        row.update(repeating: 0)
        continue
      }
      let mask = mask.pixels.run(offset(y, area.x), row.count)
      for index in 0..<row.count where row[index] != 0 {
        let (red, green, blue) = (mask[index] >> 16 & 255, mask[index] >> 8 & 255, mask[index] & 255)
        let light = (red &* 54 &+ green &* 183 &+ blue &* 19 &+ 128) >> 8
        row[index] = Blend.scaled(row[index], by: light)
      }
    }
  }

  // MARK: Clip

  func endClips() {
    bounds = Rect(0, 0, size.width, size.height)
    isMasked = false
  }

  func clip(_ rect: Rect) { bounds = bounds.intersection(rect) }

  /// Only inside the shape that stands in a converter, which began with these bounds.
  func clip(_ shape: ScanConverter, _ area: Rect, evenOdd: Bool) {
    let wasMasked = isMasked
    bounds = area
    isMasked = true
    guard !area.isEmpty else { return }
    shape.convert(evenOdd: evenOdd, allRows: true) { y, x, count, run in
      guard case .some(let coverage) = run else { return }
      let row = mask(y, x, count)
      precondition(coverage.count >= row.count)
      for index in 0..<row.count {
        row[index] = wasMasked ? Self.product(row[index], coverage[index]) : coverage[index]
      }
    }
  }

  @inline(__always)
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(a) &* UInt32(b) &+ 127) / 255)
  }

  // MARK: Rows

  /// Lays a run of a row over what is there.
  func over(_ y: Int32, _ x: Int32, _ count: Int32, _ run: ScanConverter.Run, _ source: Source) {
    touch(y, x, count)
    let row = target(y, x, count)
    var coverage: UnsafeBufferPointer<UInt8>?
    if case .some(let given) = run { coverage = given }
    if isMasked {
      let masks = UnsafeBufferPointer(mask(y, x, count))
      if let given = coverage {
        precondition(given.count >= row.count)
        let cover = self.cover.run(0, row.count)
        for index in 0..<row.count { cover[index] = Self.product(given[index], masks[index]) }
        coverage = UnsafeBufferPointer(cover)
      } else {
        coverage = masks
      }
    }
    switch source {
    case .solid(let color):
      if let coverage { Blend.fill(row, color, coverage) } else { Blend.fill(row, color) }
    case .row:
      let colors = UnsafeBufferPointer(self.colors.run(0, row.count))
      if let coverage { Blend.copy(row, colors, coverage) } else { Blend.copy(row, colors) }
    }
  }

  /// The same by any operator; where the clip lets nothing through nothing changes.
  func lay(
    _ y: Int32, _ x: Int32, _ count: Int32, _ run: ScanConverter.Run, _ source: Source, _ operation: CompositeOperation
  ) {
    if operation == .sourceOver { return over(y, x, count, run, source) }
    touch(y, x, count)
    let row = target(y, x, count)
    let mask = mask(y, x, count)
    let colors = self.colors.run(0, row.count)
    var coverage: UnsafeBufferPointer<UInt8>?
    if case .some(let given) = run { coverage = given.run(0, row.count) }
    for index in 0..<row.count {
      var color: UInt32
      switch source {
      case .solid(let solid): color = solid
      case .row: color = colors[index]
      }
      if let coverage { color = Blend.scaled(color, by: UInt32(coverage[index])) }
      let old = row[index]
      let new = Self.compose(color, old, operation)
      guard isMasked else {
        row[index] = new
        continue
      }
      let share = UInt32(mask[index])
      row[index] = Self.sum(Blend.scaled(new, by: share), Blend.scaled(old, by: 255 - share))
    }
  }

  /// Porter and Duff's operators: shares of the source and of what is there (Compositing and Blending level 1, 9.1).
  private static func compose(_ source: UInt32, _ target: UInt32, _ operation: CompositeOperation) -> UInt32 {
    let (above, below) = (source >> 24, target >> 24)
    let shares: (UInt32, UInt32)
    switch operation {
    case .sourceOver: shares = (255, 255 - above)
    case .sourceIn: shares = (below, 0)
    case .sourceOut: shares = (255 - below, 0)
    case .sourceAtop: shares = (below, 255 - above)
    case .destinationOver: shares = (255 - below, 255)
    case .destinationIn: shares = (0, above)
    case .destinationOut: shares = (0, 255 - above)
    case .destinationAtop: shares = (255 - below, above)
    case .lighter: shares = (255, 255)
    case .copy: shares = (255, 0)
    case .xor: shares = (255 - below, 255 - above)
    }
    return sum(Blend.scaled(source, by: shares.0), Blend.scaled(target, by: shares.1))
  }

  /// Byte by byte, at most 255.
  @inline(__always)
  private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var low = (a & 0x00FF_00FF) &+ (b & 0x00FF_00FF)
    var high = ((a >> 8) & 0x00FF_00FF) &+ ((b >> 8) & 0x00FF_00FF)
    low |= ((low & 0x0100_0100) &- ((low & 0x0100_0100) >> 8))
    high |= ((high & 0x0100_0100) &- ((high & 0x0100_0100) >> 8))
    return low & 0x00FF_00FF | (high & 0x00FF_00FF) << 8
  }

  /// Makes a rectangle transparent, as far as the clip and its coverage say.
  func clear(_ y: Int32, _ x: Int32, _ count: Int32, _ run: ScanConverter.Run) {
    lay(y, x, count, run, .solid(0xFF00_0000), .destinationOut)
  }
}
