import Foundation

/// Actions that wait for a node to come and fetch them (protocol reference, section 9.6).
struct PendingWork {
  private static let lifetimeMilliseconds: Int64 = 600_000
  private static let actionsMax = 64

  private struct Action {
    let id: String
    let command: String
    let params: JSON?
    let enqueuedAtMs: Int64

    var json: JSON {
      [
        "id": .string(id), "command": .string(command),
        "paramsJSON": params.map { .string($0.text) } ?? .null, "enqueuedAtMs": .integer(enqueuedAtMs),
      ]
    }
  }

  private var actions: [String: [Action]] = [:]
  private(set) var revision: Int64 = 0

  /// Returns the action's id. A full queue loses its oldest.
  mutating func enqueue(_ command: String, _ params: JSON?, for node: String, nowMilliseconds: Int64)
    -> String
  {
    let id = UUID().uuidString.lowercased()
    let action = Action(id: id, command: command, params: params, enqueuedAtMs: nowMilliseconds)
    actions[node] = current(node, nowMilliseconds).suffix(Self.actionsMax - 1) + [action]
    revision += 1
    return id
  }

  func list(_ node: String, nowMilliseconds: Int64) -> [JSON] { current(node, nowMilliseconds).map(\.json) }

  /// Takes the named actions out; returns the ids that were there.
  mutating func acknowledge(_ ids: [String], of node: String, nowMilliseconds: Int64) -> [String] {
    let open = current(node, nowMilliseconds)
    let known = ids.filter { id in open.contains { $0.id == id } }
    actions[node] = open.filter { !ids.contains($0.id) }
    return known
  }

  private func current(_ node: String, _ now: Int64) -> [Action] {
    (actions[node] ?? []).filter { now - $0.enqueuedAtMs < Self.lifetimeMilliseconds }
  }
}
