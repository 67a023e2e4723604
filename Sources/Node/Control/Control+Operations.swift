import Codec
import Gateway
import Runtime

/// The operations, one function for each row of the table.
extension Control {

  // MARK: Chat

  /// `{text, session?, photo?, own?}`: sends a message to the agent, with a photo of the board where `photo` is true,
  /// and follows its reply. Where `own` is true, to the board's own agent, also while the gateway is there.
  func chat(_ call: Int, _ request: borrowing JSONView) {
    guard let text = request.member("text"), text.kind == .string else {
      return refuse(call, "the member \"text\" is missing")
    }
    guard let desk = desk(for: call), let session = session(desk, call, request) else { return }
    if request.member("own")?.bool == true { return desk.chatWithStandIn(text, in: session, self, call) }
    desk.chat(text, in: session, withPhoto: request.member("photo")?.bool == true, self, call)
  }

  /// `{chat}`: stops the reply to the call with that id. `{session?, run?}`: stops the run, or whatever runs in the
  /// session.
  func abort(_ call: Int, _ request: borrowing JSONView) {
    guard let desk = desk(for: call) else { return }
    if let id = request.member("chat") {
      guard let value = id.int64, let other = sibling(of: call, id: value), other != call,
        desk.abort(other, self, answerTag: call)
      else { return refuse(call, "there is no reply to a call of that id") }
      return
    }
    guard let session = session(desk, call, request) else { return }
    var run = InlineText<64>()
    if let name = request.member("run"), !run.fill({ name.copyString(into: $0) }) || run.isEmpty {
      return refuse(call, "\"run\" is no run's name")
    }
    if desk.cancelLocal(in: session, run) { return finishEmpty(call) }
    desk.ask("chat.abort", self, call) { writer in
      writer.key("sessionKey")
      writer.string(session.span)
      if run.isEmpty { return }
      writer.key("runId")
      writer.string(run.span)
    }
  }

  /// `{session?, limit?}`: the last messages.
  func history(_ call: Int, _ request: borrowing JSONView) {
    guard let desk = desk(for: call), let session = session(desk, call, request) else { return }
    guard let limit = limit(request, 20) else { return refuse(call, "\"limit\" is a number from 1 to 1000") }
    desk.ask("chat.history", self, call) { writer in
      writer.key("sessionKey")
      writer.string(session.span)
      writer.key("limit")
      writer.int(limit)
    }
  }

  /// `{limit?}`: the sessions of the gateway's agents.
  func sessions(_ call: Int, _ request: borrowing JSONView) {
    guard let desk = desk(for: call) else { return }
    guard let limit = limit(request, 50) else { return refuse(call, "\"limit\" is a number from 1 to 1000") }
    desk.ask("sessions.list", self, call) { writer in
      writer.key("limit")
      writer.int(limit)
    }
  }

  /// The gateway's agents.
  func agents(_ call: Int) { desk(for: call)?.ask("agents.list", self, call) { _ in } }

  /// `{agent?}`: the key of a conversation that does not exist yet. It begins with its first message.
  func newSession(_ call: Int, _ request: borrowing JSONView) {
    guard let desk = desk(for: call) else { return }
    var agent = InlineText<64>()
    if let member = request.member("agent"), !agent.fill({ member.copyString(into: $0) }) || agent.isEmpty {
      return refuse(call, "\"agent\" is no agent's name")
    }
    let key = desk.newSession(of: agent)
    finish(call) { writer in
      writer.beginObject()
      writer.key("session")
      writer.string(key.span)
      writer.endObject()
    }
  }

  /// `{agent}`: the key of an agent's main conversation.
  func agentSession(_ call: Int, _ request: borrowing JSONView) {
    guard let desk = desk(for: call) else { return }
    var agent = InlineText<64>()
    guard let member = request.member("agent"), agent.fill({ member.copyString(into: $0) }), !agent.isEmpty else {
      return refuse(call, "\"agent\" is no agent's name")
    }
    let key = desk.mainSession(of: agent)
    finish(call) { writer in
      writer.beginObject()
      writer.key("session")
      writer.string(key.span)
      writer.endObject()
    }
  }

  private func session(_ desk: OperatorDesk, _ call: Int, _ request: borrowing JSONView) -> SessionKey? {
    if let key = desk.session(from: request) { return key }
    refuse(call, "\"session\" is no session's key")
    return nil
  }

  private func limit(_ request: borrowing JSONView, _ usual: Int64) -> Int64? {
    guard let member = request.member("limit") else { return usual }
    guard let value = member.int64, value >= 1, value <= 1000 else { return nil }
    return value
  }

  // MARK: Voice

  /// The phrases that wake the agent.
  func wakePhrases(_ call: Int) {
    desk(for: call)?.askPhrases("voicewake.get", self, call) { _ in }
  }

  /// `{phrases}`: replaces them. The answer holds the list as the gateway stored it.
  func setWakePhrases(_ call: Int, _ request: borrowing JSONView) {
    guard let phrases = request.member("phrases"), WakePhrases.areValid(phrases) else {
      return refuse(call, "\"phrases\" is a list of at most 32 phrases of 64 UTF-16 units")
    }
    guard let desk = desk(for: call) else { return }
    let raw = phrases.rawText
    raw.withUnsafeBufferPointer { bytes in
      desk.askPhrases("voicewake.set", self, call) { writer in
        writer.key("triggers")
        writer.raw(Span(_unsafeElements: bytes))
      }
    }
  }

  /// `{text}`: has the gateway synthesize it.
  func speak(_ call: Int, _ request: borrowing JSONView) {
    guard let text = request.member("text"), let length = text.stringLength, length > 0,
      length <= Budget.chatMessageBytes
    else { return refuse(call, "\"text\" has 1 to 6144 bytes") }
    guard let desk = desk(for: call) else { return }
    let raw = text.rawText
    raw.withUnsafeBufferPointer { bytes in
      desk.ask("talk.speak", timeout: OperatorDesk.speechTimeout, self, call) { writer in
        writer.key("text")
        writer.raw(Span(_unsafeElements: bytes))
      }
    }
  }

  // MARK: Gateway

  /// The gateway's identity.
  func gatewayIdentity(_ call: Int) {
    desk(for: call)?.ask("gateway.identity.get", self, call) { _ in }
  }

  /// The version of the gateway, and what this connection may do there.
  func gatewayFacts(_ call: Int) {
    guard let desk = desk(for: call) else { return }
    guard desk.session.state == .online else { return fail(call, desk.unavailable) }
    let hello = desk.session.hello
    finish(call) { writer in
      writer.beginObject()
      writer.key("version")
      writer.string(hello.serverVersion.span)
      writer.key("protocol")
      writer.int(hello.wireProtocol)
      writer.key("scopes")
      writer.string(Self.words(hello.scopes.isEmpty ? desk.requested : hello.scopes).span)
      writer.key("approvals")
      writer.string(Self.state(of: desk.approvals))
      writer.endObject()
    }
  }

  private static func words(_ scopes: Scopes) -> InlineText<256> {
    var text = InlineText<256>()
    text.fill { buffer in
      var line = LogLine(buffer)
      scopes.forEach { name in
        if line.count > 0 { line.add(" ") }
        line.add(name)
      }
      return line.count
    }
    return text
  }

  /// Whether people here can answer the gateway's requests, or what that takes.
  private static func state(of book: ApprovalBook) -> StaticString {
    if !book.isWanted { return "not shown here: approvals = no in [operator]" }
    switch (book.hasPrograms, book.hasDevices) {
    case (true, true): return "of programs and devices are shown here"
    case (true, false):
      return "of programs are shown here; operator.pairing is not granted, so those of devices are not"
    case (false, true):
      return "of devices are shown here; operator.approvals is not granted, so those of programs are not"
    case (false, false):
      return "not shown: operator.approvals and operator.pairing are not granted; approve the console connection again"
    }
  }

  /// How the gateway fares, and its last heartbeat.
  func gatewayHealth(_ call: Int) { desk(for: call)?.ask("health", self, call) { _ in } }
  func gatewayHeartbeat(_ call: Int) { desk(for: call)?.ask("last-heartbeat", self, call) { _ in } }

  /// `{event, payload}`: posts an event of the table to the outbox.
  func event(_ call: Int, _ request: borrowing JSONView) {
    guard let name = request.member("event"), let payload = request.member("payload"), payload.kind == .object else {
      return refuse(call, "\"event\" is a name, and \"payload\" an object")
    }
    for row in ControlEvent.all where name.equals(row.name) {
      if payload.member("eventId") != nil { return refuse(call, "\"eventId\" is Talon's own") }
      if let member = row.text {
        guard let text = payload.member(member), let length = text.stringLength, length > 0,
          length <= ControlEvent.textMaximum
        else { return refuse(call, "the event's text is missing or too long") }
      }
      guard let number = post(row, payload) else {
        return fail(call, DeskFailure("TOO_LARGE", "the event is larger than the outbox takes"))
      }
      return finish(call) { writer in
        writer.beginObject()
        writer.key("number")
        writer.uint(number)
        writer.endObject()
      }
    }
    refuse(call, "events are voice.transcript, agent.request and notifications.changed")
  }

  /// Sends a presence beacon.
  func beacon(_ call: Int) {
    guard let pause = sendPresence() else {
      return fail(
        call, DeskFailure("OFFLINE", "the node is not online, or the gateway does not support presence beacons"))
    }
    finish(call) { writer in
      writer.beginObject()
      writer.key("leavesInMs")
      writer.int(pause)
      writer.endObject()
    }
  }
}
