import Foundation

/// `tools ...` of the CLI: what an agent sees of its nodes.
enum ToolOperations {
  /// Milliseconds that a node has for a call, and that the caller waits beyond them (newer-gateways 1.2).
  static let plainTimeout: Int64 = 30_000
  static let callTimeout: Int64 = 120_000
  private static let grace: Int64 = 5_000

  static let table: [String: ControlOperations.Operation] = [
    "tools.list": { core, _ in
      [
        "tools": .array(AgentTools.all(core).map(\.json)),
        "nodes": .array(core.connectedNodes.map { describe($0, core) }),
      ]
    }
  ]

  /// What a node published, and what of it is not in effect.
  private static func describe(_ node: Session, _ core: GatewayCore) -> JSON {
    let dropped = NodeTools.sift(node, core).dropped.map { tool -> JSON in
      ["name": .string(tool.name), "reason": .string(tool.reason)]
    }
    return [
      "nodeId": .string(node.nodeID), "published": .integer(node.publications),
      "declared": .integer(Int64(node.tools.count)), "dropped": .array(dropped),
    ]
  }

  private static let schema = Schema.object([
    .required("name", .text), .required("arguments", .map(.any)), .optional("sessionKey", .text),
  ])

  /// Calls a tool as an agent's run does; returns the invoke's id. `finish` gets the node's result, and what the model
  /// sees of it.
  static func call(
    _ params: JSON, _ core: GatewayCore, finish: @escaping (InvokeTable.Outcome) -> Void
  ) throws(GatewayError) -> String {
    do {
      try schema.validate(params)
    } catch {
      throw .invalidRequest("invalid tool call: \(error)")
    }
    let tool = try AgentTools.find(params["name"]?.string ?? "", core)
    guard let session = core.node(tool.nodeID) else { throw .unavailable("node not connected") }
    let arguments = params["arguments"] ?? [:]
    let request = InvokeRequest(
      command: tool.descriptor["command"]?.string ?? "",
      params: tool.isMCP ? (tool.descriptor["mcp"] ?? [:]).with(member: "arguments", arguments) : arguments,
      timeoutMilliseconds: tool.isMCP ? callTimeout : plainTimeout, graceMilliseconds: grace,
      idempotencyKey: "turn-\(core.nextTurn()):call_\(UUID().uuidString.lowercased())",
      sessionKey: params["sessionKey"]?.string ?? Conversations.mainKey)
    let generation = core.generation
    return core.invokes.start(request, on: session) { outcome in
      finish(
        outcome.map { payload in
          let view = tool.isMCP ? ToolView(result: payload, in: generation) : ToolView(plain: payload)
          return ["payload": payload, "view": view.json]
        })
    }
  }
}
