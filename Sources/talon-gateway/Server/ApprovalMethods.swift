/// What waits for a person, over the operator connection: programs (`exec.approval.*`), devices (`device.pair.*`) and
/// what nodes offer (`node.pair.*`) (protocol reference, sections 5.8, 9.12 and 9.13).
enum ApprovalMethods {
  private static let requestID = Schema.object([.required("requestId", .text)])

  static let table: [String: Method] = [
    "exec.approval.list": Method(caller: .holder(of: OperatorScope.approvals), params: .object([])) { (call) in
      .array(call.core.programs.waiting(wallMilliseconds()).map(\.row))
    },
    "exec.approval.resolve": Method(
      caller: .holder(of: OperatorScope.approvals),
      params: .object([
        .required("id", .text), .required("decision", .oneOf(["allow-once", "allow-always", "deny"])),
      ])
    ) { (call) throws(GatewayError) in
      let (id, decision) = (call.params["id"]?.string ?? "", call.params["decision"]?.string ?? "")
      let by = call.admission.client["displayName"]?.string ?? ""
      guard call.core.programs.resolve(id, decision, by: by, wallMilliseconds()) else {
        throw .invalidRequest("unknown or expired approval id")
      }
      call.core.broadcast(
        "exec.approval.resolved",
        [
          "id": .string(id), "decision": .string(decision), "resolvedBy": .string(by),
          "ts": .integer(wallMilliseconds()),
        ], to: .holders(of: OperatorScope.approvals))
      return ["ok": true]
    },
    "device.pair.list": Method(caller: .holder(of: OperatorScope.pairing), params: .object([])) { (call) in
      [
        "pending": .array(call.core.pairing.pending(nowMilliseconds: wallMilliseconds()).map(row)),
        "paired": .array(
          call.core.pairing.paired.map { device in
            ["deviceId": .string(device.deviceID), "displayName": .string(device.displayName ?? "")]
          }),
      ]
    },
    "device.pair.approve": Method(caller: .holder(of: OperatorScope.pairing), params: requestID) {
      (call) throws(GatewayError) in try operate("devices.approve", call)
    },
    "device.pair.reject": Method(caller: .holder(of: OperatorScope.pairing), params: requestID) {
      (call) throws(GatewayError) in try operate("devices.reject", call)
    },
    "node.pair.list": Method(caller: .holder(of: OperatorScope.pairing), params: .object([])) {
      (call) throws(GatewayError) in
      try operate("nodes.pending", call).with(member: "paired", .array([]))
    },
    "node.pair.approve": Method(caller: .holder(of: OperatorScope.pairing), params: requestID) {
      (call) throws(GatewayError) in try operate("nodes.approve", call)
    },
    "node.pair.reject": Method(caller: .holder(of: OperatorScope.pairing), params: requestID) {
      (call) throws(GatewayError) in try operate("nodes.reject", call)
    },
  ]

  /// A pairing request as gateways show it.
  static func row(_ request: PairingRequest) -> JSON {
    .compact([
      "requestId": .string(request.requestID), "deviceId": .string(request.claim.deviceID),
      "displayName": request.claim.displayName.map(JSON.string), "platform": .string(request.claim.platform),
      "role": .string(request.claim.role), "scopes": JSON(request.claim.scopes), "ts": .integer(request.createdAtMs),
    ])
  }

  /// What the gateway's own command line does.
  private static func operate(_ name: String, _ call: MethodCall) throws(GatewayError) -> JSON {
    guard let operation = ControlOperations.table[name] else { throw .invalidRequest("unknown method: \(name)") }
    do {
      return try operation(call.core, call.params)
    } catch let error as GatewayError {
      throw error
    } catch {
      throw .invalidRequest("\(error)")
    }
  }
}

/// Programs that an agent wants to run, until somebody decides.
struct ProgramApprovals {
  struct Waiting {
    let id: String
    let command: String
    let createdAtMs: Int64
    let expiresAtMs: Int64

    var row: JSON {
      [
        "id": .string(id),
        "request": [
          "command": .string(command), "cwd": "/srv/agent", "host": "gateway", "security": "allowlist",
          "ask": "on-miss", "agentId": "main", "resolvedPath": .null,
          "sessionKey": .string(Conversations.mainKey),
        ],
        "createdAtMs": .integer(createdAtMs), "expiresAtMs": .integer(expiresAtMs),
      ]
    }
  }

  private var entries: [Waiting] = []
  /// Decisions, the newest last.
  private(set) var decisions: [JSON] = []

  mutating func waiting(_ now: Int64) -> [Waiting] {
    entries.removeAll { $0.expiresAtMs <= now }
    return entries
  }

  mutating func add(_ entry: Waiting) { entries = entries.suffix(31) + [entry] }

  mutating func resolve(_ id: String, _ decision: String, by: String, _ now: Int64) -> Bool {
    guard waiting(now).contains(where: { $0.id == id }) else { return false }
    entries.removeAll { $0.id == id }
    decisions = decisions.suffix(63) + [["id": .string(id), "decision": .string(decision), "by": .string(by)]]
    return true
  }
}
