import Codec
import Gateway
import Runtime

/// The policy of the node's commands: gateways before October 2026 do not report changes, and none reports all, so the
/// desk polls.
extension OperatorDesk {
  /// Milliseconds between polls while the gateway does not let every command through, and while some wait for a
  /// person's approval, which is not reported.
  static let policyPeriod: Int64 = 300_000
  static let approvalPeriod: Int64 = 60_000
  /// Least milliseconds between polls, however many invokes arrive. Also the interval after an approval while somebody
  /// has asked for the state within the last ten minutes.
  static let policySpacing: Int64 = 5_000
  static let attention: Int64 = 600_000
  /// Least milliseconds between two questions that the gateway's events cause.
  static let eventSpacing: Int64 = 500

  /// The gateway has told the node that somebody has decided about its commands (newer-gateways 12).
  public func commandsDecided() {
    guard session.state == .online else { return }
    if now - policyAsked >= Self.eventSpacing { return askPolicy() }
    policyDue = min(policyDue ?? .max, policyAsked + Self.eventSpacing)
  }

  /// An invoke arrived: if commands were held back, they may be approved by now.
  public func nodeInvoked() {
    guard let due = policyDue, policy.verdict == .some || policy.verdict == .none else { return }
    policyDue = min(due, max(now, policyAsked + Self.policySpacing))
  }

  /// The state is shown to somebody: a change at the gateway should show soon.
  public func stateShown() {
    guard let due = policyDue, policy.verdict != .all else { return }
    watchedUntil = now + Self.attention
    policyDue = min(due, max(now, policyAsked + (policy.isAwaited ? Self.policySpacing : Self.approvalPeriod)))
  }

  func askPolicy() {
    policyDue = nil
    policyAsked = now
    let node = session.identity.id
    let call = DeskCalls.Call(purpose: .policy, method: "node.describe")
    let failure = send(call) { writer in
      writer.key("nodeId")
      writer.string(node.span)
    }
    // Without a connection the next one asks.
    if failure != nil, session.state == .online { askPolicy(after: Self.policyPeriod) }
  }

  /// An earlier question stands.
  func askPolicy(after pause: Int64) { policyDue = min(policyDue ?? .max, now + pause) }

  func learnPolicy(_ row: borrowing JSONView) {
    pendingPolicy = policy
    if pendingPolicy.read(row, declared: commands) {
      guard let command = pendingPolicy.probe(of: commands), askListing(command) else { return settlePolicy() }
    } else {
      askPolicy(after: Self.policyPeriod)
    }
  }

  /// Finds out whether the gateway's configuration has a command, by an invoke that is refused while the approval is
  /// missing.
  private func askListing(_ command: String) -> Bool {
    let node = session.identity.id
    let key = UUIDText.make(random)
    let call = DeskCalls.Call(purpose: .listing, method: "node.invoke")
    let failure = send(call) { writer in
      writer.key("nodeId")
      writer.string(node.span)
      writer.key("command")
      writer.string(command)
      writer.key("idempotencyKey")
      writer.string(key.span)
    }
    return failure == nil
  }

  /// Takes over the gateway's answers.
  func settlePolicy() {
    if pendingPolicy.verdict != .all { askPolicy(after: policyPause) }
    guard pendingPolicy != policy else { return }
    policy = pendingPolicy
    logAdvice()
  }

  private var policyPause: Int64 {
    if !pendingPolicy.isAwaited { return Self.policyPeriod }
    return now < watchedUntil ? Self.policySpacing : Self.approvalPeriod
  }

  /// What a person has to do for the node's commands to get through.
  private var advice: PolicyAdvice {
    PolicyAdvice(
      policy, commands: commands, serverVersion: session.hello.serverVersion.span, hasBeenInvoked: false)
  }

  private func logAdvice() {
    let advice = self.advice
    let level: LogLevel = advice.finding == .withheld ? .warning : .notice
    log.write(level, "operator") { advice.writeSentence(to: &$0) }
    advice.forEachStep { step in
      log.write(level, "operator") { $0.add(step) }
    }
  }
}
