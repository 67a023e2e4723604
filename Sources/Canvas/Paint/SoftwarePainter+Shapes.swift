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
      for y in area.y..<area.maxY {
        gradient.colors(row: y, area.x, area.maxX, table: ramp, into: raster.colors)
        row(y, of: rect, radius, .colors(raster.colors))
      }
    }
  }

  /// One row of a rounded rectangle.
  func row(_ y: Int32, of rect: Rect, _ radius: Int32, _ paint: RowPaint) {
    guard let row = RoundedCorner.row(y, of: rect, radius) else { return raster.paint(y, rect.x, rect.width, paint) }
    let cover = raster.coverage
    RoundedCorner.cover(radius, row: row, into: cover)
    raster.paint(y, rect.x, radius, cover, paint)
    raster.paint(y, rect.x + radius, rect.width - 2 * radius, paint)
    mirror(cover, Int(radius))
    raster.paint(y, rect.maxX - radius, radius, cover, paint)
  }

  private func mirror(_ values: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count / 2 {
      (values[index], values[count - 1 - index]) = (values[count - 1 - index], values[index])
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
      let cover = raster.coverage
      for x in 0..<Int(reach) { cover[x] = 255 }
      if distance < radius { RoundedCorner.cover(radius, row: distance, into: cover) }
      if distance >= width { cutInner(distance - width, max(radius - width, 0), from: cover + Int(width), reach - width) }
      raster.paint(y, rect.x, reach, cover, paint)
      if distance < width { raster.paint(y, rect.x + reach, rect.width - 2 * reach, paint) }
      mirror(cover, Int(reach))
      raster.paint(y, rect.maxX - reach, reach, cover, paint)
    }
  }

  /// Takes the inside of a border out of a row's coverage.
  private func cutInner(_ row: Int32, _ radius: Int32, from cover: UnsafeMutablePointer<UInt8>, _ count: Int32) {
    guard row < radius else {
      for x in 0..<Int(count) { cover[x] = 0 }
      return
    }
    let inside = strokes.row
    RoundedCorner.cover(radius, row: row, into: inside)
    for x in 0..<Int(count) { cover[x] -= min(cover[x], x < Int(radius) ? inside[x] : 255) }
  }

  /// A soft shadow outside of a rounded rectangle.
  func shadow(_ rect: Rect, _ radius: Int16, _ blur: Int16, _ down: Int16, _ color: Color) {
    let radius = RoundedCorner.radius(radius, in: rect)
    let shape = rect.offset(0, Int32(down))
    let tile = shadows.tile(radius: Int(radius), blur: Int(blur), in: shape.size)
    let outer = shape.inset(by: -Int32(tile.blur))
    let area = outer.intersection(raster.bounds)
    guard !area.isEmpty else { return }
    let paint = RowPaint.solid(Blend.premultiplied(color.argb))
    let cover = raster.coverage
    for y in area.y..<area.maxY {
      let values = tile.values + tile.side * min(Int(min(y - outer.y, outer.maxY - 1 - y)), tile.side - 1)
      for x in Int(area.x)..<Int(area.maxX) {
        let place = min(x - Int(outer.x), Int(outer.maxX) - 1 - x)
        cover[x] = values[min(place, tile.side - 1)]
      }
      cutInside(y, rect, radius, area, cover)
      raster.paint(y, area.x, area.width, cover + Int(area.x), paint)
    }
  }

  /// Takes a rectangle out of a row of a shadow.
  private func cutInside(_ y: Int32, _ rect: Rect, _ radius: Int32, _ area: Rect, _ cover: UnsafeMutablePointer<UInt8>) {
    guard y >= rect.y, y < rect.maxY else { return }
    let (left, right) = (max(rect.x, area.x), min(rect.maxX, area.maxX))
    guard left < right else { return }
    guard let row = RoundedCorner.row(y, of: rect, radius) else {
      for x in Int(left)..<Int(right) { cover[x] = 0 }
      return
    }
    let inside = strokes.row
    RoundedCorner.cover(radius, row: row, into: inside)
    for x in left..<right {
      let corner = min(x - rect.x, rect.maxX - 1 - x)
      let share = corner < radius ? UInt32(255 - inside[Int(corner)]) : 0
      cover[Int(x)] = UInt8((UInt32(cover[Int(x)]) * share + 127) / 255)
    }
  }
}
