import Codec
import Runtime

/// What a row is painted with.
enum RowPaint {
  /// One color, premultiplied.
  case solid(UInt32)
  /// A color for each pixel of the screen's row, premultiplied: those of `Raster.colors`.
  case colors
}

/// Rows of pixels in a buffer, cut off at clips. Every shape comes down to rows: a run of pixels, how much of each is
/// covered, and what it is painted with. What is painted at a place does not depend on the clip, so that a part painted
/// alone is the same as that part of the whole.
final class Raster {
  private struct Clip {
    /// Of this clip and all around it.
    var bounds: Rect
    var rect: Rect
    var radius: Int32
  }

  /// Nothing until there is a buffer.
  private var pixels = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
  private var width = 0
  private let clips: UnsafeMutableBufferPointer<Clip>
  private var depth = 0
  /// Clips with round corners.
  private var rounded = 0
  /// Coverage of one row, for shapes to fill in and for clips.
  let coverage = ScratchRow<UInt8>(Budget.paintSidePixels)
  private let clipped = ScratchRow<UInt8>(Budget.paintSidePixels)
  private let corner = ScratchRow<UInt8>(Budget.paintSidePixels)
  /// Colors of one row; the first is that of x = 0.
  let colors = ScratchRow<UInt32>(Budget.paintSidePixels)

  init() {
    clips = .allocate(capacity: Budget.clipDepth + 1)
    clips.initialize(repeating: Clip(bounds: .empty, rect: .empty, radius: 0))
  }

  deinit { clips.deallocate() }

  /// Starts on a part of a buffer.
  func begin(_ buffer: PixelBuffer, _ part: Rect) {
    pixels = buffer.pixels
    width = Int(buffer.size.width)
    depth = 0
    rounded = 0
    let side = Int32(Budget.paintSidePixels)
    let all = Rect(0, 0, min(buffer.size.width, side), min(buffer.size.height, side))
    clips[0] = Clip(bounds: all.intersection(part), rect: .empty, radius: 0)
  }

  /// What can be painted at all.
  var bounds: Rect { clips[min(depth, Budget.clipDepth)].bounds }

  /// From here on only inside a rounded rectangle.
  func clip(_ rect: Rect, _ radius: Int16) {
    let outer = bounds
    depth += 1
    // The deepest is shared by all that are deeper: a clip that ends there may leave too little, never too much.
    guard depth <= Budget.clipDepth else {
      clips[Budget.clipDepth].bounds = outer.intersection(rect)
      return
    }
    let radius = RoundedCorner.radius(radius, in: rect)
    clips[depth] = Clip(bounds: outer.intersection(rect), rect: rect, radius: radius)
    if radius > 0 { rounded += 1 }
  }

  /// Ends the last clip.
  func endClip() {
    guard depth > 0 else { return }
    if depth <= Budget.clipDepth, clips[depth].radius > 0 { rounded -= 1 }
    depth -= 1
  }

  // MARK: Rows

  /// Paints `count` pixels from x on, all covered.
  func paint(_ y: Int32, _ x: Int32, _ count: Int32, _ paint: RowPaint) {
    let bounds = self.bounds
    guard y >= bounds.y, y < bounds.maxY else { return }
    let (left, right) = (max(x, bounds.x), min(x.adding(clamping: count), bounds.maxX))
    guard left < right else { return }
    if rounded > 0, cutCorners(y, left, right, nil) {
      return lay(y, left, UnsafeBufferPointer(clipped.run(0, Int(right - left))), paint)
    }
    let row = target(y, left, Int(right - left))
    switch paint {
    case .solid(let color): Blend.fill(row, color)
    case .colors: Blend.copy(row, UnsafeBufferPointer(colors.run(Int(left), row.count)))
    }
  }

  /// Paints pixels from x on, as far as they are covered.
  func paint(_ y: Int32, _ x: Int32, _ coverage: UnsafeBufferPointer<UInt8>, _ paint: RowPaint) {
    let bounds = self.bounds
    guard y >= bounds.y, y < bounds.maxY else { return }
    let (left, right) = (max(x, bounds.x), min(x.adding(clamping: Int32(clamping: coverage.count)), bounds.maxX))
    guard left < right else { return }
    let coverage = coverage.run(Int(left) - Int(x), Int(right - left))
    let isCut = rounded > 0 && cutCorners(y, left, right, coverage)
    lay(y, left, isCut ? UnsafeBufferPointer(clipped.run(0, coverage.count)) : coverage, paint)
  }

  /// Paints a shape with its upper left corner at a place.
  func paint(_ shape: Coverage, _ x: Int32, _ y: Int32, _ color: UInt32) {
    let bounds = self.bounds
    let area = Rect(x, y, shape.size.width, shape.size.height).intersection(bounds)
    guard !area.isEmpty else { return }
    for line in area.y..<area.maxY {
      let start = shape.rows + Int(line - y) * shape.stride + Int(area.x - x)
      let cover = UnsafeBufferPointer(start: start, count: Int(area.width))
      if rounded > 0 {
        paint(line, area.x, cover, .solid(color))
      } else {
        Blend.fill(target(line, area.x, cover.count), color, cover)
      }
    }
  }

  /// `count` pixels of the buffer.
  @inline(__always)
  private func target(_ y: Int32, _ x: Int32, _ count: Int) -> UnsafeMutableBufferPointer<UInt32> {
    pixels.run(Int(y) * width + Int(x), count)
  }

  private func lay(_ y: Int32, _ x: Int32, _ coverage: UnsafeBufferPointer<UInt8>, _ paint: RowPaint) {
    let row = target(y, x, coverage.count)
    switch paint {
    case .solid(let color): Blend.fill(row, color, coverage)
    case .colors: Blend.copy(row, UnsafeBufferPointer(colors.run(Int(x), row.count)), coverage)
    }
  }

  /// Leaves in `clipped` what the round corners of clips leave of a row; false when they leave all of it.
  private func cutCorners(_ y: Int32, _ left: Int32, _ right: Int32, _ coverage: UnsafeBufferPointer<UInt8>?) -> Bool {
    let clipped = self.clipped.run(0, Int(right - left))
    var isCut = false
    for index in 1...max(min(depth, Budget.clipDepth), 1) {
      let clip = clips[index]
      guard clip.radius > 0, let row = RoundedCorner.row(y, of: clip.rect, clip.radius) else { continue }
      let (inner, outer) = (clip.rect.x + clip.radius, clip.rect.maxX - clip.radius)
      guard left < inner || right > outer else { continue }
      if !isCut {
        if let coverage { _ = clipped.update(fromContentsOf: coverage) } else { clipped.update(repeating: 255) }
        isCut = true
      }
      let first = corner.run(0, Int(max(min(right, inner) - left, 0)))
      RoundedCorner.cover(clip.radius, row: row, from: left - clip.rect.x, into: first)
      for x in 0..<first.count { Self.scale(&clipped[x], first[x]) }
      let last = corner.run(0, Int(max(right - max(left, outer), 0)))
      RoundedCorner.cover(clip.radius, row: row, from: clip.rect.maxX - right, into: last)
      for x in 0..<last.count { Self.scale(&clipped[clipped.count - 1 - x], last[x]) }
    }
    return isCut
  }

  @inline(__always)
  private static func scale(_ value: inout UInt8, _ factor: UInt8) {
    value = UInt8(truncatingIfNeeded: (UInt32(value) &* UInt32(factor) &+ 127) / 255)
  }
}
