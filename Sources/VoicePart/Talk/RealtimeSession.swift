import Codec
import Node
import Runtime
import Talk

/// Why a realtime session ended by itself.
enum CallEnd {
  /// The gateway has no realtime sessions; the text is the gateway's.
  case refused(DeskFailure)
  case broken(DeskFailure)
  /// The gateway ended it in time; nobody spoke for long.
  case over, idle
}

/// Gets the events of a realtime session.
protocol RealtimeDelegate: AnyObject {
  func callOpened()
  /// Not called after `close`.
  func callEnded(_ end: CallEnd)
  /// A transcript of the person's or the agent's speech, which may be incomplete; valid until this returns.
  func callTranscriptReceived(_ text: Span<UInt8>, isAgent: Bool, isWhole: Bool)
}

/// A conversation over the gateway's relay (node-commands 7.5): the microphone's sound is sent as it is recorded, and
/// the gateway's sound is played as it arrives. The queues of both directions are limited. While the board speaks no
/// sound is sent, because it cannot be told from a person's voice, until a person interrupts. Received events and sound
/// are in `RealtimeSession+Events`.
final class RealtimeSession: RelaySessionDelegate, CallVoiceDelegate {
  private static let perMillisecond = Budget.talkRate / 1000

  unowned(unsafe) let desk: OperatorDesk
  unowned(unsafe) let delegate: any RealtimeDelegate
  let log: Log
  private let hearsInterruptions: Bool
  private let idle: Int64
  private(set) var voice: CallVoice! = nil
  private(set) var relay: RelaySession! = nil
  let consultation: Consultation
  private var openedAt: Int64 = 0
  /// When speech of either side was last heard.
  private var heardAt: Int64 = 0
  private let queue = SampleQueue(capacity: Budget.callQueueMilliseconds * RealtimeSession.perMillisecond)
  private let piece = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.appendSamples)
  /// Samples at the beginning that are ignored: the board's own tone.
  private var deaf = 0
  private var gate = InterruptGate()
  /// Samples dropped before this session; each session logs once that it drops some.
  private var droppedBefore: UInt64 = 0
  private var hasLoggedSlow = false
  /// The turn whose sound arrives; the interrupted one, and whether the gateway has still to confirm the interruption.
  var turn = InlineText<64>()
  var cancelledTurn = InlineText<64>()
  var isCancelling = false
  let words = FixedBuffer(capacity: Budget.callWordsBytes)
  /// Interruptions since start.
  private(set) var interruptions: UInt64 = 0

  /// An inactive object. `idle`: milliseconds of silence that end a session.
  init(
    _ desk: OperatorDesk, _ speaker: any TalkSpeaker, hearsInterruptions: Bool, idle: Int64,
    delegate: any RealtimeDelegate,
    log: Log
  ) throws(Errno) {
    self.desk = desk
    self.delegate = delegate
    self.hearsInterruptions = hearsInterruptions
    self.idle = idle
    self.log = log
    consultation = Consultation(desk, log: log)
    piece.initialize(repeating: 0)
    Self.prepare()
    voice = try CallVoice(speaker, delegate: self)
    let options = RelaySession.Options(
      mode: "realtime", brain: "agent-consult", form: SoundForm(.pcm16, rate: 24_000), timeout: Budget.callTimeout,
      roomPause: 100)
    relay = RelaySession(desk, options, delegate: self)
  }

  deinit { piece.deallocate() }

  /// Samples of people's speech that were too old to be sent, since start.
  var dropped: UInt64 { queue.dropped }

  var state: RelaySession.State { relay.state }
  /// Pieces sent since start.
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

  /// True when nothing is played, and no question to the agent waits.
  /// True while the agent's voice is heard.
  var isSpeaking: Bool { voice.isSpeaking }

  private var isSilent: Bool { !voice.isSpeaking && !consultation.isPending }
  private var silentSince: Int64 { max(heardAt, consultation.endedAt) }

  // MARK: Life

  /// Requests a session; sound is queued from now on, except the first `deaf` milliseconds after it is open.
  func open(deaf: Int64) {
    leave()
    self.deaf = Int(deaf) * Self.perMillisecond
    (isCancelling, hasLoggedSlow) = (false, false)
    droppedBefore = queue.dropped
    turn.clear()
    cancelledTurn.clear()
    relay.open()
    relay.asksUntil = desk.now + Budget.callTimeout
  }

  /// A person ended the conversation.
  func close() { leave() }

  private func leave(isGone: Bool = false) {
    relay.leave(isGone: isGone)
    consultation.drop()
    queue.clear()
    voice.stop()
  }

  /// It ended by itself; `isGone`: also at the gateway.
  func end(_ end: CallEnd, isGone: Bool = false) {
    guard state != .none else { return }
    var end = end
    if case .over = end, desk.now - openedAt < Budget.callShortest {
      end = .broken(DeskFailure("LOST", "the gateway ended the conversation as soon as it had begun"))
    }
    leave(isGone: isGone)
    delegate.callEnded(end)
  }

  /// The connection is lost, and the session with it.
  func lost() { end(.broken(DeskFailure("LOST", "the connection was lost")), isGone: true) }

  /// Speech of one side was heard.
  func noteSign() { heardAt = desk.now }

  // MARK: Sound to the gateway

  /// Takes the microphone's sound.
  func hear(_ block: UnsafeBufferPointer<Int16>) {
    guard state != .none else { return }
    if state == .open, deaf > 0 { return deaf -= block.count }
    if voice.isSpeaking {
      guard hearsInterruptions else { return }
      queue.push(block)
      queue.keep(Budget.callPrerollMilliseconds * Self.perMillisecond)
      if gate.push(block) { interrupt("barge-in") }
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
    guard queue.dropped > droppedBefore, !hasLoggedSlow else { return }
    hasLoggedSlow = true
    log.write(.warning, "talk", "the connection is too slow for the microphone's sound: the oldest was dropped")
  }

  /// Stops playing, for this reason; false when nothing is played.
  @discardableResult
  func interrupt(_ reason: StaticString) -> Bool {
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
    // Speech detected meanwhile was the board itself.
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
    delegate.callOpened()
    pump()
  }

  func relayRefused(_ failure: DeskFailure) {
    end(failure.isBusy || failure.isOfConnection ? .broken(failure) : .refused(failure))
  }
  func relayHasRoom() { pump() }
  // A gateway that refuses sound has nothing more to say, either.
  func relayFailed(_ failure: DeskFailure) { end(.broken(failure)) }
  func relayWasClosed() {}
  func relayCancelled() { isCancelling = false }
}

extension DeskFailure {
  /// The reason why sound cannot be played.
  init(_ error: SoundFormError) {
    self.init("UNSUPPORTED") { line in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeSentence(to: &writer)
        line.add(UnsafeBufferPointer(rebasing: buffer[..<min(writer.count, buffer.count)]))
      }
    }
  }

  /// Makes the next session try again.
  var isOfConnection: Bool {
    code.equals(Self.noOperator.utf8Bytes) || code.equals(("LOST" as StaticString).utf8Bytes)
      || code.equals(("TIMEOUT" as StaticString).utf8Bytes)
  }
}
