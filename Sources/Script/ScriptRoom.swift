import Canvas
import Runtime

/// Who has scripts run. On the loop's thread.
public protocol ScriptOwner: AnyObject {
  var scriptScreen: ScriptScreen { get }
  /// A person sees what a script draws, or would.
  var isScriptSeen: Bool { get }
  /// A script has drawn, or said something: its page looks different.
  func scriptHasDrawn(isEvaluation: Bool)
  /// The evaluation is over; its text stays until `releaseText`.
  func evaluationEnded(_ end: ScriptRoom.End)
  /// A script asks, and waits.
  func answer(_ request: ScriptRequest)
}

/// The life of scripts: one context, one evaluation after the other in it, and what they leave running: timers and frames. Scripts run
/// on a worker; this decides when. On the loop's thread.
public final class ScriptRoom {
  /// How an evaluation ends.
  public enum End: Sendable {
    case outcome(ScriptOutcome)
    case timedOut, stopped, full, noMemory
    /// The process that ran it has ended.
    case lost(ConfinedEnd)
  }

  private enum Evaluation {
    case none, queued, running
    /// For a promise, until an instant.
    case waiting(Int64)
  }

  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let host: ScriptHost
  private var job: ScriptJob! = nil
  /// Lives as long as the room.
  public unowned(unsafe) var owner: (any ScriptOwner)? { didSet { host.request.owner = owner } }
  private var evaluation = Evaluation.none
  private var program = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var mustDrop = false
  private var mustForget = false
  /// There is a drawing that the page has not taken.
  private var isDirty = false
  private var isStopped = false
  /// The evaluation that runs was stopped.
  private var isCancelled = false
  private var lastTurn: Int64 = 0
  /// When the evaluation began.
  private var began: Int64 = 0
  /// The card as it was shown last.
  private var shown = ScriptCard()

  /// A room without a context: the first evaluation makes one.
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

  /// Begins an evaluation; the program is read until it has ended, and a zero follows its last byte. Only when idle.
  public func evaluate(_ program: UnsafeBufferPointer<UInt8>) {
    self.program = program
    evaluation = .queued
    pump(at: clock.monotonic)
  }

  /// Nobody waits for it any more: it is ended, now or soon.
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

  /// What a result or an error says.
  public var text: UnsafeBufferPointer<UInt8> { host.text }
  public func releaseText() { host.releaseText() }

  /// Throws the context away, with its timers and its drawing: the next evaluation begins anew. One that runs is ended.
  public func reset() {
    if job.isPending { host.stop() }
    if case .waiting = evaluation { end(.stopped) }
    mustDrop = true
    isDirty = false
    pump(at: clock.monotonic)
  }

  /// Ends what runs; nothing runs afterwards. True as soon as no worker has anything of it.
  public func stop() {
    isStopped = true
    host.stop()
  }

  /// No worker has anything of it.
  public var isAtRest: Bool { !job.isPending }

  private func end(_ end: End) {
    evaluation = .none
    isCancelled = false
    owner?.evaluationEnded(end)
  }

  // MARK: Time

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    guard !isStopped else { return nil }
    let turn = job.isPending || waitsForFrame ? nil : nextTurn
    guard case .waiting(let deadline) = evaluation else { return turn }
    return min(turn ?? deadline, deadline)
  }

  /// Lets time pass. Also to be called when what is seen has changed.
  public func advance(to now: Int64) {
    if case .waiting(let deadline) = evaluation, now >= deadline {
      mustForget = true
      end(.timedOut)
    }
    pump(at: now)
  }

  /// Turns follow the screen: the next one begins when the drawing of the last one was taken.
  private var waitsForFrame: Bool { isDirty && owner?.isScriptSeen == true }

  private var isWaiting: Bool {
    if case .waiting = evaluation { return true }
    return false
  }

  /// Nobody sees timers and frames of a page that is hidden: they stand still.
  private var nextTurn: Int64? {
    let isSeen = owner?.isScriptSeen == true
    guard isSeen || isWaiting else { return nil }
    let frame = lastTurn + Budget.scriptTurnMilliseconds
    let timer = host.nextTimer.map { max($0, isWaiting ? lastTurn + Budget.scriptWaitMilliseconds : frame) }
    guard host.wantsFrame, isSeen else { return timer }
    return min(timer ?? frame, frame)
  }

  private func pump(at now: Int64) {
    guard !job.isPending, !isStopped, let owner else { return }
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
    job.order.drawsFrame = host.wantsFrame && owner.isScriptSeen && now >= lastTurn + Budget.scriptTurnMilliseconds
    lastTurn = now
    submit(.turn)
  }

  private func submit(_ kind: ScriptOrder.Kind) {
    job.order.kind = kind
    job.order.program = program
    job.order.mustForget = mustForget
    mustForget = false
    if let owner { job.order.screen = owner.scriptScreen }
    host.goOn()
    if runner.submit(job) { return }
    // The queue is the room's own, and has room for the one job.
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
      owner?.scriptHasDrawn(isEvaluation: job.order.kind == .evaluate || isWaiting)
    }
    switch evaluation {
    case .running where job.order.kind == .evaluate: settle(from: began)
    case .waiting(let deadline): settle(from: deadline - host.limit)
    default: break
    }
    pump(at: clock.monotonic)
  }

  /// What has become of the evaluation that began at an instant.
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

  /// The page of a script that was ended says so.
  private func sayEnded() {
    var reason = InlineText<128>(cutting: "A timer or a frame took longer than a second")
    switch job.result {
    case .ended: log.write(.warning, "script", "a timer or a frame took longer than a second: the script has been stopped")
    case .lost(let end): reason = end.sentence("Its process ")
    default: return
    }
    let title = InlineText<64>(cutting: "The script was stopped")
    host.card.say(isShown: true, title.span, reason.span)
  }
}

extension ScriptRoom: DrawingSource {
  public func takeDrawing() -> PixelBuffer? {
    guard isDirty, !job.isPending else { return nil }
    isDirty = false
    return host.pixels
  }

  /// While a script runs it may be about to say something else: what was said last stays until then.
  public var card: ScriptCard {
    if !job.isPending { shown = host.card }
    return shown
  }
}
