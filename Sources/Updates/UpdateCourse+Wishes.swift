import Codec
import Runtime

/// Why a person's or a server's wish cannot be carried out now.
public enum UpdateRefusal: Error, Equatable, Sendable {
  /// The board has one system only.
  case noSlots
  /// An installation, a trial or a restart is under way.
  case busy
  /// A system is being tried, or the board restarts into it.
  case inTrial
  /// There is no update to cancel, or no trial to confirm.
  case nothing
  /// There is no update to begin.
  case notOffered
  /// The new system runs or is about to: only `rollback` leads back.
  case tooLate
  /// No other slot holds a system that was confirmed.
  case noOther

  public var text: StaticString {
    switch self {
    case .noSlots: "this board has one system only, which its package manager updates: apt upgrade"
    case .busy: "an update is under way; talon update status shows it"
    case .inTrial: "a new release is being tried; talon update status shows it"
    case .nothing: "there is no update under way"
    case .notOffered: "no release is offered to this board"
    case .tooLate: "the board runs the new system already, or restarts into it; talon update rollback leads back"
    case .noOther: "the other slot holds no system that was confirmed once, so there is nothing to go back to"
    }
  }
}

extension UpdateRefusal {
  /// True when the same wish may be carried out later.
  public var isTemporary: Bool { self == .busy || self == .inTrial }
}

/// What a server offers, and what people ask for.
extension UpdateCourse {
  /// True while the new system is in play, so that nothing else may begin.
  private var isCommitted: Bool {
    switch record.state {
    case .installing, .trying, .trial, .confirming: true
    default: false
    }
  }

  /// Why nothing else may begin; nil when it may.
  private func obstacle(at now: Int64) -> UpdateRefusal? {
    switch record.state {
    case .trying, .trial, .confirming: .inTrial
    case .installing: .busy
    // Who wants to know how it ended may be gone for good. If not, it offers the action again, and is told then.
    case .closed: now - closedAt < Budget.updateTellPatience ? .busy : nil
    default: order == nil ? nil : .busy
    }
  }

  /// The server's action, at each poll.
  public mutating func offered(_ action: DDIDeployment, at now: Int64) {
    if record.state != .idle, record.origin == .server, record.action == action.id {
      return update(action)
    }
    // An action of a server has priority over a list and over what waits of a person, but not over a running trial.
    if isCommitted || record.state == .closed { return }
    if record.closedAction == action.id, record.closedOutcome != .none,
      record.closedOutcome == .success || now - closedAt < Budget.updateAttemptSpacing
    {
      // Not in the middle of what a person began meanwhile.
      guard record.state == .idle || record.origin == .server else { return }
      return repeatEnd(action)
    }
    record.clear()
    record.origin = .server
    record.action = action.id
    record.release = action.release
    set(action)
    (record.outcome, record.reason) = (.none, UpdateText())
    (retryAt, hasBaseline, waitsSince, isDownloading) = (now, false, nil, false)
    become(.offered)
  }

  /// The server offers again what is over: it did not hear of the end.
  private mutating func repeatEnd(_ action: DDIDeployment) {
    let (outcome, reason, trials) = (record.closedOutcome, record.reason, record.trials)
    record.clear()
    record.origin = .server
    record.action = action.id
    record.release = action.release
    (record.outcome, record.reason, record.trials) = (outcome, reason, trials)
    hasDiscarded = true
    become(.closed)
  }

  private mutating func update(_ action: DDIDeployment) {
    let before = (record.isForced, record.mayDownload, record.mayInstall)
    set(action)
    // Addresses may hold a signature that expires.
    if record.state == .offered || record.state == .downloading, record.release.url != action.release.url {
      record.release.url = action.release.url
      isChanged = true
    }
    if before != (record.isForced, record.mayDownload, record.mayInstall) { isChanged = true }
  }

  private mutating func set(_ action: DDIDeployment) {
    // What a person hurried stays so, whatever the server says at its next poll.
    record.isForced = action.update == .forced || record.isHurried
    record.mayDownload = action.download != .skip || record.isHurried
    record.mayInstall = action.update != .skip || record.isHurried
  }

  /// The server has no action for this board any more.
  public mutating func withdrawn() {
    guard record.origin == .server, !isCommitted, record.state != .idle, record.state != .closed else { return }
    drop()
  }

  /// Nobody of this origin is asked any more, because the configuration has changed: what waits for it is forgotten,
  /// and what is under way goes on as if a person had begun it.
  public mutating func abandon(_ origin: UpdateOrigin) {
    guard record.origin == origin, record.state != .idle else { return }
    switch record.state {
    case .offered, .downloading, .downloaded, .installed: drop()
    default:
      record.origin = .local
      isChanged = true
    }
  }

  private mutating func drop() {
    isDownloading = false
    record.clear()
    become(.idle)
  }

  /// The newest release of a list.
  public mutating func listed(_ list: ReleaseList, at now: Int64) {
    if list.number > record.listNumber {
      record.listNumber = list.number
      isChanged = true
    }
    guard let release = list.newest, record.state == .idle || record.origin == .list && !isCommitted else { return }
    if record.state == .closed || record.refusedVersion == release.version { return }
    if record.state != .idle, record.release.version == release.version { return }
    begin(.list, release, at: now)
    record.action = release.version
  }

  private mutating func begin(_ origin: UpdateOrigin, _ release: Release, at now: Int64) {
    record.clear()
    record.origin = origin
    record.release = release
    (record.outcome, record.reason) = (.none, UpdateText())
    (retryAt, hasBaseline, waitsSince, isDownloading) = (now, false, nil, false)
    become(.offered)
  }

  /// A person wants this bundle: a file's path or an address. It is forced, for somebody waits for it.
  public mutating func wanted(_ place: Span<UInt8>, at now: Int64) throws(UpdateRefusal) {
    if slots == nil { throw .noSlots }
    if let obstacle = obstacle(at: now) { throw obstacle }
    var release = Release()
    release.url.set(place)
    begin(.local, release, at: now)
    record.isForced = true
  }

  /// What is pending shall not wait for its window, nor for what the server allows later.
  public mutating func hurry(at now: Int64) throws(UpdateRefusal) {
    if slots == nil { throw .noSlots }
    if let obstacle = obstacle(at: now) { throw obstacle }
    switch record.state {
    case .offered, .downloading, .downloaded, .installed:
      (record.isHurried, record.isForced, record.mayDownload, record.mayInstall) = (true, true, true, true)
      if !isDownloading { retryAt = now }
      isChanged = true
    case .control, .open: throw .busy
    default: throw .notOffered
    }
  }

  /// Ends the update; false when it ends later, after root's side has stopped.
  public mutating func cancel(at now: Int64) throws(UpdateRefusal) -> Bool {
    switch record.state {
    case .idle, .closed: throw .nothing
    case .trying, .trial, .confirming: throw .tooLate
    case .installing:
      isCanceling = true
      order = nil
      return false
    case .offered, .downloading, .downloaded, .installed, .control, .open:
      close(.canceled, sentence { $0.text("canceled") }, at: now)
      return true
    }
  }

  /// A person takes the new system as it is.
  public mutating func confirm() throws(UpdateRefusal) {
    guard record.state == .trial else { throw slots == nil ? .noSlots : .nothing }
    retryAt = 0
    become(.confirming)
  }

  /// Back to the other slot's system: from a trial by leaving it.
  public mutating func rollback(at now: Int64) throws(UpdateRefusal) {
    guard let slots else { throw .noSlots }
    if record.state == .trial {
      leaveReason = sentence { $0.text("a person at the board asked for it") }
      return
    }
    if isCommitted || order != nil { throw .busy }
    guard slots.otherState == .good else { throw .noOther }
    // No list leads here again by itself.
    record.refusedVersion = slots.version
    if record.state != .idle, record.state != .closed { drop() }
    record.request = record.request &+ 1
    (order, orderedAt, isChanged, wantsRollback) = (.rollback, now, true, true)
  }

  /// True once after `rollback` made a request, which is to be handed over.
  public mutating func takeRollback() -> Bool {
    defer { wantsRollback = false }
    return wantsRollback
  }

  // MARK: Requests

  /// The request that `order` stands for.
  public func request(bundlePath: Span<UInt8>) -> RootRequest? {
    guard let order else { return nil }
    var request = RootRequest(record.request, order)
    switch order {
    case .install: request.bundle = InlineText(cutting: bundlePath)
    case .leave:
      let reason = leaveReason
      request.reason = InlineText(cutting: reason.span)
    default: break
    }
    return request
  }

  // MARK: Reports

  /// What the server is to hear of its action now; nil when there is none.
  public var report: DDIFeedback? {
    guard record.origin == .server else { return nil }
    switch record.state {
    case .idle: return nil
    case .offered where pace.isWaiting:
      return told(.scheduled, "waits: updates have written as much to this board's flash as a day allows")
    case .offered where record.attempts > 0: return told(.proceeding, "is tried again in an hour: ", reason: true)
    case .offered: return told(.scheduled, "waits to be downloaded")
    case .downloading: return told(.proceeding, "is being downloaded", percent: percent)
    case .downloaded where !record.mayInstall: return told(.downloaded, "is downloaded, and waits to be installed")
    case .downloaded: return told(.proceeding, "is downloaded")
    case .installing: return told(.proceeding, "is being installed", percent: percent)
    case .installed where record.trials > 0: return told(.proceeding, "is tried again: the gateway is back")
    case .installed: return told(.proceeding, "is installed, and waits for the restart")
    case .trying: return told(.proceeding, "the board restarts into the new system")
    case .trial, .confirming: return told(.proceeding, "the new system runs, and proves itself")
    case .control: return told(.proceeding, "the new system reached no gateway; the old one tries whether it can")
    case .open: return told(.proceeding, "the gateway is away for this board's old system too; the trial is repeated")
    case .closed: return closing
    }
  }

  private var closing: DDIFeedback {
    switch record.outcome {
    case .success: told(.closed, "the new system ", finished: .success, reason: true)
    case .canceled: told(.closed, "was canceled at the board", finished: .failure)
    default: told(.closed, "", finished: .failure, reason: true)
    }
  }

  private func told(
    _ execution: DDIFeedback.Execution, _ words: StaticString, finished: DDIFeedback.Finished = .none,
    percent: Int64? = nil, reason: Bool = false
  ) -> DDIFeedback {
    var feedback = DDIFeedback(execution, finished, percent: percent)
    let why = record.reason
    feedback.sentence = sentence { writer in
      writer.text(words)
      if reason { writer.bytes(why.span) }
    }
    return feedback
  }

  /// Counts up with each step of which a server is told: a report of the same number has been made.
  public var reportNumber: Int64 {
    var number = Int64(record.state.rawValue) * 1000 + record.trials * 100_000
    if let percent { number += 1 + percent / 10 }
    if record.state == .downloaded, !record.mayInstall { number += 500 }
    if record.state == .offered { number += record.attempts * 10 + (pace.isWaiting ? 5 : 0) }
    return number
  }

  /// How many of these bytes of the bundle have come.
  public mutating func progressed(to bytes: Int64) {
    // At most one piece of a worker, for what was there before this agent is not written now. A server that begins
    // again has all of it written again.
    wrote(min(bytes >= pace.counted ? bytes - pace.counted : bytes, Int64(Budget.updatePieceBytes)))
    pace.counted = bytes
    guard record.state == .downloading, record.release.size > 0 else { return }
    percent = min(bytes / max(record.release.size / 100, 1), 100)
  }

  /// The action that is over, so that a request to cancel it is answered truthfully.
  public func isCurrent(_ action: Span<UInt8>) -> Bool {
    guard record.state != .idle, record.origin == .server else { return false }
    return record.action.equals(action)
  }
}
