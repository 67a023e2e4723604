import Codec
import Runtime

extension Context2D {
  // MARK: Transform

  private func change(by matrix: Matrix) {
    let product = state.matrix.applied(after: matrix)
    if matrix.isFinite, product.isFinite { state.matrix = product }
  }

  public func translate(_ x: Double, _ y: Double) { change(by: .translation(x, y)) }

  /// Clockwise, in radians.
  public func rotate(_ angle: Double) {
    if angle.isFinite { change(by: .rotation(angle)) }
  }

  public func scale(_ x: Double, _ y: Double) { change(by: .scaling(x, y)) }

  public func transform(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    change(by: Matrix(a, b, c, d, e, f))
  }

  public func setTransform(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    let matrix = Matrix(a, b, c, d, e, f)
    if matrix.isFinite { state.matrix = matrix }
  }

  public func resetTransform() { state.matrix = .identity }

  /// For `getTransform`.
  public var currentTransform: Matrix { state.matrix }

  // MARK: Path

  public func beginPath() { path.removeAll() }

  public func closePath() { path.close() }

  public func moveTo(_ x: Double, _ y: Double) {
    if x.isFinite, y.isFinite { path.move(to: state.matrix.apply(x, y)) }
  }

  public func lineTo(_ x: Double, _ y: Double) {
    if x.isFinite, y.isFinite { path.line(to: state.matrix.apply(x, y)) }
  }

  public func quadraticCurveTo(_ cx: Double, _ cy: Double, _ x: Double, _ y: Double) {
    guard cx.isFinite, cy.isFinite, x.isFinite, y.isFinite else { return }
    let control = state.matrix.apply(cx, cy)
    if !path.isOpen { path.move(to: control) }
    path.quadratic(control, state.matrix.apply(x, y))
  }

  public func bezierCurveTo(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {
    guard x1.isFinite, y1.isFinite, x2.isFinite, y2.isFinite, x.isFinite, y.isFinite else { return }
    let first = state.matrix.apply(x1, y1)
    if !path.isOpen { path.move(to: first) }
    path.cubic(first, state.matrix.apply(x2, y2), state.matrix.apply(x, y))
  }

  public func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return }
    add(rectangle: x, y, width, height, to: path)
    path.move(to: state.matrix.apply(x, y))
  }

  func add(rectangle x: Double, _ y: Double, _ width: Double, _ height: Double, to path: VectorPath) {
    let matrix = state.matrix
    path.move(to: matrix.apply(x, y))
    path.line(to: matrix.apply(x + width, y))
    path.line(to: matrix.apply(x + width, y + height))
    path.line(to: matrix.apply(x, y + height))
    path.close()
  }

  // MARK: Arcs

  /// What is wrong with arguments that the standard does not ignore: a script gets an `IndexSizeError` or, for
  /// `roundRect`, a `RangeError`.
  public enum ArgumentFault: Sendable { case negativeRadius, radiusCount }

  @discardableResult
  public func arc(
    _ x: Double, _ y: Double, _ radius: Double, _ start: Double, _ end: Double, counterclockwise: Bool = false
  ) -> ArgumentFault? {
    ellipse(x, y, radius, radius, 0, start, end, counterclockwise: counterclockwise)
  }

  @discardableResult
  public func ellipse(
    _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, _ rotation: Double, _ start: Double, _ end: Double,
    counterclockwise: Bool = false
  ) -> ArgumentFault? {
    guard x.isFinite, y.isFinite, radiusX.isFinite, radiusY.isFinite, rotation.isFinite, start.isFinite, end.isFinite
    else { return nil }
    guard radiusX >= 0, radiusY >= 0 else { return .negativeRadius }
    let whole = 2 * Trigonometry.pi
    var sweep = counterclockwise ? start - end : end - start
    if sweep >= whole {
      sweep = whole
    } else {
      sweep = sweep.truncatingRemainder(dividingBy: whole)
      if sweep < 0 { sweep += whole }
    }
    var matrix = state.matrix.applied(after: .translation(x, y))
    if rotation != 0 { matrix = matrix.applied(after: .rotation(rotation)) }
    matrix = matrix.applied(after: .scaling(radiusX, radiusY))
    // Angles of many turns are the same as those of less than one; sines of small ones are more exact.
    let angle = start.truncatingRemainder(dividingBy: whole)
    path.arc(matrix, from: angle, sweep: counterclockwise ? -sweep : sweep, reach: matrix.reach)
    return nil
  }

  @discardableResult
  public func arcTo(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ radius: Double) -> ArgumentFault? {
    guard x1.isFinite, y1.isFinite, x2.isFinite, y2.isFinite, radius.isFinite else { return nil }
    let corner = state.matrix.apply(x1, y1)
    if !path.isOpen { path.move(to: corner) }
    guard radius >= 0 else { return .negativeRadius }
    guard let inverse = state.matrix.inverse else { return nil }
    let from = inverse.apply(path.pen.x, path.pen.y)
    guard let round = RoundCorner(from, Place(x1, y1), Place(x2, y2), radius) else {
      path.line(to: corner)
      return nil
    }
    let matrix = state.matrix.applied(after: round.matrix)
    path.arc(matrix, from: 0, sweep: round.sweep, reach: matrix.reach)
    return nil
  }

  /// `radii` are one to four pairs of an x and a y radius, as CSS's `border-radius` orders corners.
  @discardableResult
  public func roundRect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radii: UnsafeBufferPointer<Double>
  ) -> ArgumentFault? {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return nil }
    let pairs = radii.count / 2
    guard pairs >= 1, pairs <= 4, radii.count % 2 == 0 else { return .radiusCount }
    for index in 0..<radii.count where !radii[index].isFinite { return nil }
    for index in 0..<radii.count where radii[index] < 0 { return .negativeRadius }
    // Upper left, upper right, lower right, lower left.
    var corners: InlineArray<4, Place> = [Place(0, 0), Place(0, 0), Place(0, 0), Place(0, 0)]
    for corner in 0..<4 {
      let pair = pairs == 1 ? 0 : pairs == 2 ? corner % 2 : pairs == 3 && corner == 3 ? 1 : corner
      corners[corner] = Place(radii[2 * pair], radii[2 * pair + 1])
    }
    addRound(x, y, width, height, corners, to: path)
    path.move(to: state.matrix.apply(x, y))
    return nil
  }

  func addRound(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ corners: InlineArray<4, Place>, to path: VectorPath
  ) {
    let (w, h) = (abs(width), abs(height))
    var share = 1.0
    func fit(_ a: Double, _ b: Double, _ room: Double) {
      if a + b > room { share = min(share, room / (a + b)) }
    }
    fit(corners[0].x, corners[1].x, w)
    fit(corners[3].x, corners[2].x, w)
    fit(corners[0].y, corners[3].y, h)
    fit(corners[1].y, corners[2].y, h)
    // Mirrored when a side is negative, as the corners are.
    let mirror = Matrix(width < 0 ? -1 : 1, 0, 0, height < 0 ? -1 : 1, x, y)
    let frame = state.matrix.applied(after: mirror)
    for index in 0..<4 {
      let (rx, ry) = (corners[index].x * share, corners[index].y * share)
      let isRight = index == 1 || index == 2
      let isBelow = index >= 2
      let center = Matrix(rx, 0, 0, ry, isRight ? w - rx : rx, isBelow ? h - ry : ry)
      let start = Trigonometry.pi * (1 + Double(index) / 2)
      let matrix = frame.applied(after: center)
      if index == 0 {
        path.move(to: matrix.apply(-1, 0))
      }
      path.arc(matrix, from: start, sweep: Trigonometry.pi / 2, reach: matrix.reach)
    }
    path.close()
  }
}

extension Matrix {
  /// The longest that a radius of 1 becomes, at least nearly.
  var reach: Double { max(a * a + b * b, c * c + d * d).squareRoot() }
}

/// The arc that touches both legs of a corner (HTML, `arcTo`).
private struct RoundCorner {
  /// From the unit circle, where the arc starts at angle 0.
  let matrix: Matrix
  let sweep: Double

  /// Nil when there is none: the legs are one line, or have no length.
  init?(_ from: Place, _ corner: Place, _ to: Place, _ radius: Double) {
    guard radius > 0, let a = Self.direction(corner, from), let b = Self.direction(corner, to) else { return nil }
    let cosine = a.x * b.x + a.y * b.y
    let sine = abs(a.x * b.y - a.y * b.x)
    guard sine > 1e-9 else { return nil }
    let distance = radius * (1 + cosine) / sine
    let half = ((1 - cosine) / 2).squareRoot()
    let (x, y) = (a.x + b.x, a.y + b.y)
    let length = (x * x + y * y).squareRoot()
    let center = Place(corner.x + x / length * radius / half, corner.y + y / length * radius / half)
    let start = Place(corner.x + a.x * distance, corner.y + a.y * distance)
    matrix = Matrix(
      start.x - center.x, start.y - center.y, -a.x * radius, -a.y * radius, center.x, center.y)
    sweep = Trigonometry.pi - 2 * Trigonometry.arcsine(min(half, 1))
  }

  private static func direction(_ from: Place, _ to: Place) -> Place? {
    let (x, y) = (to.x - from.x, to.y - from.y)
    let length = (x * x + y * y).squareRoot()
    return length > 0 && length.isFinite ? Place(x / length, y / length) : nil
  }
}
