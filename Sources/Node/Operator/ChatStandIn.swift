import Codec
import Gateway
import Runtime

/// A run that a stand-in answers: a slot of the desk, and how often that was used before.
public struct StandInRun: Equatable, Sendable {
  public var slot: Int
  public var serial: Int

  /// A run; see the properties.
  public init(slot: Int, serial: Int) {
    self.slot = slot
    self.serial = serial
  }
}

/// Answers people in the gateway's place while that is away: the board's own agent. What it says goes to the desk
/// (`standInSaid` and the functions after it), and from there to whoever has spoken, as a gateway's reply does.
public protocol ChatStandIn: AnyObject {
  /// True when it would answer a message now: it works, and the gateway is away, or is not to be asked.
  var answersNow: Bool { get }
  /// True when it answers although the gateway is there.
  var answersAlways: Bool { get }
  /// Begins to answer a message, which is valid until this returns. Why it cannot; nil: it does, and ends the run
  /// later.
  func begin(_ message: UnsafeBufferPointer<UInt8>, for run: StandInRun) -> DeskFailure?
  /// The person does not want this run any more, or nobody follows it. The desk has ended it.
  func cancel(_ run: StandInRun)
}

/// Who has got the last messages: one that was given to the gateway is never given to the stand-in, nor the other way
/// round, so that nobody gets two answers.
struct MessageOwners {
  enum Owner { case gateway, standIn }

  private var ids = InlineArray<8, InlineText<64>>(repeating: InlineText())
  private var owners = InlineArray<8, Owner>(repeating: .gateway)
  private var next = 0

  /// Notes who has a message. The oldest one is forgotten.
  mutating func note(_ id: InlineText<64>, _ owner: Owner) {
    guard self.owner(of: id) != owner else { return }
    ids[next] = id
    owners[next] = owner
    next = (next + 1) % ids.count
  }

  /// Who has a message; nil: nobody that is known.
  func owner(of id: InlineText<64>) -> Owner? {
    for index in 0..<ids.count where ids[index] == id && !id.isEmpty { return owners[index] }
    return nil
  }
}

extension OperatorDesk {
  /// True when the stand-in would get a person's next message.
  public var standsIn: Bool {
    guard let standIn, standIn.answersNow else { return false }
    return session.state != .online || standIn.answersAlways
  }

  /// True when somebody would answer a person now: the gateway, or the stand-in.
  public var canTalk: Bool { session.state == .online || standsIn }

  /// What `canTalk` says may have changed.
  public func standInChanged() { feed?.delegate?.feedChanged() }

  // MARK: From people to the stand-in

  /// Gives `message`, a JSON string, to the stand-in, also while the gateway is there.
  func chatWithStandIn(
    _ message: borrowing JSONView, in key: SessionKey, _ delegate: any DeskDelegate, _ tag: Int
  ) {
    guard standIn != nil else {
      return delegate.deskFailed(
        tag, DeskFailure("NO_AGENT", "this board has no agent of its own: set enabled = yes in [agent]"))
    }
    guard let length = copy(message) else { return delegate.deskFailed(tag, Self.wrongLength) }
    sayToStandIn(length, UUIDText.make(random), in: key, delegate, tag)
  }

  /// Gives the first `length` bytes of `text` to the stand-in.
  func sayToStandIn(
    _ length: Int, _ id: InlineText<64>, in key: SessionKey, _ delegate: any DeskDelegate, _ tag: Int
  ) {
    var run = ChatRun()
    (run.id, run.session, run.delegate, run.tag) = (id, key, delegate, tag)
    (run.isLocal, run.deadline) = (true, now + Self.runTimeout)
    guard let index = runs.add(run) else { return delegate.deskFailed(tag, Self.tooManyRuns) }
    let message = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<length])
    let failure = standIn?.begin(message, for: StandInRun(slot: index, serial: runs[index].serial))
    guard let failure else { return owners.note(id, .standIn) }
    runs.remove(index)
    delegate.deskFailed(tag, failure)
  }

  static var tooManyRuns: DeskFailure {
    DeskFailure("BUSY", "too many replies are awaited; try again when one has ended")
  }

  /// Tells that a run has begun. Not from inside `say`, whose callers are still about to wait for it.
  private func confirm(_ index: Int) {
    guard !runs[index].isConfirmed else { return }
    runs.confirm(index, until: now + Self.runTimeout)
    let run = runs[index]
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { room in
      var writer = JSONWriter(into: room)
      writer.beginObject()
      writer.key("runId")
      writer.string(run.id.span)
      writer.key("status")
      writer.string("started")
      writer.endObject()
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)])
      run.delegate?.deskAnswered(run.tag, JSONView(Span(_unsafeElements: text)))
    }
  }

  /// True when a run waits to be told of.
  var hasUnconfirmedRuns: Bool {
    for index in 0..<runs.capacity where runs.isActive(index) && runs[index].isLocal && !runs[index].isConfirmed {
      return true
    }
    return false
  }

  func confirmRuns() {
    for index in 0..<runs.capacity where runs.isActive(index) && runs[index].isLocal { confirm(index) }
  }

  /// Ends a run of the stand-in, because a person wants that.
  func cancelLocal(_ index: Int) {
    let run = StandInRun(slot: index, serial: runs[index].serial)
    standIn?.cancel(run)
    // It may have ended the run itself.
    if let index = self.index(of: run) { endLocal(index, isAborted: true) }
  }

  /// Cancels the stand-in's runs in a conversation, or the one of this name. False without one.
  func cancelLocal(in key: SessionKey, _ id: InlineText<64>) -> Bool {
    var isFound = false
    for index in 0..<runs.capacity where runs.isActive(index) && runs[index].isLocal {
      guard id.isEmpty ? runs[index].session == key : runs[index].id == id else { continue }
      isFound = true
      cancelLocal(index)
    }
    return isFound
  }

  // MARK: From the stand-in

  /// The slot of a run of the stand-in; nil once it has ended.
  private func index(of run: StandInRun) -> Int? {
    guard run.slot >= 0, run.slot < runs.capacity, runs.isActive(run.slot), runs[run.slot].isLocal,
      runs[run.slot].serial == run.serial
    else { return nil }
    return run.slot
  }

  /// Prepares a run for its next sign; nil once it has ended.
  private func take(_ run: StandInRun) -> Int? {
    guard let index = index(of: run) else { return nil }
    confirm(index)
    guard let index = self.index(of: run) else { return nil }
    runs.confirm(index, until: now + Self.runTimeout)
    return index
  }

  /// The stand-in says something more: UTF-8, valid until this returns.
  public func standInSaid(_ run: StandInRun, _ text: UnsafeBufferPointer<UInt8>) {
    guard !text.isEmpty, let index = take(run) else { return }
    let run = runs[index]
    run.delegate?.chatTextReceived(run.tag, Span(_unsafeElements: text), isReplacement: false)
  }

  /// Its answer lacks a part from here on.
  public func standInWasCut(_ run: StandInRun) {
    guard let index = take(run) else { return }
    let run = runs[index]
    run.delegate?.chatCut(run.tag)
  }

  /// It has begun or ended a call of a tool.
  public func standInStepped(_ run: StandInRun, _ step: ChatStep) {
    if let index = take(run) { localStep(index, step) }
  }

  /// Its answer is complete, or was stopped.
  public func standInEnded(_ run: StandInRun, isAborted: Bool) {
    if let index = take(run) { endLocal(index, isAborted: isAborted) }
  }

  /// It has no answer, for this reason.
  public func standInFailed(_ run: StandInRun, _ failure: DeskFailure) {
    if let index = index(of: run) { failLocal(index, failure) }
  }

  private func endLocal(_ index: Int, isAborted: Bool) {
    endSteps(of: index)
    guard runs.isActive(index) else { return }
    let run = runs[index]
    runs.remove(index)
    run.delegate?.chatEnded(run.tag, isAborted: isAborted)
  }

  private func failLocal(_ index: Int, _ failure: DeskFailure) {
    endSteps(of: index)
    guard runs.isActive(index) else { return }
    let run = runs[index]
    runs.remove(index)
    run.delegate?.deskFailed(run.tag, failure)
  }

  /// A run of the stand-in that has given no sign for too long.
  func expireLocal(_ index: Int) {
    let run = StandInRun(slot: index, serial: runs[index].serial)
    standIn?.cancel(run)
    guard let index = self.index(of: run) else { return }
    failLocal(index, DeskFailure("RUN_FAILED", "the board's own agent has said nothing for 10 minutes"))
  }
}
