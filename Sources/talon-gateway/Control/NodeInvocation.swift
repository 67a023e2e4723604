import Foundation

/// `node.invoke` as the CLI calls it: finds the node, applies the command policy, and starts the invoke.
enum NodeInvocation {
  private static let schema = Schema.object([
    .required("node", .text),
    .required("command", .string(min: 0, max: .max)),
    .optional("params", .any),
    .optional("timeoutMs", .integer(min: 0)),
    .optional("idempotencyKey", .text),
    .optional("wait", .bool),
  ])

  /// Returns the invoke's id. `finish` gets what the caller of a real gateway would see.
  @discardableResult
  static func start(
    _ params: JSON, _ core: GatewayCore, finish: @escaping (InvokeTable.Outcome) -> Void
  ) throws(GatewayError) -> String {
    do {
      try schema.validate(params)
    } catch {
      throw .invalidRequest("invalid node.invoke params: \(error)")
    }
    let nodeID = try resolve(params["node"]?.string ?? "", core)
    let command = (params["command"]?.string ?? "").trimmed
    guard let session = core.node(nodeID), let admission = session.admission else {
      throw .unavailable("node not connected", details: ["code": "NOT_CONNECTED"])
    }
    if let reason = core.policy.refusalReason(command, declared: core.effectiveCommands(admission)) {
      throw .invalidRequest(
        "node command not allowed: \(reason)",
        details: ["reason": .string(reason), "command": .string(command)])
    }
    let request = InvokeRequest(
      command: command, params: params["params"], timeoutMilliseconds: params["timeoutMs"]?.integer,
      idempotencyKey: params["idempotencyKey"]?.string ?? UUID().uuidString.lowercased())
    return core.invokes.start(request, on: session) { outcome in
      if case .success(let result) = outcome { core.talk.announceCapture(command, result, of: nodeID, core) }
      finish(
        outcome.map { ["ok": true, "nodeId": .string(nodeID), "command": .string(command), "payload": $0] })
    }
  }

  /// A device id, the beginning of one, or a display name.
  static func resolve(_ name: String, _ core: GatewayCore) throws(GatewayError) -> String {
    let known = core.pairing.paired
    if known.contains(where: { $0.deviceID == name }) { return name }
    let matches = known.filter {
      $0.deviceID.hasPrefix(name) || displayName($0, core)?.lowercased() == name.lowercased()
    }
    guard let match = matches.first else { throw .invalidRequest("unknown node \(name)") }
    guard matches.count == 1 else {
      throw .invalidRequest("\(name) fits \(matches.count) nodes: use a longer device id")
    }
    return match.deviceID
  }

  private static func displayName(_ device: PairedDevice, _ core: GatewayCore) -> String? {
    core.node(device.deviceID)?.admission?.claim.displayName ?? device.displayName
  }
}
