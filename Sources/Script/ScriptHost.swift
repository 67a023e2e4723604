import Canvas
import Codec
import Graphics
import Runtime

/// How an evaluation has ended.
public enum ScriptOutcome: Sendable {
  /// With a result, whose text is in the host's buffer.
  case result
  /// With an error at a line of the program; 0: unknown.
  case failure(line: Int)
  case tooLarge
}

/// A command to the host.
struct ScriptOrder {
  enum Kind: Int64 {
    /// Runs a program, in a new context where there is none.
    case evaluate
    /// Runs due timers and frame callbacks.
    case turn
    /// Drops the context.
    case drop
  }

  var kind = Kind.drop
  /// Zero-terminated.
  var program = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var screen = ScriptScreen(Size(1, 1), scale: 100)
  var drawsFrame = false
  /// The result of the previous evaluation is not needed any more.
  var mustForget = false
}

/// The result of an order.
enum ScriptResult: Equatable {
  case done
  /// No memory for a context.
  case noContext
  /// It ran out of time or was stopped; the context was dropped.
  case ended
  /// The context had hardly any memory left and was dropped.
  case full
  /// Its process has ended, and the context with it.
  case lost(ConfinedEnd)
}

/// An environment in which scripts run: one context with its canvas and console. Used by the worker while an order
/// runs, otherwise by the loop's thread. The base class of `ScriptEngine` and `ScriptProcess`.
public class ScriptHost {
  /// Milliseconds for an evaluation.
  var limit: Int64
  let console = ScriptConsole()
  let request = ScriptRequest()
  /// How the evaluation has ended; nil: it runs, or its end was already reported.
  var outcome: ScriptOutcome?
  /// When the next timer is due, in milliseconds of the monotonic clock; nil: none is set.
  var nextTimer: Int64?
  var wantsFrame = false
  /// Text that the page shows over the drawing.
  var card = ScriptCard()
  /// True when the previous order changed the drawing or the card.
  var hasDrawn = false
  /// The text of the result, or of the error.
  private let textMemory: ReservedBuffer
  private var textCount = 0

  /// Latest time of a timer, in milliseconds: 30,000 years.
  static let latestTimer: Int64 = 1_000_000_000_000_000

  init(limit: Int64) throws(Errno) {
    self.limit = limit
    textMemory = try ReservedBuffer(capacity: Budget.scriptResultBytes)
  }

  /// Nil: the script's canvas has size 0, or nothing was drawn yet.
  var pixels: PixelBuffer? { nil }

  /// Executes an order. On the worker.
  func perform(_ order: ScriptOrder) -> ScriptResult { .noContext }

  /// Stops the running order, and every order until `resume`. From any thread.
  func stop() {}
  func resume() {}

  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(textMemory.bytes).extracting(0..<textCount) }

  /// Stores the text of a result or an error. False: it was cut.
  func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    textCount = text.copy(into: textMemory.bytes)
    return textCount == text.count
  }

  /// Frees the text after the result was sent.
  func releaseText() {
    textCount = 0
    textMemory.release()
  }

  /// Clears the drawing, the card and the timers.
  func forgetContext() {
    card = ScriptCard()
    (nextTimer, wantsFrame) = (nil, false)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Copies what fits; returns its length.
  func copy(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = Swift.min(self.count, room.count)
    guard count > 0, let source = baseAddress, let target = room.baseAddress else { return 0 }
    target.update(from: source, count: count)
    return count
  }
}

/// The screen size in CSS pixels, and device pixels per CSS pixel.
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
