import Foundation

/// `approvals ...` of the CLI: an agent that wants to run a program.
enum ApprovalOperations {
  static let table: [String: ControlOperations.Operation] = [
    "approvals.ask": { core, params in
      let now = wallMilliseconds()
      let entry = ProgramApprovals.Waiting(
        id: UUID().uuidString.lowercased(), command: params["command"]?.string ?? "", createdAtMs: now,
        expiresAtMs: now + (params["ms"]?.integer ?? 120_000))
      core.programs.add(entry)
      core.broadcast("exec.approval.requested", entry.row, to: .holders(of: OperatorScope.approvals))
      return ["id": .string(entry.id)]
    },
    "approvals.resolve": { core, params in
      let (id, decision) = (params["id"]?.string ?? "", params["decision"]?.string ?? "deny")
      guard core.programs.resolve(id, decision, by: "another", wallMilliseconds()) else {
        throw GatewayError.invalidRequest("unknown or expired approval id")
      }
      core.broadcast(
        "exec.approval.resolved",
        ["id": .string(id), "decision": .string(decision), "ts": .integer(wallMilliseconds())],
        to: .holders(of: OperatorScope.approvals))
      return ["id": .string(id)]
    },
    "approvals.list": { core, _ in
      [
        "waiting": .array(core.programs.waiting(wallMilliseconds()).map(\.row)),
        "decisions": .array(core.programs.decisions),
      ]
    },
  ]
}
