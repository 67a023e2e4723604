/// `nodes ...` of the CLI: the second gate, and what nodes do.
enum NodeOperations {
  static let table: [String: ControlOperations.Operation] = [
    "nodes.status": { core, _ in status(core) },
    "nodes.events": { core, _ in ["events": .array(core.log.entries)] },
    "nodes.pending": { core, _ in
      ["pending": .array(core.surfaces.pending(nowMilliseconds: wallMilliseconds()).map(describe))]
    },
    "nodes.approve": { core, params in try approve(core, params) },
    "nodes.reject": { core, params in try reject(core, params) },
    "nodes.remove": { core, params in try remove(core, params) },
    "nodes.enqueue": { core, params in try enqueue(core, params) },
    "nodes.cancel": { core, params in try cancel(core, params) },
    "nodes.progress": { core, params in
      ["chunks": JSON(core.invokes.progress(of: params["invokeId"]?.string ?? ""))]
    },
  ]

  /// What operators see, and beside it what this gateway noticed.
  private static func status(_ core: GatewayCore) -> JSON {
    let nodes = core.pairing.paired.filter { $0.grants["node"] != nil }.map { device -> JSON in
      let session = core.node(device.deviceID)
      let state = core.surfaces.state(of: device.deviceID, nowMilliseconds: wallMilliseconds())
      return NodeRows.row(device, core, for: nil)
        .with(member: "approvalState", .string(state.rawValue))
        .with(member: "violations", .integer(core.violations.count(device.deviceID)))
        .with(member: "ignoredResults", .integer(session?.ignoredResults ?? 0))
        .with(member: "hostStats", session?.hostStats ?? .null)
    }
    return [
      "ts": .integer(wallMilliseconds()), "generation": .string(core.generation.era.rawValue),
      "nodes": .array(nodes), "violations": .integer(core.violations.total),
      "violationTexts": JSON(core.violations.texts),
    ]
  }

  private static func describe(_ request: SurfaceRequest) -> JSON {
    .compact([
      "requestId": .string(request.requestID),
      "nodeId": .string(request.deviceID),
      "displayName": request.displayName.map(JSON.string),
      "commands": JSON(request.declared.commands.sorted()),
      "caps": JSON(request.declared.caps.sorted()),
      "permissions": JSON(request.declared.permissions.sorted()),
      "isReapproval": .bool(request.isReapproval),
      "createdAtMs": .integer(request.createdAtMs),
      "refreshedAtMs": .integer(request.refreshedAtMs),
    ])
  }

  /// Without an id: the request that was repeated last.
  private static func approve(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let now = wallMilliseconds()
    let latest = core.surfaces.pending(nowMilliseconds: now).max { $0.refreshedAtMs < $1.refreshedAtMs }
    guard let id = params["requestId"]?.string ?? latest?.requestID else {
      throw GatewayError.invalidRequest("no surface request is waiting")
    }
    guard let request = try core.surfaces.approve(id, nowMilliseconds: now) else {
      throw ControlOperations.unknownRequest(id)
    }
    core.logger.info("approved the surface of \(request.deviceID) (request \(id))")
    core.surfaceDecided(request, "approved")
    return describe(request)
  }

  private static func reject(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = params["requestId"]?.string ?? ""
    guard let request = try core.surfaces.reject(id, nowMilliseconds: wallMilliseconds()) else {
      throw ControlOperations.unknownRequest(id)
    }
    core.logger.info("rejected the surface of \(request.deviceID) (request \(id))")
    core.surfaceDecided(request, "rejected")
    return describe(request)
  }

  /// Takes the node role; a device without another role is forgotten.
  private static func remove(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = try NodeInvocation.resolve(params["node"]?.string ?? "", core)
    guard let device = try core.pairing.revoke(id, role: "node") else {
      throw GatewayError.invalidRequest("\(id) is no node")
    }
    try core.surfaces.remove(id)
    if device.grants.isEmpty { _ = try core.pairing.remove(id) }
    core.invalidate(id, role: "node")
    core.logger.info("removed node \(id)")
    return ["nodeId": .string(id)]
  }

  private static func enqueue(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = try NodeInvocation.resolve(params["node"]?.string ?? "", core)
    let action = core.pendingWork.enqueue(
      params["command"]?.string ?? "", params["params"], for: id, nowMilliseconds: wallMilliseconds())
    return ["nodeId": .string(id), "actionId": .string(action)]
  }

  private static func cancel(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = params["invokeId"]?.string ?? ""
    guard core.invokes.cancel(id, .invoke("ABORTED", "the caller cancelled")) else {
      throw GatewayError.invalidRequest("no invoke \(id) is running")
    }
    return ["invokeId": .string(id)]
  }
}
