import Codec
import Runtime

/// How attempts and connections end, and what follows from that.
extension Session: EndpointFinderDelegate {

  /// An attempt failed: the next address is tried at once, and after the last one there is a pause.
  func attemptFailed(_ why: (inout LogLine) -> Void) {
    let used = endpoints.isInUse ? endpoints.current : nil
    if let used { endpoints.spend(used) }
    if endpoints.hasUntried {
      // Others were told when they failed.
      if let used {
        log.write(.info, room) { line in
          line.add(used.text)
          line.add(": ")
          why(&line)
          line.add("; trying the next address")
        }
      }
      return connect()
    }
    if isSearching { return awaitSearch(why) }
    if endpoints.earliest <= clock.monotonic, !hasSearched, beginSearch() { return awaitSearch(why) }
    retryLater(why)
  }

  /// The search goes on when all attempts have ended.
  private func awaitSearch(_ why: (inout LogLine) -> Void) {
    wait(Self.findTimeout, .waiting) { line in
      why(&line)
      line.add("; looking for the gateway on the network")
    }
    phase = .finding
  }

  /// Asks the network where the gateway is, also while its addresses are still tried. False when there is nothing to
  /// search by.
  @discardableResult
  func beginSearch() -> Bool {
    guard let finder else { return false }
    hasSearched = true
    isSearching = finder.find(requiresTLS: knowsGateway, fingerprint: record.pin, self)
    return isSearching
  }

  public func endpointFound(_ url: GatewayURL?) {
    isSearching = false
    if phase == .opening, let url, mayUse(url), endpoints.add(url) { return link.add(url) }
    guard phase == .finding else { return }
    guard let url else {
      return retryLater {
        $0.add("no known address of the gateway answers, and it was not found on the network")
      }
    }
    guard endpoints.add(url) else {
      return retryLater { $0.add("the gateway was found on the network, but does not answer at the announced address") }
    }
    connect()
  }

  func attemptTimedOut() {
    if phase == .finding {
      finder?.cancel()
      return endpointFound(nil)
    }
    if phase == .opening {
      for url in link.begun { endpoints.spend(url) }
    }
    // Refused, but the gateway did not close the connection: the refusal still counts.
    if let refusal {
      link.abort()
      return follow(refusal)
    }
    let step = phase.overdue
    link.abort()
    attemptFailed { $0.add(step) }
  }

  /// The connection has ended: tells the delegate and fails all requests.
  func lose() {
    if clock.monotonic - onlineSince >= Backoff.flapGuard { backoff.reset() }
    failRequests()
    delegate.sessionLost()
  }

  public func linkEnded(_ end: LinkEnd) {
    let wasOnline = phase == .online
    let wasEnding = phase == .ending
    if wasOnline {
      rivalry.ended(end, online: clock.monotonic - onlineSince)
      counters.count(end)
      lose()
    }
    if isStopping { return stopped() }
    if wasOnline, case .closed(let close) = end, close.code == Self.messageTooBig, learnMessageLimit() { return }
    if wasOnline {
      let isRival = rivalry.isSuspected
      return retryLater { line in
        if isRival { line.add(Rivalry.sentence) } else { end.describe(&line) }
      }
    }
    if var refusal {
      if case .closed(let close) = end, let code = close.code { refusal.closed(code) }
      return follow(refusal)
    }
    if case .refused(let refusal) = end { return refusedUpgrade(refusal) }
    if case .closed(let close) = end, let refusal = Refusal(close: close) { return follow(refusal) }
    // An online connection that Talon closed itself is handled like a lost one.
    if wasEnding, acceptance.hasEnded, let refusal = acceptance.last {
      return retryLater { line in
        line.add("the gateway ")
        refusal.describeRequests(&line)
      }
    }
    if wasEnding { return retryLater { end.describe(&$0) } }
    attemptFailed { end.describe(&$0) }
  }

  /// What stands before the gateway, or the gateway itself, does not let a message of this size pass. False when there
  /// is nothing smaller to try.
  private func learnMessageLimit() -> Bool {
    let sent = link.largestMessage
    guard hopLimit.closed(largest: sent), let limit = hopLimit.learned else { return false }
    retryLater { line in
      line.add("the connection was closed because a message of ")
      line.add(sent / 1024)
      line.add(" KiB was too large (code 1009); from now on messages have at most ")
      line.add(limit / 1024)
      line.add(" KiB, and photos are made to fit. Something before the gateway has a smaller limit than the gateway")
    }
    return true
  }

  private func refusedUpgrade(_ refusal: UpgradeRefusal) {
    let url = endpoints.current
    if let seconds = refusal.retryAfterSeconds {
      endpoints.postpone(url, until: clock.monotonic + PeerTime.milliseconds(seconds: seconds))
    }
    // What wants a sign-in needs a person (gateway reference 1.2), but the page of a guests' network or a rule against
    // floods passes by itself.
    if refusal.needsPerson {
      forbidden += 1
      // An address that was only away for a moment is tried again soon.
      if endpoints.recordForbidden(url), forbidden >= Self.forbiddenMax {
        return wait(Self.pausedPoll, .paused) { refusal.describe(url, &$0) }
      }
    }
    attemptFailed { refusal.describe(url, &$0) }
  }

  // MARK: Refusals

  /// Acts on a refusal.
  func follow(_ refusal: Refusal) {
    switch refusal.action {
    case .awaitApproval: awaitApproval(refusal)
    case .retry:
      if let wait = refusal.retryAfter { restartIn = max(wait, 500) }
      retryLater { refusal.describe(&$0) }
    case .retrySoon:
      restartIn = min(max(refusal.retryAfter ?? 500, 100), 30_000)
      retryLater { refusal.describe(&$0) }
    case .retryOnce: once(refusal) { true }
    case .waitForLockout:
      restartIn = refusal.retryAfter ?? Self.lockout
      retryLater { refusal.describe(&$0) }
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
    wait(pause, .paused) { refusal.describe(&$0) }
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
      refusal.describe(&line)
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
      refusal.describeCode(&line)
      line.add("Trying next: ")
      line.add(next.words)
    }
  }

  private func awaitApproval(_ refusal: Refusal) {
    let pause = approval.refused(refusal, poll: configuration.pairingPoll, at: clock.monotonic)
    // A board that the gateway has forgotten needs the approval of its commands again, too.
    if configuration.role == .node, refusal.reason == .notPaired { setInvoked(false) }
    wait(pause, .awaitingApproval) { self.approval.write(self.configuration.role, to: &$0) }
  }

  /// Stops showing a request that has expired at the gateway; the next attempt gets a new one.
  func forgetApproval(_ now: Int64) {
    guard state == .awaitingApproval, let expiry = approval.expiry, expiry <= now else { return }
    approval.forgetRequest()
    set(.awaitingApproval) { self.approval.write(self.configuration.role, to: &$0) }
  }
}
