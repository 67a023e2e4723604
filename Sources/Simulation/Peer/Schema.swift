import Codec
import Runtime

/// The closed schemas of the gateway's generations (gateway reference 3.3 and 9): which keys a board may send.
enum Schema {
  static let frame: [StaticString] = ["type", "id", "method", "params"]
  private static let connect: [StaticString] = [
    "minProtocol", "maxProtocol", "client", "caps", "commands", "permissions", "pathEnv", "role", "scopes", "device",
    "auth", "locale", "userAgent",
  ]
  private static let client: [StaticString] = [
    "id", "displayName", "version", "platform", "deviceFamily", "modelIdentifier", "mode", "instanceId",
  ]
  private static let device: [StaticString] = ["id", "publicKey", "signature", "signedAt", "nonce"]
  private static let result: [StaticString] = ["id", "nodeId", "ok", "payload", "payloadJSON", "error"]
  private static let error: [StaticString] = ["code", "message"]
  private static let event: [StaticString] = ["event", "payload", "payloadJSON"]
  private static let progress: [StaticString] = ["invokeId", "nodeId", "seq", "chunk"]

  /// What an operator may ask, and with which keys (gateway reference 9.9 to 9.12).
  private static let operators: [(method: StaticString, keys: [StaticString])] = [
    ("chat.send", ["sessionKey", "message", "idempotencyKey", "thinking", "timeoutMs"]),
    ("chat.abort", ["sessionKey", "runId"]),
    ("chat.history", ["sessionKey", "limit"]), ("sessions.list", ["limit"]), ("voicewake.get", []),
    ("voicewake.set", ["triggers"]), ("talk.speak", speech), ("gateway.identity.get", []),
    ("node.describe", ["nodeId"]), ("node.invoke", ["nodeId", "command", "params", "timeoutMs", "idempotencyKey"]),
    ("talk.session.create", ["mode", "transport", "brain", "sessionKey"]),
    ("talk.session.appendAudio", ["sessionId", "audioBase64", "timestamp"]), ("talk.session.close", ["sessionId"]),
    ("talk.session.cancelOutput", ["sessionId", "turnId", "reason"]),
  ]

  /// Node command reference, section 7.3.
  private static let speech: [StaticString] = [
    "text", "voiceId", "modelId", "outputFormat", "speed", "rateWpm", "stability", "similarity", "style",
    "speakerBoost", "seed",
    "normalize", "language", "latencyTier",
  ]

  private static func auth(_ generation: Generation) -> [StaticString] {
    var keys: [StaticString] = ["token", "password"]
    if generation.knowsDeviceToken { keys.append("deviceToken") }
    if generation.knowsBootstrapToken { keys.append("bootstrapToken") }
    return keys
  }

  /// The first key of `connect` that this generation does not know, or nil.
  static func unknownKey(inConnect params: borrowing JSONView, _ generation: Generation) -> String? {
    if let key = unknown(params, connect) { return key }
    if let part = params.member("client"), let key = unknown(part, client) { return key }
    if let part = params.member("device"), let key = unknown(part, device) { return key }
    if let part = params.member("auth"), let key = unknown(part, auth(generation)) { return key }
    return nil
  }

  /// The first key of a request's parameters that no generation knows, or nil. `isStrange` leaves a key out of what is
  /// known.
  static func unknownKey(
    in params: borrowing JSONView, of method: borrowing JSONView, isStrange: Bool
  ) -> String? {
    if method.equals("node.event") { return unknown(params, isStrange ? ["event"] : event) }
    if method.equals("node.pluginTools.update") { return unknownKey(inTools: params) }
    if method.equals("node.pending.pull") { return unknown(params, []) }
    if method.equals("node.pending.ack") { return unknown(params, ["ids"]) }
    if method.equals("node.invoke.progress") { return unknown(params, progress) }
    for row in operators where method.equals(row.method) { return unknown(params, row.keys) }
    guard method.equals("node.invoke.result") else { return nil }
    if let key = unknown(params, result) { return key }
    guard let part = params.member("error") else { return nil }
    return unknown(part, error)
  }

  /// newer-gateways 1.1.
  private static func unknownKey(inTools params: borrowing JSONView) -> String? {
    if let key = unknown(params, ["tools"]) { return key }
    guard var tools = params.member("tools")?.elements() else { return nil }
    while let tool = tools.next() {
      if let key = unknown(tool, ["pluginId", "name", "description", "parameters", "command", "mcp"]) { return key }
      if let mcp = tool.member("mcp"), let key = unknown(mcp, ["server", "tool"]) { return key }
    }
    return nil
  }

  /// The first member that `known` does not name; `null` is what no key may be.
  static func unknown(_ object: borrowing JSONView, _ known: [StaticString]) -> String? {
    var members = object.members()
    while let member = members.next() {
      var isKnown = false
      for name in known where member.name.equals(name) { isKnown = true }
      if !isKnown || member.value.isNull { return member.name.string }
    }
    return nil
  }
}

extension JSONView {
  /// A string's text; empty when this is none. For what happens seldom.
  var string: String {
    let count = stringLength ?? 0
    return String(unsafeUninitializedCapacity: max(count, 1)) { copyString(into: $0) ?? 0 }
  }
}
