/// What nodes may call (protocol reference, section 9.1).
enum NodeMethods {
  static let table: [String: Method] = [
    "node.invoke.result": Method(caller: .node, params: Generation.newest.schemas.invokeResult) {
      (call) throws(GatewayError) in try InvokeResults.receive(call)
    },
    "node.invoke.progress": Method(
      caller: .node, since: .july,
      params: .object([
        .required("invokeId", .text), .required("nodeId", .text), .required("seq", .integer(min: 0)),
        .required("chunk", .string(min: 0, max: 16_384)),
      ])
    ) { (call) throws(GatewayError) in try InvokeResults.receiveProgress(call) },
    "node.event": Method(caller: .node, params: Generation.newest.schemas.nodeEvent) {
      (call) throws(GatewayError) in try NodeEvents.receive(call)
    },
    "node.pluginTools.update": Method(caller: .node, since: .july, params: NodeTools.schema) {
      (call) throws(GatewayError) in try NodeTools.update(call)
    },
    "skills.bins": Method(caller: .node, params: .object([])) { (_) in ["bins": ["ffmpeg", "jq"]] },
    "node.pending.pull": Method(caller: .node, since: .early, params: .object([])) { (call) in pull(call) },
    "node.pending.ack": Method(
      caller: .node, since: .early, params: .object([.required("ids", .list(.text, min: 1, max: 1024))])
    ) { (call) in acknowledge(call) },
    "node.pending.drain": Method(
      caller: .node, since: .early, params: .object([.optional("maxItems", .integer(min: 1, max: 10))])
    ) { (call) in drain(call) },
    "node.canvas.capability.refresh": Method(caller: .node, since: .early, until: .may, params: .object([])) {
      (call) in call.core.canvas.refreshCapability(call)
    },
    "node.pluginSurface.refresh": Method(
      caller: .node, since: .june, params: .object([.required("surface", .text)])
    ) { (call) throws(GatewayError) in try call.core.canvas.refreshSurface(call) },
  ]

  private static func pull(_ call: MethodCall) -> JSON {
    let actions = call.core.pendingWork.list(call.deviceID, nowMilliseconds: wallMilliseconds())
    return ["nodeId": .string(call.deviceID), "actions": .array(actions)]
  }

  private static func acknowledge(_ call: MethodCall) -> JSON {
    let now = wallMilliseconds()
    let ids = call.params["ids"]?.strings ?? []
    let known = call.core.pendingWork.acknowledge(ids, of: call.deviceID, nowMilliseconds: now)
    let remaining = call.core.pendingWork.list(call.deviceID, nowMilliseconds: now).count
    return [
      "nodeId": .string(call.deviceID), "ackedIds": JSON(known), "remainingCount": .integer(Int64(remaining)),
    ]
  }

  /// Only the item that is always there: this gateway asks for no status of its own.
  private static func drain(_ call: MethodCall) -> JSON {
    let item: JSON = [
      "id": "baseline-status", "type": "status.request", "priority": "default",
      "createdAtMs": .integer(wallMilliseconds()), "expiresAtMs": nil,
    ]
    return [
      "nodeId": .string(call.deviceID), "revision": .integer(call.core.pendingWork.revision), "items": [item],
      "hasMore": false,
    ]
  }
}
