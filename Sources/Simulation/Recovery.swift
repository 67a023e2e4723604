import Gateway
import Runtime

/// How soon one of the board's sessions comes back: connected within 45 s from the moment on which nothing but the
/// board decides, at once after a stable connection, and always with a next thing to do.
final class Recovery {
  /// Milliseconds from the end of an outage to `hello-ok`.
  static let timeout: Int64 = 45_000
  /// Milliseconds from the end of a stable connection to `hello-ok`, where all is good: the first pause, the time that
  /// a closing handshake may take, and a slow way. Earlier trouble must not count, whose pause is 15 s or more.
  static let timeoutWhenStable: Int64 = 14_000

  unowned(unsafe) let life: Life
  let role: Role
  private var goodSince: Int64?
  private var mustBeOnlineBy: Int64 = .max
  private var wasOnline = false
  private var onlineSince: Int64 = 0
  /// Incidents so far when a stable connection ended while all was good; nil when no such end is the last.
  private var incidentsAtEnd: Int64?

  init(_ life: Life, _ role: Role) {
    self.life = life
    self.role = role
  }

  /// When `check` wants to be called, whatever else happens.
  var deadline: Int64 { goodSince == nil || wasOnline || mustBeOnlineBy == .max ? .max : mustBeOnlineBy + 1 }

  /// The program ended, or the power went.
  func boardStopped() {
    if wasOnline { count(life.now - onlineSince) }
    wasOnline = false
    goodSince = nil
    mustBeOnlineBy = .max
  }

  /// Looks at the session; `isStale`: what decides whether it could be online may have changed.
  func check(_ session: Session, isStale: Bool) {
    // The operator's begins when the node has been online.
    guard session.state != .stopped else { return goodSince = nil }
    checkDeadline(session)
    let isOnline = session.state == .online
    if isOnline != wasOnline { changed(isOnline) }
    if isStale {
      let isGood = life.isGood(for: role)
      if isGood, goodSince == nil { goodBegins() }
      if !isGood { goodSince = nil }
    }
    guard goodSince != nil, !isOnline, life.now > mustBeOnlineBy else { return }
    // Something has happened on the way back.
    if let count = incidentsAtEnd, count != life.incidents.count {
      incidentsAtEnd = nil
      return mustBeOnlineBy += Self.timeout - Self.timeoutWhenStable
    }
    late(session)
  }

  /// There is always a next thing to do, and never too far away (gateway reference 8.4).
  private func checkDeadline(_ session: Session) {
    let pause: Int64
    switch session.state {
    case .stopped: return
    case .online, .connecting: pause = 86_400_000
    case .waiting, .paused: pause = 3_600_000
    case .awaitingApproval: pause = 60_000
    case .untrusted: pause = 30_000
    }
    guard let deadline = session.deadline else { return life.invariants.violated("the \(name) waits for nothing") }
    let left = deadline - life.board.clock.monotonic
    if left > pause + 1_000 {
      life.invariants.violated("the \(name) is \(session.state.word), and waits for \(left) ms")
    }
  }

  private var name: String { role == .node ? "session" : "operator session" }

  private func count(_ milliseconds: Int64) {
    if role == .node { life.report.online += milliseconds } else { life.report.operatorOnline += milliseconds }
  }

  private func changed(_ isOnline: Bool) {
    wasOnline = isOnline
    // The operator's session waits for the node's.
    if role == .node { life.invariants.conditionsChanged() }
    if isOnline {
      onlineSince = life.now
      if role == .node { life.report.connections += 1 } else { life.report.operatorConnections += 1 }
      if let goodSince, mustBeOnlineBy != .max {
        life.report.recoveries += 1
        if mustBeOnlineBy == goodSince + Self.timeout {
          life.report.slowestRecovery = max(life.report.slowestRecovery, life.now - goodSince)
        }
      }
      mustBeOnlineBy = .max
    } else {
      count(life.now - onlineSince)
      // Whatever was good was not good enough.
      guard goodSince != nil else { return }
      let isStable = life.now - onlineSince >= Backoff.flapGuard
      incidentsAtEnd = isStable ? life.incidents.count : nil
      mustBeOnlineBy = life.now + (isStable ? Self.timeoutWhenStable : Self.timeout)
    }
  }

  private func goodBegins() {
    goodSince = life.now
    incidentsAtEnd = nil
    mustBeOnlineBy = life.now + Self.timeout
  }

  /// Too late, unless it waits as it may: a person had to act when it last asked, or the gateway told it to wait.
  private func late(_ session: Session) {
    let left = max((session.deadline ?? 0) - life.board.clock.monotonic, 0)
    switch session.state {
    case .awaitingApproval, .paused:
      // An attempt that began in good times and was refused would be wrong.
      if !life.board.isConnecting(role), let goodSince, life.board.openedAt(role) > goodSince {
        return life.invariants.violated(
          "the \(name) is \(session.state.word) although all is good: \(Self.text(session.explanation))")
      }
    case .waiting: if !life.gateway.toldToWait[role.rawValue] { return overdue(session) }
    case .connecting:
      // After a pause that the gateway asked for, the timeout begins with the attempt.
      let openedAt = life.board.openedAt(role)
      guard life.gateway.toldToWait[role.rawValue], life.now <= openedAt + Self.timeout else {
        return overdue(session)
      }
      return mustBeOnlineBy = openedAt + Self.timeout
    case .online, .stopped, .untrusted: return overdue(session)
    }
    mustBeOnlineBy = life.now + left + Self.timeout
  }

  private func overdue(_ session: Session) {
    life.invariants.violated(
      "all is good for \(life.now - (goodSince ?? 0)) ms, and the \(name) is \(session.state.word): "
        + Self.text(session.explanation))
  }

  private static func text(_ explanation: Explanation) -> String {
    explanation.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
