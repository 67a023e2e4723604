import Codec
import Runtime

extension SoftwarePainter {
  /// A line of text, inside the bounds of its command: what is beyond them would not be found by a comparison of lists.
  func text(_ bytes: Span<UInt8>, _ font: Font, _ start: Point, _ color: Color, in limits: Rect) {
    guard font.size > 0 else { return }
    raster.clip(limits, 0)
    defer { raster.endClip() }
    let size = min(font.size, Budget.fontPixels)
    let paint = Blend.premultiplied(color.argb)
    glyphs.layOut(bytes, in: font, into: line)
    let bounds = raster.bounds
    for index in 0..<line.count {
      let glyph = line[index]
      // To the nearest quarter of a pixel.
      let place = glyph.x &+ 8
      let x = start.x &+ place >> 6
      // A glyph reaches no further from its pen than three times its size (a ligature of the Arabic presentation
      // forms).
      guard x > bounds.x &- 3 * Int32(size), x < bounds.maxX &+ 3 * Int32(size) else { continue }
      guard let picture = picture(of: glyph, size: size, quarter: Int(place >> 4) & 3) else { continue }
      raster.paint(picture.coverage, x &+ picture.left, start.y &- (glyph.y &+ 32) >> 6 &- picture.top, paint)
    }
  }

  private func picture(of glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture? {
    let key = GlyphCache.Key(glyph, size: size, quarter: quarter)
    if let known = cache.find(key) { return known }
    guard let fresh = glyphs.draw(glyph, size: size, quarter: quarter) else { return nil }
    return cache.keep(key, fresh)
  }

  /// An icon in the middle of a rectangle.
  func icon(_ icon: Icon, _ rect: Rect, _ color: Color) {
    let side = min(min(rect.width, rect.height), Int32(Budget.iconPixels))
    guard side > 0 else { return }
    let key = GlyphCache.Key(icon, side: Int(side))
    let picture: GlyphPicture
    if let known = cache.find(key) {
      picture = known
    } else {
      let shape = strokes.draw(IconPath(icon.path), side: Int(side))
      picture = cache.keep(key, GlyphPicture(coverage: shape, left: 0, top: 0))
    }
    let (x, y) = (rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2)
    raster.paint(picture.coverage, x, y, Blend.premultiplied(color.argb))
  }

  /// A straight line; one that is level or upright is a rectangle, others have round ends.
  func stroke(_ from: Point, _ to: Point, _ width: Int16, _ color: Color) {
    let width = max(Int32(width), 1)
    if from.y == to.y {
      return fill(Rect(min(from.x, to.x), from.y - width / 2, abs(to.x - from.x), width), .solid(color))
    }
    if from.x == to.x {
      return fill(Rect(from.x - width / 2, min(from.y, to.y), width, abs(to.y - from.y)), .solid(color))
    }
    let capsule = Capsule(Float(from.x), Float(from.y), Float(to.x), Float(to.y), reach: Float(width) / 2)
    let area = DrawCommand.line(from, to, width: Int16(width), color).bounds.intersection(raster.bounds)
    shade(area, color) { x, y in capsule.cover(x, y) }
  }

  /// A part of a ring, with round ends unless it goes all around.
  func arc(_ rect: Rect, _ start: Int16, _ sweep: Int16, _ width: Int16, _ color: Color) {
    let ring = Ring(rect, start: start, sweep: sweep, width: width)
    shade(rect.intersection(raster.bounds), color) { x, y in ring.cover(x, y) }
  }

  /// Paints an area as far as a function of the middle of each pixel says.
  @inline(__always)
  private func shade(_ area: Rect, _ color: Color, _ cover: (Float, Float) -> UInt8) {
    guard !area.isEmpty else { return }
    let paint = RowPaint.solid(Blend.premultiplied(color.argb))
    let row = raster.coverage.run(0, Int(area.width))
    for y in area.y..<area.maxY {
      for x in 0..<row.count { row[x] = cover(Float(area.x &+ Int32(truncatingIfNeeded: x)) + 0.5, Float(y) + 0.5) }
      raster.paint(y, area.x, UnsafeBufferPointer(row), paint)
    }
  }

  /// A picture from the table.
  func picture(_ handle: PictureHandle, _ source: Rect, _ rect: Rect, _ radius: Int16, _ opacity: UInt32) {
    guard let picture = pictures.find(handle) else { return }
    let source = source.intersection(Rect(0, 0, picture.size.width, picture.size.height))
    let area = rect.intersection(raster.bounds)
    guard !source.isEmpty, !area.isEmpty else { return }
    let radius = RoundedCorner.radius(radius, in: rect)
    scaler.begin(picture, source, rect.size, from: area.x - rect.x, area.width)
    let colors = raster.colors.run(Int(area.x), Int(area.width))
    for y in area.y..<area.maxY {
      scaler.row(y - rect.y, into: colors)
      if opacity < 255 { Blend.fade(colors, opacity) }
      row(y, of: rect, radius, .colors)
    }
  }
}

/// The shape of an arc.
private struct Ring {
  private let x, y: Float
  private let middle, reach: Float
  private let start, end: (x: Float, y: Float)
  private let isWhole, isWide, isEmpty: Bool

  init(_ rect: Rect, start: Int16, sweep: Int16, width: Int16) {
    x = Float(rect.x) + Float(rect.width) / 2
    y = Float(rect.y) + Float(rect.height) / 2
    reach = Float(max(width, 1)) / 2
    middle = Float(min(rect.width, rect.height)) / 2 - reach
    let (first, sweep) = sweep < 0 ? (start &+ sweep, 0 &- sweep) : (start, sweep)
    isWhole = sweep >= 360
    isWide = sweep > 180
    isEmpty = sweep == 0 || middle < 0
    self.start = Self.direction(first)
    end = Self.direction(first &+ sweep)
  }

  /// The unit vector of degrees clockwise from the top.
  private static func direction(_ degrees: Int16) -> (x: Float, y: Float) {
    let angle = Trigonometry.radians(degrees: Double(degrees))
    return (Float(Trigonometry.sine(angle)), Float(-Trigonometry.cosine(angle)))
  }

  func cover(_ px: Float, _ py: Float) -> UInt8 {
    if isEmpty { return 0 }
    let (dx, dy) = (px - x, py - y)
    var distance = abs((dx * dx + dy * dy).squareRoot() - middle)
    // Beyond the reach even of the circle that it is a part of.
    if distance >= reach + 0.5 { return 0 }
    if !isWhole {
      let isBehindStart = start.x * dy - start.y * dx >= 0
      let isBeforeEnd = end.x * dy - end.y * dx <= 0
      let isInside = isWide ? isBehindStart || isBeforeEnd : isBehindStart && isBeforeEnd
      if !isInside { distance = min(far(dx, dy, start), far(dx, dy, end)) }
    }
    let value = reach + 0.5 - distance
    return value >= 1 ? 255 : UInt8(clamping: value * 255 + 0.5)
  }

  /// How far a place is from one of the ends.
  private func far(_ dx: Float, _ dy: Float, _ end: (x: Float, y: Float)) -> Float {
    let (ex, ey) = (dx - end.x * middle, dy - end.y * middle)
    return (ex * ex + ey * ey).squareRoot()
  }
}
