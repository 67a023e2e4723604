import Testing

@testable import talon_gateway

@Suite struct WireSchemaTests {
  private static let connect: JSON = [
    "minProtocol": 3, "maxProtocol": 4,
    "client": [
      "id": "node-host", "version": "1", "platform": "linux", "deviceFamily": "Linux", "mode": "node",
    ],
    "role": "node", "scopes": [], "caps": ["camera"], "commands": ["camera.snap"],
    "permissions": ["camera": true],
    "device": ["id": "a", "publicKey": "b", "signature": "c", "signedAt": 1, "nonce": "d"],
    "auth": ["token": "t"], "locale": "en-GB", "userAgent": "u",
  ]

  /// What to change, to what (nil: take out), and the path that the answer has to name.
  static let badConnects: [(path: String, value: JSON?, named: String)] = [
    ("surprise", 1, "root: unexpected property 'surprise'"),
    ("minProtocol", nil, "root: must have required property 'minProtocol'"),
    ("minProtocol", 0, "/minProtocol"),
    ("maxProtocol", .double(4.5), "/maxProtocol"),
    ("client.id", "ios-node", "/client/id"),
    ("client.mode", "operator", "/client/mode"),
    ("client.mode", nil, "/client: must have required property 'mode'"),
    ("client.version", "", "/client/version"),
    ("client.displayName", .null, "/client/displayName"),
    ("client.displayName", "", "/client/displayName"),
    ("client.colour", "red", "/client: unexpected property 'colour'"),
    ("client.timeZone", .string(String(repeating: "x", count: 65)), "/client/timeZone"),
    ("role", "", "/role"),
    ("role", .null, "/role"),
    ("scopes", "operator.read", "/scopes"),
    ("caps", ["camera", ""], "/caps/1"),
    ("commands", ["camera.snap", 7], "/commands/1"),
    ("permissions.camera", "yes", "/permissions/camera"),
    ("device.signedAt", -1, "/device/signedAt"),
    ("device.signedAt", "1", "/device/signedAt"),
    ("device.nonce", nil, "/device: must have required property 'nonce'"),
    ("device.extra", true, "/device: unexpected property 'extra'"),
    ("auth.token", .null, "/auth/token"),
    ("auth.deviceToken", "", "/auth/deviceToken"),
    ("auth.user", "me", "/auth: unexpected property 'user'"),
    ("locale", .null, "/locale"),
    ("pathEnv", "", "/pathEnv"),
  ]

  @Test("a connect without fault passes")
  func goodConnect() throws { try WireSchemas.newest.connect.validate(Self.connect) }

  @Test("a fault in connect is named with its path", arguments: badConnects.indices)
  func badConnect(index: Int) throws {
    let (path, value, named) = Self.badConnects[index]
    let violation = #expect(throws: SchemaViolation.self) {
      try WireSchemas.newest.connect.validate(Self.connect.with(path, value))
    }
    #expect(violation.map { "\($0)".contains(named) } == true)
  }

  private static let result: JSON = [
    "id": "i", "nodeId": "n", "ok": false, "error": ["code": "C", "message": "m"],
  ]

  @Test("a result may carry null for payloadJSON and error, and any payload")
  func goodResults() throws {
    let schema = WireSchemas.newest.invokeResult
    try schema.validate(Self.result)
    try schema.validate(Self.result.with("error", .null).with("payloadJSON", .null))
    try schema.validate(Self.result.with("payload", [1, [:]]))
  }

  static let badResults: [(path: String, value: JSON?)] = [
    ("id", nil), ("id", ""), ("nodeId", nil), ("ok", "true"), ("ok", nil), ("payloadJSON", 1),
    ("error", "text"),
    ("error.code", ""), ("error.message", ""), ("error.retryable", true), ("error.retryAfterMs", 1),
    ("extra", .null),
  ]

  @Test("a result with an unknown or empty member fails", arguments: badResults.indices)
  func badResult(index: Int) {
    let (path, value) = Self.badResults[index]
    #expect(throws: SchemaViolation.self) {
      try WireSchemas.newest.invokeResult.validate(Self.result.with(path, value))
    }
  }

  @Test("a request is a closed object with type, id and method")
  func requests() throws {
    let schema = WireSchemas.newest.request
    let good: JSON = ["type": "req", "id": "1", "method": "m", "params": .null]
    try schema.validate(good)
    let faults: [(String, JSON?)] = [
      ("type", "event"), ("id", nil), ("id", 1), ("id", ""), ("method", ""), ("batch", []),
      ("traceparent", .string(String(repeating: "x", count: 129))),
    ]
    for (path, value) in faults {
      #expect(throws: SchemaViolation.self) { try schema.validate(good.with(path, value)) }
    }
  }

  @Test("a node event needs a name, and its payload text is never null")
  func nodeEvents() throws {
    let schema = WireSchemas.newest.nodeEvent
    try schema.validate(["event": "e", "payloadJSON": "{}"])
    for bad: JSON in [
      ["event": ""], ["payload": 1], ["event": "e", "payloadJSON": .null], ["event": "e", "x": 1],
    ] {
      #expect(throws: SchemaViolation.self) { try schema.validate(bad) }
    }
  }
}
