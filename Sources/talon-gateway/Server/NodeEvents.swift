/// `node.event` (protocol reference, sections 9.5 and 10).
enum NodeEvents {
  private static let beaconSpacingMilliseconds: Int64 = 60_000

  private static let triggers = [
    "background", "silent_push", "bg_app_refresh", "significant_location", "manual", "connect",
  ]

  static func receive(_ call: MethodCall) throws(GatewayError) -> JSON {
    try call.validate(call.core.generation.schemas.nodeEvent, "node.event")
    let event = call.params["event"]?.string ?? ""
    let payload = payload(of: call.params)
    call.core.log.noteEvent(event, payload, from: call.deviceID)
    guard event == "node.presence.alive" else { return ["ok": true] }
    let (handled, reason) = presenceAlive(payload, call)
    return ["ok": true, "event": .string(event), "handled": .bool(handled), "reason": .string(reason)]
  }

  /// The payload, or nil when its text is not JSON.
  private static func payload(of params: JSON) -> JSON? {
    guard let text = params["payloadJSON"]?.string else { return params["payload"] }
    return try? JSON(parsing: text)
  }

  private static func presenceAlive(_ payload: JSON?, _ call: MethodCall) -> (handled: Bool, reason: String) {
    guard let payload, payload.object != nil else { return (false, "invalid_payload") }
    let now = wallMilliseconds()
    let device = call.core.pairing.device(call.deviceID)
    if let last = device?.lastSeenAtMs, now - last < beaconSpacingMilliseconds { return (true, "throttled") }
    let given = (payload["trigger"]?.string ?? "").trimmed.lowercased()
    let trigger = triggers.contains(given) ? given : "background"
    do {
      try call.core.pairing.noteSeen(call.deviceID, reason: trigger, nowMilliseconds: now)
      return (true, "persisted")
    } catch {
      return (false, "persist_failed")
    }
  }
}
