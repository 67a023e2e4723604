import Codec
import Runtime

/// The operations, one function for each row of the table.
extension Control {

  // MARK: Chat

  /// `{text, session?}`: sends a message to the agent, and follows its reply.
  func chat(_ call: Int, _ request: borrowing JSONView) {
    guard let text = request.member("text"), text.kind == .string else {
      return refuse(call, "the member \"text\" is missing")
    }
    guard let desk = desk(for: call), let session = session(desk, call, request) else { return }
    desk.chat(text, in: session, self, call)
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

  private func session(
    _ desk: OperatorDesk, _ call: Int, _ request: borrowing JSONView
  ) -> InlineText<512>? {
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
    guard sendPresence() else {
      return fail(
        call, DeskFailure("OFFLINE", "the node is not online, or the gateway does not support presence beacons"))
    }
    finish(call) { writer in
      writer.beginObject()
      writer.endObject()
    }
  }
}
