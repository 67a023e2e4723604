import Codec
import Runtime

/// Inbound messages while the session is online.
extension Session {

  func goOnline() {
    phase = .online
    phaseDeadline = nil
    connections += 1
    endpoints.postpone(endpoints.current, until: 0)
    onlineSince = clock.monotonic
    liveness.begin(onlineSince)
    acceptance.begin()
    set(.online) { self.writeOnline(to: &$0) }
    delegate.sessionOpened()
    connectAnew()
    serveEarly()
  }

  func writeOnline(to line: inout LogLine) {
    line.add("online: connected to ")
    line.add(endpoints.current.text)
    line.add(", gateway version ")
    line.add(code: hello.serverVersion.span)
    writeDoubt(to: &line)
  }

  private func serveEarly() {
    while phase == .online, hasRoom, let text = early.pop() { receivedOnline(text) }
    if early.isEmpty { early.clear() }
  }

  public func linkIsAlive() {
    liveness.heard(clock.monotonic)
    counters.heard(at: clock.monotonic)
  }

  /// True when there is room for one more reply beside those that are due, and nothing keeps the next message waiting.
  var hasRoom: Bool { !delegate.isOccupied && link.room > delegate.repliesDue + 1 }

  public func linkCanTakeMessage() -> Bool {
    if phase != .online { return true }
    isHeldBack = !hasRoom || !early.isEmpty
    return !isHeldBack
  }

  public func linkHasRoom() {
    if phase == .online { serveEarly() }
    guard isHeldBack, linkCanTakeMessage() else { return }
    link.resume()
  }

  public func linkReceived(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk) {
    liveness.received(bytes.count, isFinal: chunk.isFinal, clock.monotonic)
    switch inbound.receive(bytes, chunk) {
    case .incomplete: return
    case .whole(let text):
      if phase != .online { return receivedEarly(text) }
      if inbound.isLongInvoke, inbound.give({ self.delegate.sessionReceivedInvoke(in: &$0, count: $1) }) { return }
      receivedOnline(text)
    case .garbage: notJSON()
    case .tooLarge: answerTooLarge()
    }
  }

  private func notJSON() {
    log.write(.warning, room, "a message that is not valid JSON was ignored")
  }

  private func answerTooLarge() {
    log.write(.warning, room) { line in
      line.add("a message larger than ")
      line.add(self.inbound.capacity)
      line.add(" bytes was dropped")
    }
    // Before `hello-ok` it may have been the response that the attempt waits for.
    guard phase == .online else { return link.close(1009, "message too big") }
    guard let found = inbound.found else { return }
    if found.equals(Inbound.Place.type, "res"), let id = found.string(Inbound.Place.id),
      let number = RequestID.number(Span(_unsafeElements: id)), let waiter = requests.take(number)
    {
      return waiter.delegate.requestFailed(waiter.tag, RequestFailure(.tooLarge))
    }
    guard found.equals(Inbound.Place.event, "node.invoke.request"),
      let id = found.string(Inbound.Place.invokeID)
    else { return }
    replyError(
      to: Span(_unsafeElements: id), code: "INVALID_REQUEST",
      message: ("INVALID_REQUEST: the request is larger than this node takes" as StaticString).utf8Bytes)
  }

  private func receivedOnline(_ text: UnsafeBufferPointer<UInt8>) {
    let frame = JSONView(Span(_unsafeElements: text))
    // In one pass: the payload may be long.
    var ofType: JSONView? = nil
    var ofEvent: JSONView? = nil
    var ofPayload: JSONView? = nil
    var ofID: JSONView? = nil
    var isDone = false
    var members = frame.members()
    while let member = members.next() {
      if member.name.equals("type") { ofType = member.value }
      if member.name.equals("id") { ofID = member.value }
      if member.name.equals("ok") { isDone = member.value.bool == true }
      if member.name.equals("event") { ofEvent = member.value }
      if member.name.equals("payload") { ofPayload = member.value }
    }
    guard let type = ofType else { return }
    if type.equals("res") {
      guard let id = ofID else { return }
      if let payload = ofPayload { return receivedResponse(id, isDone, payload, frame) }
      return receivedResponse(id, isDone, JSONView(("null" as StaticString).utf8Bytes), frame)
    }
    guard type.equals("event"), let event = ofEvent, let payload = ofPayload else { return }
    if event.equals("shutdown") { return receivedShutdown(payload) }
    delegate.sessionReceived(event, payload)
  }

  /// Passes a response to the request's delegate. The response to an invoke's result is not awaited, and logged only
  /// when it is a refusal.
  private func receivedResponse(
    _ id: borrowing JSONView, _ isDone: Bool, _ payload: borrowing JSONView, _ frame: borrowing JSONView
  ) {
    var name = InlineText<24>()
    let isShort = name.fill { id.copyString(into: $0) }
    if isDone { accepted() }
    if isShort, let number = RequestID.number(name.span) {
      // A response after the timeout is ignored.
      guard let waiter = requests.take(number) else { return }
      if !isDone {
        waiter.delegate.requestFailed(waiter.tag, RequestFailure(answer: frame))
        return refused(frame, waiter.method)
      }
      return waiter.delegate.requestSucceeded(waiter.tag, payload)
    }
    if isDone { return }
    let failure = RequestFailure(answer: frame)
    log.write(.warning, room) { line in
      line.add("the gateway refused the result of an invoke: ")
      line.add(code: failure.code.span)
      line.add(" ")
      line.quote(failure.message.span)
    }
    refused(frame, "node.invoke.result")
  }

  /// The gateway did what it was asked: the connection is as good as it looks.
  private func accepted() {
    let hadDoubt = acceptance.ended > 1
    acceptance.accept()
    if hadDoubt { set(.online) { self.writeOnline(to: &$0) } }
  }

  /// A request was refused, which may be meant for all of them.
  private func refused(_ frame: borrowing JSONView, _ method: StaticString) {
    guard phase == .online, let error = frame.member("error") else { return }
    let refusal = Refusal(error)
    if configuration.role == .node, refusal.message.span.contains("unknown nodeId") { rivalry.refused() }
    guard acceptance.refuse(refusal, of: method, role: configuration.role, at: clock.monotonic) else { return }
    counters.refused += 1
    restartIn = refusal.retryAfter.map { min(max($0, 500), 30_000) }
    phase = .ending
    lose()
    link.close(4000, "requests are refused")
  }

  /// Why a connection that is open is not yet trusted to be of use: the ones before were not.
  private func writeDoubt(to line: inout LogLine) {
    if rivalry.isSuspected {
      line.add("; ")
      line.add(Rivalry.sentence)
    }
    guard acceptance.ended > 1, let refusal = acceptance.last else { return }
    line.add("; on the last ")
    line.add(acceptance.ended)
    line.add(" connections it ")
    refusal.describeRequests(&line)
  }

  private func receivedShutdown(_ payload: borrowing JSONView) {
    if let expected = payload.member("restartExpectedMs"), let value = expected.peerMilliseconds {
      restartIn = min(max(value, 500), 30_000)
    }
    log.write(.notice, room, "the gateway shuts down; Talon will connect again")
  }
}
