import Codec
import Runtime

/// What the local socket needs of the node.
public protocol ControlNode: AnyObject {
  /// The operator connection; nil when the configuration has none.
  var desk: OperatorDesk? { get }
  /// The operations of the agent and its parts, read once.
  var operations: [ControlRow] { get }
  /// Posts an event for the gateway. `payload` is an object without `eventId`, which is added with `hasID`. Returns the
  /// event's number, or nil when it is too large.
  func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64?
  /// Sends a presence beacon: milliseconds until it leaves, 0 when it has; nil when the gateway is not connected, or
  /// knows none.
  func sendPresence() -> Int64?
  /// The client of this call has disconnected: its answer is not needed.
  func forget(_ control: Control, _ call: Int)
  /// A client has disconnected.
  func clientDisconnected(_ client: Int)
}

/// The operations of the running agent for programs on this board, one JSON object a line:
/// `{"op":"chat","id":1,"text":"hello"}`. Each call is answered in lines that repeat its `id` (0 when it has none) and
/// have a `type`:
///
/// - `result`, with `result`: the answer. The call is over.
/// - `error`, with `code`, `message` and perhaps `fallback`. The call is over.
/// - `started`: the operation has begun.
/// - `text` and `replacement` with `text`, `cut`: a reply as it comes.
/// - `step`, with `kind` `tool` or `thought`, `state` `begun`, `done` or `failed`, `text` and perhaps `detail`: what
/// the agent does besides.
/// - `line`, with `level`, `age` in milliseconds and `text`: a line of the log.
/// - `end`, with `state` `final` or `aborted`: the reply or the log is complete. The call is over.
///
/// A client may have several calls at once. Its input is untrusted until it is parsed.
public final class Control: LineServerDelegate {
  private unowned(unsafe) let server: any LineServer
  unowned(unsafe) let node: any ControlNode
  /// The operations: those of the node, then those that always exist.
  let rows: [ControlRow]
  var calls = ControlCalls()
  /// The log whose lines clients follow; nil without followers.
  unowned(unsafe) var followedLog: Log?

  /// `server` and `node` must live as long as this object.
  @export(interface)
  public init(server: any LineServer, node: any ControlNode) {
    self.server = server
    self.node = node
    rows = node.operations + ControlRow.always
  }

  // MARK: LineServerDelegate

  public func lineReceived(_ line: Span<UInt8>, from client: Int) {
    do throws(JSONError) {
      try JSONValidator.check(line, depthLimit: Budget.jsonDepth)
    } catch {
      return sendError(client, 0, DeskFailure("INVALID_REQUEST", "a line is one JSON object; this is not valid JSON"))
    }
    let request = JSONView(line)
    var id: Int64 = 0
    if let member = request.member("id"), let value = member.int64 { id = value }
    guard let name = request.member("op"), name.kind == .string else {
      return sendError(client, id, DeskFailure("INVALID_REQUEST", "the member \"op\" is missing"))
    }
    for row in rows where name.equals(row.name) {
      guard let call = calls.add(ControlCalls.Call(client: client, id: id)) else {
        return sendError(client, id, DeskFailure("BUSY", "too many calls wait for their answers"))
      }
      return row.begin(self, call, request)
    }
    sendError(client, id, DeskFailure("INVALID_REQUEST", "the operation in \"op\" is unknown"))
  }

  public func lineTooLong(from client: Int) {
    sendError(client, 0, DeskFailure("INVALID_REQUEST", "a line has at most 16384 bytes"))
  }

  public func lineClientDisconnected(_ client: Int) {
    for index in 0..<calls.capacity {
      guard let call = calls[index], call.client == client else { continue }
      _ = calls.take(index)
      node.desk?.forget(self, index)
      node.forget(self, index)
    }
    node.clientDisconnected(client)
    unfollow()
  }

  public func isAwaited(by client: Int) -> Bool { calls.hasAny(of: client) }

  // MARK: Answering

  /// Ends a call with a result: `write` writes one value.
  public func finish(_ index: Int, _ write: (inout JSONWriter) -> Void) {
    guard let call = calls.take(index) else { return }
    let isSent = send(call, "result") { writer in
      writer.key("result")
      write(&writer)
    }
    // Does nothing when the client has disconnected.
    if !isSent {
      sendError(call.client, call.id, DeskFailure("TOO_LARGE", "the answer is larger than this board can send"))
    }
  }

  /// Ends a call with an error.
  public func fail(_ index: Int, _ failure: DeskFailure) {
    guard let call = calls.take(index) else { return }
    sendError(call.client, call.id, failure)
  }

  /// Ends a call with the error that its request is invalid; `sentence` says why.
  public func refuse(_ index: Int, _ sentence: StaticString) { fail(index, DeskFailure("INVALID_REQUEST", sentence)) }

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
      // The gateway's JSON may contain line breaks between tokens: they become spaces, because a line is one message.
      for index in 0..<writer.count where buffer[index] == UInt8(ascii: "\n") || buffer[index] == UInt8(ascii: "\r") {
        buffer[index] = UInt8(ascii: " ")
      }
      return writer.count
    }
  }

  /// Ends a call with an empty object.
  public func finishEmpty(_ call: Int) {
    finish(call) { writer in
      writer.beginObject()
      writer.endObject()
    }
  }

  /// The client whose call this is; nil once the call has ended.
  public func client(of call: Int) -> Int? { calls[call]?.client }

  /// Sends one line of a call whose answer has parts; `members` writes its members after `id` and `type`.
  public func sendPart(_ index: Int, _ type: StaticString, _ members: (inout JSONWriter) -> Void) {
    if let call = calls[index] { _ = send(call, type, members) }
  }

  // MARK: What the operations need

  /// The desk; nil after ending the call with an error.
  func desk(for call: Int) -> OperatorDesk? {
    if let desk = node.desk { return desk }
    fail(
      call,
      DeskFailure(
        DeskFailure.noOperator,
        "this board has no console connection: set enabled = yes in [operator], then talon reload"))
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

  func sendPresence() -> Int64? { node.sendPresence() }
}

extension Control: DeskDelegate {
  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    if isChat(tag) { return sendPart(tag, "started") { _ in } }
    let raw = payload.rawText
    raw.withUnsafeBufferPointer { bytes in
      finish(tag) { $0.raw(Span(_unsafeElements: bytes)) }
    }
  }

  public func deskFailed(_ tag: Int, _ failure: DeskFailure) { fail(tag, failure) }

  public func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    text.withUnsafeBufferPointer { bytes in
      sendPart(tag, isReplacement ? "replacement" : "text") { writer in
        writer.key("text")
        writer.string(Span(_unsafeElements: bytes))
      }
    }
  }

  public func chatCut(_ tag: Int) { sendPart(tag, "cut") { _ in } }

  public func chatStep(_ tag: Int, _ step: ChatStep) {
    sendPart(tag, "step") { writer in
      writer.key("kind")
      writer.string(step.kind == .tool ? "tool" : "thought")
      writer.key("state")
      writer.string(step.state == .begun ? "begun" : step.state == .done ? "done" : "failed")
      writer.key("text")
      var text = InlineText<128>()
      text.fill { buffer in
        var line = LogLine(buffer)
        step.writeLine(to: &line)
        return line.count
      }
      writer.string(text.span)
      if step.detail.isEmpty { return }
      writer.key("detail")
      writer.string(step.detail.span)
    }
  }

  public func chatEnded(_ tag: Int, isAborted: Bool) {
    endParts(tag, isAborted ? "aborted" : "final")
  }

  /// Ends a call whose answer has parts.
  public func endParts(_ index: Int, _ state: StaticString) {
    guard let call = calls.take(index) else { return }
    _ = send(call, "end") { writer in
      writer.key("state")
      writer.string(state)
    }
  }

  /// True when the call waits for a reply, which has parts.
  private func isChat(_ call: Int) -> Bool { node.desk?.isChat(self, call) ?? false }
}
