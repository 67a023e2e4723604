import Codec
import Runtime

/// One attempt: certificate, upgrade, challenge, proof, `hello-ok`.
extension Session: LinkDelegate, RecordWaiter {

  // MARK: Trust

  public func linkMissed(_ url: GatewayURL, _ failure: TransportFailure) {
    endpoints.spend(url)
    phaseDeadline = clock.monotonic + Self.openTimeout
    guard endpoints.hasUntried else { return }
    log.write(.info, room) { line in
      line.add(url.text)
      line.add(": ")
      failure.describe(&line)
      line.add("; trying the next address")
    }
  }

  public func linkSecured(certificate peer: PeerCertificate?) {
    hasReached = true
    if isSearching {
      finder?.cancel()
      isSearching = false
    }
    guard let url = link.url, endpoints.use(url) else {
      link.abort()
      return attemptFailed { $0.add("the address that answered is none of the gateway's any more") }
    }
    guard url.isSecure else { return upgrade() }
    guard let peer else {
      link.abort()
      return attemptFailed { $0.add("the gateway showed no certificate") }
    }
    vouchedUntil = nil
    if case .vouched(let until) = peer.vouching { vouchedUntil = until }
    switch judge(peer) {
    case .trusted where unsavedTrust.isPending:
      trust(known(peer), "the flash is slow: still to be stored is the pin sha256 ", peer)
    case .trusted:
      learnKey(of: peer)
      upgrade()
    case .firstUse:
      trust(known(peer), "first contact: from now on only this certificate is trusted, sha256 ", peer)
    case .firstVouched:
      trust(
        .authorities, "first contact: an authority vouches for the gateway's name, as one has to from now on; sha256 ",
        peer)
    case .renewed:
      trust(known(peer), "the gateway renewed its certificate with the same key; now trusted: sha256 ", peer)
    case .changed(let expected): refuse(peer.leaf, expected)
    case .unvouched(let objection): refuse(peer.leaf, objection)
    }
  }

  private func judge(_ peer: PeerCertificate) -> Trust {
    Trust.judge(peer, by: configuration.trust, known: record.trust, isName: isOwnName(endpoints.current))
  }

  /// The address has a name that its owner gave, or that a trusted gateway did: for such a name an authority may vouch.
  /// That one vouches for the name which the network tells says nothing of the gateway.
  private func isOwnName(_ url: GatewayURL) -> Bool {
    guard url.isName else { return false }
    return configuration.urls.contains { $0.host == url.host } || record.urls.contains { $0.host == url.host }
  }

  /// What stays trusted after this certificate was.
  private func known(_ peer: PeerCertificate) -> KnownTrust {
    record.trust == .authorities ? .authorities : .pin(peer.leaf, key: peer.key)
  }

  /// True for a trusted certificate of this gateway; unlike at a connection, nothing is learned from it.
  public func isGateway(_ peer: PeerCertificate) -> Bool {
    let verdict = judge(peer)
    return verdict == .trusted || verdict == .renewed
  }

  private func upgrade() {
    endpoints.noteWrongCertificate(nil)
    phase = .upgrading
    phaseDeadline = clock.monotonic + Self.upgradeTimeout
    link.upgrade()
  }

  /// A pin set by a person, or by an older Talon, has only the certificate, not its key.
  private func learnKey(of peer: PeerCertificate) {
    guard configuration.trust.pins.isEmpty, case .pin(let leaf, nil) = record.trust, leaf == peer.leaf else { return }
    record.setPin(peer.leaf, key: peer.key)
    keeper.save(for: configuration.role, self)
  }

  /// Nothing is sent before the trust is on flash: after a power cut in between, the next certificate would be
  /// "first" again.
  private func trust(_ known: KnownTrust, _ words: StaticString, _ peer: PeerCertificate) {
    phase = .storingPin
    phaseDeadline = clock.monotonic + Self.upgradeTimeout
    unsavedTrust.replace(record.trust)
    record.trust = known
    log.write(.notice, room) { line in
      let hex = peer.leaf.hex
      line.add(words)
      line.add(hex.span)
    }
    keeper.save(for: configuration.role, self)
  }

  /// Nothing was sent, so it is safe to retry at the usual pace: the wrong certificate may be that of a network's
  /// sign-in page.
  private func refuse(_ seen: Fingerprint, _ expected: Fingerprint) {
    guard leave(seen) else { return }
    wait(backoff.pause(random), .untrusted) { line in
      let seen = seen.hex
      let known = expected.hex
      line.add("the gateway's certificate CHANGED, from sha256 ")
      line.add(known.span.extracting(first: 16))
      line.add("..., and nothing was sent. If the gateway's own is this one: ")
      let remedy: StaticString = self.configuration.trust.pins.isEmpty ? "talon trust --replace " : "[gateway] pin = "
      line.add(remedy)
      line.add(seen.span)
    }
  }

  /// No authority vouches for the certificate, as one has to.
  private func refuse(_ seen: Fingerprint, _ objection: Vouching.Objection) {
    guard leave(seen) else { return }
    wait(backoff.pause(random), .untrusted) { line in
      line.add("the gateway's certificate ")
      line.add(objection.words)
      line.add(", and nothing was sent: ")
      line.add(objection.remedy)
      line.add("; or, if it is the gateway's own: ")
      if self.configuration.trust.requiresAuthorities { return line.add("set [gateway] pin to its sha256") }
      let seen = seen.hex
      line.add("talon trust --replace ")
      line.add(seen.span)
    }
  }

  /// Leaves a server that shows a wrong certificate. False when another address is tried.
  private func leave(_ seen: Fingerprint) -> Bool {
    link.abort()
    let place = endpoints.current.text
    if endpoints.noteWrongCertificate(seen) {
      log.write(.error, room) { line in
        line.add("the certificate at ")
        line.add(place)
        line.add(" is not the one that is trusted; no byte was sent to it")
      }
    }
    endpoints.spend(endpoints.current)
    guard endpoints.hasUntried else { return true }
    connect()
    return false
  }

  func recordSaved(failure: StoreError?) {
    // Restores the earlier pin, not nil, however the attempt ended: otherwise the next certificate would be trusted as
    // the first.
    if let before = unsavedTrust.stored(hasFailed: failure != nil) { record.trust = before }
    switch phase {
    case .storingPin:
      if failure == nil { return upgrade() }
      link.abort()
      attemptFailed { $0.add("the trust in the certificate could not be stored, so nothing was sent") }
    case .storingToken: goOnline()
    default: break
    }
  }

  // MARK: Proof

  public func linkOpened() {
    forbidden = 0
    phase = .challenge
    phaseDeadline = clock.monotonic + Self.challengeTimeout
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
      log.write(.warning, room, "more events before hello-ok than there is room for; one was dropped")
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
    // The gateway's clock: a board without a battery has no other that the gateway would believe (newer-gateways 12).
    guard let stamp = challenge.member("ts"), let signedAt = stamp.int64, signedAt >= 0 else {
      link.close(1008, "connect challenge missing timestamp")
      return
    }
    // Without any credential left the attempt still shows what the gateway requires.
    credential = chooseCredential() ?? .none
    declaredCommands = configuration.commands
    let isSent = withSecret { secret in
      let request = ConnectRequest(
        configuration: configuration, identity: identity, credential: credential, token: secret, scopes: scopes,
        quirks: quirks, nonce: nonce.span, signedAt: signedAt, cryptography: cryptography, scratch: scratch.bytes)
      return link.send(limit: Budget.connectBytes) { writer in
        request.write(id: ("connect" as StaticString).utf8Bytes, into: &writer)
        return 0
      }
    }
    phase = .hello
    phaseDeadline = clock.monotonic + Self.helloTimeout
    if !isSent { link.close(1008, "connect failed") }
  }

  // MARK: Credentials

  /// The best credential that was not refused since the last `hello-ok`.
  func chooseCredential() -> Credential? {
    let isNode = configuration.role == .node
    if usable(.deviceToken, !record.token(configuration.role).isEmpty) { return .deviceToken }
    if usable(.bootstrapToken, isNode && !record.secret(.bootstrapToken).isEmpty) { return .bootstrapToken }
    if usable(.sharedToken, isGiven(configuration.sharedToken, .sharedToken)) { return .sharedToken }
    if usable(.password, isGiven(configuration.password, .password)) { return .password }
    // After a wrong secret, an attempt without one would only hide the reason.
    let isBare = !isGiven(configuration.sharedToken, .sharedToken) && !isGiven(configuration.password, .password)
    return usable(.none, isBare) ? Credential.none : nil
  }

  private func usable(_ credential: Credential, _ isThere: Bool) -> Bool {
    isThere && !refused.contains(credential)
  }

  /// True when this secret is configured or from a setup code.
  func isGiven(_ configured: String, _ secret: GatewayRecord.Secret) -> Bool {
    !configured.isEmpty || !record.secret(secret).isEmpty
  }

  private func withSecret(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    switch credential {
    case .deviceToken: body(record.token(configuration.role))
    case .bootstrapToken: body(record.secret(.bootstrapToken))
    case .sharedToken: with(configuration.sharedToken, or: .sharedToken, body)
    case .password: with(configuration.password, or: .password, body)
    case .none: body(UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  private func with(
    _ configured: String, or secret: GatewayRecord.Secret, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    if configured.isEmpty { return body(record.secret(secret)) }
    return configured.withBytes(body)
  }

  // MARK: Answer

  private func finish(_ frame: borrowing JSONView) {
    if let ok = frame.member("ok"), ok.bool == true, let payload = frame.member("payload"),
      let hello = HelloOk(payload, token: scratch.bytes)
    {
      return accept(hello, payload)
    }
    // Keep reading: the close frame follows, and the link's end decides what happens next.
    if let error = frame.member("error") { refusal = Refusal(error) }
    phase = .ending
    phaseDeadline = clock.monotonic + Self.helloTimeout
  }

  private func accept(_ hello: HelloOk, _ payload: borrowing JSONView) {
    self.hello = hello
    let page: InlineText<192>? = SurfaceURL.rewritten(
      hello.controlPage.span, for: endpoints.current, isForPeople: true)
    controlPage = page ?? InlineText()
    var isChanged = takeToken(hello)
    if takeHandoff(payload) { isChanged = true }
    if learn(hello) { isChanged = true }
    refused.clear()
    triedQuirks = Quirks()
    hasRetried = false
    approval.end()
    if !isChanged { return goOnline() }
    phase = .storingToken
    phaseDeadline = clock.monotonic + Self.helloTimeout
    keeper.save(for: configuration.role, self)
  }

  /// Takes the token in `scratch`; true when that changes the record.
  private func takeToken(_ hello: HelloOk) -> Bool {
    guard let count = hello.tokenCount, count <= Budget.tokenBytes else {
      log.write(.error, room, "the gateway's device token is longer than this board can keep")
      return false
    }
    let token = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<count])
    if count == 0 || Self.equal(record.token(configuration.role), token) { return false }
    log.hide(token)
    _ = record.setToken(token, configuration.role)
    if configuration.role == .operator { record.operatorScopes = hello.scopes }
    return true
  }

  private static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index] != right[index] { return false }
    return true
  }

  /// Tokens issued together with a setup code (gateway reference 5.4), kept only when the connection was encrypted.
  private func takeHandoff(_ payload: borrowing JSONView) -> Bool {
    guard endpoints.current.isSecure || endpoints.current.isLoopback else { return false }
    guard let auth = payload.member("auth"), let list = auth.member("deviceTokens"), list.kind == .array else {
      return false
    }
    var isChanged = false
    var elements = list.elements()
    while let element = elements.next() {
      guard let role = element.member("role"), role.equals("operator"),
        let text = element.member("deviceToken"), text.kind == .string,
        let count = text.copyString(into: scratch.bytes), count > 0, count <= Budget.tokenBytes
      else { continue }
      let token = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<count])
      log.hide(token)
      _ = record.setToken(token, .operator)
      record.operatorScopes = Scopes()
      if let scopes = element.member("scopes") { record.operatorScopes = Scopes(scopes).intersection(.handoff) }
      isChanged = true
    }
    return isChanged
  }

  /// Remembers what worked; true when that changes the record. Quirks of one release of the gateway are forgotten with
  /// the next.
  private func learn(_ hello: HelloOk) -> Bool {
    var isChanged = false
    // The setup code has been used, or was not needed (gateway reference 5.4).
    if configuration.role == .node, !record.secret(.bootstrapToken).isEmpty {
      record.forget(.bootstrapToken)
      isChanged = true
    }
    // A discovered address whose certificate was right is remembered.
    if configuration.role == .node, record.learn(endpoints.current, beside: configuration.urls) { isChanged = true }
    endpoints.prefer(endpoints.current)
    if configuration.role == .node, endpoints.count > 1, record.lastURL != endpoints.current.text {
      record.lastURL = endpoints.current.text
      isChanged = true
    }
    let isUpgraded = !record.serverVersion.isEmpty && record.serverVersion != hello.serverVersion
    // Quirks that the new release has just caused are kept.
    let kept = isUpgraded ? triedQuirks : quirks
    if record.quirks != kept || record.serverVersion != hello.serverVersion { isChanged = true }
    record.quirks = kept
    record.serverVersion = hello.serverVersion
    return isChanged
  }
}
