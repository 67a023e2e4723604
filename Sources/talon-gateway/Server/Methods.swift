/// One request from a client that is online.
struct MethodCall {
  let core: GatewayCore
  let session: Session
  let admission: Admission
  let params: JSON

  var deviceID: String { admission.claim.deviceID }

  func validate(_ schema: Schema, _ method: String) throws(GatewayError) {
    do {
      try schema.validate(params)
    } catch {
      throw .invalidRequest("invalid \(method) params: \(error)")
    }
  }
}

/// What clients may call, by role (protocol reference, section 9.1).
enum Methods {
  typealias Method = @Sendable (MethodCall) throws(GatewayError) -> JSON

  static let unauthorizedPrefix = "unauthorized role: "

  private static let common: [String: Method] = ["health": { (call) in call.core.health }]

  private static let node: [String: Method] = [
    "node.invoke.result": { (call) throws(GatewayError) in try InvokeResults.receive(call) },
    "node.event": { (call) throws(GatewayError) in try NodeEvents.receive(call) },
    "skills.bins": { (_) in ["bins": []] },
    "node.pending.pull": { (call) in ["nodeId": .string(call.deviceID), "actions": []] },
    "node.pluginSurface.refresh": { (_) throws(GatewayError) in
      throw .unavailable("canvas plugin surface unavailable")
    },
  ]

  static func answer(_ name: String, _ call: MethodCall) throws(GatewayError) -> JSON {
    if let method = common[name] { return try method(call) }
    let isNode = call.admission.claim.role == "node"
    guard let method = node[name] else {
      throw .invalidRequest(isNode ? unauthorizedPrefix + "node" : "unknown method: \(name)")
    }
    guard isNode else { throw .invalidRequest(unauthorizedPrefix + call.admission.claim.role) }
    return try method(call)
  }
}
