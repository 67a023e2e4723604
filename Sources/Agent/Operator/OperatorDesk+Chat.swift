import Codec
import Gateway
import Runtime

/// Talking with the gateway's agent.
extension OperatorDesk {

  /// The session in which a person talks who names none.
  var mainSession: InlineText<512> {
    let main = session.hello.mainSession
    return main.isEmpty ? InlineText(cutting: "main") : InlineText(cutting: main.span)
  }

  /// The key of the session that a request names; nil when that is no key.
  public func session(from request: borrowing JSONView) -> InlineText<512>? {
    guard let key = request.member("session") else { return mainSession }
    var text = InlineText<512>()
    guard text.fill({ key.copyString(into: $0) }) else { return nil }
    return text.isEmpty ? mainSession : text
  }

  /// Says `message`, a JSON string, to the agent. The listener hears that the run has begun, what the agent says, and the
  /// end, or why it came to nothing.
  public func chat(
    _ message: borrowing JSONView, in key: InlineText<512>, _ listener: any DeskListener, _ tag: Int
  ) {
    guard let length = message.stringLength, length > 0, length <= Budget.chatMessageBytes else {
      return listener.deskFailed(tag, DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes"))
    }
    _ = message.copyString(into: text.bytes)
    let raw = message.rawText
    let id = UUIDText.make(random)
    raw.withUnsafeBufferPointer { bytes in
      say(length, id, in: key, listener, tag) { $0.raw(Span(_unsafeElements: bytes)) }
    }
  }

  /// Says the first `length` bytes of `text` to the agent; `write` writes them as a JSON string, and more
  /// members of the request behind it if it likes. A message that is said again
  /// under the same `id` reaches the agent once (gateway reference 9.9).
  func say(
    _ length: Int, _ id: InlineText<64>, in key: InlineText<512>, _ listener: any DeskListener, _ tag: Int,
    _ write: (inout JSONWriter) -> Void
  ) {
    var run = ChatRun()
    run.id = id
    run.session = key
    run.listener = listener
    run.tag = tag
    run.deadline = now + Self.runPatience
    run.question.add(text.bytes, 0..<length)
    guard let index = runs.add(run) else {
      return listener.deskFailed(tag, DeskFailure("BUSY", "as many replies are awaited as this board can follow"))
    }
    let call = DeskCalls.Call(purpose: .send, method: "chat.send", run: index, serial: runs[index].serial)
    let failure = send(call) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("message")
      write(&writer)
      writer.key("idempotencyKey")
      writer.string(id.span)
    }
    guard let failure else { return }
    runs.remove(index)
    listener.deskFailed(tag, failure)
  }

  /// Listens to a run that the gateway has begun for this board; false where as many replies are awaited as can be. Whoever listens forgets it
  /// when the connection is lost, for nothing tells its question in the history.
  func listen(to id: InlineText<64>, _ listener: any DeskListener, _ tag: Int) -> Bool {
    var run = ChatRun()
    (run.id, run.session, run.listener, run.tag) = (id, mainSession, listener, tag)
    (run.isConfirmed, run.deadline) = (true, now + Self.runPatience)
    return runs.add(run) != nil
  }

  /// Asks the gateway to stop the run of a listener. `listener` hears of the answer under `answerTag`; the end of the run
  /// comes on its own. False when there is no such run.
  public func abort(_ tag: Int, _ listener: any DeskListener, answerTag: Int) -> Bool {
    guard let index = runs.index(of: listener, tag) else { return false }
    let run = runs[index]
    ask("chat.abort", listener, answerTag) { writer in
      writer.key("sessionKey")
      writer.string(run.session.span)
      writer.key("runId")
      writer.string(run.id.span)
    }
    return true
  }

  /// True while a listener awaits a reply under this tag.
  func isChat(_ listener: any DeskListener, _ tag: Int) -> Bool { runs.index(of: listener, tag) != nil }

  // MARK: Events

  func chatReceived(_ payload: borrowing JSONView) {
    // Runs of others are for those who look at the conversation.
    guard let id = payload.member("runId"), let index = runs.index(of: id) ?? feed?.follow(id, payload) else { return }
    var piece = ChatDecoder.Piece()
    let step = runs.read(index, payload, text.bytes, &piece)
    if step == .nothing { return }
    runs.confirm(index, until: now + Self.runPatience)
    let run = runs[index]
    tell(run, piece)
    // Whoever listens may have gone meanwhile.
    guard runs.isActive(index), runs[index].serial == run.serial else { return }
    switch step {
    case .nothing, .progress: break
    case .final: end(index, isAborted: false)
    case .aborted: end(index, isAborted: true)
    case .failed: fail(index, DeskFailure(run: payload))
    }
  }

  func tell(_ run: ChatRun, _ piece: ChatDecoder.Piece) {
    if !piece.isEmpty {
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[piece.range])
      run.listener?.chatSaid(run.tag, Span(_unsafeElements: bytes), isReplacement: piece.isReplacement)
    }
    if piece.isCut { run.listener?.chatCut(run.tag) }
    if piece.range.upperBound > Self.keptBytes { text.release(keeping: Self.keptBytes) }
  }

  /// Touched pages beyond this many bytes are given back after each event.
  private static var keptBytes: Int { 16 * 1024 }

  private func end(_ index: Int, isAborted: Bool) {
    let run = runs[index]
    feed?.ended(run, hasGap: runs.hasGap(index))
    runs.remove(index)
    run.listener?.chatEnded(run.tag, isAborted: isAborted)
  }

  private func fail(_ index: Int, _ failure: DeskFailure) {
    let run = runs[index]
    feed?.ended(run, hasGap: runs.hasGap(index))
    runs.remove(index)
    run.listener?.deskFailed(run.tag, failure)
  }

  // MARK: Beginning

  private func isCurrent(_ call: DeskCalls.Call) -> Bool {
    runs.isActive(call.run) && runs[call.run].serial == call.serial
  }

  func runStarted(_ call: DeskCalls.Call, _ payload: borrowing JSONView) {
    guard isCurrent(call) else { return }
    runs.confirm(call.run, until: now + Self.runPatience)
    // The gateway's own name counts, should it ever choose one.
    if let id = payload.member("runId"), id.kind == .string {
      var name = InlineText<64>()
      if name.fill({ id.copyString(into: $0) }), !name.isEmpty { runs[call.run].id = name }
    }
    let run = runs[call.run]
    run.listener?.deskAnswered(run.tag, payload)
  }

  func runNotStarted(_ call: DeskCalls.Call, _ failure: RequestFailure) {
    guard isCurrent(call) else { return }
    // The gateway may have taken it all the same: the next connection tells.
    if failure.kind == .lost { return }
    // Its events were here before its answer.
    if failure.kind == .timedOut, runs[call.run].isConfirmed { return }
    fail(call.run, DeskFailure(failure, of: call.method))
  }

  func expireRuns(_ now: Int64) {
    for index in 0..<runs.capacity where runs.isActive(index) && runs[index].deadline <= now {
      fail(index, DeskFailure("TIMEOUT", "no sign of the agent for 10 minutes; see talon history"))
    }
  }

  // MARK: After a loss

  /// What was said while the connection was away stands in the history (gateway reference 9.9).
  func catchUpRuns() {
    for index in 0..<runs.capacity where runs.isActive(index) && !runs[index].isFollowed {
      let run = runs[index]
      let call = DeskCalls.Call(purpose: .catchUp, method: "chat.history", run: index, serial: run.serial)
      _ = send(call) { writer in
        writer.key("sessionKey")
        writer.string(run.session.span)
        writer.key("limit")
        writer.int(Self.catchUpMessages)
      }
    }
  }

  /// Messages of the history that are looked at: the person's, the reply, and tools between them.
  private static var catchUpMessages: Int64 { 20 }

  func catchUp(_ call: DeskCalls.Call, _ payload: borrowing JSONView) {
    guard isCurrent(call) else { return }
    let run = runs[call.run]
    if let flying = payload.member("inFlightRun"), let id = flying.member("runId"), id.equals(run.id.span) { return }
    guard let messages = payload.member("messages") else { return }
    // The reply is the last message of the agent behind the person's own.
    var isAsked = false
    var replyAt: Int?
    var place = 0
    var elements = messages.elements()
    while let message = elements.next() {
      if isFrom("user", message) {
        // A question behind ours: its reply is not ours.
        if isAsked { break }
        isAsked = says(run.question, message)
      } else if isAsked, isFrom("assistant", message), hasText(message) {
        replyAt = place
      }
      place += 1
    }
    if let replyAt { return finish(call.run, messages, replyAt) }
    if isAsked || run.isConfirmed { return }
    fail(
      call.run,
      DeskFailure("LOST", "the connection was lost, and the gateway's history does not show the message"))
  }

  private func finish(_ index: Int, _ messages: borrowing JSONView, _ place: Int) {
    var elements = messages.elements()
    var left = place
    while let message = elements.next() {
      if left > 0 {
        left -= 1
        continue
      }
      var piece = ChatDecoder.Piece()
      runs.readSnapshot(index, message, text.bytes, &piece)
      let run = runs[index]
      tell(run, piece)
      guard runs.isActive(index), runs[index].serial == run.serial else { return }
      return end(index, isAborted: false)
    }
  }

  private func isFrom(_ role: StaticString, _ message: borrowing JSONView) -> Bool {
    guard let member = message.member("role") else { return false }
    return member.equals(role)
  }

  private func hasText(_ message: borrowing JSONView) -> Bool {
    var content = MessageText(into: text.bytes)
    content.read(message)
    return content.count > 0
  }

  /// Gateways put a time before what a person said, and nothing behind it.
  func says(_ question: TextDigest, _ message: borrowing JSONView) -> Bool {
    var content = MessageText(into: text.bytes)
    content.read(message)
    guard content.count >= question.count else { return false }
    var end = TextDigest()
    end.add(text.bytes, (content.count - question.count)..<content.count)
    return end == question
  }
}
