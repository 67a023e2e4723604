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
}
