/// Frames from the gateway to a client (protocol reference, sections 2.2 and 2.3).
enum Frames {
  static func success(_ id: String, _ payload: JSON) -> JSON {
    ["type": "res", "id": .string(id), "ok": true, "payload": payload]
  }

  static func failure(_ id: String, _ error: GatewayError) -> JSON {
    ["type": "res", "id": .string(id), "ok": false, "error": error.json]
  }

  /// `sequence` is for broadcasts only; events that are aimed at one node carry none.
  static func event(
    _ name: String, _ payload: JSON, sequence: Int64? = nil, stateVersion: JSON? = nil
  ) -> JSON {
    .compact([
      "type": "event", "event": .string(name), "payload": payload, "seq": sequence.map(JSON.integer),
      "stateVersion": stateVersion,
    ])
  }

  /// The id to answer a malformed frame with.
  static func answerID(of frame: JSON) -> String { frame["id"]?.string ?? "invalid" }
}

/// The `error` object of a response.
struct GatewayError: Error, Equatable, Sendable {
  let code: String
  let message: String
  var details: JSON?
  var retryAfterMilliseconds: Int64?

  static func invalidRequest(_ message: String, details: JSON? = nil) -> GatewayError {
    GatewayError(code: "INVALID_REQUEST", message: message, details: details)
  }

  static func unavailable(
    _ message: String, details: JSON? = nil, retryAfterMilliseconds: Int64? = nil
  ) -> GatewayError {
    GatewayError(
      code: "UNAVAILABLE", message: message, details: details, retryAfterMilliseconds: retryAfterMilliseconds)
  }

  /// A failed invoke as its caller sees it, whether the node or the gateway made the error.
  static func invoke(_ code: String, _ message: String) -> GatewayError {
    .unavailable(
      "\(code): \(message)",
      details: ["nodeError": ["code": .string(code), "message": .string(message)]])
  }

  var json: JSON {
    .compact([
      "code": .string(code), "message": .string(message), "details": details,
      "retryable": retryAfterMilliseconds == nil ? nil : true,
      "retryAfterMs": retryAfterMilliseconds.map(JSON.integer),
    ])
  }
}

/// Ends a handshake: the error answer first, then the close frame.
struct Refusal: Error, Equatable, Sendable {
  private(set) var error: GatewayError
  let closeCode: UInt16
  let closeReason: String

  init(_ error: GatewayError, closeCode: UInt16 = 1008, closeReason: String? = nil) {
    self.error = error
    self.closeCode = closeCode
    self.closeReason = closeReason ?? error.message
  }

  /// The refusal as a gateway of that generation puts it: the oldest have no details but the request id of a
  /// pairing and the protocol they expect.
  func shaped(for generation: Generation) -> Refusal {
    guard !generation.hasConnectErrorDetails, let details = error.details else { return self }
    var kept = JSONObject()
    for key in ["requestId", "expectedProtocol"] {
      if let value = details[key] { kept.append(key, value) }
    }
    var refusal = self
    refusal.error.details = kept.members.isEmpty ? nil : .object(kept)
    return refusal
  }
}
