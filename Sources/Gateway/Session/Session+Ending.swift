import Codec
import Runtime

/// How attempts and connections end, and what follows from that.
extension Session: EndpointFinderDelegate {

  /// An attempt failed: the next address is tried at once, and after the last one there is a pause.
  func attemptFailed(_ why: (inout LogLine) -> Void) {
    if restartIn == nil, endpoints.count > 1 {
      let place = endpoints.current.text
      if endpoints.advance() {
        log.write(.info, room) { line in
          line.add(place)
          line.add(": ")
          why(&line)
          line.add("; trying the next address")
        }
        return connect()
      }
    }
    if restartIn == nil, !hasSearched, let finder { return search(finder, why) }
    retryLater(why)
  }

  /// Searches the gateway on the network.
  private func search(_ finder: any EndpointFinder, _ why: (inout LogLine) -> Void) {
    hasSearched = true
    wait(Self.findTimeout, .waiting) { line in
      why(&line)
      line.add("; looking for the gateway on the network")
    }
    phase = .finding
    finder.find(requiresTLS: pin != nil, self)
  }

  public func endpointFound(_ url: GatewayURL?) {
    guard phase == .finding else { return }
    guard let url else {
      return retryLater {
        $0.add("no known address of the gateway answers, and it was not found on the network")
      }
    }
    guard endpoints.add(url), endpoints.advance() else {
      return retryLater { $0.add("the gateway was found on the network, but does not answer at the announced address") }
    }
    connect()
  }

  func attemptTimedOut() {
    if phase == .finding {
      finder?.cancel()
      return endpointFound(nil)
    }
    // Refused, but the gateway did not close the connection: the refusal still counts.
    if let refusal {
      link.abort()
      return follow(refusal)
    }
    let step: StaticString
    switch phase {
    case .opening: step = "no connection in time"
    case .upgrading: step = "no answer to the WebSocket upgrade in time"
    case .challenge: step = "no challenge from the gateway in time"
    case .hello: step = "no answer to connect in time"
    default: step = "the attempt took too long"
    }
    link.abort()
    attemptFailed { $0.add(step) }
  }

  /// The connection has ended: tells the delegate and fails all requests.
  func lose() {
    failRequests()
    delegate.sessionLost()
  }

  public func linkEnded(_ end: LinkEnd) {
    let wasOnline = phase == .online
    let wasEnding = phase == .ending
    if wasOnline {
      counters.count(end)
      lose()
      if clock.monotonic - onlineSince >= Backoff.flapGuard { backoff.reset() }
    }
    if isStopping { return stopped() }
    if wasOnline { return retryLater { Self.describe(end, &$0) } }
    if let refusal { return follow(refusal) }
    if case .refused(let status, let seconds) = end { return refusedUpgrade(status, seconds) }
    if case .closed(let close) = end, let refusal = Refusal(close: close) { return follow(refusal) }
    // An online connection that Talon closed itself is handled like a lost one.
    if wasEnding { return retryLater { Self.describe(end, &$0) } }
    attemptFailed { Self.describe(end, &$0) }
  }

  private func refusedUpgrade(_ status: UInt16, _ seconds: UInt32?) {
    if let seconds { restartIn = PeerTime.milliseconds(seconds: seconds) }
    let why = { (line: inout LogLine) in
      line.add("the server answered the WebSocket upgrade with HTTP ")
      line.add(status)
    }
    // A proxy that requires credentials needs a person (gateway reference 1.2).
    if status == 401 || status == 403 { return wait(Self.pausedPoll, .paused, why) }
    attemptFailed(why)
  }

  private static func describe(_ end: LinkEnd, _ line: inout LogLine) {
    switch end {
    case .transport(let failure): failure.describe(&line)
    case .refused: break
    case .handshake: line.add("the server's response to the WebSocket upgrade is not valid")
    case .violation: line.add("the server broke the WebSocket protocol")
    case .unanswered: line.add("the gateway did not answer the close frame")
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

  // MARK: Refusals

  /// Acts on a refusal.
  func follow(_ refusal: Refusal) {
    switch refusal.action {
    case .awaitApproval: awaitApproval(refusal)
    case .retry:
      if let wait = refusal.retryAfter { restartIn = max(wait, 500) }
      retryLater { Self.describe(refusal, &$0) }
    case .retrySoon:
      restartIn = min(max(refusal.retryAfter ?? 500, 100), 30_000)
      retryLater { Self.describe(refusal, &$0) }
    case .retryOnce: once(refusal) { true }
    case .waitForLockout:
      restartIn = refusal.retryAfter ?? Self.lockout
      retryLater { Self.describe(refusal, &$0) }
    case .nextCredential: tryNextCredential(refusal)
    case .olderProof: once(refusal) { self.adopt(.olderProof) }
    case .adapt:
      let remedy = Quirks.remedy(for: refusal.message.span)
      once(refusal) { remedy.map { self.adopt($0) } ?? false }
    case .narrowScopes:
      if asksForMore { return tryNextCredential(refusal) }
      once(refusal) { self.narrowScopes() }
    case .pause: pause(Self.pausedPoll, refusal)
    case .pauseLong: pause(Self.upgradePoll, refusal)
    }
  }

  private func pause(_ pause: Int64, _ refusal: Refusal) {
    // After the pause all credentials and forms are tried again: a person may have corrected the gateway.
    refused.clear()
    triedQuirks = Quirks()
    hasRetried = false
    wait(pause, .paused) { Self.describe(refusal, &$0) }
  }

  /// Tries again at once if `change` finds something that was not tried since the last `hello-ok`; else pauses.
  private func once(_ refusal: Refusal, _ change: () -> Bool) {
    if refusal.action == .retryOnce || refusal.action == .narrowScopes {
      if hasRetried { return pause(Self.pausedPoll, refusal) }
      hasRetried = true
    }
    guard change() else { return pause(Self.pausedPoll, refusal) }
    tryAgainSoon(refusal)
  }

  private func tryAgainSoon(_ refusal: Refusal) {
    wait(Self.quickRetry, .waiting) { line in
      Self.describe(refusal, &line)
      line.add(" Trying another way.")
    }
  }

  private func adopt(_ quirk: Quirks) -> Bool {
    if triedQuirks.contains(quirk) { return false }
    triedQuirks.insert(quirk)
    return true
  }

  /// The owner wants scopes that only a person at the gateway gives, and the gateway asks one when the board shows what
  /// it was given at first. Its own token covers no more than was allowed before.
  private var asksForMore: Bool {
    let wanted = configuration.scopes.intersection(Scopes.approvals.union(.pairing))
    guard configuration.role == .operator, credential == .deviceToken, !record.operatorScopes.contains(wanted) else {
      return false
    }
    return isGiven(configuration.sharedToken, .sharedToken) || isGiven(configuration.password, .password)
  }

  private func narrowScopes() -> Bool {
    let covered = configuration.role == .operator ? record.operatorScopes : Scopes()
    if covered.isEmpty || covered == scopes { return false }
    scopes = covered
    return true
  }

  private func tryNextCredential(_ refusal: Refusal) {
    refused.insert(credential)
    guard credential != .none, let next = chooseCredential() else { return pause(Self.pausedPoll, refusal) }
    if credential == .bootstrapToken {
      record.forget(.bootstrapToken)
      keeper.save(for: configuration.role, self)
    }
    // Whether a person is needed is known after the next credential.
    wait(Self.quickRetry, .waiting) { line in
      Self.describeCode(refusal, &line)
      line.add("Trying next: ")
      line.add(next.words)
    }
  }

  private static func describe(_ refusal: Refusal, _ line: inout LogLine) {
    describeCode(refusal, &line)
    line.add(refusal.advice)
  }

  private static func describeCode(_ refusal: Refusal, _ line: inout LogLine) {
    line.add("refused: ")
    line.add(refusal.code.span)
    line.add(" (")
    line.add(refusal.message.span)
    line.add("). ")
  }

  private func awaitApproval(_ refusal: Refusal) {
    let now = clock.monotonic
    let since = approvalSince ?? now
    approvalSince = since
    let isQuick = now - since < Self.quickPolling
    let poll = refusal.resolvesItself ? Self.resolvingPoll : configuration.pairingPoll
    requestID = refusal.requestID
    approvalReason = refusal.reason
    approvalReportedAt = now
    // A board that the gateway has forgotten needs the approval of its commands again, too.
    if configuration.role == .node, refusal.reason == .notPaired { setInvoked(false) }
    wait(isQuick ? poll : max(poll, Self.slowPoll), .awaitingApproval) { self.writeAwaited(to: &$0) }
  }

  /// The state in one sentence, with the command that ends it.
  private func writeAwaited(to line: inout LogLine) {
    let subject: StaticString = configuration.role == .node ? "this board" : "this board's console connection"
    line.add(subject)
    line.add(Self.words(for: approvalReason))
    line.add(". On the gateway's machine run: ")
    writeApproval(to: &line)
  }

  /// When the shown request expires at the gateway; nil while none is shown.
  var requestExpiry: Int64? { requestID.isEmpty ? nil : approvalReportedAt + Self.requestLifetime }

  /// Stops showing a request that has expired at the gateway; the next attempt gets a new one.
  func forgetApproval(_ now: Int64) {
    guard state == .awaitingApproval, let requestExpiry, requestExpiry <= now else { return }
    requestID.clear()
    set(.awaitingApproval) { self.writeAwaited(to: &$0) }
  }

  private static func words(for reason: Refusal.Reason) -> StaticString {
    switch reason {
    case .notPaired: " waits for approval"
    case .roleUpgrade: " waits for approval of its role (which is new, or was revoked)"
    case .scopeUpgrade: " waits for approval of more scopes than it has"
    case .metadataUpgrade: " waits for approval again, because the gateway remembers another platform for it"
    }
  }
}
