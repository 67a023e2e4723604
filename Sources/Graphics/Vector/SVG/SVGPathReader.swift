import Runtime

/// Reads the commands of a path's `d` (SVG 2, 9.3) into a path. What is wrong ends it: what came before is drawn.
struct SVGPathReader: ~Escapable {
  private var reader: TextReader
  private let path: VectorPath
  private let matrix: Matrix
  private var pen = Place(0, 0)
  private var start = Place(0, 0)
  /// The control point that a smooth curve mirrors.
  private var handle: Place?
  private var wasCubic = false

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, _ path: VectorPath, _ matrix: Matrix) {
    reader = TextReader(text)
    self.path = path
    self.matrix = matrix
  }

  mutating func read() {
    var command: UInt8 = 0
    reader.skipBlanks()
    while !reader.isAtEnd {
      let next = TextReader.lower(reader.next)
      if next >= 0x61, next <= 0x7A, next != UInt8(ascii: "e") {
        command = reader.next
        reader.place += 1
        reader.skipComma()
      } else if command == 0 || TextReader.lower(command) == UInt8(ascii: "z") {
        return
      } else if command == UInt8(ascii: "M") {
        command = UInt8(ascii: "L")
      } else if command == UInt8(ascii: "m") {
        command = UInt8(ascii: "l")
      }
      guard step(command) else { return }
      reader.skipComma()
    }
  }

  private mutating func number() -> Double? {
    guard let value = reader.number() else { return nil }
    reader.skipComma()
    return value
  }

  private mutating func place(_ isRelative: Bool) -> Place? {
    guard let x = number(), let y = number() else { return nil }
    return isRelative ? Place(pen.x + x, pen.y + y) : Place(x, y)
  }

  private func pixel(_ place: Place) -> Place { matrix.apply(place.x, place.y) }

  private mutating func step(_ command: UInt8) -> Bool {
    let isRelative = command >= 0x61
    let before = handle
    handle = nil
    switch TextReader.lower(command) {
    case UInt8(ascii: "m"):
      guard let to = place(isRelative) else { return false }
      path.move(to: pixel(to))
      (pen, start) = (to, to)
    case UInt8(ascii: "l"):
      guard let to = place(isRelative) else { return false }
      line(to)
    case UInt8(ascii: "h"):
      guard let x = number() else { return false }
      line(Place(isRelative ? pen.x + x : x, pen.y))
    case UInt8(ascii: "v"):
      guard let y = number() else { return false }
      line(Place(pen.x, isRelative ? pen.y + y : y))
    case UInt8(ascii: "c"):
      guard let first = place(isRelative), let second = place(isRelative), let to = place(isRelative) else {
        return false
      }
      cubic(first, second, to)
    case UInt8(ascii: "s"):
      guard let second = place(isRelative), let to = place(isRelative) else { return false }
      cubic(mirror(wasCubic ? before : nil), second, to)
    case UInt8(ascii: "q"):
      guard let control = place(isRelative), let to = place(isRelative) else { return false }
      quadratic(control, to)
    case UInt8(ascii: "t"):
      guard let to = place(isRelative) else { return false }
      quadratic(mirror(wasCubic ? nil : before), to)
    case UInt8(ascii: "a"): return arc(isRelative)
    case UInt8(ascii: "z"):
      path.close()
      pen = start
    default: return false
    }
    return true
  }

  private func mirror(_ handle: Place?) -> Place {
    guard let handle else { return pen }
    return Place(2 * pen.x - handle.x, 2 * pen.y - handle.y)
  }

  private mutating func line(_ to: Place) {
    path.line(to: pixel(to))
    pen = to
  }

  private mutating func cubic(_ first: Place, _ second: Place, _ to: Place) {
    path.cubic(pixel(first), pixel(second), pixel(to))
    (pen, handle, wasCubic) = (to, second, true)
  }

  private mutating func quadratic(_ control: Place, _ to: Place) {
    path.quadratic(pixel(control), pixel(to))
    (pen, handle, wasCubic) = (to, control, false)
  }

  /// A flag is one digit, which the next number may follow at once.
  private mutating func flag() -> Bool? {
    let byte = reader.next
    guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
    reader.place += 1
    reader.skipComma()
    return byte == UInt8(ascii: "1")
  }

  private mutating func arc(_ isRelative: Bool) -> Bool {
    guard let rx = number(), let ry = number(), let turn = number(), let isLarge = flag(), let isSweep = flag(),
      let to = place(isRelative)
    else { return false }
    let arc = EllipticArc(pen, to, rx, ry, turn * Trigonometry.pi / 180, isLarge: isLarge, isSweep: isSweep)
    if let arc {
      let whole = matrix.applied(after: arc.matrix)
      path.arc(whole, from: arc.start, sweep: arc.sweep, reach: whole.reach)
    }
    if pen != to { path.line(to: pixel(to)) }
    pen = to
    return true
  }
}

/// An arc by its ends and radii (SVG 2, B.2.4 and B.2.5).
struct EllipticArc {
  /// From the unit circle.
  let matrix: Matrix
  let start: Double
  let sweep: Double

  /// Nil when it is a straight line, or nothing.
  init?(_ from: Place, _ to: Place, _ radiusX: Double, _ radiusY: Double, _ turn: Double, isLarge: Bool, isSweep: Bool)
  {
    var (rx, ry) = (abs(radiusX), abs(radiusY))
    guard rx > 0, ry > 0, from != to, rx.isFinite, ry.isFinite, turn.isFinite else { return nil }
    let (sine, cosine) = (Trigonometry.sine(turn), Trigonometry.cosine(turn))
    let (dx, dy) = ((from.x - to.x) / 2, (from.y - to.y) / 2)
    let (x, y) = (cosine * dx + sine * dy, -sine * dx + cosine * dy)
    let reach = (x / rx) * (x / rx) + (y / ry) * (y / ry)
    guard reach.isFinite, reach > 0 else { return nil }
    if reach > 1 {
      rx *= reach.squareRoot()
      ry *= reach.squareRoot()
    }
    var scale = reach >= 1 ? 0 : (1 / reach - 1).squareRoot()
    if isLarge == isSweep { scale = -scale }
    let (cx, cy) = (scale * rx * y / ry, -scale * ry * x / rx)
    let center = Place(cosine * cx - sine * cy + (from.x + to.x) / 2, sine * cx + cosine * cy + (from.y + to.y) / 2)
    start = Self.angle((x - cx) / rx, (y - cy) / ry)
    var sweep = Self.angle((-x - cx) / rx, (-y - cy) / ry) - start
    let whole = 2 * Trigonometry.pi
    if isSweep, sweep < 0 { sweep += whole }
    if !isSweep, sweep > 0 { sweep -= whole }
    self.sweep = sweep
    matrix = Matrix(rx * cosine, rx * sine, -ry * sine, ry * cosine, center.x, center.y)
    guard matrix.isFinite, sweep.isFinite else { return nil }
  }

  /// Of a vector, in -pi...pi.
  static func angle(_ x: Double, _ y: Double) -> Double {
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return 0 }
    let angle = Trigonometry.arcsine(min(max(y / length, -1), 1))
    if x >= 0 { return angle }
    return y >= 0 ? Trigonometry.pi - angle : -Trigonometry.pi - angle
  }
}

/// Reads a list of transforms (SVG 2, 8.5). Nil when something in it is wrong.
enum SVGTransform {
  static func read(_ text: Span<UInt8>) -> Matrix? {
    var reader = TextReader(text)
    var result = Matrix.identity
    reader.skipComma()
    while !reader.isAtEnd {
      let word = reader.word()
      reader.skipBlanks()
      guard reader.take(UInt8(ascii: "(")) else { return nil }
      var numbers = InlineArray<6, Double>(repeating: 0)
      var count = 0
      reader.skipBlanks()
      while count < 6, let number = reader.number() {
        numbers[count] = number
        count += 1
        // Units of CSS: "px" and "deg" are what numbers mean.
        if !reader.take("px") { _ = reader.take("deg") }
        reader.skipComma()
      }
      guard reader.take(UInt8(ascii: ")")), let next = matrix(reader, word, numbers, count) else { return nil }
      result = result.applied(after: next)
      guard result.isFinite else { return nil }
      reader.skipComma()
    }
    return result
  }

  private static func matrix(
    _ reader: borrowing TextReader, _ word: Range<Int>, _ n: InlineArray<6, Double>, _ count: Int
  ) -> Matrix? {
    guard count > 0 else { return nil }
    if reader.isWord(word, "matrix") { return count == 6 ? Matrix(n[0], n[1], n[2], n[3], n[4], n[5]) : nil }
    if reader.isWord(word, "translate") { return .translation(n[0], n[1]) }
    if reader.isWord(word, "scale") { return .scaling(n[0], count > 1 ? n[1] : n[0]) }
    if reader.isWord(word, "rotate") {
      let turn = Matrix.rotation(n[0] * Trigonometry.pi / 180)
      guard count >= 3 else { return turn }
      return Matrix.translation(n[1], n[2]).applied(after: turn).applied(after: .translation(-n[1], -n[2]))
    }
    let angle = n[0] * Trigonometry.pi / 180
    let cosine = Trigonometry.cosine(angle)
    guard cosine != 0 else { return nil }
    let slope = Trigonometry.sine(angle) / cosine
    if reader.isWord(word, "skewx") { return Matrix(1, 0, slope, 1, 0, 0) }
    if reader.isWord(word, "skewy") { return Matrix(1, slope, 0, 1, 0, 0) }
    return nil
  }
}
