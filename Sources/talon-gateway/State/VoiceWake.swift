/// The words that wake an agent (protocol reference, section 9.11).
struct VoiceWake {
  static let defaults = ["openclaw", "claude", "computer"]
  private static let triggersMax = 32
  /// UTF-16 units.
  private static let lengthMax = 64

  private(set) var triggers = Self.defaults

  /// Trimmed, without empty ones, cut to size; nothing left means the defaults.
  mutating func set(_ given: [String]) {
    let kept = given.map(\.trimmed).filter { !$0.isEmpty }.prefix(Self.triggersMax).map { text in
      String(decoding: text.utf16.prefix(Self.lengthMax), as: UTF16.self).trimmed
    }
    triggers = kept.isEmpty ? Self.defaults : kept
  }

  /// Sessions that words lead to, and when that changed last; what has no session goes to the current one.
  private var routes: [(trigger: String, sessionKey: String)] = []
  private var routedAtMs: Int64 = 0

  /// Leads a word to a session from now on.
  mutating func route(_ trigger: String, to sessionKey: String) throws(GatewayError) {
    routes.removeAll { $0.trigger == trigger }
    guard routes.count < Self.triggersMax else { throw .invalidRequest("there are \(Self.triggersMax) routes already") }
    routes.append((trigger, sessionKey))
    routedAtMs = wallMilliseconds()
  }

  /// The table, as gateways send it.
  var routing: JSON {
    let rows: [JSON] = routes.map {
      ["trigger": .string($0.trigger), "target": ["sessionKey": .string($0.sessionKey)]]
    }
    return [
      "version": 1, "defaultTarget": ["mode": "current"], "routes": .array(rows), "updatedAtMs": .integer(routedAtMs),
    ]
  }

  var json: JSON { ["triggers": JSON(triggers)] }
}

/// Drops a transcript that comes twice within 1500 ms in one session (section 9.5).
struct TranscriptFilter {
  private static let windowMilliseconds: Int64 = 1500
  private var seen: [String: Int64] = [:]

  /// Whether this is a repetition. Remembers it otherwise.
  mutating func isRepeated(_ payload: JSON, nowMilliseconds: Int64) -> Bool {
    seen = seen.filter { nowMilliseconds - $0.value < Self.windowMilliseconds }
    let key = (payload["sessionKey"]?.string ?? "") + "\n" + Self.fingerprint(payload)
    if seen[key] != nil { return true }
    seen[key] = nowMilliseconds
    return false
  }

  /// Event id, else call id and sequence, else call id and time, else time and text, else text.
  private static func fingerprint(_ payload: JSON) -> String {
    func first(_ keys: [String]) -> String? {
      for key in keys {
        if let text = payload[key]?.string, !text.isEmpty { return text }
        if let number = payload[key]?.integer { return String(number) }
      }
      return nil
    }
    if let id = first(["eventId", "providerEventId", "transcriptId"]) { return "event \(id)" }
    let call = first(["callId", "providerCallId"])
    let time = first(["timestamp", "ts", "eventTimestamp"])
    if let call, let sequence = first(["sequence", "seq"]) { return "call \(call) \(sequence)" }
    if let call, let time { return "call \(call) at \(time)" }
    let text = payload["text"]?.string ?? ""
    return time.map { "at \($0) \(text)" } ?? "text \(text)"
  }
}
