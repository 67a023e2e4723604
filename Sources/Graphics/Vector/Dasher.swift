import Runtime

/// Goes along the lines of a path with a pen: through dashes, when the pen has any.
final class Dasher {
  private let stroker: Stroker
  private var pen = Pen()
  private var inverse = Matrix.identity
  /// What can be seen of the drawing, in its own units, as wide as the pen reaches beyond.
  private var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
  private var total = 0.0
  /// Dashes of one path so far.
  private var dashCount = 0
  private(set) var isCut = false

  // Where in the pattern the pen is.
  private var index = 0
  private var rest = 0.0
  private var isDown: Bool { index & 1 == 0 }
  /// A dash has been begun.
  private var isDrawing = false

  init(_ stroker: Stroker) { self.stroker = stroker }

  /// Draws all lines of a path. Nothing when the matrix has no inverse.
  func stroke(_ path: VectorPath, from start: Int = 0, _ pen: Pen, _ matrix: Matrix, in bounds: Rect) {
    guard let inverse = matrix.inverse, pen.width > 0 else { return }
    self.pen = pen
    self.inverse = inverse
    isCut = false
    dashCount = 0
    stroker.begin(pen, matrix)
    total = 0
    for index in 0..<pen.dashes.count { total += pen.dashes[index] }
    let isDashed = pen.dashes.count > 0 && total > 0 && total.isFinite
    if isDashed { see(bounds) }
    var first = start
    while first < path.count {
      var end = first + 1
      while end < path.count, !path[end].flags.contains(.start) { end += 1 }
      // A place alone is nothing, unless dots are drawn and a line goes to it.
      if end - first > 1 {
        if isDashed { dash(path, first..<end) } else { draw(path, first..<end) }
      }
      first = end
    }
  }

  @inline(__always)
  private func place(_ point: PathPoint) -> Place { inverse.apply(point.x, point.y) }

  private func draw(_ path: VectorPath, _ range: Range<Int>) {
    stroker.move(to: place(path[range.lowerBound]))
    for index in range.lowerBound + 1..<range.upperBound {
      stroker.line(to: place(path[index]), isSmooth: path[index].flags.contains(.smooth))
    }
    if path[range.upperBound - 1].flags.contains(.close) { stroker.close() } else { stroker.end() }
  }

  // MARK: Dashes

  private func see(_ bounds: Rect) {
    let reach = pen.width * (pen.join == .miter ? max(pen.miterLimit, 1) : 1.5) + 1
    let (x, y) = (Double(bounds.x), Double(bounds.y))
    let corners = (
      inverse.apply(x, y), inverse.apply(Double(bounds.maxX), y), inverse.apply(x, Double(bounds.maxY)),
      inverse.apply(Double(bounds.maxX), Double(bounds.maxY))
    )
    left = min(min(corners.0.x, corners.1.x), min(corners.2.x, corners.3.x)) - reach
    right = max(max(corners.0.x, corners.1.x), max(corners.2.x, corners.3.x)) + reach
    top = min(min(corners.0.y, corners.1.y), min(corners.2.y, corners.3.y)) - reach
    bottom = max(max(corners.0.y, corners.1.y), max(corners.2.y, corners.3.y)) + reach
  }

  private func length(_ index: Int) -> Double { pen.dashes[index % pen.dashes.count] }

  /// Puts the pen at a place of the pattern.
  private func seek(_ offset: Double) {
    let cycle = pen.dashes.count & 1 == 1 ? 2 * total : total
    var place = offset.truncatingRemainder(dividingBy: cycle)
    if place < 0 { place += cycle }
    index = 0
    // A sum that was rounded may leave a little over: the pattern begins anew.
    while index + 1 < 2 * pen.dashes.count {
      let next = length(index)
      guard place > next || place == next && next > 0 else { break }
      place -= next
      index += 1
    }
    rest = max(length(index) - place, 0)
  }

  private func dash(_ path: VectorPath, _ range: Range<Int>) {
    seek(pen.dashOffset)
    isDrawing = false
    let isClosed = path[range.upperBound - 1].flags.contains(.close)
    // The first dash of a closed line waits: the last may go on into it.
    let isWaiting = isClosed && isDown
    walk(path, range, isWaiting ? .untilPenIsDownAgain : .all)
    guard isWaiting else { return finish() }
    if !hasSwitched { return draw(path, range) }
    if !isDrawing || !isDown { finish() }
    let wasDrawing = isDrawing
    seek(pen.dashOffset)
    isDrawing = wasDrawing
    walk(path, range, .firstDash)
    finish()
  }

  private enum Part { case all, untilPenIsDownAgain, firstDash }
  private var hasSwitched = false

  private func walk(_ path: VectorPath, _ range: Range<Int>, _ part: Part) {
    hasSwitched = false
    var last = place(path[range.lowerBound])
    if isDown, part != .untilPenIsDownAgain { begin(last) }
    for index in range.lowerBound + 1..<range.upperBound {
      let next = place(path[index])
      let isSmooth = path[index].flags.contains(.smooth)
      if !line(last, next, isSmooth, part) { return }
      last = next
    }
  }

  /// Goes along one line; false when the part is over, or all that is allowed is done.
  private func line(_ from: Place, _ to: Place, _ isSmooth: Bool, _ part: Part) -> Bool {
    let (x, y) = (to.x - from.x, to.y - from.y)
    let whole = (x * x + y * y).squareRoot()
    guard whole > 0, whole.isFinite else { return true }
    let (seen, end) = visible(from, x, y)
    var at = 0.0
    while true {
      // Dashes that no one sees are passed over at once.
      let target = at < seen * whole ? seen * whole : at >= end * whole ? whole : at
      if target - at > 4 * total {
        let isFirst = part == .firstDash || part == .untilPenIsDownAgain && !hasSwitched
        guard !isFirst else { return pass(from, x / whole, y / whole, &at, whole, to, isSmooth, part) }
        finish()
        let phase = patternPlace + (target - at)
        at = target
        seek(phase)
        if isDown { begin(Place(from.x + x * at / whole, from.y + y * at / whole)) }
        if at >= whole { return true }
        continue
      }
      guard pass(from, x / whole, y / whole, &at, whole, to, isSmooth, part) else { return false }
      if at >= whole { return true }
    }
  }

  /// Goes to the end of the dash or gap, or of the line.
  private func pass(
    _ from: Place, _ x: Double, _ y: Double, _ at: inout Double, _ whole: Double, _ to: Place, _ isSmooth: Bool,
    _ part: Part
  ) -> Bool {
    if rest > whole - at {
      rest -= whole - at
      at = whole
      if isDrawing { stroker.line(to: to, isSmooth: isSmooth) }
      return true
    }
    at += rest
    let place = Place(from.x + x * at, from.y + y * at)
    if isDrawing { stroker.line(to: place, isSmooth: false) }
    let wasDown = isDown
    if wasDown, length(index) == 0 {
      stroker.dot(place, Place(x, y))
      isDrawing = false
    }
    index = (index + 1) % (2 * pen.dashes.count)
    rest = length(index)
    hasSwitched = true
    if wasDown {
      finish()
      if part == .firstDash { return false }
    } else {
      begin(place)
    }
    dashCount += 1
    if dashCount > Budget.dashPieces {
      isCut = true
      return false
    }
    return true
  }

  private var patternPlace: Double {
    var place = 0.0
    for before in 0...index { place += length(before) }
    return place - rest
  }

  private func begin(_ place: Place) {
    guard !isDrawing else { return }
    stroker.move(to: place)
    isDrawing = true
  }

  private func finish() {
    if isDrawing { stroker.end() }
    isDrawing = false
  }

  /// The part of a line inside what can be seen, as shares of it (Liang and Barsky's clipping).
  private func visible(_ from: Place, _ x: Double, _ y: Double) -> (from: Double, to: Double) {
    var (start, end) = (0.0, 1.0)
    func cut(_ step: Double, _ room: Double) {
      if step == 0 {
        if room < 0 { end = -1 }
      } else if step < 0 {
        start = max(start, room / step)
      } else {
        end = min(end, room / step)
      }
    }
    cut(-x, from.x - left)
    cut(x, right - from.x)
    cut(-y, from.y - top)
    cut(y, bottom - from.y)
    return start < end ? (start, end) : (1, 1)
  }
}
