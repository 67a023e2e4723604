import Codec
import Motion
import Runtime

/// What the local socket needs of the node.
public protocol ControlNode: AnyObject {
  /// The operator connection; nil when the configuration wants none.
  var desk: OperatorDesk? { get }
  /// Takes an event for the gateway; `payload` is an object without `eventId`, which it gets with `hasID`. Nil when it is
  /// too large.
  func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64?
  /// Tells the gateway that the node is alive; false when it is not connected.
  func tellPresence() -> Bool
  /// Writes the node's state, one object.
  func writeStatus(to writer: inout JSONWriter)
  /// Writes what the position receiver says and how its line is, one object.
  func writeLocation(to writer: inout JSONWriter)
  /// The motion room; nil where no sensor is configured.
  var motion: MotionService? { get }
  #if TALON_SOUND
    /// Who talks with people; nil where no microphone is configured.
    var talk: TalkService? { get }
  #endif
  /// The whole agent, for what is done to the board itself; nil: such operations are refused.
  var agent: Agent? { get }
}

/// What programs on this board may ask of the running agent, one JSON object a line: `{"op":"chat","id":1,"text":"hello"}`.
/// Each call is answered in lines that repeat its `id` (0 when it has none) and have a `type`:
///
/// - `result`, with `result`: the answer. The call is over.
/// - `error`, with `code`, `message` and perhaps `fallback`: there is none. The call is over.
/// - `started`: what was asked for has begun.
/// - `text` and `replacement` with `text`, `cut`: a reply as it comes.
/// - `line`, with `level`, `age` in milliseconds and `text`: a line of the log.
/// - `end`, with `state` `final` or `aborted`: the reply, or what was asked of the log, is complete. The call is over.
///
/// A client may have several calls at once. What it sends is hostile until parsed.
public final class Control: LineServerDelegate {
  private unowned(unsafe) let server: any LineServer
  unowned(unsafe) let node: any ControlNode
  var calls = ControlCalls()
  /// The call that waits for a photo.
  var snapCall: Int?
  #if TALON_SOUND
    private var talk: TalkConsole! = nil
  #endif

  /// Both must live as long as the control.
  public init(server: any LineServer, node: any ControlNode) {
    self.server = server
    self.node = node
    #if TALON_SOUND
      talk = TalkConsole(self)
    #endif
    // Made now, so that no request has to.
    _ = ControlRow.all.count + ControlEvent.all.count
  }

  // MARK: LineServerDelegate

  public func lineReceived(_ line: Span<UInt8>, from client: Int) {
    do throws(JSONError) {
      try JSONValidator.check(line, depthLimit: Budget.jsonDepth)
    } catch {
      return sendError(client, 0, DeskFailure("INVALID_REQUEST", "a line is one JSON object; this is no JSON"))
    }
    let request = JSONView(line)
    var id: Int64 = 0
    if let member = request.member("id"), let value = member.int64 { id = value }
    guard let name = request.member("op"), name.kind == .string else {
      return sendError(client, id, DeskFailure("INVALID_REQUEST", "the member \"op\" is missing"))
    }
    for index in ControlRow.all.indices where name.equals(ControlRow.all[index].name) {
      guard let call = calls.add(ControlCalls.Call(client: client, id: id)) else {
        return sendError(client, id, DeskFailure("BUSY", "too many calls wait for their answers"))
      }
      return ControlRow.all[index].begin(self, call, request)
    }
    sendError(client, id, DeskFailure("INVALID_REQUEST", "there is no such operation"))
  }

  public func lineTooLong(from client: Int) {
    sendError(client, 0, DeskFailure("INVALID_REQUEST", "a line has at most 16384 bytes"))
  }

  public func lineClientGone(_ client: Int) {
    for index in 0..<calls.capacity {
      guard let call = calls[index], call.client == client else { continue }
      _ = calls.take(index)
      node.desk?.forget(self, index)
      node.agent?.forget(self, index)
      if snapCall == index { snapCall = nil }
      #if TALON_SOUND
        talk.forget(index)
      #endif
    }
    #if TALON_SOUND
      talk.clientGone(client)
      node.agent?.lender?.clientGone(client)
    #endif
    unfollow()
  }

  public func isAwaited(by client: Int) -> Bool { calls.hasAny(of: client) }

  // MARK: Answering

  /// Ends a call with an answer: `write` writes one value.
  func finish(_ index: Int, _ write: (inout JSONWriter) -> Void) {
    guard let call = calls.take(index) else { return }
    let isSent = send(call, "result") { writer in
      writer.key("result")
      write(&writer)
    }
    // Nothing happens here when the client is gone.
    if !isSent { sendError(call.client, call.id, DeskFailure("TOO_LARGE", "the answer is larger than this board keeps")) }
  }

  /// Ends a call with an error.
  func fail(_ index: Int, _ failure: DeskFailure) {
    guard let call = calls.take(index) else { return }
    sendError(call.client, call.id, failure)
  }

  func refuse(_ index: Int, _ sentence: StaticString) { fail(index, DeskFailure("INVALID_REQUEST", sentence)) }

  private func sendError(_ client: Int, _ id: Int64, _ failure: DeskFailure) {
    _ = send(ControlCalls.Call(client: client, id: id), "error") { writer in
      writer.key("code")
      writer.string(failure.code.span)
      writer.key("message")
      writer.string(failure.sentence.span)
      if failure.isFallbackEligible {
        writer.key("fallback")
        writer.bool(true)
      }
    }
  }

  /// Sends one line of a call.
  private func send(
    _ call: ControlCalls.Call, _ type: StaticString, _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    server.send(to: call.client) { buffer in
      var writer = JSONWriter(into: buffer)
      writer.beginObject()
      writer.key("id")
      writer.int(call.id)
      writer.key("type")
      writer.string(type)
      members(&writer)
      writer.endObject()
      guard writer.isComplete else { return nil }
      // The gateway's JSON may be spread over lines; between its tokens a blank says the same.
      for index in 0..<writer.count where buffer[index] == UInt8(ascii: "\n") || buffer[index] == UInt8(ascii: "\r") {
        buffer[index] = UInt8(ascii: " ")
      }
      return writer.count
    }
  }

  func sendPart(_ index: Int, _ type: StaticString, _ members: (inout JSONWriter) -> Void) {
    if let call = calls[index] { _ = send(call, type, members) }
  }

  // MARK: What the operations need

  /// The agent, or the end of the call.
  func agent(for call: Int) -> Agent? {
    if let agent = node.agent { return agent }
    fail(call, DeskFailure("UNAVAILABLE", "nobody can do this here"))
    return nil
  }

  /// The desk, or the end of the call.
  func desk(for call: Int) -> OperatorDesk? {
    if let desk = node.desk { return desk }
    fail(
      call,
      DeskFailure(
        DeskFailure.noOperator,
        "this board has no console connection: set enabled = yes in [operator], then systemctl reload talon"))
    return nil
  }

  /// The call of the same client that has this id.
  func sibling(of call: Int, id: Int64) -> Int? {
    guard let client = calls[call]?.client else { return nil }
    return calls.index(of: client, id: id)
  }

  func post(_ event: ControlEvent, _ payload: borrowing JSONView) -> UInt64? {
    node.post(event.name, ageLimit: event.ageLimit, hasID: event.hasID, payload)
  }

  func tellPresence() -> Bool { node.tellPresence() }

  /// The state of the node, in which there are the gateway's words but never a secret.
  func status(_ call: Int) { finish(call) { node.writeStatus(to: &$0) } }

  /// The motion room, or the end of the call.
  func motion(for call: Int) -> MotionService? {
    if let motion = node.motion { return motion }
    fail(call, DeskFailure("NO_SENSOR", "no motion sensor is configured: set driver in [motion]"))
    return nil
  }

  /// What the microphone hears; it is open for as long as somebody asks.
  func listen(_ call: Int) {
    guard let agent = agent(for: call) else { return }
    #if TALON_SOUND
      if let microphone = agent.microphone {
        microphone.watchLevels()
        return finish(call) { microphone.writeReport(to: &$0, agent.wake) }
      }
    #endif
    fail(call, DeskFailure("NO_MICROPHONE", "no microphone is configured: set driver in [microphone]"))
  }

  /// `{action}`: push to talk, and talk mode.
  func talk(_ call: Int, _ request: borrowing JSONView) {
    #if TALON_SOUND
      if let service = node.talk, let client = calls[call]?.client {
        guard let action = request.member("action") else { return refuse(call, "the member \"action\" is missing") }
        return talk.begin(call, client, action, service)
      }
    #endif
    fail(call, DeskFailure("NO_MICROPHONE", "no microphone is configured: set driver in [microphone]"))
  }

  /// Where the board is, and what it hears of satellites.
  func location(_ call: Int) { finish(call) { node.writeLocation(to: &$0) } }
}

extension Control: DeskListener {
  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    if isChat(tag) { return sendPart(tag, "started") { _ in } }
    let raw = payload.rawText
    raw.withUnsafeBufferPointer { bytes in
      finish(tag) { $0.raw(Span(_unsafeElements: bytes)) }
    }
  }

  public func deskFailed(_ tag: Int, _ failure: DeskFailure) { fail(tag, failure) }

  public func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    text.withUnsafeBufferPointer { bytes in
      sendPart(tag, isReplacement ? "replacement" : "text") { writer in
        writer.key("text")
        writer.string(Span(_unsafeElements: bytes))
      }
    }
  }

  public func chatCut(_ tag: Int) { sendPart(tag, "cut") { _ in } }

  public func chatEnded(_ tag: Int, isAborted: Bool) {
    endParts(tag, isAborted ? "aborted" : "final")
  }

  /// Ends a call whose answer came in parts.
  func endParts(_ index: Int, _ state: StaticString) {
    guard let call = calls.take(index) else { return }
    _ = send(call, "end") { writer in
      writer.key("state")
      writer.string(state)
    }
  }

  /// A reply is awaited, not an answer.
  private func isChat(_ call: Int) -> Bool { node.desk?.isChat(self, call) ?? false }
}
