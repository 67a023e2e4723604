import Codec
import Runtime

/// What proves that a new system works, beside its self-test.
public enum UpdateProof: Sendable {
  /// The gateway said `hello-ok`.
  case gateway
  /// The update server answered.
  case server
  /// Nothing else.
  case selfTest
}

/// What the course has to know of the board at a moment.
public struct UpdateScene: Sendable {
  /// Milliseconds of `Clock.monotonic`.
  public var now: Int64
  /// A call, a clip or a conversation is under way.
  public var isBusy: Bool
  /// The maintenance window is open, or there is none.
  public var isWindowOpen: Bool

  /// A scene; see the properties.
  public init(now: Int64, isBusy: Bool, isWindowOpen: Bool) {
    (self.now, self.isBusy, self.isWindowOpen) = (now, isBusy, isWindowOpen)
  }
}

/// What the course wants done. Its record is on flash before that begins.
public enum UpdateEffect: Sendable {
  /// Get the bundle, going on where the last download stopped.
  case download
  /// Ask root's side; see `UpdateCourse.request`.
  case request
  /// Run the self-test.
  case test
  /// Remove the bundle.
  case discard
}

/// The course of an update from its offer to its proof, over restarts, power cuts and both systems: a pure state
/// machine whose record is kept on flash at each change.
///
/// Success is what the server hears only when the new system runs as the board's own: its self-test passed, the gateway
/// (or what else is configured) answered, and root's side made its slot the good one. A trial that ends without a
/// gateway is judged by the old system: if that reaches the gateway, the new one is at fault; if not, the gateway is
/// away, and the trial is repeated when it is back.
public struct UpdateCourse: Sendable {
  public internal(set) var record: UpdateRecord
  /// What root's side last said of the slots; nil where the board has none.
  public internal(set) var slots: SlotReport?
  let proof: UpdateProof
  /// True when the record differs from what flash has.
  public internal(set) var isChanged = false
  /// The request that root's side has not answered, and since when.
  public internal(set) var order: RootOrder?
  var orderedAt: Int64 = 0
  /// The last percentage of an installation or a download.
  public internal(set) var percent: Int64?
  /// True while the effect of that kind is under way.
  public internal(set) var isDownloading = false
  var isTesting = false
  var hasDiscarded = false
  /// When this system began, and what is due at the earliest when.
  let startedAt: Int64
  var retryAt: Int64 = 0
  var testAt: Int64
  var failedTests = 0
  /// True after the self-test of the old system, whose results are in the record.
  var hasBaseline = false
  /// When the restart began to wait for an idle board.
  var waitsSince: Int64?
  /// Since when the gateway is there; nil while it is not.
  var onlineSince: Int64?
  var hasServerAnswered = false
  var wantsRollback = false
  /// True when a person or the server wants a running installation to end.
  var isCanceling = false
  /// Why the trial has to be left, once that is decided.
  var leaveReason = UpdateText()
  /// What is wrong with the last attempt at the gateway, for the reason.
  public var gatewayWords = UpdateText()
  var closedAt: Int64
  var pace: UpdatePace

  /// The course that a record tells of. `slots` is what root's side says now.
  public init(_ record: UpdateRecord, slots: SlotReport?, proof: UpdateProof, at now: Int64) {
    self.record = record
    self.slots = slots
    self.proof = proof
    startedAt = now
    closedAt = now
    pace = UpdatePace(settledAt: now)
    testAt = now + Budget.updateTestDelay
    resume(at: now)
  }

  mutating func become(_ state: UpdateState) {
    record.state = state
    percent = nil
    isChanged = true
  }

  /// The record is on its way to flash as it is.
  public mutating func kept() { isChanged = false }

  /// It did not get there.
  public mutating func lost() { isChanged = true }

  // MARK: After a start

  /// Finds out where the update is, from the record and the slots.
  private mutating func resume(at now: Int64) {
    guard let slots else { return }
    switch record.state {
    case .idle, .offered, .downloading, .downloaded, .installing, .closed:
      if slots.state == .trial { adopt(slots) }
    case .installed:
      // Root's side tells what is in the other slot: somebody may have put another release there.
      if slots.state == .trial { return adopt(slots) }
    case .trying, .trial, .confirming: resumeTrial(slots, at: now)
    case .control, .open:
      if slots.slot != record.fromSlot { resumeTrial(slots, at: now) }
    }
  }

  /// Somebody else began this trial: it has to be proved all the same.
  private mutating func adopt(_ slots: SlotReport) {
    record.clear()
    record.origin = .local
    record.release.version = slots.version
    record.fromSlot = slots.slot == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
    record.trials = Int64(Budget.updateTrials)
    become(.trial)
  }

  private mutating func resumeTrial(_ slots: SlotReport, at now: Int64) {
    if slots.slot != record.fromSlot {
      if slots.state == .good { return close(.success, sentence { $0.text("runs, and is confirmed") }, at: now) }
      if record.state != .trial { become(.trial) }
      return
    }
    switch slots.otherState {
    case .bad
    where record.hasPassed && !record.hasReached && proof == .gateway && !slots.lastReason.span.matches("starts"):
      become(.control)
    case .bad: close(.failure, left(slots), at: now)
    case .installed, .trial, .good:
      // The power was cut before the restart into the new system.
      guard record.trials < Budget.updateTrials else {
        return close(.failure, sentence { $0.text("the board did not start its new system") }, at: now)
      }
      become(.installed)
      hasBaseline = true
    case .empty:
      close(.failure, sentence { $0.text("the new system is not in the other slot any more") }, at: now)
    }
  }

  /// Why the trial was left, in words.
  private func left(_ slots: SlotReport) -> UpdateText {
    sentence { writer in
      let reason = slots.lastReason
      if reason.span.matches("starts") {
        writer.text("the new system was left: it started three times and was not confirmed")
      } else if reason.span.matches("time") {
        writer.text("the new system was left: it was not confirmed in time")
        if !record.hasPassed { writer.text(", and its self-test had not passed") }
      } else {
        writer.text("the new system was left: ")
        let skipped = reason.span.hasPrefix("asked ") ? 6 : 0
        writer.bytes(reason.span.extracting(min(skipped, reason.count)..<reason.count))
      }
    }
  }

  // MARK: News

  /// Root's side rewrote its report.
  public mutating func slotsChanged(_ report: SlotReport?) { slots = report }

  /// The gateway said `hello-ok`.
  public mutating func gatewayOpened(at now: Int64) {
    onlineSince = now
    gatewayReached()
  }

  /// The connection to the gateway is lost.
  public mutating func gatewayLost() { onlineSince = nil }

  /// There is a connection to the gateway, whatever it says on it: a name, TCP and TLS worked.
  public mutating func gatewayReached() {
    guard record.state == .trial, !record.hasReached else { return }
    record.hasReached = true
    isChanged = true
  }

  /// The update server answered.
  public mutating func serverAnswered() { hasServerAnswered = true }

  /// The last lines of the log, each with a line feed; they matter in a trial.
  public mutating func keep(lines: Span<UInt8>) {
    guard record.state == .trial, !record.lines.equals(lines) else { return }
    record.lines.set(lines)
    isChanged = true
  }

  /// The self-test has ended. `passed`: a bit for each good check; `failed`: the words of one that is not good.
  public mutating func tested(passed: Int64, failed: Span<UInt8>, at now: Int64) {
    isTesting = false
    if record.state == .installed {
      record.baseline = passed
      hasBaseline = true
      isChanged = true
      return
    }
    guard record.state == .trial else { return }
    // What was broken before is no fault of the new system.
    if passed & record.baseline == record.baseline {
      if !record.hasPassed { isChanged = true }
      record.hasPassed = true
      return
    }
    failedTests += 1
    testAt = now + Budget.updateTestSpacing
    guard failedTests >= Budget.updateTests else { return }
    leaveReason = failed.withUnsafeBufferPointer { failed in
      sentence { writer in
        writer.text("the self-test failed: ")
        writer.bytes(Span(_unsafeElements: failed))
      }
    }
  }

  // MARK: The end

  mutating func close(_ outcome: UpdateOutcome, _ reason: UpdateText, at now: Int64) {
    record.outcome = outcome
    record.reason = reason
    // What a person wanted has no action: the server's last one is kept, which it may offer again.
    if !record.action.isEmpty { (record.closedAction, record.closedOutcome) = (record.action, outcome) }
    if outcome == .failure, record.trials > 0 { record.refusedVersion = record.release.version }
    (order, isDownloading, isTesting, isCanceling, hasDiscarded) = (nil, false, false, false, false)
    closedAt = now
    become(.closed)
  }

  /// The server knows how it ended, or there is nobody who wants to know.
  public mutating func told() {
    guard record.state == .closed else { return }
    record.clear()
    become(.idle)
  }
}
