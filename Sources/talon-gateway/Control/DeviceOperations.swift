/// `devices ...` of the CLI: the first gate.
enum DeviceOperations {
  static let table: [String: ControlOperations.Operation] = [
    "devices.list": { core, _ in devices(core) },
    "devices.approve": { core, params in try approve(core, params) },
    "devices.reject": { core, params in try reject(core, params) },
    "devices.revoke": { core, params in
      try change(core, params, "revoked") { id, role in try core.pairing.revoke(id, role: role) }
    },
    "devices.rotate": { core, params in
      try change(core, params, "rotated the tokens of") { id, role in
        try core.pairing.rotate(id, role: role, nowMilliseconds: wallMilliseconds())
      }
    },
    "devices.remove": { core, params in
      try change(core, params, "removed") { id, _ in
        try core.surfaces.remove(id)
        return try core.pairing.remove(id)
      }
    },
  ]

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
      "operatorConnected": .bool(core.isOperatorConnected(device.deviceID)),
    ])
  }

  private static func approve(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let now = wallMilliseconds()
    let latest = core.pairing.pending(nowMilliseconds: now).max { $0.refreshedAtMs < $1.refreshedAtMs }?
      .requestID
    guard let id = params["requestId"]?.string ?? latest else {
      throw GatewayError.invalidRequest("no pairing request is waiting")
    }
    guard let device = try core.pairing.approve(id, nowMilliseconds: now) else {
      throw ControlOperations.unknownRequest(id)
    }
    core.logger.info("approved \(device.deviceID) (request \(id))")
    return ["requestId": .string(id), "device": describe(device, core)]
  }

  private static func reject(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = params["requestId"]?.string ?? ""
    guard let request = try core.pairing.reject(id, nowMilliseconds: wallMilliseconds()) else {
      throw ControlOperations.unknownRequest(id)
    }
    core.logger.info("rejected \(request.claim.deviceID) (request \(id))")
    return ["requestId": .string(id), "deviceId": .string(request.claim.deviceID)]
  }

  /// Changes a device's record under its live connections, and closes those.
  private static func change(
    _ core: GatewayCore, _ params: JSON, _ verb: String, _ body: (String, String?) throws -> PairedDevice?
  ) throws -> JSON {
    let id = params["deviceId"]?.string ?? ""
    let role = params["role"]?.string
    guard let device = try body(id, role) else {
      let hasDevice = core.pairing.device(id) != nil
      throw GatewayError.invalidRequest(
        hasDevice ? "device \(id) has no role \(role ?? "")" : "unknown device id \(id)")
    }
    core.invalidate(id, role: role)
    core.logger.info("\(verb) \(id)\(role.map { " (\($0))" } ?? "")")
    return ["device": describe(device, core)]
  }
}
