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
final class RealtimeSession: DeskListener, CallVoiceOwner {
  enum State: Equatable { case none, creating, open }

  /// What a question was; its tag says also for which session.
  private static let create = 0, append = 1, cancel = 2, close = 3, kinds = 4
  /// Milliseconds before a piece is sent again that the connection had no room for.
  private static let roomPause: Int64 = 100
  private static let perMillisecond = Budget.talkRate / 1000

  unowned(unsafe) let desk: OperatorDesk
  unowned(unsafe) let owner: any RealtimeOwner
  let log: Log
  private let hearsInterruptions: Bool
  private let idle: Int64
  private(set) var voice: CallVoice! = nil
  private(set) var state = State.none
  /// Counts sessions.
  private var serial = 0
  var session = InlineText<128>()
  private var openedAt: Int64 = 0
  /// When either side was heard last.
  private var heardAt: Int64 = 0
  private let queue = SampleQueue(capacity: Budget.callQueueMilliseconds * RealtimeSession.perMillisecond)
  private let piece = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.appendSamples)
  private let encoder = RelayEncoder()
  private var inFlight = 0
  /// A piece that the connection had no room for; when to try again.
  private var unsent: UnsafeBufferPointer<UInt8>?
  private var retryAt: Int64?
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
  var hasSaidTool = false
  let words = FixedBuffer(capacity: Budget.callWordsBytes)
  /// Pieces that were sent since the start, and interruptions.
  private(set) var (pieces, interruptions): (UInt64, UInt64) = (0, 0)

  /// No session. `idle`: milliseconds of silence that end one.
  init(
    _ desk: OperatorDesk, _ speaker: any TalkSpeaker, hearsInterruptions: Bool, idle: Int64, owner: any RealtimeOwner, log: Log
  ) throws(Errno) {
    self.desk = desk
    self.owner = owner
    self.hearsInterruptions = hearsInterruptions
    self.idle = idle
    self.log = log
    piece.initialize(repeating: 0)
    Self.prepare()
    voice = try CallVoice(speaker, owner: self)
  }

  deinit { piece.deallocate() }

  /// Samples of what people said that were too old to be sent, since the start.
  var dropped: UInt64 { queue.dropped }

  var nextDeadline: Int64? {
    guard state == .open else { return nil }
    return min(retryAt ?? .max, voice.isSpeaking ? .max : heardAt + idle)
  }

  func advance(to now: Int64) {
    if let retryAt, retryAt <= now { pump() }
    if state == .open, !voice.isSpeaking, now >= heardAt + idle { end(.idle) }
  }

  private func tag(_ kind: Int) -> Int { serial * Self.kinds + kind }

  // MARK: Its life

  /// Asks for a session; what is heard from now on goes there. `deaf`: milliseconds from its opening that do not.
  func open(deaf: Int64) {
    leave()
    serial += 1
    self.deaf = Int(deaf) * Self.perMillisecond
    (inFlight, unsent, retryAt, isCancelling, hasSaidTool, hasSaidSlow) = (0, nil, nil, false, false, false)
    droppedBefore = queue.dropped
    turn.clear()
    cancelledTurn.clear()
    state = .creating
    desk.ask("talk.session.create", patience: Budget.callPatience, self, tag(Self.create)) { writer in
      writer.key("mode")
      writer.string("realtime")
      writer.key("transport")
      writer.string("gateway-relay")
      writer.key("brain")
      writer.string("agent-consult")
    }
  }

  /// Nobody wants to talk any more.
  func close() { leave() }

  /// Leaves the session, if there is one; one that was asked for is closed when it comes.
  private func leave() {
    if state == .open { ask(Self.close, "talk.session.close", session) }
    // Answers to what was asked before are of another session from here on.
    serial += 1
    state = .none
    session.clear()
    queue.clear()
    (unsent, retryAt) = (nil, nil)
    voice.stop()
  }

  /// It ended by itself; `isGone`: at the gateway, too.
  func end(_ end: CallEnd, isGone: Bool = false) {
    guard state != .none else { return }
    var end = end
    if case .over = end, desk.now - openedAt < Budget.callShortest {
      end = .broken(DeskFailure("LOST", "the gateway ended the conversation as soon as it had begun"))
    }
    if isGone { session.clear() }
    leave()
    owner.callEnded(end)
  }

  /// The connection is gone, and the session with it.
  func lost() { end(.broken(DeskFailure("LOST", "the connection was lost")), isGone: true) }

  /// Something was heard of one side.
  func noteSign() { heardAt = desk.now }

  private func ask(_ kind: Int, _ method: StaticString, _ session: InlineText<128>) {
    if session.isEmpty { return }
    desk.ask(method, self, tag(kind)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
    }
  }

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
    retryAt = nil
    while state == .open, inFlight < Budget.appendsInFlight, unsent != nil || queue.count >= Budget.callPieceSamples {
      if unsent == nil {
        let count = queue.pop(into: piece)
        unsent = encoder.encode(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece)[..<count]))
      }
      append()
      if retryAt != nil { break }
    }
    guard queue.dropped > droppedBefore, !hasSaidSlow else { return }
    hasSaidSlow = true
    log.write(.warning, "talk", "the connection is too slow for what is said: the oldest of it is left out")
  }

  private func append() {
    guard let text = unsent else { return }
    let session = self.session
    (inFlight, unsent) = (inFlight + 1, nil)
    desk.ask("talk.session.appendAudio", patience: Budget.callPatience, self, tag(Self.append)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      writer.key("audioBase64")
      writer.string(Span(_unsafeElements: text))
    }
    // Refused at once for want of room: it stays where it is.
    if retryAt != nil { unsent = text } else { pieces += 1 }
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
    let (session, turn) = (self.session, self.turn)
    desk.ask("talk.session.cancelOutput", patience: Budget.callPatience, self, tag(Self.cancel)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      if !turn.isEmpty {
        writer.key("turnId")
        writer.string(turn.span)
      }
      writer.key("reason")
      writer.string(reason)
    }
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

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    let isCurrent = tag / Self.kinds == serial && state != .none
    switch tag % Self.kinds {
    case Self.create: isCurrent && state == .creating ? created(payload) : closeUnwanted(payload)
    case Self.append:
      guard isCurrent else { return }
      inFlight -= 1
      pump()
    case Self.cancel: if isCurrent { isCancelling = false }
    default: break
    }
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag / Self.kinds == serial, state != .none else { return }
    let isBusy = failure.code.equals(("BUSY" as StaticString).utf8Bytes)
    switch tag % Self.kinds {
    case Self.create: end(isBusy || failure.isOfConnection ? .broken(failure) : .refused(failure))
    case Self.append:
      inFlight -= 1
      if isBusy { return retryAt = desk.now + Self.roomPause }
      // A gateway that takes no more sound has no more to say, either.
      end(.broken(failure))
    case Self.cancel: isCancelling = false
    default: break
    }
  }

  private func created(_ payload: borrowing JSONView) {
    guard let id = payload.member("sessionId"), session.fill({ id.copyString(into: $0) }), !session.isEmpty else {
      return end(.refused(DeskFailure("REFUSED", "the gateway named no realtime session")))
    }
    state = .open
    (openedAt, gate) = (desk.now, InterruptGate())
    noteSign()
    guard encoder.take(payload, usual: SoundForm(.pcm16, rate: 24_000)) else {
      return end(.refused(DeskFailure("UNSUPPORTED", "the gateway wants sound in a form that this board cannot make")))
    }
    do throws(SoundFormError) {
      try voice.begin(payload)
    } catch {
      return end(.refused(DeskFailure(error)))
    }
    owner.callOpened()
    pump()
  }

  /// A session that came when nobody waited for it any more.
  private func closeUnwanted(_ payload: borrowing JSONView) {
    var unwanted = InlineText<128>()
    guard let id = payload.member("sessionId"), unwanted.fill({ id.copyString(into: $0) }) else { return }
    ask(Self.close, "talk.session.close", unwanted)
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatEnded(_ tag: Int, isAborted: Bool) {}
}

extension DeskFailure {
  /// Why sound cannot be played.
  init(_ error: SoundFormError) {
    self.init("UNSUPPORTED") { line in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeMessage(to: &writer)
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
