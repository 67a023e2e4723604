import Codec
import Runtime

/// One attempt: certificate, upgrade, challenge, proof, `hello-ok` or refusal.
extension Session: LinkDelegate, SaveDelegate {

  // MARK: Trust

  public func linkSecured(certificate: PeerCertificate?) {
    guard configuration.url.isSecure else { return upgrade() }
    guard let leaf = certificate?.leaf else { return refuse(nil) }
    guard let trusted = configuration.pin ?? record.pin else { return trustOnFirstUse(leaf) }
    leaf == trusted ? upgrade() : refuse(leaf)
  }

  private func upgrade() {
    phase = .upgrading
    link.upgrade()
  }

  /// Nothing is sent before the pin is on flash: after a power cut in between, the next certificate would be
  /// "first" again.
  private func trustOnFirstUse(_ leaf: Fingerprint) {
    record.setPin(leaf)
    phase = .storingPin
    log.write(.notice, "gateway") { line in
      let hex = leaf.hex
      line.add("first contact: from now on only this certificate is trusted, sha256 ")
      line.add(hex.span)
    }
    save()
  }

  private func refuse(_ leaf: Fingerprint?) {
    link.abort()
    guard let leaf, let trusted = configuration.pin ?? record.pin else {
      return retryLater { $0.add("the gateway showed no certificate") }
    }
    wait(Self.pausedPoll, .untrusted) { line in
      let seen = leaf.hex
      let known = trusted.hex
      line.add("the gateway's certificate CHANGED: expected sha256 ")
      line.add(known.span.extracting(first: 16))
      line.add("..., saw ")
      line.add(seen.span)
      line.add(". Nothing was sent. If this is right: ")
      line.add(self.configuration.pin == nil ? "talon trust --replace" : "correct [gateway] pin")
    }
  }

  /// Writes the record as it is now; a save that is under way is followed by another.
  private func save() {
    mustSaveAgain = saveJob.isPending
    if mustSaveAgain { return }
    saveJob.prepare(record, self)
    if !runner.submit(saveJob) { saved(failure: .system(.busy)) }
  }

  func saved(failure: StoreError?) {
    if mustSaveAgain { return save() }
    if failure != nil {
      log.write(
        .error, "gateway", "the gateway's record could not be written to flash; check [node] state_directory")
    }
    switch phase {
    case .storingPin:
      if failure == nil { return upgrade() }
      record.setPin(nil)
      link.abort()
      retryLater { $0.add("the certificate's pin could not be stored, so nothing was sent") }
    case .storingToken: goOnline()
    default: break
    }
  }

  // MARK: Proof

  public func linkOpened() {
    phase = .challenge
    phaseDeadline = clock.monotonic + Self.challengePatience
  }

  /// Handles a message that arrives before `hello-ok`.
  func receivedEarly(_ text: UnsafeBufferPointer<UInt8>) {
    let frame = JSONView(Span(_unsafeElements: text))
    if phase == .challenge, let event = frame.member("event"), event.equals("connect.challenge") {
      return answer(frame.member("payload"))
    }
    if phase == .hello, let type = frame.member("type"), type.equals("res"),
      let id = frame.member("id"), id.equals("connect")
    {
      return finish(frame)
    }
    guard phase == .challenge || phase == .hello || phase == .storingToken else { return }
    if !early.push(text) {
      log.write(.warning, "gateway", "more events before hello-ok than there is room for; one was dropped")
    }
  }

  private func answer(_ challenge: consuming JSONView?) {
    var nonce = InlineText<256>()
    guard let challenge, let text = challenge.member("nonce"),
      nonce.fill({ text.copyString(into: $0) }), !nonce.isEmpty
    else {
      link.close(1008, "connect challenge missing nonce")
      return
    }
    var signedAt = clock.wall
    if let stamp = challenge.member("ts"), let value = stamp.int64, value >= 0 { signedAt = value }
    credential = Credential.choose(configuration, record)
    let isSent = withToken { token in
      let request = ConnectRequest(
        configuration: configuration, identity: identity, credential: credential, token: token,
        nonce: nonce.span, signedAt: signedAt, cryptography: cryptography, scratch: scratch.bytes)
      return link.send(limit: 65_536) { writer in
        request.write(id: ("connect" as StaticString).utf8Bytes, into: &writer)
        return 0
      }
    }
    phase = .hello
    phaseDeadline = clock.monotonic + Self.helloPatience
    if !isSent { link.close(1008, "connect failed") }
  }

  private func withToken(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    switch credential {
    case .deviceToken: return body(record.token(.node))
    case .sharedToken: return configuration.sharedToken.utf8.span.withUnsafeBufferPointer(body)
    case .password: return configuration.password.utf8.span.withUnsafeBufferPointer(body)
    case .none: return body(UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  // MARK: Answer

  private func finish(_ frame: borrowing JSONView) {
    if let ok = frame.member("ok"), ok.bool == true, let payload = frame.member("payload"),
      let hello = HelloOk(payload, token: scratch.bytes)
    {
      return accept(hello)
    }
    // Keep reading: the close frame follows, and the link's end decides what happens next.
    if let error = frame.member("error") { refusal = Refusal(error) }
    phase = .ending
    phaseDeadline = clock.monotonic + Self.helloPatience
  }

  private func accept(_ hello: HelloOk) {
    maxPayload = hello.maxPayload
    tickInterval = hello.tickInterval
    serverVersion = hello.serverVersion
    mayForgetToken = true
    approvalSince = nil
    guard let count = hello.tokenCount, count <= Budget.tokenBytes else {
      log.write(.error, "gateway", "the gateway's device token is longer than this board can keep")
      return goOnline()
    }
    let token = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<count])
    if count == 0 || record.token(.node).elementsEqual(token) { return goOnline() }
    log.hide(token)
    _ = record.setToken(token, .node)
    phase = .storingToken
    phaseDeadline = clock.monotonic + Self.helloPatience
    save()
  }

  // MARK: End of an attempt

  public func linkEnded(_ end: LinkEnd) {
    let wasOnline = phase == .online
    if wasOnline {
      delegate.sessionLost()
      if clock.monotonic - onlineSince >= Backoff.flapGuard { backoff.reset() }
    }
    if isStopping { return stopped() }
    if let refusal, !wasOnline { return follow(refusal) }
    if case .refused(let status, let seconds) = end { return refusedUpgrade(status, seconds) }
    retryLater { Self.describe(end, &$0) }
  }

  private func refusedUpgrade(_ status: UInt16, _ seconds: UInt32?) {
    if let seconds { restartIn = min(Int64(seconds), 3_600) * 1_000 }
    let why = { (line: inout LogLine) in
      line.add("the server answered the WebSocket upgrade with HTTP ")
      line.add(status)
    }
    // A proxy that wants credentials will not change its mind by itself (gateway reference 1.2).
    if status == 401 || status == 403 { return wait(Self.pausedPoll, .paused, why) }
    retryLater(why)
  }

  private static func describe(_ end: LinkEnd, _ line: inout LogLine) {
    switch end {
    case .transport(let failure): failure.describe(&line)
    case .refused: break
    case .handshake: line.add("the server's answer to the WebSocket upgrade makes no sense")
    case .violation: line.add("the server broke the WebSocket protocol")
    case .unanswered: line.add("the gateway did not answer our close")
    case .closed(let close):
      line.add("the gateway closed the connection")
      if let code = close.code {
        line.add(" (code ")
        line.add(code)
        line.add(") ")
        line.add(close.reason)
      }
    }
  }

  /// Does what a refusal asks for.
  func follow(_ refusal: Refusal) {
    switch refusal.action {
    case .awaitApproval: awaitApproval(refusal)
    case .retry:
      if let wait = refusal.retryAfter { restartIn = max(wait, 500) }
      retryLater { Self.describe(refusal, &$0) }
    case .waitOut:
      restartIn = refusal.retryAfter ?? Self.lockout
      retryLater { Self.describe(refusal, &$0) }
    case .pause: wait(Self.pausedPoll, .paused) { Self.describe(refusal, &$0) }
    case .forgetToken: forgetToken(refusal)
    }
  }

  private static func describe(_ refusal: Refusal, _ line: inout LogLine) {
    line.add("refused: ")
    line.add(refusal.code.span)
    line.add(" (")
    line.add(refusal.message.span)
    line.add("). ")
    line.add(refusal.advice)
  }

  private func awaitApproval(_ refusal: Refusal) {
    let now = clock.monotonic
    let since = approvalSince ?? now
    approvalSince = since
    let isQuick = now - since < Self.quickPolling
    let poll = refusal.resolvesItself ? Self.resolvingPoll : configuration.pairingPoll
    wait(isQuick ? poll : max(poll, Self.slowPoll), .awaitingApproval) { line in
      line.add("this board waits for approval. On the gateway's machine run: openclaw devices approve ")
      line.add(refusal.requestID.isEmpty ? ("--latest" as StaticString).utf8Bytes : refusal.requestID.span)
    }
  }

  private func forgetToken(_ refusal: Refusal) {
    guard mayForgetToken, credential == .deviceToken else {
      return wait(Self.pausedPoll, .paused) { Self.describe(refusal, &$0) }
    }
    mayForgetToken = false
    _ = record.setToken(UnsafeBufferPointer(start: nil, count: 0), .node)
    log.write(
      .warning, "gateway", "the gateway no longer knows this board's token; trying the configured credential")
    phase = .waiting
    save()
    connect()
  }
}
