import Gateway
import Runtime

/// The one in charge: approves the board, mends what only people can mend, and takes time for it.
final class Person: Actor {
  enum Step: Int { case approve, approveSurface, replacePin, look, newCode }

  unowned(unsafe) let life: Life
  /// The certificate that was written into the configuration.
  var configuredPin: Fingerprint?
  private var isComing = false
  /// The board was approved once.
  private var isInstalled = false

  init(_ life: Life) { self.life = life }

  /// The gateway shows a request for approval.
  func asked() {
    guard !isComing else { return }
    isComing = true
    // At the first time, whoever installs the board sits beside it.
    let mean = isInstalled ? life.scenario.attention : 60_000
    life.schedule.add(self, Step.approve.rawValue, at: life.now + 2_000 + life.interval(mean))
  }

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .approve: approve()
    case .approveSurface:
      life.gateway.device.isSurfaceApproved = true
      life.trace.note(life.now, "surface approved")
      life.gateway.surfaceApproved()
    case .replacePin: replacePin()
    case .look: life.invariants.conditionsChanged()
    case .newCode:
      guard life.board.isServing, life.board.flash.mood == .good, life.gateway.isUp,
        life.gateway.generation.knowsBootstrapToken
      else {
        life.schedule.add(self, Step.newCode.rawValue, at: life.now + 300_000)
        return
      }
      life.trace.note(life.now, "new setup code")
      life.board.pairAgain()
    }
  }

  private func approve() {
    isComing = false
    let gateway = life.gateway!
    guard gateway.isUp, let _ = gateway.device.requestID, life.now - gateway.device.requestedAt < 300_000 else {
      // Expired meanwhile: the board asks again, and then there is another.
      gateway.device.requestID = nil
      return
    }
    gateway.device.requestID = nil
    if life.chance(1, in: 30) {
      life.trace.note(life.now, "request rejected")
      return
    }
    for role in 0..<2 where gateway.device.requested[role] { gateway.device.approved[role] = true }
    isInstalled = true
    life.trace.note(life.now, "board approved")
    life.schedule.add(self, Step.approveSurface.rawValue, at: life.now + life.interval(60_000))
    life.invariants.conditionsChanged()
  }

  /// The gateway no longer knows the board's token. Where that was all it had, it needs a new setup code.
  func tokenGone(_ role: Role) {
    // The operator's comes with the node's.
    guard role == .node, life.scenario.credential == .setupCode else { return }
    life.schedule.add(self, Step.newCode.rawValue, at: life.now + 10_000 + life.interval(life.scenario.attention))
  }

  // MARK: Certificates

  /// The certificate was replaced rightly. Somebody notices after a while.
  func certificateReplaced() {
    life.schedule.add(self, Step.replacePin.rawValue, at: life.now + 10_000 + life.interval(life.scenario.attention))
  }

  private func replacePin() {
    // Never while somebody else answers there: people compare fingerprints.
    guard life.network.impostor == nil, life.board.isServing, life.board.flash.mood == .good else {
      life.schedule.add(self, Step.replacePin.rawValue, at: life.now + 300_000)
      return
    }
    life.trace.note(life.now, "pin replaced")
    configuredPin = life.gateway.certificate.leaf
    life.board.forgetPin()
  }
}
