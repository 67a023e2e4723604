/// What the CLI can ask of the running gateway, except invoking.
enum ControlOperations {
  typealias Operation = @Sendable (GatewayCore, JSON) throws -> JSON

  static let table: [String: Operation] = [
    "devices.list": { core, _ in devices(core) },
    "devices.approve": { core, params in try approve(core, params) },
    "devices.reject": { core, params in try reject(core, params) },
    "devices.revoke": { core, params in try revoke(core, params) },
    "nodes.status": { core, _ in nodes(core) },
    "nodes.events": { core, _ in ["events": .array(core.log.entries)] },
  ]

  // MARK: Devices

  private static func devices(_ core: GatewayCore) -> JSON {
    let pending = core.pairing.pending(nowMilliseconds: wallMilliseconds())
    return [
      "pending": .array(pending.map(describe)),
      "paired": .array(core.pairing.paired.map { describe($0, core) }),
    ]
  }

  private static func describe(_ request: PairingRequest) -> JSON {
    .compact([
      "requestId": .string(request.requestID),
      "deviceId": .string(request.claim.deviceID),
      "displayName": request.claim.displayName.map(JSON.string),
      "platform": .string(request.claim.platform),
      "deviceFamily": request.claim.deviceFamily.map(JSON.string),
      "role": .string(request.claim.role),
      "roles": JSON(request.roles),
      "scopes": JSON(request.claim.scopes),
      "reason": .string(request.reason.rawValue),
      "createdAtMs": .integer(request.createdAtMs),
      "refreshedAtMs": .integer(request.refreshedAtMs),
    ])
  }

  private static func describe(_ device: PairedDevice, _ core: GatewayCore) -> JSON {
    .compact([
      "deviceId": .string(device.deviceID),
      "displayName": device.displayName.map(JSON.string),
      "platform": .string(device.platform),
      "deviceFamily": device.deviceFamily.map(JSON.string),
      "roles": JSON(device.grants.keys.sorted()),
      "scopes": JSON(device.approvedScopes),
      "approvedAtMs": .integer(device.approvedAtMs),
      "connected": .bool(core.node(device.deviceID) != nil),
    ])
  }

  private static func approve(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let now = wallMilliseconds()
    let latest = core.pairing.pending(nowMilliseconds: now).max { $0.refreshedAtMs < $1.refreshedAtMs }?
      .requestID
    guard let id = params["requestId"]?.string ?? latest else {
      throw GatewayError.invalidRequest("no pairing request is waiting")
    }
    guard let device = try core.pairing.approve(id, nowMilliseconds: now) else { throw unknownRequest(id) }
    core.logger.info("approved \(device.deviceID) (request \(id))")
    return ["requestId": .string(id), "device": describe(device, core)]
  }

  private static func reject(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = params["requestId"]?.string ?? ""
    guard let request = try core.pairing.reject(id, nowMilliseconds: wallMilliseconds()) else {
      throw unknownRequest(id)
    }
    core.logger.info("rejected \(request.claim.deviceID) (request \(id))")
    return ["requestId": .string(id), "deviceId": .string(request.claim.deviceID)]
  }

  private static func revoke(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = params["deviceId"]?.string ?? ""
    guard let device = try core.pairing.revoke(id) else {
      throw GatewayError.invalidRequest("unknown device id \(id)")
    }
    core.invalidate(id)
    core.logger.info("revoked \(id)")
    return ["device": describe(device, core)]
  }

  private static func unknownRequest(_ id: String) -> GatewayError {
    GatewayError(code: "APPROVAL_NOT_FOUND", message: "no pairing request \(id) is waiting")
  }

  // MARK: Nodes

  private static func nodes(_ core: GatewayCore) -> JSON {
    let rows = core.pairing.paired.filter { $0.grants["node"] != nil }.map { row($0, core) }
    return ["ts": .integer(wallMilliseconds()), "nodes": .array(rows)]
  }

  private static func row(_ device: PairedDevice, _ core: GatewayCore) -> JSON {
    let session = core.node(device.deviceID)
    let admission = session?.admission
    return .compact([
      "nodeId": .string(device.deviceID),
      "displayName": admission?.client["displayName"] ?? device.displayName.map(JSON.string),
      "platform": .string(device.platform),
      "deviceFamily": device.deviceFamily.map(JSON.string),
      "version": admission?.client["version"],
      "modelIdentifier": admission?.client["modelIdentifier"],
      "remoteIp": (session?.remoteAddress).map(JSON.string),
      "caps": JSON(admission?.caps ?? []),
      "commands": JSON(admission.map(core.effectiveCommands) ?? []),
      "permissions": admission?.permissions ?? [:],
      "paired": true,
      "approvalState": "approved",
      "connected": .bool(session != nil),
      "connectedAtMs": (session?.connectedAtMs).map(JSON.integer),
      "approvedAtMs": .integer(device.approvedAtMs),
      "lastSeenAtMs": device.lastSeenAtMs.map(JSON.integer),
      "lastSeenReason": device.lastSeenReason.map(JSON.string),
    ])
  }
}
