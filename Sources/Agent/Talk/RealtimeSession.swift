import Codec
import Runtime
import Talk

/// How a realtime session ended by itself.
enum CallEnd {
  /// The gateway has none for us; says so in its own words.
  case refused(DeskFailure)
  case broken(DeskFailure)
  /// The gateway ended one in its time; nobody said anything for long.
  case over, idle
}

/// Told how a realtime session goes.
protocol RealtimeOwner: AnyObject {
  func callOpened()
  /// Not after `close`.
  func callEnded(_ end: CallEnd)
  /// A person or the agent said this, which may become more; gone when this returns.
  func callSaid(_ text: Span<UInt8>, isAgent: Bool, isWhole: Bool)
}

/// A conversation with the gateway over its relay (node-commands 7.5): what the microphone hears goes there as it comes, what the
/// gateway says comes back as it is made. What waits is bounded on both ways. While the board speaks nothing is sent, for there is no
/// way to tell its own voice from a person's, until a person interrupts it. Events and sound that come are in
/// `RealtimeSession+Events`.
final class RealtimeSession: RelaySessionOwner, CallVoiceOwner {
  private static let perMillisecond = Budget.talkRate / 1000

  unowned(unsafe) let desk: OperatorDesk
  unowned(unsafe) let owner: any RealtimeOwner
  let log: Log
  private let hearsInterruptions: Bool
  private let idle: Int64
  private(set) var voice: CallVoice! = nil
  private(set) var relay: RelaySession! = nil
  let consultation: Consultation
  private var openedAt: Int64 = 0
  /// When either side was heard last.
  private var heardAt: Int64 = 0
  private let queue = SampleQueue(capacity: Budget.callQueueMilliseconds * RealtimeSession.perMillisecond)
  private let piece = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.appendSamples)
  /// Samples of the beginning that are not listened to: the board's own tone.
  private var deaf = 0
  private var gate = InterruptGate()
  /// What was dropped before this session; it stands in the log once for each.
  private var droppedBefore: UInt64 = 0
  private var hasSaidSlow = false
  /// The turn whose sound comes; the one that was interrupted, and whether the gateway has not answered yet.
  var turn = InlineText<64>()
  var cancelledTurn = InlineText<64>()
  var isCancelling = false
  let words = FixedBuffer(capacity: Budget.callWordsBytes)
  /// Interruptions since the start.
  private(set) var interruptions: UInt64 = 0

  /// No session. `idle`: milliseconds of silence that end one.
  init(
    _ desk: OperatorDesk, _ speaker: any TalkSpeaker, hearsInterruptions: Bool, idle: Int64, owner: any RealtimeOwner, log: Log
  ) throws(Errno) {
    self.desk = desk
    self.owner = owner
    self.hearsInterruptions = hearsInterruptions
    self.idle = idle
    self.log = log
    consultation = Consultation(desk, log: log)
    piece.initialize(repeating: 0)
    Self.prepare()
    voice = try CallVoice(speaker, owner: self)
    let wish = RelaySession.Wish(
      mode: "realtime", brain: "agent-consult", form: SoundForm(.pcm16, rate: 24_000), patience: Budget.callPatience, roomPause: 100)
    relay = RelaySession(desk, wish, owner: self)
  }

  deinit { piece.deallocate() }

  /// Samples of what people said that were too old to be sent, since the start.
  var dropped: UInt64 { queue.dropped }

  var state: RelaySession.State { relay.state }
  /// Pieces that were sent since the start.
  var pieces: UInt64 { relay.pieces }

  var nextDeadline: Int64? {
    guard state == .open else { return relay.nextDeadline }
    return min(relay.nextDeadline ?? .max, consultation.nextDeadline ?? .max, isSilent ? silentSince + idle : .max)
  }

  func advance(to now: Int64) {
    relay.advance(to: now)
    consultation.advance(to: now)
    if state == .open, isSilent, now >= silentSince + idle { end(.idle) }
  }

  /// Nothing is said, and nobody waits for the agent.
  private var isSilent: Bool { !voice.isSpeaking && !consultation.isPending }
  private var silentSince: Int64 { max(heardAt, consultation.endedAt) }

  // MARK: Its life

  /// Asks for a session; what is heard from now on goes there. `deaf`: milliseconds from its opening that do not.
  func open(deaf: Int64) {
    leave()
    self.deaf = Int(deaf) * Self.perMillisecond
    (isCancelling, hasSaidSlow) = (false, false)
    droppedBefore = queue.dropped
    turn.clear()
    cancelledTurn.clear()
    relay.open()
    relay.asksUntil = desk.now + Budget.callPatience
  }

  /// Nobody wants to talk any more.
  func close() { leave() }

  private func leave(isGone: Bool = false) {
    relay.leave(isGone: isGone)
    consultation.drop()
    queue.clear()
    voice.stop()
  }

  /// It ended by itself; `isGone`: at the gateway, too.
  func end(_ end: CallEnd, isGone: Bool = false) {
    guard state != .none else { return }
    var end = end
    if case .over = end, desk.now - openedAt < Budget.callShortest {
      end = .broken(DeskFailure("LOST", "the gateway ended the conversation as soon as it had begun"))
    }
    leave(isGone: isGone)
    owner.callEnded(end)
  }

  /// The connection is gone, and the session with it.
  func lost() { end(.broken(DeskFailure("LOST", "the connection was lost")), isGone: true) }

  /// Something was heard of one side.
  func noteSign() { heardAt = desk.now }

  // MARK: Sound that goes

  /// Takes what the microphone hears.
  func hear(_ block: UnsafeBufferPointer<Int16>) {
    guard state != .none else { return }
    if state == .open, deaf > 0 { return deaf -= block.count }
    if voice.isSpeaking {
      guard hearsInterruptions else { return }
      queue.push(block)
      queue.keep(Budget.callPrerollMilliseconds * Self.perMillisecond)
      if gate.push(block) { hush("barge-in") }
      return
    }
    queue.push(block)
    pump()
  }

  private func pump() {
    while relay.hasRoom, queue.count >= Budget.callPieceSamples {
      let count = queue.pop(into: piece)
      relay.send(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece)[..<count]))
    }
    guard queue.dropped > droppedBefore, !hasSaidSlow else { return }
    hasSaidSlow = true
    log.write(.warning, "talk", "the connection is too slow for what is said: the oldest of it is left out")
  }

  /// Ends what is said, for this reason; false where nothing is.
  @discardableResult
  func hush(_ reason: StaticString) -> Bool {
    guard state == .open, voice.isSpeaking else { return false }
    voice.stop()
    interruptions += 1
    (gate, isCancelling) = (InterruptGate(), true)
    cancelledTurn = turn
    noteSign()
    relay.cancelOutput(turn, reason)
    pump()
    return true
  }

  func callVoiceEnded(_ isWhole: Bool) {
    guard state == .open else { return }
    guard isWhole else { return end(.broken(DeskFailure("UNAVAILABLE", "the speaker does not play"))) }
    // What was heard meanwhile was the board itself.
    queue.clear()
    gate = InterruptGate()
    noteSign()
  }

  // MARK: Answers

  func relayOpened(_ payload: borrowing JSONView) {
    (openedAt, gate) = (desk.now, InterruptGate())
    noteSign()
    do throws(SoundFormError) {
      try voice.begin(payload)
    } catch {
      return end(.refused(DeskFailure(error)))
    }
    owner.callOpened()
    pump()
  }

  func relayRefused(_ failure: DeskFailure) { end(failure.isBusy || failure.isOfConnection ? .broken(failure) : .refused(failure)) }
  func relayHasRoom() { pump() }
  // A gateway that takes no more sound has no more to say, either.
  func relayBroke(_ failure: DeskFailure) { end(.broken(failure)) }
  func relayWasClosed() {}
  func relayCancelled() { isCancelling = false }
}

extension DeskFailure {
  /// Why sound cannot be played.
  init(_ error: SoundFormError) {
    self.init("UNSUPPORTED") { line in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeSentence(to: &writer)
        line.add(UnsafeBufferPointer(rebasing: buffer[..<min(writer.count, buffer.count)]))
      }
    }
  }

  /// Nothing is known of what the gateway would say.
  var isOfConnection: Bool {
    code.equals(Self.noOperator.utf8Bytes) || code.equals(("LOST" as StaticString).utf8Bytes)
      || code.equals(("TIMEOUT" as StaticString).utf8Bytes)
  }
}
