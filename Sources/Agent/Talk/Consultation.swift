import Codec
import Runtime
import Talk

/// The tool that a voice has in a conversation over the relay: what people ask it that only the agent knows, it asks the agent, and its
/// client passes that on. The gateway begins a run for the question (`talk.client.toolCall`), and what the agent says in it goes back as what came
/// of the tool (`talk.session.submitToolResult`). Any other tool, and a second question beside the first, is refused, for a voice says nothing
/// until each of its calls has an end.
final class Consultation: DeskListener {
  private enum State { case resting, asking, running, answering }

  private static let tool: StaticString = "openclaw_agent_consult"
  /// What a question to the gateway was; its tag says also for which call.
  private static let ask = 0, run = 1, submit = 2, refuse = 3, kinds = 4
  /// Milliseconds until an answer is sent again that the connection had no room for.
  private static let pause: Int64 = 100

  private unowned(unsafe) let desk: OperatorDesk
  private let log: Log
  private var state = State.resting
  /// Counts calls.
  private var serial = 0
  private var session = InlineText<128>()
  private var call = InlineText<128>()
  /// What the agent says, or why it says nothing.
  private let reply = FixedBuffer(capacity: Budget.chatMessageBytes)
  private var count = 0
  /// There was more: nothing is added behind a gap.
  private var isCut = false
  private var hasFailed = false
  /// When nobody waits for the agent any more, or the answer is sent again; until when it is.
  private(set) var nextDeadline: Int64?
  private var answersUntil: Int64 = 0

  init(_ desk: OperatorDesk, log: Log) {
    self.desk = desk
    self.log = log
  }

  /// When the last question had its answer.
  private(set) var endedAt: Int64 = 0

  /// The agent is asked something.
  var isPending: Bool { state != .resting }

  private func tag(_ kind: Int) -> Int { serial * Self.kinds + kind }

  // MARK: The question

  /// A tool is called in this session of the relay: in the relay's own form of events, or in the common one.
  func take(_ event: borrowing JSONView, in session: InlineText<128>) {
    var call = InlineText<128>()
    guard let id = event.member("callId"), call.fill({ id.copyString(into: $0) }), !call.isEmpty else {
      return log.write(.notice, "talk", "the gateway calls a tool without saying which call it is")
    }
    if let payload = event.member("payload") {
      take(payload, call, session)
    } else {
      take(event, call, session)
    }
  }

  private func take(_ wish: borrowing JSONView, _ call: InlineText<128>, _ session: InlineText<128>) {
    guard let name = wish.member("name"), name.equals(Self.tool) else {
      log.write(.notice, "talk", "the voice of a conversation calls a tool that this board has not")
      return refuse(call, session, "there is no tool of that name here")
    }
    guard !isPending else {
      // Some gateways say it in both forms.
      if call.equals(self.call.span) { return }
      return refuse(call, session, "one question at a time; another is being answered")
    }
    serial += 1
    (state, count, isCut, hasFailed) = (.asking, 0, false, false)
    (self.call, self.session) = (call, session)
    let key = desk.mainSession
    if let arguments = wish.member("args") {
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

  private func ask(_ key: InlineText<512>, _ arguments: (inout JSONWriter) -> Void) {
    let (call, session) = (self.call, self.session)
    desk.ask("talk.client.toolCall", patience: Budget.callPatience, self, tag(Self.ask)) { writer in
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

  /// The conversation is over. The run goes on: somebody has asked for it.
  func drop() {
    guard isPending else { return }
    desk.forget(self, tag(Self.run))
    desk.forget(self, tag(Self.ask))
    serial += 1
    rest()
  }

  private func rest() {
    (state, nextDeadline, endedAt) = (.resting, nil, desk.now)
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
    if tag == self.tag(Self.submit) { return rest() }
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
    // An answer that the connection never has room for would keep the voice silent for ever.
    if failure.isBusy, desk.now < answersUntil { return nextDeadline = desk.now + Self.pause }
    log.write(.notice, "talk") { line in
      line.add("the agent's answer does not reach the voice: ")
      line.add(failure.sentence.span)
    }
    rest()
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    guard tag == self.tag(Self.run), state == .running else { return }
    if isReplacement { (count, isCut) = (0, false) }
    keep(text)
  }

  func chatCut(_ tag: Int) {}

  func chatEnded(_ tag: Int, isAborted: Bool) {
    guard tag == self.tag(Self.run), state == .running else { return }
    if isAborted { return fail("somebody has ended the agent's work") }
    if count == 0 { return fail("the agent has nothing to say") }
    answer()
  }

  /// As much as there is room for, to a whole character.
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
      line.add("the agent was asked in a conversation, without an answer: ")
      line.add(reason)
    }
    (count, isCut, hasFailed) = (0, false, true)
    keep(reason)
    answer()
  }

  private func answer() {
    (state, nextDeadline, answersUntil) = (.answering, nil, desk.now + Budget.callPatience)
    submit()
  }

  private func submit() {
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(reply.bytes)[..<count])
    submit(call, session, hasFailed ? "error" : "result", Span(_unsafeElements: text), Self.submit)
  }

  private func refuse(_ call: InlineText<128>, _ session: InlineText<128>, _ reason: StaticString) {
    submit(call, session, "error", reason.utf8Bytes, Self.refuse)
  }

  private func submit(_ call: InlineText<128>, _ session: InlineText<128>, _ key: StaticString, _ text: Span<UInt8>, _ kind: Int) {
    text.withUnsafeBufferPointer { bytes in
      desk.ask("talk.session.submitToolResult", patience: Budget.callPatience, self, tag(kind)) { writer in
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
