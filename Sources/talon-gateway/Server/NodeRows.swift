/// Rows of `node.list`, `node.describe` and the CLI's `nodes status` (protocol reference, section 9.12).
enum NodeRows {
  static func list(_ core: GatewayCore, for viewer: Session) -> JSON {
    let rows = core.pairing.paired.filter { $0.grants["node"] != nil }.map { row($0, core, for: viewer) }
    return ["ts": .integer(wallMilliseconds()), "nodes": .array(rows)]
  }

  /// What of a waiting surface only operators with the pairing scope see is left out for others; since September 2026
  /// also the request's id, but for that of the operator's own device (newer-gateways 3). Without a viewer: all.
  static func row(_ device: PairedDevice, _ core: GatewayCore, for viewer: Session?) -> JSON {
    let details = viewer?.mayUse("operator.pairing") ?? true
    let isOwn = viewer?.admission?.claim.deviceID == device.deviceID
    let seesRequest = details || isOwn || !core.generation.keepsSurfaceRequests
    let session = core.node(device.deviceID)
    let admission = session?.admission
    let live = admission.map(core.liveSurface) ?? Surface()
    let now = wallMilliseconds()
    let knowsState = core.generation.era >= .june
    let request = knowsState ? core.surfaces.request(of: device.deviceID, nowMilliseconds: now) : nil
    let state = core.surfaces.state(of: device.deviceID, nowMilliseconds: now)
    return .compact([
      "nodeId": .string(device.deviceID),
      "displayName": admission?.client["displayName"] ?? device.displayName.map(JSON.string),
      "platform": .string(device.platform),
      "deviceFamily": device.deviceFamily.map(JSON.string),
      "version": admission?.client["version"],
      "modelIdentifier": admission?.client["modelIdentifier"],
      "remoteIp": (session?.remoteAddress).map(JSON.string),
      "caps": JSON(live.caps.sorted()),
      "commands": JSON(live.commands.sorted()),
      "permissions": .object(permissions(live)),
      "paired": true,
      "approvalState": given(knowsState, .string(state.rawValue)),
      "pendingRequestId": given(seesRequest, (request?.requestID).map(JSON.string)),
      "pendingDeclaredCommands": given(details, request.map { JSON($0.declared.commands.sorted()) }),
      "pendingDeclaredCaps": given(details, request.map { JSON($0.declared.caps.sorted()) }),
      "connected": .bool(session != nil),
      "connectedAtMs": (session?.connectedAtMs).map(JSON.integer),
      "approvedAtMs": .integer(device.approvedAtMs),
      "lastSeenAtMs": device.lastSeenAtMs.map(JSON.integer),
      "lastSeenReason": device.lastSeenReason.map(JSON.string),
    ]).adding(core.generation.showsHostStats ? additions(session, core) : [:])
  }

  /// What rows have since September 2026 (newer-gateways 3).
  private static func additions(_ session: Session?, _ core: GatewayCore) -> JSON {
    guard let session, let admission = session.admission else { return ["active": false] }
    return .compact([
      "active": true, "gatewayLocal": .bool(session.remoteAddress.isLoopback), "clientId": admission.client["id"],
      "clientMode": admission.client["mode"], "hostStats": session.hostStats,
      "nodePluginTools": .array(NodeTools.effective(session, core)),
    ])
  }

  private static func permissions(_ surface: Surface) -> JSONObject {
    var object = JSONObject()
    for name in surface.permissions.sorted() { object.append(name, true) }
    return object
  }
}
