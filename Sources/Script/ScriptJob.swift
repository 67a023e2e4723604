import Canvas
import Runtime

/// A piece of a script's life, on the worker.
final class ScriptJob: Job {
  enum Kind { case evaluate, turn, drop }

  /// What came of it.
  enum Result {
    case done
    /// No memory for a context.
    case noContext
    /// Its time was over, or it was stopped; the context is gone.
    case ended
    /// The context had hardly any memory left, and is gone.
    case full
  }

  private let engine: ScriptEngine
  private let ended: () -> Void
  var kind = Kind.drop
  var program = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var screen = ScriptScreen(.init(1, 1), scale: 100)
  /// The size that the context was made for.
  private var fitted: ScriptScreen?
  var drawsFrame = false
  /// Nobody waits for the evaluation before.
  var mustForget = false
  private(set) var result = Result.done
  private(set) var hasDrawn = false

  init(_ engine: ScriptEngine, ended: @escaping () -> Void) {
    self.engine = engine
    self.ended = ended
  }

  override func run() {
    result = work()
    hasDrawn = engine.canvas.takeChange() || engine.card.hasChanged
    engine.card.hasChanged = false
  }

  private func work() -> Result {
    if kind == .drop {
      engine.drop()
      return .done
    }
    if !engine.hasContext {
      guard kind == .evaluate else { return .done }
      guard engine.begin(screen) else { return .noContext }
      fitted = screen
    }
    if mustForget { engine.forget() }
    if fitted != screen {
      fitted = screen
      engine.fit(screen)
    }
    guard engine.hasContext else { return .ended }
    if kind == .turn { return engine.turn(drawsFrame: drawsFrame) ? .done : .ended }
    guard engine.evaluate(program) else { return .ended }
    return engine.tidy()
  }

  override func finish() {
    mustForget = false
    ended()
  }
}
