import Runtime

/// A drawing on a grid of 24 by 24 units, in the letters of a small language: `M x y` begins a line, `L x y` goes on
/// straight, `C x1 y1 x2 y2 x y` in a cubic Bezier curve, `Z` back to where it began; `O x y r` is a circle, `R x y
/// width height r` a rectangle with round corners. Lines are two units wide with round ends, until `F`: from there on
/// they enclose what is filled. `X` is a line that takes away what is there, five units wide; `S` goes back to lines.
struct IconPath {
  enum Mode { case stroke, fill, erase }

  enum Step {
    case begin(Float, Float)
    case line(Float, Float)
    case mode(Mode)
  }

  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ text: StaticString) { bytes = text.bytes }

  /// Calls `take` with each straight piece. Curves come as eight of them, circles as 32.
  func forEach(_ take: (Step) -> Void) {
    var place = 0
    var start: (x: Float, y: Float) = (0, 0)
    var pen: (x: Float, y: Float) = (0, 0)
    while place < bytes.count {
      let letter = bytes[place]
      place += 1
      switch letter {
      case UInt8(ascii: "S"): take(.mode(.stroke))
      case UInt8(ascii: "F"): take(.mode(.fill))
      case UInt8(ascii: "X"): take(.mode(.erase))
      case UInt8(ascii: "M"):
        pen = (number(&place), number(&place))
        start = pen
        take(.begin(pen.x, pen.y))
      case UInt8(ascii: "L"):
        pen = (number(&place), number(&place))
        take(.line(pen.x, pen.y))
      case UInt8(ascii: "C"):
        let first = (x: number(&place), y: number(&place))
        let second = (x: number(&place), y: number(&place))
        let end = (x: number(&place), y: number(&place))
        curve(pen, first, second, end, take)
        pen = end
      case UInt8(ascii: "Z"):
        take(.line(start.x, start.y))
        pen = start
      case UInt8(ascii: "O"):
        let (x, y, radius) = (number(&place), number(&place), number(&place))
        rectangle(x - radius, y - radius, 2 * radius, 2 * radius, radius, take)
      case UInt8(ascii: "R"):
        let (x, y) = (number(&place), number(&place))
        let (width, height, radius) = (number(&place), number(&place), number(&place))
        rectangle(x, y, width, height, radius, take)
      default: continue
      }
    }
  }

  private func number(_ place: inout Int) -> Float {
    while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    var value: Float = 0
    var unit: Float = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: ".") {
        unit = 1
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        value = value * 10 + Float(byte - UInt8(ascii: "0"))
        unit *= 10
      } else {
        break
      }
      place += 1
    }
    return unit > 0 ? value / unit : value
  }

  private func rectangle(
    _ x: Float, _ y: Float, _ width: Float, _ height: Float, _ radius: Float, _ take: (Step) -> Void
  ) {
    // How far a Bezier curve's handles reach along a quarter of a circle.
    let handle = radius * (1 - 0.5523)
    let (right, bottom) = (x + width, y + height)
    take(.begin(x + radius, y))
    take(.line(right - radius, y))
    curve((right - radius, y), (right - handle, y), (right, y + handle), (right, y + radius), take)
    take(.line(right, bottom - radius))
    curve((right, bottom - radius), (right, bottom - handle), (right - handle, bottom), (right - radius, bottom), take)
    take(.line(x + radius, bottom))
    curve((x + radius, bottom), (x + handle, bottom), (x, bottom - handle), (x, bottom - radius), take)
    take(.line(x, y + radius))
    curve((x, y + radius), (x, y + handle), (x + handle, y), (x + radius, y), take)
  }

  private func curve(
    _ start: (x: Float, y: Float), _ first: (x: Float, y: Float), _ second: (x: Float, y: Float),
    _ end: (x: Float, y: Float), _ take: (Step) -> Void
  ) {
    for index in 1...8 {
      let t = Float(index) / 8
      let u = 1 - t
      let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
      take(
        .line(
          a * start.x + b * first.x + c * second.x + d * end.x,
          a * start.y + b * first.y + c * second.y + d * end.y))
    }
  }
}
