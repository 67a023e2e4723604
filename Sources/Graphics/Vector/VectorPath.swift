import Codec
import Runtime

/// A point of a path that is all straight lines, in pixels of the drawing.
struct PathPoint: BitwiseCopyable {
  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    static var none: Flags { Flags(rawValue: 0) }
    /// A subpath begins here.
    static let start = Flags(rawValue: 1)
    /// Between two pieces of one curve: the join is no corner.
    static let smooth = Flags(rawValue: 2)
    /// Back where the subpath began; it is closed.
    static let close = Flags(rawValue: 4)
  }

  var x, y: Double
  var flags: Flags

  init(_ place: Place, _ flags: Flags) { (x, y, self.flags) = (place.x, place.y, flags) }

  var place: Place { Place(x, y) }
}

/// A path in pixels of the drawing: curves become lines that are nowhere further from them than `tolerance`.
final class VectorPath {
  /// In pixels: half a step of the scan lines.
  static let tolerance = 0.03
  /// Pieces of one curve.
  private static let pieces = 1024.0
  /// Farthest place in pixels: squares of it, and differences in them of a hundredth of a pixel, are doubles without
  /// error.
  static let farthest = 1e7

  private let memory: ReservedBuffer
  private let points: UnsafeMutableBufferPointer<PathPoint>
  private(set) var count = 0
  /// A point had no room.
  private(set) var isCut = false
  private var start = Place(0, 0)
  private(set) var pen = Place(0, 0)
  /// There is a subpath to go on with.
  private(set) var isOpen = false
  /// It was closed: the next line begins another at its start.
  private var wasClosed = false

  init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.pathPoints * MemoryLayout<PathPoint>.stride)
    points = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: PathPoint.self)
  }

  @inline(__always)
  subscript(index: Int) -> PathPoint { points[index] }

  func removeAll() {
    count = 0
    isCut = false
    isOpen = false
    wasClosed = false
  }

  /// Drops what was added after a place; for paths that stand after each other.
  func truncate(to count: Int) { self.count = min(count, self.count) }

  private func append(_ place: Place, _ flags: PathPoint.Flags) {
    guard count < Budget.pathPoints else { return isCut = true }
    points[count] = PathPoint(place, flags)
    count += 1
  }

  /// A copy of a point of another path.
  func append(_ point: PathPoint) { append(point.place, point.flags) }

  private static func bounded(_ place: Place) -> Place {
    Place(place.x.bounded(-farthest, farthest), place.y.bounded(-farthest, farthest))
  }

  // MARK: Lines

  func move(to place: Place) {
    let place = Self.bounded(place)
    (start, pen, isOpen, wasClosed) = (place, place, true, false)
    if count > 0, points[count - 1].flags.contains(.start) {
      points[count - 1] = PathPoint(place, .start)
    } else {
      append(place, .start)
    }
  }

  func line(to place: Place, isSmooth: Bool = false) {
    guard isOpen else { return move(to: place) }
    let place = Self.bounded(place)
    if wasClosed { move(to: start) }
    append(place, isSmooth ? .smooth : .none)
    pen = place
  }

  func close() {
    guard isOpen, !wasClosed, count > 0, !points[count - 1].flags.contains(.start) else { return }
    append(start, .close)
    pen = start
    wasClosed = true
  }

  // MARK: Curves

  func quadratic(_ control: Place, _ end: Place) {
    let (from, control, end) = (pen, Self.bounded(control), Self.bounded(end))
    let bend = Self.length(from.x - 2 * control.x + end.x, from.y - 2 * control.y + end.y)
    let pieces = Self.pieces(bend * 0.25)
    for index in 1..<max(pieces, 1) {
      let t = Double(index) / Double(pieces)
      let u = 1 - t
      let (a, b, c) = (u * u, 2 * u * t, t * t)
      line(
        to: Place(a * from.x + b * control.x + c * end.x, a * from.y + b * control.y + c * end.y), isSmooth: true)
    }
    line(to: end)
  }

  func cubic(_ first: Place, _ second: Place, _ end: Place) {
    let (from, first, second, end) = (pen, Self.bounded(first), Self.bounded(second), Self.bounded(end))
    let bend = max(
      Self.length(from.x - 2 * first.x + second.x, from.y - 2 * first.y + second.y),
      Self.length(first.x - 2 * second.x + end.x, first.y - 2 * second.y + end.y))
    let pieces = Self.pieces(bend * 0.75)
    for index in 1..<max(pieces, 1) {
      let t = Double(index) / Double(pieces)
      let u = 1 - t
      let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
      line(
        to: Place(
          a * from.x + b * first.x + c * second.x + d * end.x, a * from.y + b * first.y + c * second.y + d * end.y),
        isSmooth: true)
    }
    line(to: end)
  }

  /// How many lines stand for a curve (X. Wang's bound for Bezier curves: the square root of the bend over the
  /// tolerance).
  private static func pieces(_ bend: Double) -> Int {
    Int(clamping: ((bend / tolerance).squareRoot() + 1).bounded(1, pieces))
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  /// A part of an ellipse around `center`, from an angle over a sweep, by a matrix: a line to its start, or its start
  /// when there is no subpath. `reach` is the larger radius in pixels.
  func arc(_ matrix: Matrix, from angle: Double, sweep: Double, reach: Double) {
    let step = 2 * (2 * Self.tolerance / reach.bounded(2 * Self.tolerance, Self.farthest)).squareRoot()
    let pieces = Int(clamping: (abs(sweep) / step).rounded(.up).bounded(1, Self.pieces))
    for index in 0...pieces {
      let now = angle + sweep * Double(index) / Double(pieces)
      let place = matrix.apply(Trigonometry.cosine(now), Trigonometry.sine(now))
      line(to: place, isSmooth: index > 0 && index < pieces)
    }
  }

  // MARK: Asking

  /// Around all points, rounded outwards.
  func bounds(from first: Int = 0) -> Rect {
    guard first < count else { return .empty }
    var (left, top, right, bottom) = (points[first].x, points[first].y, points[first].x, points[first].y)
    for index in first..<count {
      left = min(left, points[index].x)
      right = max(right, points[index].x)
      top = min(top, points[index].y)
      bottom = max(bottom, points[index].y)
    }
    let (x, y) = (Int32(clamping: left.rounded(.down)), Int32(clamping: top.rounded(.down)))
    return Rect(x, y, Int32(clamping: right.rounded(.up)) - x, Int32(clamping: bottom.rounded(.up)) - y)
  }

  /// The rectangle that this path is, when it is one whose edges are those of pixels.
  func rectangle() -> Rect? {
    guard count == 4 || count == 5 else { return nil }
    if count == 5, points[4].place != points[0].place { return nil }
    let isFlat = points[0].y == points[1].y
    for index in 0..<4 {
      let (a, b) = (points[index], points[(index + 1) % 4])
      if index > 0, a.flags.contains(.start) { return nil }
      guard (index % 2 == 0) == isFlat ? a.y == b.y : a.x == b.x else { return nil }
      guard a.x == a.x.rounded(), a.y == a.y.rounded() else { return nil }
    }
    return bounds()
  }

  /// Is a place inside, or on a line?
  func contains(_ place: Place, evenOdd: Bool) -> Bool {
    var winding = 0
    var first = 0
    for index in 0..<count {
      if points[index].flags.contains(.start) { first = index }
      let isLast = index + 1 == count || points[index + 1].flags.contains(.start)
      let (a, b) = (points[index].place, isLast ? points[first].place : points[index + 1].place)
      let side = (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x)
      let reach = max(abs(b.x - a.x), abs(b.y - a.y))
      if abs(side) <= 1e-6 * reach, place.x >= min(a.x, b.x) - 1e-6, place.x <= max(a.x, b.x) + 1e-6,
        place.y >= min(a.y, b.y) - 1e-6, place.y <= max(a.y, b.y) + 1e-6, reach > 0
      {
        return true
      }
      if a.y <= place.y, b.y > place.y, side > 0 { winding += 1 }
      if b.y <= place.y, a.y > place.y, side < 0 { winding -= 1 }
    }
    return evenOdd ? winding & 1 != 0 : winding != 0
  }
}
