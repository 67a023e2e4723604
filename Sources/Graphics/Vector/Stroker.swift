import Codec
import Runtime

/// Makes areas of lines: each straight piece, join and cap is one of its own, all turned the same way round, so that
/// together they cover what the pen does. Pieces that hardly bend, as those of a curve, are one area: two edges each,
/// where an area of their own and its join would have seven.
final class Stroker {
  private let target: ScanConverter
  private var matrix = Matrix.identity
  private var pen = Pen()
  /// Half the pen's width, and the angle of one piece of a round part.
  private var reach = 0.0
  private var step = 1.0

  // The line that is being drawn, in the drawing's own units.
  private var first = Place(0, 0)
  private var firstDirection = Place(0, 0)
  private var last = Place(0, 0)
  private var direction = Place(0, 0)
  private var length = 0.0
  private var pieces = 0
  private var isSmooth = false
  // How far both sides of the area have come, in pixels.
  private var left = Place(0, 0)
  private var right = Place(0, 0)

  init(_ target: ScanConverter) { self.target = target }

  /// Begins lines that a pen draws, which a matrix then brings into pixels.
  func begin(_ pen: Pen, _ matrix: Matrix) {
    self.pen = pen
    self.matrix = matrix
    reach = pen.width / 2
    // Seen where the pen is widest.
    let (across, down) = ((matrix.a * matrix.a + matrix.b * matrix.b), (matrix.c * matrix.c + matrix.d * matrix.d))
    let pixels = max(reach * max(across, down).squareRoot(), 2 * VectorPath.tolerance)
    step = max(2 * (2 * VectorPath.tolerance / pixels).squareRoot(), 0.01)
  }

  // MARK: Lines

  func move(to place: Place) {
    first = place
    last = place
    pieces = 0
    isSmooth = false
  }

  /// `isSmooth`: at its end the line bends without a corner.
  func line(to place: Place, isSmooth smooth: Bool) {
    let (x, y) = (place.x - last.x, place.y - last.y)
    let length = (x * x + y * y).squareRoot()
    guard length > 1e-12, length.isFinite else { return }
    let next = Place(x / length, y / length)
    if pieces == 0 {
      firstDirection = next
      begin(last, side(next))
    } else {
      bend(next, min(self.length, length))
    }
    (last, direction, isSmooth) = (place, next, smooth)
    self.length = length
    pieces += 1
  }

  /// From the last piece to one that is no shorter than `length`.
  private func bend(_ next: Place, _ length: Double) {
    let cross = direction.x * next.y - direction.y * next.x
    let dot = direction.x * next.x + direction.y * next.y
    let (before, after) = (side(direction), side(next))
    // A mitre of so small an angle is nowhere farther from a round join than a curve may be from its pieces. On the
    // inner side, too, the area goes on in the same order as long as it loses less than half of either piece.
    if isSmooth, dot > 0, abs(cross) <= step, 2 * reach * abs(cross) <= length {
      let share = 1 / (1 + dot)
      return go(to: last, Place((before.x + after.x) * share, (before.y + after.y) * share))
    }
    finish()
    join(last, direction, next, isSmooth)
    begin(last, after)
  }

  /// Ends a line with two caps.
  func end() {
    guard pieces > 0 else { return dot() }
    finish()
    // All the way round without being closed: the pieces of the curve on both sides of the start meet without a notch.
    let isSmooth = direction.x * firstDirection.x + direction.y * firstDirection.y > 0.9
    if isSmooth, abs(last.x - first.x) + abs(last.y - first.y) < reach * 1e-6 {
      join(last, direction, firstDirection, true)
    }
    cap(last, direction)
    cap(first, Place(-firstDirection.x, -firstDirection.y))
  }

  /// Ends a line that has come back to its start.
  func close() {
    guard pieces > 0 else { return dot() }
    finish()
    join(last, direction, firstDirection, isSmooth)
  }

  private func dot() {
    if pen.drawsDots { dot(last, Place(1, 0)) }
  }

  /// A line without length: its caps.
  func dot(_ place: Place, _ direction: Place) {
    cap(place, direction)
    cap(place, Place(-direction.x, -direction.y))
  }

  // MARK: Areas of pieces

  private func side(_ direction: Place) -> Place { Place(-direction.y * reach, direction.x * reach) }

  private func begin(_ place: Place, _ side: Place) {
    left = matrix.apply(place.x + side.x, place.y + side.y)
    right = matrix.apply(place.x - side.x, place.y - side.y)
    target.add(right, left)
  }

  private func go(to place: Place, _ side: Place) {
    let nextLeft = matrix.apply(place.x + side.x, place.y + side.y)
    let nextRight = matrix.apply(place.x - side.x, place.y - side.y)
    target.add(left, nextLeft)
    target.add(nextRight, right)
    (left, right) = (nextLeft, nextRight)
  }

  /// The last piece ends square.
  private func finish() {
    go(to: last, side(direction))
    target.add(left, right)
  }

  // MARK: Ends and corners

  private func cap(_ place: Place, _ direction: Place) {
    let side = Place(-direction.y * reach, direction.x * reach)
    switch pen.cap {
    case .butt: return
    case .square:
      let (x, y) = (direction.x * reach, direction.y * reach)
      polygon(
        Place(place.x + side.x, place.y + side.y), Place(place.x + side.x + x, place.y + side.y + y),
        Place(place.x - side.x + x, place.y - side.y + y), Place(place.x - side.x, place.y - side.y))
    case .round: pie(place, side, Place(-side.x, -side.y), angle: Trigonometry.pi)
    }
  }

  private func join(_ place: Place, _ before: Place, _ after: Place, _ isSmooth: Bool) {
    let cross = before.x * after.y - before.y * after.x
    let dot = before.x * after.x + before.y * after.y
    guard abs(cross) > 1e-9 || dot < 0 else { return }
    // The outer side, in the order in which the pieces are turned.
    let sign = cross > 0 ? -reach : reach
    let a = Place(-before.y * sign, before.x * sign)
    let b = Place(-after.y * sign, after.x * sign)
    let (from, to) = cross > 0 ? (b, a) : (a, b)
    if isSmooth || pen.join == .round {
      let half = (((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot() / 2) / max(reach, 1e-300)
      return pie(place, from, to, angle: 2 * Trigonometry.arcsine(min(half, 1)))
    }
    let limit = pen.miterLimit
    if pen.join == .miter, 2 <= limit * limit * (1 + dot), dot > -0.9999999 {
      let share = 1 / (1 + dot)
      return polygon(
        place, Place(place.x + from.x, place.y + from.y),
        Place(place.x + (a.x + b.x) * share, place.y + (a.y + b.y) * share), Place(place.x + to.x, place.y + to.y))
    }
    triangle(place, Place(place.x + from.x, place.y + from.y), Place(place.x + to.x, place.y + to.y))
  }

  /// A part of a disc from one radius to another, in the order of the pieces.
  private func pie(_ place: Place, _ from: Place, _ to: Place, angle: Double) {
    let count = Int(clamping: (angle / step).rounded(.up).bounded(1, 4096))
    let turn = -angle / Double(count)
    let (sine, cosine) = (Trigonometry.sine(turn), Trigonometry.cosine(turn))
    let center = matrix.apply(place.x, place.y)
    var radius = from
    var edge = matrix.apply(place.x + from.x, place.y + from.y)
    target.add(center, edge)
    for index in 1...count {
      radius =
        index == count ? to : Place(radius.x * cosine - radius.y * sine, radius.x * sine + radius.y * cosine)
      let next = matrix.apply(place.x + radius.x, place.y + radius.y)
      target.add(edge, next)
      edge = next
    }
    target.add(edge, center)
  }

  private func triangle(_ a: Place, _ b: Place, _ c: Place) {
    let (a, b, c) = (matrix.apply(a.x, a.y), matrix.apply(b.x, b.y), matrix.apply(c.x, c.y))
    target.add(a, b)
    target.add(b, c)
    target.add(c, a)
  }

  private func polygon(_ a: Place, _ b: Place, _ c: Place, _ d: Place) {
    let (a, b) = (matrix.apply(a.x, a.y), matrix.apply(b.x, b.y))
    let (c, d) = (matrix.apply(c.x, c.y), matrix.apply(d.x, d.y))
    target.add(a, b)
    target.add(b, c)
    target.add(c, d)
    target.add(d, a)
  }
}
