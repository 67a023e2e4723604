import Canvas
import Codec
import Runtime

/// How an evaluation has ended.
public enum ScriptOutcome: Sendable {
  /// With a result, whose text is in the engine's buffer.
  case result
  /// With an error; at a line of the program, or 0.
  case failure(line: Int)
  case tooLarge
}

/// What a script does next.
struct ScriptOrder {
  enum Kind: Int64 {
    /// Runs a program, in a new context where there is none.
    case evaluate
    /// Runs what is due.
    case turn
    /// Throws the context away.
    case drop
  }

  var kind = Kind.drop
  /// A zero follows its last byte.
  var program = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var screen = ScriptScreen(Size(1, 1), scale: 100)
  var drawsFrame = false
  /// Nobody waits for the evaluation before.
  var mustForget = false
}

/// What came of an order.
enum ScriptResult: Equatable {
  case done
  /// No memory for a context.
  case noContext
  /// Its time was over, or it was stopped; the context is gone.
  case ended
  /// The context had hardly any memory left, and is gone.
  case full
  /// The process that ran it has ended, and the context with it.
  case lost(ConfinedEnd)
}

/// Where scripts run: one context, and what it has drawn and said. On the worker while an order is carried out, else on the loop's thread.
public class ScriptHost {
  /// Milliseconds that an evaluation has.
  var limit: Int64
  let console = ScriptConsole()
  let request = ScriptRequest()
  /// How the evaluation has ended; nil: it has not, or that was told.
  var outcome: ScriptOutcome?
  /// When the next timer is due, in milliseconds of the monotonic clock; nil: none is set.
  var nextTimer: Int64?
  var wantsFrame = false
  /// What the page says in front of the drawing.
  var card = ScriptCard()
  /// The order before has drawn, or said, something.
  var hasDrawn = false
  /// The text of the result, or of the error.
  private let textMemory: ReservedBuffer
  private var textCount = 0

  /// No timer is due later, in milliseconds: 30,000 years.
  static let latestTimer: Int64 = 1_000_000_000_000_000

  init(limit: Int64) throws(Errno) {
    self.limit = limit
    textMemory = try ReservedBuffer(capacity: Budget.scriptResultBytes)
  }

  /// Nil: the script's canvas has no pixels, or none were drawn yet.
  var pixels: PixelBuffer? { nil }

  /// Carries out an order. On the worker.
  func perform(_ order: ScriptOrder) -> ScriptResult { .noContext }

  /// Ends what runs, and whatever is begun before `goOn`. From any thread.
  func stop() {}
  func goOn() {}

  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(textMemory.bytes).extracting(0..<textCount) }

  /// Keeps the text of a result or an error. False: not all of it.
  func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    textCount = text.copy(into: textMemory.bytes)
    return textCount == text.count
  }

  /// The result was sent.
  func releaseText() {
    textCount = 0
    textMemory.release()
  }

  /// Nothing is drawn, said or due any more.
  func forgetContext() {
    card = ScriptCard()
    (nextTimer, wantsFrame) = (nil, false)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Copies what fits: how much that was.
  func copy(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = Swift.min(self.count, room.count)
    guard count > 0, let source = baseAddress, let target = room.baseAddress else { return 0 }
    target.update(from: source, count: count)
    return count
  }
}

/// The screen in units of scripts, which are CSS's pixels, and how many of its own each has.
public struct ScriptScreen: Equatable, Sendable {
  public var width: Double
  public var height: Double
  public var ratio: Double

  init(width: Double, height: Double, ratio: Double) { (self.width, self.height, self.ratio) = (width, height, ratio) }

  /// A screen of `size` pixels, drawn at `scale` percent.
  public init(_ size: Size, scale: Int32) {
    ratio = Double(max(scale, 1)) / 100
    width = Double(size.width) / ratio
    height = Double(size.height) / ratio
  }
}
