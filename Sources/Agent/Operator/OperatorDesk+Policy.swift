import Codec
import Gateway
import Runtime

/// What the gateway lets through of the node's commands, which it tells nobody by itself: the desk looks.
extension OperatorDesk {
  /// Milliseconds between looks while the gateway does not let every command through, and while a person has still to
  /// approve some, of which nobody is told.
  static let policyPeriod: Int64 = 300_000
  static let approvalPeriod: Int64 = 60_000
  /// Milliseconds between looks at least, however many commands arrive. So it is looked after an approval for as long as
  /// somebody has asked for the state within the last ten minutes, and wants to see it change.
  static let policySpacing: Int64 = 5_000
  static let attention: Int64 = 600_000

  /// A command arrived: if some were held back, that may be over.
  public func nodeInvoked() {
    guard let due = policyDue, policy.verdict == .some || policy.verdict == .none else { return }
    policyDue = min(due, max(now, policyAsked + Self.policySpacing))
  }

  /// Somebody looks at the state: what a person has done at the gateway meanwhile shows soon.
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
    if failure != nil, session.state == .online { policyDue = now + Self.policyPeriod }
  }

  func learnPolicy(_ row: borrowing JSONView) {
    told = policy
    if told.read(row, declared: commands) {
      guard let command = told.probe(of: commands), askListing(command) else { return settlePolicy() }
    } else {
      policyDue = now + Self.policyPeriod
    }
  }

  /// Has the gateway say whether its configuration has a command; it is refused while the approval is missing.
  private func askListing(_ command: StaticString) -> Bool {
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

  /// Takes over what the gateway told.
  func settlePolicy() {
    if told.verdict != .all { policyDue = now + policyPause }
    guard told != policy else { return }
    policy = told
    logAdvice()
  }

  private var policyPause: Int64 {
    if !told.isAwaited { return Self.policyPeriod }
    return now < watchedUntil ? Self.policySpacing : Self.approvalPeriod
  }

  /// What a person would have to do now for the node's commands to get through.
  private var advice: PolicyAdvice {
    PolicyAdvice(
      policy, commands: commands, serverVersion: session.hello.serverVersion.span, hasBeenInvoked: false)
  }

  private func logAdvice() {
    let advice = self.advice
    log.write(advice.finding == .withheld ? .warning : .notice, "operator") { advice.writeSentence(to: &$0) }
    advice.forEachStep { step in
      log.write(.warning, "operator") { $0.add(step) }
    }
  }
}
