import Codec
import Gateway
import Runtime

/// Conversation with the gateway's agent.
extension OperatorDesk {

  /// The session of a person who names none.
  public var mainSession: SessionKey {
    let main = session.hello.mainSession
    return main.isEmpty ? InlineText(cutting: "main") : main
  }

  /// The key of the session that a request names; nil when it is not a valid key.
  public func session(from request: borrowing JSONView) -> SessionKey? {
    guard let key = request.member("session") else { return mainSession }
    var text = SessionKey()
    guard text.fill({ key.copyString(into: $0) }) else { return nil }
    return text.isEmpty ? mainSession : text
  }

  /// Sends `message`, a JSON string, to the agent, with a photo of the board's camera if that is wanted. The delegate
  /// gets the beginning of the run, the reply, and its end or failure.
  public func chat(
    _ message: borrowing JSONView, in key: SessionKey, withPhoto: Bool = false, _ delegate: any DeskDelegate,
    _ tag: Int
  ) {
    guard let length = copy(message) else { return delegate.deskFailed(tag, Self.wrongLength) }
    let raw = message.rawText
    let id = UUIDText.make(random)
    if withPhoto { return sayWithPhoto(length, id, in: key, delegate, tag) }
    raw.withUnsafeBufferPointer { bytes in
      say(length, id, in: key, delegate, tag) { $0.raw(Span(_unsafeElements: bytes)) }
    }
  }

  /// Copies a message to `text`, and returns its bytes; nil when it is too long, or empty.
  func copy(_ message: borrowing JSONView) -> Int? {
    guard let length = message.stringLength, length > 0, length <= Budget.chatMessageBytes else { return nil }
    return message.copyString(into: text.bytes)
  }

  static var wrongLength: DeskFailure { DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes") }

  /// Sends the first `length` bytes of `text` to the agent, or gives them to the stand-in; for a gateway `write` writes
  /// them as a JSON string, and may add more members of the request after it. A message that is sent again under the
  /// same `id` reaches the agent once (gateway reference 9.9).
  public func say(
    _ length: Int, _ id: InlineText<64>, in key: SessionKey, _ delegate: any DeskDelegate, _ tag: Int,
    _ write: (inout JSONWriter) -> Void
  ) {
    let owner = owners.owner(of: id)
    // What the gateway may have already waits for the gateway.
    if standsIn, owner != .gateway { return sayToStandIn(length, id, in: key, delegate, tag) }
    if owner == .standIn {
      return delegate.deskFailed(
        tag, DeskFailure("RUN_FAILED", "the board's own agent has this message already: write it anew"))
    }
    var run = ChatRun()
    run.id = id
    run.session = key
    run.delegate = delegate
    run.tag = tag
    run.deadline = now + Self.runTimeout
    run.question.add(text.bytes, 0..<length)
    guard let index = runs.add(run) else { return delegate.deskFailed(tag, Self.tooManyRuns) }
    let call = DeskCalls.Call(purpose: .send, method: "chat.send", run: index, serial: runs[index].serial)
    let failure = send(call) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("message")
      write(&writer)
      writer.key("idempotencyKey")
      writer.string(id.span)
    }
    guard let failure else { return owners.note(id, .gateway) }
    runs.remove(index)
    delegate.deskFailed(tag, failure)
  }

  /// Follows a run that the gateway has begun for this board; false when too many replies are already awaited. The
  /// delegate must forget it when the connection is lost, because the history has no message to find it by.
  public func listen(to id: InlineText<64>, _ delegate: any DeskDelegate, _ tag: Int) -> Bool {
    var run = ChatRun()
    (run.id, run.session, run.delegate, run.tag) = (id, mainSession, delegate, tag)
    (run.isConfirmed, run.deadline) = (true, now + Self.runTimeout)
    return runs.add(run) != nil
  }

  /// Asks the gateway, or the stand-in, to stop a run. `delegate` gets the response under `answerTag`; the end of the
  /// run comes separately. False when there is no such run.
  public func abort(_ tag: Int, _ delegate: any DeskDelegate, answerTag: Int) -> Bool {
    guard let index = runs.index(of: delegate, tag) else { return false }
    let run = runs[index]
    if run.isLocal {
      cancelLocal(index)
      delegate.deskAnswered(answerTag, JSONView((#"{"ok":true}"# as StaticString).utf8Bytes))
      return true
    }
    ask("chat.abort", delegate, answerTag) { writer in
      writer.key("sessionKey")
      writer.string(run.session.span)
      writer.key("runId")
      writer.string(run.id.span)
    }
    return true
  }

  /// True when the stand-in answers the message of this tag.
  func isLocal(_ delegate: any DeskDelegate, _ tag: Int) -> Bool {
    guard let index = runs.index(of: delegate, tag) else { return false }
    return runs[index].isLocal
  }

  /// True while a delegate awaits a reply under this tag.
  func isChat(_ delegate: any DeskDelegate, _ tag: Int) -> Bool { runs.index(of: delegate, tag) != nil }

  // MARK: Events

  func chatReceived(_ payload: borrowing JSONView) {
    // Runs of other clients matter only while the conversation is shown.
    guard let id = payload.member("runId"), let index = runs.index(of: id) ?? feed?.follow(id, payload) else { return }
    var piece = ChatDecoder.Piece()
    let step = runs.read(index, payload, text.bytes, &piece)
    if step == .nothing { return }
    runs.confirm(index, until: now + Self.runTimeout)
    if !piece.isEmpty { endThought(of: index) }
    if let message = payload.member("message"), ChatPicture.hasPicture(message) { runs.noteStep(index) }
    let run = runs[index]
    deliver(run, piece)
    // The delegate may have forgotten it meanwhile.
    guard runs.isActive(index), runs[index].serial == run.serial else { return }
    switch step {
    case .nothing, .progress: break
    case .final: end(index, isAborted: false)
    case .aborted: end(index, isAborted: true)
    case .failed: fail(index, DeskFailure(run: payload))
    }
  }

  func deliver(_ run: ChatRun, _ piece: ChatDecoder.Piece) {
    if !piece.isEmpty {
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[piece.range])
      run.delegate?.chatTextReceived(run.tag, Span(_unsafeElements: bytes), isReplacement: piece.isReplacement)
    }
    if piece.isCut { run.delegate?.chatCut(run.tag) }
    if piece.range.upperBound > Self.keptBytes { text.release(keeping: Self.keptBytes) }
  }

  /// Pages beyond this many bytes are given back after each event.
  private static var keptBytes: Int { 16 * 1024 }

  private func end(_ index: Int, isAborted: Bool) {
    endSteps(of: index)
    let run = runs[index]
    feed?.ended(run, hasGap: runs.hasGap(index))
    runs.remove(index)
    run.delegate?.chatEnded(run.tag, isAborted: isAborted)
  }

  private func fail(_ index: Int, _ failure: DeskFailure) {
    endSteps(of: index)
    let run = runs[index]
    feed?.ended(run, hasGap: runs.hasGap(index))
    runs.remove(index)
    run.delegate?.deskFailed(run.tag, failure)
  }

  // MARK: Beginning

  private func isCurrent(_ call: DeskCalls.Call) -> Bool {
    runs.isActive(call.run) && runs[call.run].serial == call.serial
  }

  func runStarted(_ call: DeskCalls.Call, _ payload: borrowing JSONView) {
    guard isCurrent(call) else { return }
    runs.confirm(call.run, until: now + Self.runTimeout)
    // The gateway may have given it another id.
    if let id = payload.member("runId"), id.kind == .string {
      var name = InlineText<64>()
      if name.fill({ id.copyString(into: $0) }), !name.isEmpty { runs[call.run].id = name }
    }
    let run = runs[call.run]
    run.delegate?.deskAnswered(run.tag, payload)
  }

  func runNotStarted(_ call: DeskCalls.Call, _ failure: RequestFailure) {
    guard isCurrent(call) else { return }
    // The gateway may have accepted it anyway: the history shows it after the next connection.
    if failure.kind == .lost { return }
    // Its events arrived before its response.
    if failure.kind == .timedOut, runs[call.run].isConfirmed { return }
    fail(call.run, DeskFailure(failure, of: call.method))
  }

  func expireRuns(_ now: Int64) {
    for index in 0..<runs.capacity where runs.isActive(index) && runs[index].deadline <= now {
      if runs[index].isLocal {
        expireLocal(index)
        continue
      }
      fail(index, DeskFailure("TIMEOUT", "nothing from the agent for 10 minutes; see talon history"))
    }
  }

  // MARK: After a loss

  /// What was said while the connection was lost is in the history (gateway reference 9.9).
  public func catchUpRuns() {
    for index in 0..<runs.capacity where runs.isActive(index) && !runs[index].isFollowed && !runs[index].isLocal {
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

  /// Messages of the history that are searched: the person's, the reply, and those of tools between them.
  private static var catchUpMessages: Int64 { 20 }

  func catchUp(_ call: DeskCalls.Call, _ payload: borrowing JSONView) {
    guard isCurrent(call) else { return }
    let run = runs[call.run]
    if let inFlight = payload.member("inFlightRun"), let id = inFlight.member("runId"), id.equals(run.id.span) {
      return
    }
    guard let messages = payload.member("messages") else { return }
    // The reply is the agent's last message after the person's own.
    var isAsked = false
    var replyAt: Int?
    var place = 0
    var elements = messages.elements()
    while let message = elements.next() {
      if isFrom("user", message) {
        // A later message of a person: the reply after it is not this run's.
        if isAsked { break }
        isAsked = isMessage(run.question, message)
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
      deliver(run, piece)
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

  /// Gateways put a time before a person's message, and nothing after it.
  func isMessage(_ question: TextDigest, _ message: borrowing JSONView) -> Bool {
    var content = MessageText(into: text.bytes)
    content.read(message)
    guard content.count >= question.count else { return false }
    var end = TextDigest()
    end.add(text.bytes, (content.count - question.count)..<content.count)
    return end == question
  }
}
