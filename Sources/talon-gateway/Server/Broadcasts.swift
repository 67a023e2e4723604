/// Receivers of broadcast events (protocol reference, sections 2.3 and 9.13).
enum Audience {
  case everyone
  /// Operators with a read scope; on gateways without this check, everyone.
  case readers(orEveryone: Bool)
  /// Nodes, and operators with a read scope.
  case nodesAndReaders
  /// Operators with this scope.
  case holders(of: String)

  func includes(_ session: Session) -> Bool {
    let reads = session.mayUse(OperatorScope.read)
    switch self {
    case .everyone: return true
    case .readers(let everyone): return everyone || reads
    case .nodesAndReaders: return session.isNode || reads
    case .holders(let scope): return session.mayUse(scope)
    }
  }
}

extension GatewayCore {
  /// Sends an event to all receivers, with a sequence number of each connection or of the whole gateway.
  func broadcast(
    _ event: String, _ payload: JSON, to audience: Audience = .everyone, stateVersion: JSON? = nil
  ) {
    let shared = generation.numbersEventsPerConnection ? nil : nextSharedSequence()
    for session in sessions.values where session.admission != nil && audience.includes(session) {
      session.broadcast(event, payload, sharedSequence: shared, stateVersion: stateVersion)
    }
  }

  /// Sends the list of connected clients.
  func broadcastPresence() {
    presenceVersion += 1
    broadcast(
      "presence", ["presence": HelloOK.presence(self)],
      to: .readers(orEveryone: generation.sendsPresenceToEveryone), stateVersion: stateVersion)
  }

  /// Chat goes to readers, and to nodes that subscribed to the session: to those without a number.
  func broadcastChat(_ payload: JSON) {
    broadcast("chat", payload, to: .readers(orEveryone: generation.sendsChatToEveryone))
    guard !generation.sendsChatToEveryone, let key = payload["sessionKey"]?.string else { return }
    for node in connectedNodes where node.subscriptions.contains(key) {
      node.send(Frames.event("chat", payload))
    }
  }

  /// What agents do besides talking goes to clients that understand it.
  func broadcastWork(_ payload: JSON) {
    let shared = generation.numbersEventsPerConnection ? nil : nextSharedSequence()
    for session in sessions.values
    where session.mayUse(OperatorScope.read) && session.admission?.caps.contains("tool-events") == true {
      session.broadcast("agent", payload, sharedSequence: shared, stateVersion: nil)
    }
  }

  /// Additions to a session go to the operators that subscribed to it.
  func broadcastMessage(_ key: String, _ message: JSON) {
    let shared = generation.numbersEventsPerConnection ? nil : nextSharedSequence()
    for session in sessions.values where !session.isNode && session.subscriptions.contains(key) {
      session.broadcast(
        "session.message", ["sessionKey": .string(key), "message": message], sharedSequence: shared, stateVersion: nil)
    }
  }

  var stateVersion: JSON { ["presence": .integer(presenceVersion), "health": .integer(healthVersion)] }
}
