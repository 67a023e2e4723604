/// The last events of the nodes, for `nodes events`.
struct EventLog {
  private static let entriesMax = 256

  private(set) var entries: [JSON] = []

  mutating func noteEvent(_ event: String, _ payload: JSON?, from deviceID: String) {
    if entries.count == Self.entriesMax { entries.removeFirst() }
    entries.append([
      "atMs": .integer(wallMilliseconds()),
      "nodeId": .string(deviceID),
      "event": .string(event),
      "payload": payload ?? .null,
    ])
  }

  /// How an invoke ended that no caller waited for.
  mutating func noteOutcome(_ outcome: InvokeTable.Outcome) {
    switch outcome {
    case .success(let result): noteEvent("(invoke finished)", result, from: result["nodeId"]?.string ?? "")
    case .failure(let error): noteEvent("(invoke failed)", error.json, from: "")
    }
  }

  /// The last event was one that had come before, and had no effect.
  mutating func markRepeated() {
    guard let last = entries.popLast() else { return }
    entries.append(last.with(member: "repeated", true))
  }
}
