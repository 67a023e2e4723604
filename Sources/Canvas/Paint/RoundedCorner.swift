/// The corners of rounded rectangles: how much of each pixel the quarter of a circle covers.
enum RoundedCorner {
  /// The radius that a rectangle has room for.
  static func radius(_ radius: Int16, in rect: Rect) -> Int32 {
    max(min(Int32(radius), min(rect.width, rect.height) / 2), 0)
  }

  /// The row of its corners that `y` is in, 0 the outermost; nil between them.
  @inline(__always)
  static func row(_ y: Int32, of rect: Rect, _ radius: Int32) -> Int32? {
    let distance = min(y - rect.y, rect.maxY - 1 - y)
    return distance < radius ? distance : nil
  }

  /// Coverage of one row of an upper left corner, from the outside in: `radius` values.
  static func cover(_ radius: Int32, row: Int32, into values: UnsafeMutablePointer<UInt8>) {
    let circle = Float(radius)
    let down = circle - Float(row) - 0.5
    for x in 0..<Int(radius) {
      let across = circle - Float(x) - 0.5
      let distance = (across * across + down * down).squareRoot()
      let cover = circle - distance + 0.5
      values[x] = cover >= 1 ? 255 : cover <= 0 ? 0 : UInt8(cover * 255 + 0.5)
      // The distance only falls from here on.
      if cover >= 1 {
        for rest in x..<Int(radius) { values[rest] = 255 }
        return
      }
    }
  }
}
