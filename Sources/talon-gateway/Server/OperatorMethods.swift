/// What operators may call (protocol reference, sections 9.9 to 9.12), as far as a board's operator connection
/// needs it.
enum OperatorMethods {
  static let table = TalkMethods.table.merging(chat) { $1 }.merging(nodes) { $1 }
    .merging(ApprovalMethods.table) { $1 }

  private static let nothing = Schema.object([])
  private static let sessionKey = Schema.string(min: 1, max: 512)

  /// A picture that a person sends along.
  private static let attachment = Schema.object([
    .optional("type", .text), .required("mimeType", .text), .optional("fileName", .text),
    .required("content", .form(.base64)),
  ])

  // MARK: Chat

  private static let chat: [String: Method] = [
    "chat.history": Method(
      caller: .holder(of: OperatorScope.read),
      params: .object([
        .required("sessionKey", sessionKey), .optional("limit", .integer(min: 1, max: 1000)),
        .optional("maxChars", .integer(min: 1, max: 500_000)), .optional("agentId", .text),
      ])
    ) { (call) in call.core.conversations.history(call.params) },
    "chat.send": Method(
      caller: .holder(of: OperatorScope.write),
      params: .object([
        .required("sessionKey", sessionKey), .required("message", .text), .required("idempotencyKey", .text),
        .optional("thinking", .text), .optional("deliver", .bool), .optional("attachments", .array(attachment)),
        .optional("timeoutMs", .integer(min: 0)), .optional("agentId", .text), .optional("fastMode", .bool),
      ])
    ) { (call) in call.core.conversations.send(call.params) },
    "chat.abort": Method(
      caller: .holder(of: OperatorScope.write),
      params: .object([.required("sessionKey", sessionKey), .optional("runId", .text)])
    ) { (call) in call.core.conversations.abort(call.params) },
    "sessions.messages.subscribe": Method(
      caller: .holder(of: OperatorScope.read), since: .may,
      params: .object([.required("key", sessionKey), .optional("agentId", .text)])
    ) { (call) in
      let key = call.params["key"]?.string ?? ""
      call.session.subscribe(key)
      return ["subscribed": true, "key": .string(key)]
    },
    "sessions.messages.unsubscribe": Method(
      caller: .holder(of: OperatorScope.read), since: .may,
      params: .object([.required("key", sessionKey), .optional("agentId", .text)])
    ) { (call) in
      let key = call.params["key"]?.string ?? ""
      call.session.unsubscribe(key)
      return ["subscribed": false, "key": .string(key)]
    },
    "agents.list": Method(caller: .holder(of: OperatorScope.read), params: nothing) { (call) in
      [
        "defaultId": "main", "mainKey": "main", "scope": "per-sender",
        "agents": [["id": "main", "name": "Main"], ["id": "garden", "identity": ["name": "Gardener"]]],
      ]
    },
    "last-heartbeat": Method(caller: .holder(of: OperatorScope.read), params: nothing) { (call) in
      [
        "ts": .integer(wallMilliseconds() - call.core.uptimeMilliseconds), "status": "ok-empty",
        "durationMs": 120, "reason": "interval",
      ]
    },
    "sessions.list": Method(
      caller: .holder(of: OperatorScope.read),
      params: .object([
        .optional("limit", .integer(min: 1)), .optional("activeMinutes", .integer(min: 1)),
        .optional("search", .text), .optional("agentId", .text), .optional("includeGlobal", .bool),
        .optional("includeUnknown", .bool), .optional("label", .text), .optional("spawnedBy", .text),
      ])
    ) { (call) in call.core.conversations.list(call.params) },
  ]

  // MARK: Gateway and nodes

  private static let nodes: [String: Method] = [
    "gateway.identity.get": Method(caller: .holder(of: OperatorScope.read), since: .april, params: nothing) {
      (call) in
      ["deviceId": .string(call.core.identity.deviceID), "publicKey": .string(call.core.identity.publicKey)]
    },
    "system-presence": Method(caller: .holder(of: OperatorScope.read), params: nothing) { (call) in
      HelloOK.presence(call.core)
    },
    "node.list": Method(caller: .holder(of: OperatorScope.read), params: nothing) { (call) in
      NodeRows.list(call.core, for: call.session)
    },
    "node.describe": Method(
      caller: .holder(of: OperatorScope.read), params: .object([.required("nodeId", .text)])
    ) { (call) throws(GatewayError) in
      let id = call.params["nodeId"]?.string ?? ""
      guard let device = call.core.pairing.device(id), device.grants["node"] != nil else {
        throw .invalidRequest("unknown nodeId")
      }
      return NodeRows.row(device, call.core, for: call.session)
        .with(member: "ts", .integer(wallMilliseconds()))
    },
    "node.invoke": Method(
      caller: .holder(of: OperatorScope.write),
      params: .object([
        .required("nodeId", .text), .required("command", .text), .optional("params", .any),
        .optional("timeoutMs", .integer(min: 0)), .required("idempotencyKey", .text),
      ])
    ) { (call) throws(GatewayError) in try invoke(call) },
  ]

  /// Answers when the node does.
  private static func invoke(_ call: MethodCall) throws(GatewayError) -> JSON? {
    var params = call.params.object ?? JSONObject()
    params["node"] = params["nodeId"]
    params["nodeId"] = nil
    let session = call.session
    let id = call.id
    try NodeInvocation.start(.object(params), call.core) { outcome in
      session.respond(
        id, outcome.map { $0.with(member: "payloadJSON", $0["payload"].map { .string($0.text) } ?? .null) })
    }
    return nil
  }
}
