import Codec
import Graphics
import Runtime

/// Position and opacity of an element. In units of the drawing.
struct DrawingFrame: Equatable, BitwiseCopyable {
  var x: Float = 0
  var y: Float = 0
  var width: Float = 0
  var height: Float = 0
  /// 0...1.
  var opacity: Float = 1

  /// On the way from one to another; `share` is 0...1.
  static func between(_ from: DrawingFrame, _ to: DrawingFrame, _ share: Float) -> DrawingFrame {
    func mix(_ one: Float, _ other: Float) -> Float { one + (other - one) * share }
    return DrawingFrame(
      x: mix(from.x, to.x), y: mix(from.y, to.y), width: mix(from.width, to.width), height: mix(from.height, to.height),
      opacity: mix(from.opacity, to.opacity))
  }
}

/// What a person may do on an interactive element.
struct DrawingGestures: OptionSet, BitwiseCopyable {
  let rawValue: UInt8

  static let tap = DrawingGestures(rawValue: 1)
  static let longPress = DrawingGestures(rawValue: 2)
  /// Two fingers that move in one direction, and two that move apart or together.
  static let pan = DrawingGestures(rawValue: 4)
  static let pinch = DrawingGestures(rawValue: 8)
}

/// An element of a drawing.
struct DrawingElement {
  /// `sketch`: a person draws on it.
  enum Kind: Equatable { case text, image, shape, highlight, video, interactive, sketch }
  enum Shape { case rectangle, circle, line }
  enum Alignment { case start, center, end }
  enum Fit { case contain, cover, fill }

  var id = InlineText<64>()
  var kind = Kind.shape
  /// Of a text: what it says; of an image or a video: its address.
  var text = InlineText<512>()
  var shape = Shape.rectangle
  /// Of text, lines and highlights.
  var color: Color?
  var background = Color.clear
  var border = Color.clear
  var borderWidth: Float = 0
  var radius: Float = 0
  var fontSize: Float = 16
  var isBold = false
  var isItalic = false
  var isMonospaced = false
  var alignment = Alignment.start
  var fit = Fit.contain
  /// Of an interactive element.
  var gestures = DrawingGestures.tap

  /// Target and origin of its movement, its start, and its duration; 0: it has arrived.
  var frame = DrawingFrame()
  var origin = DrawingFrame()
  var start: Int64 = 0
  var duration: Int64 = 0
  /// True when it is removed on arrival.
  var isLeaving = false

  /// Its current position (ease-out).
  func frame(at now: Int64) -> DrawingFrame {
    guard duration > 0, now < start + duration else { return frame }
    let left = 1 - Float(max(now - start, 0)) / Float(duration)
    return .between(origin, frame, 1 - left * left * left)
  }

  func isMoving(at now: Int64) -> Bool { duration > 0 && now < start + duration }

  /// Starts a movement.
  mutating func move(to frame: DrawingFrame, from origin: DrawingFrame, at now: Int64, over duration: Int64) {
    (self.frame, self.origin, start, self.duration) = (frame, origin, now, duration)
  }
}

/// How an element enters, changes or leaves.
enum DrawingTransition { case instant, fade, slide }

/// Why a drawing command was refused.
public struct DrawingError: WireError {
  private let reason: StaticString
  private let limit: Limit
  /// The operation and its element, from 1; 0: none in particular.
  var operation = 0
  var element = 0

  private enum Limit {
    case none
    case most(Int, of: StaticString)
    case range(ClosedRange<Int>)
  }

  init(_ reason: StaticString) { (self.reason, limit) = (reason, .none) }

  /// `owner` has more than so many `things`.
  init(_ owner: StaticString, hasAtMost count: Int, _ things: StaticString) {
    (reason, limit) = (owner, .most(count, of: things))
  }

  /// `name` is no number of a range.
  init(_ name: StaticString, mustBe range: ClosedRange<Int>) { (reason, limit) = (name, .range(range)) }

  public var wire: (code: StaticString, text: StaticString) { ("INVALID_REQUEST", "") }

  public func writeDetail(to writer: inout ByteWriter) {
    if operation > 0 {
      writer.text("operation ")
      writer.decimal(Int64(operation))
      writer.text(element > 0 ? ", " : ": ")
    }
    if element > 0 {
      writer.text("element ")
      writer.decimal(Int64(element))
      writer.text(": ")
    }
    writer.text(reason)
    switch limit {
    case .none: return
    case .most(let count, let things):
      writer.text(" has at most ")
      writer.decimal(Int64(count))
      writer.text(" ")
      writer.text(things)
    case .range(let range):
      writer.text(" must be a number from ")
      writer.decimal(Int64(range.lowerBound))
      writer.text(" to ")
      writer.decimal(Int64(range.upperBound))
    }
  }
}
