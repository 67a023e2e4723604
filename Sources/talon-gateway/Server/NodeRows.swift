/// Rows of `node.list`, `node.describe` and the CLI's `nodes status` (protocol reference, section 9.12).
enum NodeRows {
  /// `details` adds what of a waiting surface only operators with the pairing scope may see.
  static func list(_ core: GatewayCore, details: Bool) -> JSON {
    let rows = core.pairing.paired.filter { $0.grants["node"] != nil }.map { row($0, core, details: details) }
    return ["ts": .integer(wallMilliseconds()), "nodes": .array(rows)]
  }

  static func row(_ device: PairedDevice, _ core: GatewayCore, details: Bool) -> JSON {
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
      "pendingRequestId": (request?.requestID).map(JSON.string),
      "pendingDeclaredCommands": given(details, request.map { JSON($0.declared.commands.sorted()) }),
      "pendingDeclaredCaps": given(details, request.map { JSON($0.declared.caps.sorted()) }),
      "connected": .bool(session != nil),
      "connectedAtMs": (session?.connectedAtMs).map(JSON.integer),
      "approvedAtMs": .integer(device.approvedAtMs),
      "lastSeenAtMs": device.lastSeenAtMs.map(JSON.integer),
      "lastSeenReason": device.lastSeenReason.map(JSON.string),
    ])
  }

  private static func permissions(_ surface: Surface) -> JSONObject {
    var object = JSONObject()
    for name in surface.permissions.sorted() { object.append(name, true) }
    return object
  }
}
