import Codec
import Runtime

/// Serving: messages in, replies out.
extension Session {

  func goOnline() {
    phase = .online
    phaseDeadline = nil
    connections += 1
    lastHeard = clock.monotonic
    onlineSince = lastHeard
    set(.online) { line in
      line.add("online: connected to ")
      line.add(self.configuration.url.text)
      line.add(", gateway version ")
      line.add(self.serverVersion.span)
    }
    serveEarly()
  }

  private func serveEarly() {
    while phase == .online, hasRoom, let text = early.pop() { receivedOnline(text) }
    if early.isEmpty { early.clear() }
  }

  // MARK: Inbound

  public func linkHeard() { lastHeard = clock.monotonic }

  /// Room for one more reply beside those that are due.
  private var hasRoom: Bool { link.room > delegate.repliesDue + 1 }

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
    switch inbound.take(bytes, chunk) {
    case .incomplete: return
    case .whole(let text): received(text)
    case .garbage: notJSON()
    case .tooLarge: answerTooLarge()
    }
  }

  private func received(_ text: UnsafeBufferPointer<UInt8>) {
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: text), depthLimit: Budget.jsonDepth)
    } catch {
      return notJSON()
    }
    phase == .online ? receivedOnline(text) : receivedEarly(text)
  }

  private func notJSON() {
    log.write(.warning, "gateway", "a message that is not valid JSON was ignored")
  }

  private func answerTooLarge() {
    log.write(.warning, "gateway") { line in
      line.add("a message larger than ")
      line.add(Budget.inboundMessageBytes)
      line.add(" bytes was dropped")
    }
    // Before hello-ok it may have been the very answer that the attempt waits for.
    guard phase == .online else { return link.close(1009, "message too big") }
    guard let found = inbound.drained,
      found.equals(Inbound.Place.event, "node.invoke.request"),
      let id = found.string(Inbound.Place.invokeID)
    else { return }
    replyError(
      to: Span(_unsafeElements: id), code: "INVALID_REQUEST",
      message: ("INVALID_REQUEST: the request is larger than this node takes" as StaticString).utf8Bytes)
  }

  private func receivedOnline(_ text: UnsafeBufferPointer<UInt8>) {
    let frame = JSONView(Span(_unsafeElements: text))
    guard let type = frame.member("type") else { return }
    if type.equals("res") { return receivedResponse(frame) }
    guard type.equals("event"), let event = frame.member("event") else { return }
    guard let payload = frame.member("payload") else { return }
    if event.equals("node.invoke.request") {
      payload.rawText.withUnsafeBufferPointer { delegate.sessionInvoked($0) }
    } else if event.equals("shutdown") {
      receivedShutdown(payload)
    }
  }

  /// Answers to our own requests matter only when they are refusals: a result that the gateway did not take.
  private func receivedResponse(_ frame: borrowing JSONView) {
    guard let ok = frame.member("ok"), ok.bool == false, let error = frame.member("error") else { return }
    let refusal = Refusal(error)
    log.write(.warning, "gateway") { line in
      line.add("the gateway refused a message of ours: ")
      line.add(refusal.code.span)
      line.add(" ")
      line.add(refusal.message.span)
    }
  }

  private func receivedShutdown(_ payload: borrowing JSONView) {
    if let expected = payload.member("restartExpectedMs"), let value = expected.int64 {
      restartIn = min(max(value, 500), 30_000)
    }
    log.write(.notice, "gateway", "the gateway shuts down; Talon will connect again")
  }

  // MARK: Outbound

  /// The gateway's limit for one message of ours, in bytes.
  public var messageLimit: Int { maxPayload }

  private func sendResult(
    _ id: Span<UInt8>, blob: OutboundBlob? = nil, _ build: (inout JSONWriter) -> Int
  ) -> Bool {
    requestCount += 1
    var requestID = InlineText<24>()
    requestID.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("r")
      writer.decimal(Int64(bitPattern: requestCount))
      return writer.count
    }
    return link.send(limit: maxPayload, blob: blob) { writer in
      writer.beginObject()
      writer.key("type")
      writer.string("req")
      writer.key("id")
      writer.string(requestID.span)
      writer.key("method")
      writer.string("node.invoke.result")
      writer.key("params")
      writer.beginObject()
      writer.key("id")
      writer.string(id)
      writer.key("nodeId")
      writer.string(identity.id.span)
      let split = build(&writer)
      writer.endObject()
      writer.endObject()
      return split
    }
  }

  /// Answers an invoke with a result: `build` writes one JSON value, the payload. False when the answer is larger
  /// than the gateway or a slot takes: then answer with an error.
  public func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    sendResult(id) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      build(&writer)
      return 0
    }
  }

  /// Answers an invoke with an object that ends in a member `base64` holding `blob`. The owner keeps the blob
  /// unchanged until `blobReleased`, which is not called when this answers false.
  public func reply(
    to id: Span<UInt8>, blob: UnsafeBufferPointer<UInt8>, owner: any BlobOwner,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    sendResult(id, blob: OutboundBlob(blob, .base64, owner: owner)) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      writer.beginObject()
      members(&writer)
      writer.key("base64")
      writer.string("")
      // The blob's text goes between the two quotes just written.
      let split = writer.count - 1
      writer.endObject()
      return split
    }
  }

  /// Answers an invoke with an error. The object is closed: `code` and `message`, nothing else.
  public func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    _ = sendResult(id) { writer in
      writer.key("ok")
      writer.bool(false)
      writer.key("error")
      writer.beginObject()
      writer.key("code")
      writer.string(code)
      writer.key("message")
      writer.string(message)
      writer.endObject()
      return 0
    }
  }

  /// To be called after a reply that came later than its invoke: reading may go on.
  public func replied() { linkHasRoom() }
}
