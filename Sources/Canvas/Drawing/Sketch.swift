import Codec
import Graphics
import Runtime

/// What a person has drawn with fingers: lines of points, as shares of the sides of the sketch, so that they stay in
/// place when the screen or the element gets another size.
final class Sketch {
  /// A point; nil ends a line.
  private struct Mark {
    var x: Int16
    var y: Int16

    static let end = Mark(x: -1, y: -1)
    var isEnd: Bool { x < 0 }
  }

  private let memory: ReservedBuffer
  private(set) var count = 0
  /// A line is being drawn.
  private var isOpen = false

  /// Reserves its memory, which is taken by the first line; throws when the address space is full.
  init() throws(Errno) {
    precondition(MemoryLayout<Mark>.stride == 4)
    memory = try ReservedBuffer(capacity: Budget.sketchPoints * 4)
  }

  private var marks: UnsafeMutableBufferPointer<Mark> {
    UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Mark.self)
  }

  /// Nothing is drawn.
  var isEmpty: Bool { count == 0 }

  /// Takes everything away.
  func clear() {
    (count, isOpen) = (0, false)
    memory.release()
  }

  /// A finger comes down, or moves on, at shares of the sides; true when something was drawn.
  func add(_ x: Float, _ y: Float) -> Bool {
    // The last mark is kept for the end.
    guard count < Budget.sketchPoints - 1 else { return false }
    let point = Mark(x: Self.step(x), y: Self.step(y))
    if isOpen, count > 0 {
      let last = marks[count - 1]
      let way = max(abs(Int(point.x) - Int(last.x)), abs(Int(point.y) - Int(last.y)))
      guard way >= Budget.sketchShortest else { return false }
    }
    marks[count] = point
    count += 1
    isOpen = true
    return true
  }

  /// The finger is lifted.
  func endLine() {
    guard isOpen else { return }
    isOpen = false
    marks[count] = .end
    count += 1
  }

  private static func step(_ share: Float) -> Int16 {
    Int16(clamping: (share.bounded(0, 1) * (Budget.sketchSteps - 1)).rounded())
  }

  /// Calls `body` for each piece of a line in a sketch of a size; a dot is a piece whose ends are one.
  func forEachPiece(in size: Size, _ body: (Point, Point) -> Void) {
    var last: Point?
    var isDot = false
    for index in 0..<count {
      let mark = marks[index]
      if mark.isEnd {
        if isDot, let last { body(last, last) }
        (last, isDot) = (nil, false)
        continue
      }
      let place = Point(
        Int32(clamping: (Float(mark.x) / Budget.sketchSteps * Float(size.width)).rounded()),
        Int32(clamping: (Float(mark.y) / Budget.sketchSteps * Float(size.height)).rounded()))
      if let last { body(last, place) }
      (last, isDot) = (place, last == nil)
    }
    if isDot, let last { body(last, last) }
  }

  // MARK: Picture

  /// The size of a picture of it: as large as `size`, and at most `Budget.sketchPixels` on its longer side.
  static func pictureSize(_ size: Size) -> Size {
    let longest = max(size.width, size.height, 1)
    guard longest > Budget.sketchPixels else { return Size(max(size.width, 1), max(size.height, 1)) }
    let scale = Float(Budget.sketchPixels) / Float(longest)
    return Size(
      max(Int32(clamping: (Float(size.width) * scale).rounded()), 1),
      max(Int32(clamping: (Float(size.height) * scale).rounded()), 1))
  }

  /// Draws it into a picture of one bit a pixel, row by row, the first pixel in the highest bit.
  /// - Parameter radius: of the pen, in pixels of the picture
  func paint(into bits: UnsafeMutableBufferPointer<UInt8>, _ size: Size, radius: Float) {
    let bytes = (Int(size.width) + 7) / 8
    guard bits.count >= bytes * Int(size.height) else { return }
    for index in 0..<bytes * Int(size.height) { bits[index] = 0 }
    forEachPiece(in: size) { from, to in
      let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
      for step in 0...steps {
        let share = Float(step) / Float(steps)
        let x = Float(from.x) + Float(to.x - from.x) * share
        Self.dot(x, Float(from.y) + Float(to.y - from.y) * share, radius, bits, size)
      }
    }
  }

  private static func dot(
    _ x: Float, _ y: Float, _ radius: Float, _ bits: UnsafeMutableBufferPointer<UInt8>, _ size: Size
  ) {
    let bytes = (Int(size.width) + 7) / 8
    let top = max(Int(clamping: (y - radius).rounded(.down)), 0)
    let left = max(Int(clamping: (x - radius).rounded(.down)), 0)
    let bottom = min(Int(clamping: (y + radius).rounded(.up)), Int(size.height) - 1)
    let right = min(Int(clamping: (x + radius).rounded(.up)), Int(size.width) - 1)
    guard top <= bottom, left <= right else { return }
    for row in top...bottom {
      for column in left...right {
        let (dx, dy) = (Float(column) - x, Float(row) - y)
        if dx * dx + dy * dy <= radius * radius { bits[row * bytes + column / 8] |= 0x80 >> UInt8(column % 8) }
      }
    }
  }
}
