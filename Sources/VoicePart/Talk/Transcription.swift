import Codec
import Gateway
import Node
import Runtime
import Talk

/// Gets the end of a transcription.
protocol TranscriptionDelegate: AnyObject {
  /// The transcript is complete, or there is none for this reason.
  func transcriptionEnded(_ failure: DeskFailure?)
}

/// Has the gateway transcribe an utterance (gateway reference 9.10): a session of mode "transcription" on the operator
/// connection, to which the sound is sent while it is recorded. The recording itself is the queue: sound waits there
/// when the gateway is slow.
final class Transcription: RelaySessionDelegate {
  private enum State: Equatable {
    case none
    /// There is a relay session, or one is requested.
    case going
    /// The session was lost while the person still speaks.
    case lost
  }

  private unowned(unsafe) let desk: OperatorDesk
  private let recorder: UtteranceRecorder
  private let transcript: Transcript
  private unowned(unsafe) var delegate: (any TranscriptionDelegate)?
  private var relay: RelaySession! = nil
  private var state = State.none
  private let text = FixedBuffer(capacity: Budget.transcriptBytes)
  /// Samples of the utterance that were sent.
  private var sent = 0
  /// The recording is complete.
  private var isWhole = false
  private var failure: DeskFailure?
  private var endsAt: Int64?

  init(_ desk: OperatorDesk, _ recorder: UtteranceRecorder, _ transcript: Transcript) {
    self.desk = desk
    self.recorder = recorder
    self.transcript = transcript
    let options = RelaySession.Options(
      mode: "transcription", brain: "none", form: SoundForm(.ulaw, rate: 8_000), timeout: OperatorDesk.timeout,
      roomPause: 200)
    relay = RelaySession(desk, options, delegate: self)
  }

  /// True between `begin` and the end.
  var isActive: Bool { state != .none }

  var nextDeadline: Int64? {
    guard let endsAt else { return relay.nextDeadline }
    return min(endsAt, relay.nextDeadline ?? .max)
  }

  func advance(to now: Int64) {
    relay.advance(to: now)
    guard let endsAt, endsAt <= now else { return }
    if relay.state == .open { failure = DeskFailure("TIMEOUT", "the connection is too slow for what was said") }
    finish()
  }

  // MARK: Life

  /// Begins with a new recording.
  func begin(_ delegate: any TranscriptionDelegate) {
    drop()
    self.delegate = delegate
    (sent, isWhole, failure) = (0, false, nil)
    state = .going
    relay.open()
  }

  /// The recording has more samples.
  func feed() { pump() }

  /// The recording is complete: `transcriptionEnded` follows.
  func commit() {
    isWhole = true
    guard state == .going else { return finish() }
    switch relay.state {
    case .open:
      // The person waits now: the rest of the sound may take no longer than any other request.
      endsAt = desk.now + OperatorDesk.timeout
      pump()
    case .closing: break
    case .none, .creating:
      endsAt = desk.now + OperatorDesk.timeout
      relay.asksUntil = endsAt!
    }
  }

  /// The result is not needed any more.
  func drop() {
    delegate = nil
    leave()
  }

  /// The connection is lost, and the session with it.
  func lost() {
    guard state != .none else { return }
    fail(DeskFailure("LOST", "the connection was lost while the gateway listened"), isGone: true)
  }

  private func leave(isGone: Bool = false) {
    relay.leave(isGone: isGone)
    (state, endsAt) = (.none, nil)
  }

  private func finish() {
    let delegate = self.delegate
    self.delegate = nil
    leave()
    delegate?.transcriptionEnded(failure)
  }

  /// Ends the session of this utterance; `isGone`: it has ended at the gateway, too.
  private func fail(_ failure: DeskFailure, isGone: Bool = false) {
    self.failure = failure
    leave(isGone: isGone)
    state = .lost
    if isWhole { finish() }
  }

  // MARK: Sound

  private func pump() {
    while relay.hasRoom, sent < recorder.count {
      let waiting = recorder.count - sent
      guard isWhole || waiting >= Budget.appendSamples else { return }
      let end = sent + min(waiting, Budget.appendSamples)
      let piece = UnsafeBufferPointer(rebasing: recorder.samples[sent..<end])
      sent = end
      relay.send(piece)
    }
    guard relay.state == .open, isWhole, relay.isDrained, sent == recorder.count else { return }
    endsAt = desk.now + Budget.transcriptionMilliseconds
    relay.close()
  }

  func relayOpened(_ payload: borrowing JSONView) {
    pump()
  }

  func relayRefused(_ failure: DeskFailure) { fail(failure) }
  func relayHasRoom() { pump() }
  func relayFailed(_ failure: DeskFailure) { fail(failure) }
  func relayWasClosed() { finish() }
  func relayCancelled() {}

  // MARK: Events

  /// A `talk.event`, in both forms that gateways send: the relay's own (`transcriptionSessionId`, `type`, `text`), and
  /// the common one (`sessionId`, `type`, `payload`).
  func received(_ event: borrowing JSONView) {
    guard let kind = event.member("type"), relay.isForSession(event, "transcriptionSessionId") else { return }
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
    if relay.state == .closing { return transcript.isCertain ? finish() : end(within: Budget.transcriptionLinger) }
    fail(DeskFailure("LOST", "the gateway closed the transcription too early"), isGone: true)
  }

  private func take(_ holder: borrowing JSONView, isCertain: Bool) {
    guard let value = holder.member("text") else { return }
    var content = MessageText(into: text.bytes)
    content.read(value)
    let words = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<content.count])
    guard isCertain else { return transcript.guess(Span(_unsafeElements: words)) }
    transcript.add(Span(_unsafeElements: words))
    if relay.state == .closing, transcript.isCertain { end(within: Budget.transcriptionQuiet) }
  }

  /// Shortens the time until the end to at most so many milliseconds.
  private func end(within milliseconds: Int64) { endsAt = min(endsAt ?? .max, desk.now + milliseconds) }

  private func ended(_ holder: borrowing JSONView) {
    var words = InlineText<256>()
    if let message = holder.member("message") { words.fill { message.copyString(into: $0) } }
    fail(
      DeskFailure("REFUSED") { line in
        line.add("the gateway could not understand speech: ")
        if words.isEmpty { line.add("it does not say why") } else { line.quote(words.span, most: 256) }
      })
  }
}
