import Codec
import Node
import Runtime
import Talk

/// The tool of a relay's voice by which it asks the agent what only the agent knows; the client has to pass the
/// question on. The gateway begins a run for the question (`talk.client.toolCall`), and the agent's reply is sent back
/// as the tool's result (`talk.session.submitToolResult`). Any other tool, and a second question at the same time, is
/// refused, because a voice waits until each of its calls has a result.
final class Consultation: DeskDelegate {
  private enum State { case idle, asking, running, answering }

  private static let tool: StaticString = "openclaw_agent_consult"
  /// The kinds of requests; a tag has the kind and the number of the call.
  private static let ask = 0, run = 1, submit = 2, refuse = 3, kinds = 4
  /// Milliseconds until a result is sent again for which the connection had no room.
  private static let pause: Int64 = 100

  private unowned(unsafe) let desk: OperatorDesk
  private let log: Log
  private var state = State.idle
  /// Number of the call.
  private var serial = 0
  private var session = InlineText<128>()
  private var call = InlineText<128>()
  /// The agent's reply, or the reason why there is none.
  private let reply = FixedBuffer(capacity: Budget.chatMessageBytes)
  private var count = 0
  /// The reply was too long: nothing is added after the cut.
  private var isCut = false
  private var hasFailed = false
  /// When the agent's reply is not awaited any more, or the result is sent again; and the time limit of that.
  private(set) var nextDeadline: Int64?
  private var answersUntil: Int64 = 0

  init(_ desk: OperatorDesk, log: Log) {
    self.desk = desk
    self.log = log
  }

  /// When the last question had its result.
  private(set) var endedAt: Int64 = 0

  /// True while the agent is asked.
  var isPending: Bool { state != .idle }

  private func tag(_ kind: Int) -> Int { serial * Self.kinds + kind }

  // MARK: The question

  /// A tool call of this relay session: in the relay's own form of events, or in the common one.
  func take(_ event: borrowing JSONView, in session: InlineText<128>) {
    var call = InlineText<128>()
    guard let id = event.member("callId"), call.fill({ id.copyString(into: $0) }), !call.isEmpty else {
      return log.write(.notice, "talk", "the gateway called a tool without a call id")
    }
    if let payload = event.member("payload") {
      take(payload, call, session)
    } else {
      take(event, call, session)
    }
  }

  private func take(_ toolCall: borrowing JSONView, _ call: InlineText<128>, _ session: InlineText<128>) {
    guard let name = toolCall.member("name"), name.equals(Self.tool) else {
      log.write(.notice, "talk", "the voice of a conversation called a tool that this board does not have")
      return refuse(call, session, "there is no tool of that name here")
    }
    guard !isPending else {
      // Some gateways send it in both forms.
      if call.equals(self.call.span) { return }
      return refuse(call, session, "one question at a time; another is being answered")
    }
    serial += 1
    (state, count, isCut, hasFailed) = (.asking, 0, false, false)
    (self.call, self.session) = (call, session)
    let key = desk.mainSession
    if let arguments = toolCall.member("args") {
      let raw = arguments.rawText
      raw.withUnsafeBufferPointer { bytes in
        ask(key) { writer in
          writer.key("args")
          writer.raw(Span(_unsafeElements: bytes))
        }
      }
    } else {
      ask(key) { _ in }
    }
  }

  private func ask(_ key: SessionKey, _ arguments: (inout JSONWriter) -> Void) {
    let (call, session) = (self.call, self.session)
    desk.ask("talk.client.toolCall", timeout: Budget.callTimeout, self, tag(Self.ask)) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("callId")
      writer.string(call.span)
      writer.key("name")
      writer.string(Self.tool)
      arguments(&writer)
      writer.key("relaySessionId")
      writer.string(session.span)
    }
  }

  /// The conversation is over. The run continues, because a person has asked the question.
  func drop() {
    guard isPending else { return }
    desk.forget(self, tag(Self.run))
    desk.forget(self, tag(Self.ask))
    serial += 1
    reset()
  }

  private func reset() {
    (state, nextDeadline, endedAt) = (.idle, nil, desk.now)
    call.clear()
  }

  func advance(to now: Int64) {
    guard let due = nextDeadline, due <= now else { return }
    nextDeadline = nil
    if state == .answering { return submit() }
    desk.forget(self, tag(Self.run))
    fail("the agent has not answered in time")
  }

  // MARK: The answer

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag / Self.kinds == serial else { return }
    if tag == self.tag(Self.submit) { return reset() }
    guard tag == self.tag(Self.ask), state == .asking else { return }
    var id = InlineText<64>()
    guard let name = payload.member("runId"), id.fill({ name.copyString(into: $0) }), !id.isEmpty else {
      return fail("the gateway named no run for the question")
    }
    guard desk.listen(to: id, self, self.tag(Self.run)) else { return fail("too many replies are awaited here") }
    state = .running
    nextDeadline = desk.now + Budget.replyMilliseconds
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag / Self.kinds == serial, isPending, tag != self.tag(Self.refuse) else { return }
    if tag != self.tag(Self.submit) { return fail(failure.sentence.span) }
    // A result for which the connection never has room would keep the voice waiting for ever.
    if failure.isBusy, desk.now < answersUntil { return nextDeadline = desk.now + Self.pause }
    log.write(.notice, "talk") { line in
      line.add("the agent's reply could not be sent to the voice: ")
      line.add(failure.sentence.span)
    }
    reset()
  }

  func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    guard tag == self.tag(Self.run), state == .running else { return }
    if isReplacement { (count, isCut) = (0, false) }
    keep(text)
  }

  func chatCut(_ tag: Int) {}

  func chatStep(_ tag: Int, _ step: ChatStep) {}

  func chatEnded(_ tag: Int, isAborted: Bool) {
    guard tag == self.tag(Self.run), state == .running else { return }
    if isAborted { return fail("somebody has ended the agent's work") }
    if count == 0 { return fail("the agent has nothing to say") }
    answer()
  }

  /// Adds as much as there is room for, cut between characters.
  private func keep(_ text: Span<UInt8>) {
    var length = isCut ? 0 : min(text.count, reply.bytes.count - count)
    if length < text.count {
      isCut = true
      while length > 0, text[length] & 0xC0 == 0x80 { length -= 1 }
    }
    for index in 0..<length { reply.bytes[count + index] = text[index] }
    count += length
  }

  private func fail(_ reason: StaticString) { fail(reason.utf8Bytes) }

  private func fail(_ reason: Span<UInt8>) {
    log.write(.notice, "talk") { line in
      line.add("the agent was asked in a conversation, but did not reply: ")
      line.add(reason)
    }
    (count, isCut, hasFailed) = (0, false, true)
    keep(reason)
    answer()
  }

  private func answer() {
    (state, nextDeadline, answersUntil) = (.answering, nil, desk.now + Budget.callTimeout)
    submit()
  }

  private func submit() {
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(reply.bytes)[..<count])
    submit(call, session, hasFailed ? "error" : "result", Span(_unsafeElements: text), Self.submit)
  }

  private func refuse(_ call: InlineText<128>, _ session: InlineText<128>, _ reason: StaticString) {
    submit(call, session, "error", reason.utf8Bytes, Self.refuse)
  }

  private func submit(
    _ call: InlineText<128>, _ session: InlineText<128>, _ key: StaticString, _ text: Span<UInt8>, _ kind: Int
  ) {
    text.withUnsafeBufferPointer { bytes in
      desk.ask("talk.session.submitToolResult", timeout: Budget.callTimeout, self, tag(kind)) { writer in
        writer.key("sessionId")
        writer.string(session.span)
        writer.key("callId")
        writer.string(call.span)
        writer.key("result")
        writer.beginObject()
        writer.key(key)
        writer.string(Span(_unsafeElements: bytes))
        writer.endObject()
      }
    }
  }
}
