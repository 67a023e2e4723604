import Codec
import Gateway
import Runtime
import Talk

/// Told how a transcription goes.
protocol TranscriptionOwner: AnyObject {
  /// It is over: the transcript is as whole as it will be; or nothing was understood, for this reason.
  func transcriptionEnded(_ failure: DeskFailure?)
}

/// Lets the gateway understand an utterance (gateway reference 9.10): a session of mode "transcription" on the operator connection,
/// to which the sound goes while it is recorded. The recording itself is the queue: what the gateway takes too slowly waits there.
final class Transcription: DeskListener {
  private enum State: Equatable {
    case none
    /// The session is asked for; takes sound; was told that this was all.
    case creating, streaming, closing
    /// The session is gone while somebody still speaks.
    case lost
  }

  /// What a question was; its tag says also for which utterance.
  private static let create = 0, append = 1, close = 2, kinds = 3
  /// Milliseconds before a piece is sent again that the connection had no room for.
  private static let roomPause: Int64 = 200
  /// Milliseconds before a session is asked for again where the gateway has as many as it allows one connection: those of the
  /// utterances just before, which it drains for up to five seconds.
  private static let sessionPause: Int64 = 1_000

  private unowned(unsafe) let desk: OperatorDesk
  private let recorder: UtteranceRecorder
  private let transcript: Transcript
  private unowned(unsafe) var owner: (any TranscriptionOwner)?
  private var state = State.none
  /// Counts utterances.
  private var turn = 0
  private var session = InlineText<128>()
  private let encoder = RelayEncoder()
  private let text = FixedBuffer(capacity: Budget.transcriptBytes)
  /// Samples of the utterance that were sent.
  private var sent = 0
  private var inFlight = 0
  /// A piece that the connection had no room for; when to try again.
  private var unsent: UnsafeBufferPointer<UInt8>?
  private var retryAt: Int64?
  /// Nothing more is recorded.
  private var isWhole = false
  private var failure: DeskFailure?
  private var endsAt: Int64?

  init(_ desk: OperatorDesk, _ recorder: UtteranceRecorder, _ transcript: Transcript) {
    self.desk = desk
    self.recorder = recorder
    self.transcript = transcript
  }

  /// Between `begin` and its end.
  var isActive: Bool { state != .none }

  var nextDeadline: Int64? {
    guard let endsAt else { return retryAt }
    return min(endsAt, retryAt ?? .max)
  }

  func advance(to now: Int64) {
    if let retryAt, retryAt <= now { state == .creating ? create() : pump() }
    if let endsAt, endsAt <= now { finish() }
  }

  private func tag(_ kind: Int) -> Int { turn * Self.kinds + kind }

  // MARK: Its life

  /// Begins with the recording that has just begun.
  func begin(_ owner: any TranscriptionOwner) {
    drop()
    self.owner = owner
    turn += 1
    (sent, inFlight, unsent, isWhole, failure) = (0, 0, nil, false, nil)
    state = .creating
    create()
  }

  private func create() {
    retryAt = nil
    desk.ask("talk.session.create", self, tag(Self.create)) { writer in
      writer.key("mode")
      writer.string("transcription")
      writer.key("transport")
      writer.string("gateway-relay")
      writer.key("brain")
      writer.string("none")
    }
  }

  /// More was recorded.
  func feed() { pump() }

  /// All was recorded: `transcriptionEnded` comes.
  func commit() {
    isWhole = true
    switch state {
    case .none, .lost: finish()
    case .creating: endsAt = desk.now + OperatorDesk.patience
    case .streaming: pump()
    case .closing: break
    }
  }

  /// Nobody wants to know any more.
  func drop() {
    owner = nil
    leave()
  }

  /// The connection is gone, and the session with it.
  func lost() {
    guard state != .none else { return }
    fail(DeskFailure("LOST", "the connection was lost while the gateway listened"))
  }

  /// Leaves the session, if there is one; one that was asked for is closed when it comes.
  private func leave() {
    if state == .streaming { endSession() }
    desk.forget(self, tag(Self.append))
    session.clear()
    (state, endsAt, retryAt) = (.none, nil, nil)
  }

  private func finish() {
    let owner = self.owner
    self.owner = nil
    leave()
    owner?.transcriptionEnded(failure)
  }

  private func fail(_ failure: DeskFailure) {
    self.failure = failure
    desk.forget(self, tag(Self.append))
    session.clear()
    (state, retryAt) = (.lost, nil)
    if isWhole { finish() }
  }

  private func endSession() {
    let session = self.session
    if session.isEmpty { return }
    desk.ask("talk.session.close", self, tag(Self.close)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
    }
  }

  // MARK: Sound

  private func pump() {
    guard state == .streaming else { return }
    retryAt = nil
    while state == .streaming, inFlight < Budget.appendsInFlight, unsent != nil || sent < recorder.count {
      if unsent == nil {
        let waiting = recorder.count - sent
        guard isWhole || waiting >= Budget.appendSamples else { return }
        let end = sent + min(waiting, Budget.appendSamples)
        unsent = encoder.encode(UnsafeBufferPointer(rebasing: recorder.samples[sent..<end]))
        sent = end
      }
      append()
      if retryAt != nil { return }
    }
    guard state == .streaming, isWhole, inFlight == 0, sent == recorder.count else { return }
    state = .closing
    endsAt = desk.now + Budget.transcriptionMilliseconds
    endSession()
  }

  private func append() {
    guard let text = unsent else { return }
    let session = self.session
    (inFlight, unsent) = (inFlight + 1, nil)
    desk.ask("talk.session.appendAudio", self, tag(Self.append)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      writer.key("audioBase64")
      writer.string(Span(_unsafeElements: text))
    }
    // Refused at once for want of room: it stays where it is.
    if retryAt != nil { unsent = text }
  }

  // MARK: Answers

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    let isCurrent = tag / Self.kinds == turn && state != .none
    switch tag % Self.kinds {
    case Self.create: isCurrent && state == .creating ? created(payload) : closeUnwanted(payload)
    case Self.append:
      guard isCurrent else { return }
      inFlight -= 1
      pump()
    default: break
    }
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag / Self.kinds == turn, state != .none else { return }
    switch tag % Self.kinds {
    case Self.create: if state == .creating { refused(failure) }
    case Self.append:
      inFlight -= 1
      guard state == .streaming else { return }
      if failure.code.equals(("BUSY" as StaticString).utf8Bytes) { return retryAt = desk.now + Self.roomPause }
      fail(failure)
    // A gateway that has closed it by itself.
    default: if state == .closing { finish() }
    }
  }

  private func refused(_ failure: DeskFailure) {
    // What is recorded waits meanwhile.
    guard failure.sentence.span.contains("Too many active"), desk.now + Self.sessionPause < endsAt ?? .max else { return fail(failure) }
    self.failure = failure
    retryAt = desk.now + Self.sessionPause
  }

  private func created(_ payload: borrowing JSONView) {
    guard let id = payload.member("sessionId"), session.fill({ id.copyString(into: $0) }), !session.isEmpty else {
      return fail(DeskFailure("REFUSED", "the gateway named no transcription session"))
    }
    guard encoder.take(payload, usual: SoundForm(.ulaw, rate: 8_000)) else {
      endSession()
      return fail(DeskFailure("UNSUPPORTED", "the gateway wants sound in a form that this board cannot make"))
    }
    (endsAt, failure) = (nil, nil)
    state = .streaming
    pump()
  }

  /// A session that came when nobody waited for it any more.
  private func closeUnwanted(_ payload: borrowing JSONView) {
    var unwanted = InlineText<128>()
    guard let id = payload.member("sessionId"), unwanted.fill({ id.copyString(into: $0) }) else { return }
    let session = unwanted
    desk.ask("talk.session.close", self, tag(Self.close)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
    }
  }

  // MARK: Events

  /// A `talk.event`, in either of the forms that gateways send: the relay's own (`transcriptionSessionId`, `type`, `text`), and
  /// the common one (`sessionId`, `type`, `payload`).
  func received(_ event: borrowing JSONView) {
    guard !session.isEmpty, let kind = event.member("type"), isMine(event) else { return }
    if kind.equals("partial") { return take(event, isCertain: false) }
    if kind.equals("transcript") { return take(event, isCertain: true) }
    if kind.equals("transcript.delta"), let payload = event.member("payload") { return take(payload, isCertain: false) }
    if kind.equals("transcript.done"), let payload = event.member("payload") { return take(payload, isCertain: true) }
    if kind.equals("error") { return ended(event) }
    if kind.equals("session.error") {
      if let payload = event.member("payload") { return ended(payload) }
      return ended(event)
    }
    guard kind.equals("close") || kind.equals("session.closed") else { return }
    if state == .closing { return transcript.isCertain ? finish() : hurry(Budget.transcriptionLinger) }
    fail(DeskFailure("LOST", "the gateway closed the transcription before it was over"))
  }

  private func isMine(_ event: borrowing JSONView) -> Bool {
    if let id = event.member("transcriptionSessionId") { return id.equals(session.span) }
    guard let id = event.member("sessionId") else { return false }
    return id.equals(session.span)
  }

  private func take(_ holder: borrowing JSONView, isCertain: Bool) {
    guard let value = holder.member("text") else { return }
    var content = MessageText(into: text.bytes)
    content.read(value)
    let words = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<content.count])
    guard isCertain else { return transcript.guess(Span(_unsafeElements: words)) }
    transcript.add(Span(_unsafeElements: words))
    if state == .closing, transcript.isCertain { hurry(Budget.transcriptionQuiet) }
  }

  /// The end is near: no longer than so many milliseconds.
  private func hurry(_ milliseconds: Int64) { endsAt = min(endsAt ?? .max, desk.now + milliseconds) }

  private func ended(_ holder: borrowing JSONView) {
    var words = InlineText<256>()
    if let message = holder.member("message") { words.fill { message.copyString(into: $0) } }
    fail(
      DeskFailure("REFUSED") { line in
        line.add("the gateway could not understand speech: ")
        if words.isEmpty { line.add("it does not say why") } else { line.add(words.span) }
      })
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatEnded(_ tag: Int, isAborted: Bool) {}
}
