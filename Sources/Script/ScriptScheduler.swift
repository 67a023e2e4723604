import Canvas
import Graphics
import Runtime

/// Gets the events of scripts. On the loop's thread.
public protocol ScriptDelegate: AnyObject {
  var scriptScreen: ScriptScreen { get }
  /// True when the script's page is visible.
  var isScriptVisible: Bool { get }
  /// A script has changed its drawing or its card.
  func scriptHasDrawn(isEvaluation: Bool)
  /// The evaluation has ended; its text is valid until `releaseText`.
  func evaluationEnded(_ end: ScriptScheduler.End)
  /// Answers a request; the script waits.
  func answer(_ request: ScriptRequest)
}

/// Schedules scripts: one context, one evaluation after the other in it, and the timers and frame callbacks that they
/// leave. Scripts run on a worker; this class decides when. On the loop's thread.
public final class ScriptScheduler {
  /// How an evaluation ends.
  public enum End: Sendable {
    case outcome(ScriptOutcome)
    case timedOut, stopped, full, noMemory
    /// Its process has ended.
    case lost(ConfinedEnd)
  }

  private enum Evaluation {
    case none, queued, running
    /// For a promise, until a deadline.
    case waiting(Int64)
  }

  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let host: ScriptHost
  private var job: ScriptJob! = nil
  /// Outlives this object.
  public unowned(unsafe) var delegate: (any ScriptDelegate)? { didSet { host.request.delegate = delegate } }
  private var evaluation = Evaluation.none
  private var program = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var mustDrop = false
  private var mustForget = false
  /// There is a drawing that the page has not taken yet.
  private var isDirty = false
  private var isStopped = false
  /// The running evaluation was cancelled.
  private var isCancelled = false
  private var lastTurn: Int64 = 0
  /// When the evaluation began.
  private var began: Int64 = 0
  /// The card that was shown last.
  private var shown = ScriptCard()

  /// A scheduler without a context: the first evaluation creates one.
  @export(interface)
  public init(_ host: ScriptHost, runner: any JobRunner, clock: any Clock, log: Log) {
    self.host = host
    self.runner = runner
    self.clock = clock
    self.log = log
    job = ScriptJob(host) { [unowned(unsafe) self] in self.ended() }
  }

  // MARK: Evaluations

  /// True when no evaluation runs or waits.
  public var isIdle: Bool {
    if case .none = evaluation { return true }
    return false
  }

  /// Begins an evaluation of a zero-terminated program, which has to stay valid until the end. Only when idle.
  public func evaluate(_ program: UnsafeBufferPointer<UInt8>) {
    self.program = program
    evaluation = .queued
    pump(at: clock.monotonic)
  }

  /// Cancels the evaluation: it ends now or soon.
  public func cancel() {
    switch evaluation {
    case .none: return
    case .queued: end(.stopped)
    case .running:
      isCancelled = true
      host.stop()
    case .waiting:
      mustForget = true
      end(.stopped)
    }
  }

  /// The text of a result or an error.
  public var text: UnsafeBufferPointer<UInt8> { host.text }
  public func releaseText() { host.releaseText() }

  /// Drops the context with its timers and its drawing; the next evaluation creates a new one. A running evaluation is
  /// ended.
  public func reset() {
    if job.isPending { host.stop() }
    if case .waiting = evaluation { end(.stopped) }
    mustDrop = true
    isDirty = false
    pump(at: clock.monotonic)
  }

  /// Ends the running order; nothing runs afterwards. True once no worker uses this object.
  public func stop() {
    isStopped = true
    host.stop()
  }

  /// True when no worker uses this object.
  public var isAtRest: Bool { !job.isPending }

  private func end(_ end: End) {
    evaluation = .none
    isCancelled = false
    delegate?.evaluationEnded(end)
  }

  // MARK: Time

  /// When `advance` has to be called.
  public var nextDeadline: Int64? {
    guard !isStopped else { return nil }
    let turn = job.isPending || waitsForFrame ? nil : nextTurn
    guard case .waiting(let deadline) = evaluation else { return turn }
    return min(turn ?? deadline, deadline)
  }

  /// Runs what is due. Also to be called when the visibility of the page has changed.
  public func advance(to now: Int64) {
    if case .waiting(let deadline) = evaluation, now >= deadline {
      mustForget = true
      end(.timedOut)
    }
    pump(at: now)
  }

  /// Turns are paced by the screen: the next one begins when the drawing of the last one was taken.
  private var waitsForFrame: Bool { isDirty && delegate?.isScriptVisible == true }

  private var isWaiting: Bool {
    if case .waiting = evaluation { return true }
    return false
  }

  /// Timers and frame callbacks of a hidden page are paused.
  private var nextTurn: Int64? {
    let isSeen = delegate?.isScriptVisible == true
    guard isSeen || isWaiting else { return nil }
    let frame = lastTurn + Budget.scriptTurnMilliseconds
    let timer = host.nextTimer.map { max($0, isWaiting ? lastTurn + Budget.scriptWaitMilliseconds : frame) }
    guard host.wantsFrame, isSeen else { return timer }
    return min(timer ?? frame, frame)
  }

  private func pump(at now: Int64) {
    guard !job.isPending, !isStopped, let delegate else { return }
    if mustDrop {
      mustDrop = false
      (mustForget, isDirty) = (false, false)
      return submit(.drop)
    }
    if case .queued = evaluation {
      evaluation = .running
      began = now
      return submit(.evaluate)
    }
    guard !waitsForFrame, let turn = nextTurn, now >= turn else { return }
    job.order.drawsFrame =
      host.wantsFrame && delegate.isScriptVisible && now >= lastTurn + Budget.scriptTurnMilliseconds
    lastTurn = now
    submit(.turn)
  }

  private func submit(_ kind: ScriptOrder.Kind) {
    job.order.kind = kind
    job.order.program = program
    job.order.mustForget = mustForget
    mustForget = false
    if let delegate { job.order.screen = delegate.scriptScreen }
    host.resume()
    if runner.submit(job) { return }
    // The queue is reserved for this object, and has room for its one job.
    if kind == .evaluate { end(.noMemory) }
  }

  private func ended() {
    host.console.write(to: log, at: clock.monotonic)
    guard !isStopped else { return }
    if case .lost(let end) = job.result {
      let line: InlineText<128> = end.sentence("the script's process ")
      log.write(.warning, "script") { $0.add(line.span) }
    }
    if job.order.kind == .turn, !mustDrop { sayEnded() }
    if host.hasDrawn || host.card.hasChanged, !mustDrop {
      host.card.hasChanged = false
      isDirty = true
      delegate?.scriptHasDrawn(isEvaluation: job.order.kind == .evaluate || isWaiting)
    }
    switch evaluation {
    case .running where job.order.kind == .evaluate: settle(from: began)
    case .waiting(let deadline): settle(from: deadline - host.limit)
    default: break
    }
    pump(at: clock.monotonic)
  }

  /// Reports the end of the evaluation that began at `start`.
  private func settle(from start: Int64) {
    if job.result == .full { log.write(.warning, "script", "memory is full: the script's context is thrown away") }
    if let outcome = host.outcome, job.result == .done || job.result == .full {
      host.outcome = nil
      return end(.outcome(outcome))
    }
    switch job.result {
    case .done: evaluation = .waiting(start + host.limit)
    case .noContext: end(.noMemory)
    case .ended: end(mustDrop || isCancelled ? .stopped : .timedOut)
    case .full: end(.full)
    case .lost(let reason): end(mustDrop || isCancelled ? .stopped : .lost(reason))
    }
  }

  /// Shows on the page that the script was ended.
  private func sayEnded() {
    var reason = InlineText<128>(cutting: "A timer or a frame took longer than a second")
    switch job.result {
    case .ended:
      log.write(.warning, "script", "a timer or a frame took longer than a second: the script has been stopped")
    case .lost(let end): reason = end.sentence("Its process ")
    default: return
    }
    let title = InlineText<64>(cutting: "The script was stopped")
    host.card.say(isShown: true, title.span, reason.span)
  }
}

extension ScriptScheduler: DrawingSource {
  public func takeDrawing() -> PixelBuffer? {
    guard isDirty, !job.isPending else { return nil }
    isDirty = false
    return host.pixels
  }

  /// While a script runs, the last card is kept.
  public var card: ScriptCard {
    if !job.isPending { shown = host.card }
    return shown
  }
}
