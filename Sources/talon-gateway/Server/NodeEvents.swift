import Foundation

/// `node.event` (protocol reference, sections 9.5 and 10).
enum NodeEvents {
  private static let beaconSpacingMilliseconds: Int64 = 60_000

  /// What an event that reports is answered with.
  private struct Report {
    let handled: Bool
    let reason: String
  }

  static func receive(_ call: MethodCall) throws(GatewayError) -> JSON {
    let event = call.params["event"]?.string ?? ""
    let payload = payload(of: call.params)
    call.core.log.noteEvent(event, payload, from: call.deviceID)
    check(event, payload, call)
    guard let report = act(on: event, payload, call) else { return ["ok": true] }
    return [
      "ok": true, "event": .string(event), "handled": .bool(report.handled), "reason": .string(report.reason),
    ]
  }

  /// The payload, or nil when its text is not JSON.
  private static func payload(of params: JSON) -> JSON? {
    guard let text = params["payloadJSON"]?.string else { return params["payload"] }
    return try? JSON(parsing: text)
  }

  private static func check(_ event: String, _ payload: JSON?, _ call: MethodCall) {
    guard let schema = EventPayloads.schema(of: event) else { return }
    do {
      try schema.validate(payload ?? .null)
    } catch {
      call.core.noteViolation("\(event) payload \(error)", from: call.deviceID)
    }
  }

  /// Does what the event asks for; nil for events that report nothing.
  private static func act(on event: String, _ payload: JSON?, _ call: MethodCall) -> Report? {
    let generation = call.core.generation
    switch event {
    case "node.presence.alive":
      return generation.recordsPresence ? presenceAlive(payload, call) : nil
    case "node.host.stats":
      return generation.recordsHostStats ? hostStats(payload, call) : nil
    case "node.command.features" where generation.takesCommandFeatures:
      return commandFeatures(payload, call)
    case "node.presence.activity" where generation.recordsHostStats:
      let isPermitted = call.core.liveSurface(call.admission).permissions.contains("accessibility")
      return isPermitted
        ? Report(handled: true, reason: "updated") : Report(handled: false, reason: "permission_required")
    case "exec.started", "exec.finished", "exec.denied":
      // This gateway keeps no account of what it has run on a node, so no such event can belong to a run.
      return generation.matchesExecEvents ? Report(handled: false, reason: "unmatched_exec_event") : nil
    case "chat.subscribe": payload?["sessionKey"]?.string.map(call.session.subscribe)
    case "chat.unsubscribe": payload?["sessionKey"]?.string.map(call.session.unsubscribe)
    case "voice.transcript": transcript(payload, call)
    case "agent.request": request(payload, call)
    default: break
    }
    return nil
  }

  private static func presenceAlive(_ payload: JSON?, _ call: MethodCall) -> Report {
    guard let payload, payload.object != nil else { return Report(handled: false, reason: "invalid_payload") }
    let now = wallMilliseconds()
    guard let device = call.core.pairing.device(call.deviceID) else {
      return Report(handled: false, reason: "unpaired")
    }
    if let last = device.lastSeenAtMs, now - last < beaconSpacingMilliseconds {
      return Report(handled: true, reason: "throttled")
    }
    let given = (payload["trigger"]?.string ?? "").trimmed.lowercased()
    let trigger = EventPayloads.triggers.contains(given) ? given : "background"
    do {
      try call.core.pairing.noteSeen(call.deviceID, reason: trigger, nowMilliseconds: now)
      return Report(handled: true, reason: "persisted")
    } catch {
      return Report(handled: false, reason: "persist_failed")
    }
  }

  private static func hostStats(_ payload: JSON?, _ call: MethodCall) -> Report {
    guard let payload, (try? EventPayloads.schema(of: "node.host.stats")?.validate(payload)) != nil,
      (payload["diskTotalBytes"] == nil) == (payload["diskAvailableBytes"] == nil)
    else { return Report(handled: false, reason: "invalid_payload") }
    guard isWithin(payload, "memoryFreeBytes", "memoryTotalBytes"),
      isWithin(payload, "diskAvailableBytes", "diskTotalBytes")
    else {
      call.core.noteViolation("node.host.stats has more free than there is", from: call.deviceID)
      return Report(handled: false, reason: "invalid_payload")
    }
    let stats = payload.with(member: "updatedAtMs", .integer(wallMilliseconds()))
    call.session.hostStats = stats
    if call.core.generation.showsHostStats {
      call.core.broadcast(
        "node.hostStats", ["nodeId": .string(call.deviceID), "hostStats": stats], to: .readers(orEveryone: false))
    }
    return Report(handled: true, reason: "updated")
  }

  private static func isWithin(_ payload: JSON, _ part: String, _ whole: String) -> Bool {
    guard let part = payload[part]?.integer, let whole = payload[whole]?.integer else { return true }
    return part <= whole
  }

  private static func commandFeatures(_ payload: JSON?, _ call: MethodCall) -> Report {
    guard call.core.node(call.deviceID) === call.session else {
      return Report(handled: false, reason: "stale_connection")
    }
    guard let payload, (try? EventPayloads.commandFeatures.validate(payload)) != nil,
      let members = payload["features"]?.object?.members, members.count <= 32,
      members.allSatisfy({ $0.key.count <= 256 })
    else { return Report(handled: false, reason: "invalid_payload") }
    return Report(handled: true, reason: "updated")
  }

  /// Starts a run, unless the same was said a moment ago.
  private static func transcript(_ payload: JSON?, _ call: MethodCall) {
    guard let payload, let text = payload["text"]?.string, !text.trimmed.isEmpty, text.count <= 20_000 else {
      return
    }
    let isRepeated = call.core.voiceTranscripts.isRepeated(payload, nowMilliseconds: wallMilliseconds())
    if isRepeated { return call.core.log.markRepeated() }
    let key = payload["sessionKey"]?.string ?? Conversations.mainKey
    call.core.conversations.begin(UUID().uuidString.lowercased(), key, text)
  }

  private static func request(_ payload: JSON?, _ call: MethodCall) {
    guard let text = payload?["message"]?.string, !text.trimmed.isEmpty, text.count <= 20_000 else { return }
    let key = payload?["sessionKey"]?.string ?? "node-\(call.deviceID)"
    call.core.conversations.begin(UUID().uuidString.lowercased(), key, text)
  }
}
