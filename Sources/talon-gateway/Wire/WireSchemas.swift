/// What a client may send, as closed schemas (protocol reference, sections 2.1, 3.3, 9.3 and 9.5).
///
/// Optional strings must not be empty here even where a real gateway would let `""` pass: the reference asks
/// clients never to send it, and a development gateway is the place to notice.
struct WireSchemas: Sendable {
  let request: Schema
  let connect: Schema
  let invokeResult: Schema
  let nodeEvent: Schema
}

extension WireSchemas {
  /// The newest release.
  static let newest = WireSchemas(.newest)

  init(_ era: Era) {
    request = .object(
      [
        .required("type", .oneOf(["req"])), .required("id", .text), .required("method", .text),
        .optional("params", .any),
      ]
        + (era >= .july
          ? [
            .optional("traceparent", .string(min: 1, max: 128)),
            .optional("expectedProfileId", .string(min: 1, max: 128)),
          ] : []))
    connect = .object(Self.connect(era))
    invokeResult = .object([
      .required("id", .text),
      .required("nodeId", .text),
      .required("ok", .bool),
      .optional("payload", .any),
      .optional("payloadJSON", .nullable(.string(min: 0, max: .max))),
      .optional("error", .nullable(.object([.optional("code", .text), .optional("message", .text)]))),
    ])
    nodeEvent = .object([
      .required("event", .text),
      .optional("payload", .any),
      .optional("payloadJSON", .string(min: 0, max: .max)),
    ])
  }

  private static func connect(_ era: Era) -> [Schema.Field] {
    let newest: [Schema.Field] = [
      .optional("computerUse", .map(.any)), .optional("workerRuns", .map(.any)),
      .optional("modelCatalog", .any),
    ]
    return [
      .required("minProtocol", .integer(min: 1)),
      .required("maxProtocol", .integer(min: 1)),
      .required("client", client(era)),
      .optional("caps", .array(.text)),
      .optional("commands", .array(.text)),
      .optional("permissions", .map(.bool)),
      .optional("pathEnv", .text),
      .optional("role", .text),
      .optional("scopes", .array(.text)),
      .optional("device", device(era)),
      .optional("auth", auth(era)),
      .optional("locale", .text),
      .optional("userAgent", .text),
    ] + (era >= .july ? newest : [])
  }

  private static func client(_ era: Era) -> Schema {
    let newest: [Schema.Field] = [
      .optional("buildId", .string(min: 1, max: 96)), .optional("timeZone", .string(min: 1, max: 64)),
    ]
    return .object(
      [
        .required("id", .oneOf(clientIDs(era))),
        .optional("displayName", .text),
        .required("version", .text),
        .required("platform", .text),
        .optional("deviceFamily", .text),
        .optional("modelIdentifier", .text),
        .required("mode", .oneOf(clientModes(era))),
        .optional("instanceId", .text),
      ] + (era >= .july ? newest : []))
  }

  private static func device(_ era: Era) -> Schema {
    .object([
      .required("id", .text),
      .required("publicKey", .text),
      .required("signature", .text),
      .required("signedAt", .integer(min: 0)),
      Schema.Field(key: "nonce", schema: .text, isRequired: era > .old),
    ])
  }

  private static func auth(_ era: Era) -> Schema {
    let since: [(Era, String)] = [
      (.old, "token"), (.early, "deviceToken"), (.april, "bootstrapToken"), (.old, "password"),
      (.june, "approvalRuntimeToken"), (.july, "agentRuntimeIdentityToken"),
    ]
    return .object(since.filter { $0.0 <= era }.map { .optional($0.1, .text) })
  }

  /// Section 3.5.
  private static func clientIDs(_ era: Era) -> [String] {
    let common = [
      "webchat-ui", "openclaw-control-ui", "webchat", "cli", "gateway-client", "openclaw-macos",
      "openclaw-ios",
      "openclaw-android", "node-host", "test", "fingerprint", "openclaw-probe",
    ]
    let april = ["openclaw-tui"]
    let newest = ["openclaw-linux", "openclaw-watchos", "openclaw-browser-copilot", "openclaw-worker"]
    return common + (era >= .april ? april : []) + (era >= .july ? newest : [])
  }

  /// Section 3.5.
  private static func clientModes(_ era: Era) -> [String] {
    ["webchat", "cli", "ui", "backend", "node", "probe", "test"] + (era >= .july ? ["worker"] : [])
  }
}
