import Codec

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

  /// Coverage of a part of one row of an upper left corner, from the outside in: from a column on as many values as
  /// there is room for. What is beyond the corner is covered.
  static func cover(_ radius: Int32, row: Int32, from column: Int32 = 0, into values: UnsafeMutableBufferPointer<UInt8>)
  {
    let circle = Float(radius)
    let down = circle - Float(row) - 0.5
    for place in 0..<values.count {
      let x = Int(column) + place
      var cover: Float = 1
      if x < Int(radius) {
        let across = circle - Float(x) - 0.5
        cover = circle - (across * across + down * down).squareRoot() + 0.5
      }
      // The distance only falls from here on.
      guard cover < 1 else { return values.run(place, values.count - place).update(repeating: 255) }
      values[place] = UInt8(clamping: cover * 255 + 0.5)
    }
  }
}
