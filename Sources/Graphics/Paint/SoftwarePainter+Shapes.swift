import Runtime

extension SoftwarePainter {
  /// A square rectangle.
  func fill(_ rect: Rect, _ fill: Fill) { self.fill(rect, 0, fill) }

  /// A rectangle with rounded corners.
  func fill(_ rect: Rect, _ radius: Int16, _ fill: Fill) {
    let bounds = raster.bounds
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let radius = RoundedCorner.radius(radius, in: rect)
    guard case .gradient(let first, let second, let angle) = fill else {
      guard case .solid(let color) = fill else { return }
      let paint = RowPaint.solid(Blend.premultiplied(color.argb))
      for y in area.y..<area.maxY { row(y, of: rect, radius, paint) }
      return
    }
    let gradient = Gradient(first, second, angle: angle, rect)
    if gradient.isVertical {
      for y in area.y..<area.maxY { row(y, of: rect, radius, .solid(gradient.color(row: y))) }
    } else {
      gradient.fill(ramp)
      let colors = raster.colors.run(Int(area.x), Int(area.width))
      for y in area.y..<area.maxY {
        gradient.colors(row: y, from: area.x, table: ramp, into: colors)
        row(y, of: rect, radius, .colors)
      }
    }
  }

  /// One row of a rounded rectangle.
  func row(_ y: Int32, of rect: Rect, _ radius: Int32, _ paint: RowPaint) {
    guard let row = RoundedCorner.row(y, of: rect, radius) else { return raster.paint(y, rect.x, rect.width, paint) }
    ends(y, of: rect, radius, paint) { column, cover in
      RoundedCorner.cover(radius, row: row, from: column, into: cover)
    }
    raster.paint(y, rect.x + radius, rect.width - 2 * radius, paint)
  }

  /// Paints what can be seen of the first and the last `reach` pixels of a rectangle's row, which mirror each other:
  /// `fill` gives their coverage, counted from the edge inwards. A rectangle may be far larger than the screen, and its
  /// corners wider than a row of it.
  @inline(__always)
  private func ends(
    _ y: Int32, of rect: Rect, _ reach: Int32, _ paint: RowPaint,
    _ fill: (_ column: Int32, UnsafeMutableBufferPointer<UInt8>) -> Void
  ) {
    let bounds = raster.bounds
    let (first, firstEnd) = (max(rect.x, bounds.x), min(rect.x + reach, bounds.maxX))
    if first < firstEnd {
      let cover = raster.coverage.run(0, Int(firstEnd - first))
      fill(first - rect.x, cover)
      raster.paint(y, first, UnsafeBufferPointer(cover), paint)
    }
    let (last, lastEnd) = (max(rect.maxX - reach, bounds.x), min(rect.maxX, bounds.maxX))
    if last < lastEnd {
      var cover = raster.coverage.run(0, Int(lastEnd - last))
      fill(rect.maxX - lastEnd, cover)
      cover.reverse()
      raster.paint(y, last, UnsafeBufferPointer(cover), paint)
    }
  }

  /// The outline of a rounded rectangle.
  func border(_ rect: Rect, _ radius: Int16, _ width: Int16, _ color: Color) {
    let width = Int32(width)
    guard width > 0 else { return }
    guard 2 * width < min(rect.width, rect.height) else { return fill(rect, radius, .solid(color)) }
    let radius = RoundedCorner.radius(radius, in: rect)
    let paint = RowPaint.solid(Blend.premultiplied(color.argb))
    // The part of a row, from the left edge, that is not straight.
    let reach = max(radius, width)
    let area = rect.intersection(raster.bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      let distance = min(y - rect.y, rect.maxY - 1 - y)
      guard distance < reach else {
        raster.paint(y, rect.x, width, paint)
        raster.paint(y, rect.maxX - width, width, paint)
        continue
      }
      ends(y, of: rect, reach, paint) { column, cover in
        if distance < radius {
          RoundedCorner.cover(radius, row: distance, from: column, into: cover)
        } else {
          cover.update(repeating: 255)
        }
        if distance >= width { cutInner(distance - width, max(radius - width, 0), from: column - width, cover) }
      }
      if distance < width { raster.paint(y, rect.x + reach, rect.width - 2 * reach, paint) }
    }
  }

  /// Takes the inside of a border out of a row's coverage, which begins at a column of the inside or before it.
  private func cutInner(_ row: Int32, _ radius: Int32, from column: Int32, _ cover: UnsafeMutableBufferPointer<UInt8>) {
    let before = Int(max(-column, 0))
    guard before < cover.count else { return }
    let cover = cover.run(before, cover.count - before)
    guard row < radius else { return cover.update(repeating: 0) }
    let inside = self.inside.run(0, cover.count)
    RoundedCorner.cover(radius, row: row, from: max(column, 0), into: inside)
    for x in 0..<cover.count { cover[x] -= min(cover[x], inside[x]) }
  }

  /// A soft shadow outside of a rounded rectangle.
  func shadow(_ rect: Rect, _ radius: Int16, _ blur: Int16, _ down: Int16, _ color: Color) {
    let radius = RoundedCorner.radius(radius, in: rect)
    let shape = rect.offset(0, Int32(down))
    let tile = shadows.tile(radius: Int(radius), blur: Int(blur), in: shape.size)
    let outer = shape.inset(by: -Int32(tile.blur))
    let area = outer.intersection(raster.bounds)
    guard !area.isEmpty else { return }
    let color = Blend.premultiplied(color.argb)
    for y in area.y..<area.maxY {
      let values = tile.row(Int(min(y - outer.y, outer.maxY - 1 - y)))
      func paintPart(from start: Int32, to end: Int32) {
        let part = Rect(start, y, end - start, 1)
        guard !part.isEmpty else { return }
        let cover = raster.coverage.run(0, Int(part.width))
        let (left, right) = (Int(part.x - outer.x), Int(outer.maxX - 1 - part.x))
        for x in 0..<cover.count { cover[x] = values[min(left + x, right - x, values.count - 1)] }
        cutInside(y, rect, radius, part, cover)
        raster.paint(y, part.x, UnsafeBufferPointer(cover), .solid(color))
      }
      let isBeside = y >= rect.y && y < rect.maxY
      let isAtCorners = isBeside && RoundedCorner.row(y, of: rect, radius) != nil
      let (first, last) = isBeside ? (rect.x, rect.maxX) : (outer.x, outer.maxX)
      let inset = isBeside ? isAtCorners ? radius : 0 : Int32(tile.side)
      let middle = min(max(first + inset, area.x), area.maxX)
      let end = max(min(last - inset, area.maxX), middle)
      paintPart(from: area.x, to: middle)
      // The rectangle covers what is between its sides; above and below it that is alike.
      if !isBeside {
        raster.paint(y, middle, end - middle, .solid(Blend.scaled(color, by: UInt32(values[tile.side - 1]))))
      }
      paintPart(from: end, to: area.maxX)
    }
  }

  /// Takes a rectangle out of a row of a shadow, of which `cover` has what is in `area`.
  private func cutInside(
    _ y: Int32, _ rect: Rect, _ radius: Int32, _ area: Rect, _ cover: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard y >= rect.y, y < rect.maxY else { return }
    let (left, right) = (max(rect.x, area.x), min(rect.maxX, area.maxX))
    guard left < right else { return }
    guard let row = RoundedCorner.row(y, of: rect, radius) else {
      return cover.run(Int(left - area.x), Int(right - left)).update(repeating: 0)
    }
    let inner = min(max(rect.x + radius, left), right)
    let outer = max(min(rect.maxX - radius, right), inner)
    let inside = self.inside.run(0, Int(right - left))
    RoundedCorner.cover(radius, row: row, from: left - rect.x, into: inside.run(0, Int(inner - left)))
    inside.run(Int(inner - left), Int(outer - inner)).update(repeating: 255)
    var last = inside.run(Int(outer - left), Int(right - outer))
    RoundedCorner.cover(radius, row: row, from: rect.maxX - right, into: last)
    last.reverse()
    let cover = cover.run(Int(left - area.x), inside.count)
    for x in 0..<cover.count { cover[x] = UInt8((UInt32(cover[x]) * UInt32(255 - inside[x]) + 127) / 255) }
  }
}
