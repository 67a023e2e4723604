import Runtime

/// What a row is painted with.
enum RowPaint {
  /// One colour, premultiplied.
  case solid(UInt32)
  /// A colour for each pixel of the screen's row, premultiplied: the first is that of x = 0.
  case colors(UnsafePointer<UInt32>)
}

/// Rows of pixels in a buffer, cut off at clips. Every shape comes down to rows: a run of pixels, how much of each is covered, and
/// what it is painted with. What is painted at a place does not depend on the clip, so that a part painted alone is the same
/// as that part of the whole.
final class Raster {
  private struct Clip {
    /// Of this clip and all around it.
    var bounds: Rect
    var rect: Rect
    var radius: Int32
  }

  private var pixels: UnsafeMutablePointer<UInt32>
  private var width = 0
  private let clips: UnsafeMutablePointer<Clip>
  private var depth = 0
  /// Clips deeper than there is room for; their rectangles count in `bounds` until they end.
  private var rounded = 0
  /// Coverage of one row, for shapes to fill in and for clips.
  let coverage: UnsafeMutablePointer<UInt8>
  private let clipped: UnsafeMutablePointer<UInt8>
  private let corner: UnsafeMutablePointer<UInt8>
  /// Colours of one row.
  let colors: UnsafeMutablePointer<UInt32>

  init() {
    pixels = .allocate(capacity: 0)
    clips = .allocate(capacity: Budget.clipDepth + 1)
    coverage = .allocate(capacity: Budget.paintSidePixels)
    clipped = .allocate(capacity: Budget.paintSidePixels)
    corner = .allocate(capacity: Budget.paintSidePixels)
    colors = .allocate(capacity: Budget.paintSidePixels)
    placeholder = pixels
  }

  private let placeholder: UnsafeMutablePointer<UInt32>

  deinit {
    placeholder.deallocate()
    clips.deallocate()
    coverage.deallocate()
    clipped.deallocate()
    corner.deallocate()
    colors.deallocate()
  }

  /// Starts on a part of a buffer.
  func begin(_ buffer: PixelBuffer, _ part: Rect) {
    pixels = buffer.pixels.baseAddress!
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
    let (left, right) = (max(x, bounds.x), min(x + count, bounds.maxX))
    guard left < right else { return }
    if rounded > 0, cutCorners(y, left, right, nil) {
      return lay(y, left, right, UnsafePointer(clipped), paint)
    }
    let row = pixels + Int(y) * width + Int(left)
    switch paint {
    case .solid(let color): Blend.fill(row, Int(right - left), color)
    case .colors(let colors): Blend.copy(row, Int(right - left), colors + Int(left))
    }
  }

  /// Paints pixels from x on, as far as they are covered.
  func paint(_ y: Int32, _ x: Int32, _ count: Int32, _ coverage: UnsafePointer<UInt8>, _ paint: RowPaint) {
    let bounds = self.bounds
    guard y >= bounds.y, y < bounds.maxY else { return }
    let (left, right) = (max(x, bounds.x), min(x + count, bounds.maxX))
    guard left < right else { return }
    let coverage = coverage + Int(left - x)
    let isCut = rounded > 0 && cutCorners(y, left, right, coverage)
    lay(y, left, right, isCut ? UnsafePointer(clipped) : coverage, paint)
  }

  /// Paints a shape with its upper left corner at a place.
  func paint(_ shape: Coverage, _ x: Int32, _ y: Int32, _ color: UInt32) {
    let bounds = self.bounds
    let area = Rect(x, y, shape.size.width, shape.size.height).intersection(bounds)
    guard !area.isEmpty else { return }
    for line in area.y..<area.maxY {
      let cover = shape.rows + Int(line - y) * shape.stride + Int(area.x - x)
      if rounded > 0 {
        paint(line, area.x, area.width, cover, .solid(color))
      } else {
        Blend.fill(pixels + Int(line) * width + Int(area.x), Int(area.width), color, cover)
      }
    }
  }

  private func lay(_ y: Int32, _ left: Int32, _ right: Int32, _ coverage: UnsafePointer<UInt8>, _ paint: RowPaint) {
    let row = pixels + Int(y) * width + Int(left)
    switch paint {
    case .solid(let color): Blend.fill(row, Int(right - left), color, coverage)
    case .colors(let colors): Blend.copy(row, Int(right - left), colors + Int(left), coverage)
    }
  }

  /// Leaves in `clipped` what the round corners of clips leave of a row; false when they leave all of it.
  private func cutCorners(_ y: Int32, _ left: Int32, _ right: Int32, _ coverage: UnsafePointer<UInt8>?) -> Bool {
    var isCut = false
    for index in 1...max(min(depth, Budget.clipDepth), 1) {
      let clip = clips[index]
      guard clip.radius > 0, let row = RoundedCorner.row(y, of: clip.rect, clip.radius) else { continue }
      let (inner, outer) = (clip.rect.x + clip.radius, clip.rect.maxX - clip.radius)
      guard left < inner || right > outer else { continue }
      if !isCut {
        if let coverage {
          clipped.update(from: coverage, count: Int(right - left))
        } else {
          clipped.update(repeating: 255, count: Int(right - left))
        }
        isCut = true
      }
      RoundedCorner.cover(clip.radius, row: row, into: corner)
      for x in left..<max(min(right, inner), left) { scale(Int(x - left), corner[Int(x - clip.rect.x)]) }
      for x in min(max(left, outer), right)..<right { scale(Int(x - left), corner[Int(clip.rect.maxX - 1 - x)]) }
    }
    return isCut
  }

  @inline(__always)
  private func scale(_ index: Int, _ factor: UInt8) {
    clipped[index] = UInt8(truncatingIfNeeded: (UInt32(clipped[index]) &* UInt32(factor) &+ 127) / 255)
  }
}
