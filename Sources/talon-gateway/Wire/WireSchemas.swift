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
  /// Generation N.
  static let newest = WireSchemas(
    request: .object([
      .required("type", .oneOf(["req"])),
      .required("id", .text),
      .required("method", .text),
      .optional("params", .any),
      .optional("traceparent", .string(min: 1, max: 128)),
      .optional("expectedProfileId", .string(min: 1, max: 128)),
    ]),
    connect: .object([
      .required("minProtocol", .integer(min: 1)),
      .required("maxProtocol", .integer(min: 1)),
      .required("client", client),
      .optional("caps", .array(.text)),
      .optional("commands", .array(.text)),
      .optional("permissions", .map(.bool)),
      .optional("computerUse", .map(.any)),
      .optional("workerRuns", .map(.any)),
      .optional("modelCatalog", .any),
      .optional("pathEnv", .text),
      .optional("role", .text),
      .optional("scopes", .array(.text)),
      .optional("device", device),
      .optional("auth", auth),
      .optional("locale", .text),
      .optional("userAgent", .text),
    ]),
    invokeResult: .object([
      .required("id", .text),
      .required("nodeId", .text),
      .required("ok", .bool),
      .optional("payload", .any),
      .optional("payloadJSON", .nullable(.string(min: 0, max: .max))),
      .optional("error", .nullable(.object([.optional("code", .text), .optional("message", .text)]))),
    ]),
    nodeEvent: .object([
      .required("event", .text),
      .optional("payload", .any),
      .optional("payloadJSON", .string(min: 0, max: .max)),
    ]))

  private static let client = Schema.object([
    .required("id", .oneOf(clientIDs)),
    .optional("displayName", .text),
    .required("version", .text),
    .optional("buildId", .string(min: 1, max: 96)),
    .required("platform", .text),
    .optional("deviceFamily", .text),
    .optional("modelIdentifier", .text),
    .optional("timeZone", .string(min: 1, max: 64)),
    .required("mode", .oneOf(clientModes)),
    .optional("instanceId", .text),
  ])

  private static let device = Schema.object([
    .required("id", .text),
    .required("publicKey", .text),
    .required("signature", .text),
    .required("signedAt", .integer(min: 0)),
    .required("nonce", .text),
  ])

  private static let auth = Schema.object([
    .optional("token", .text),
    .optional("deviceToken", .text),
    .optional("bootstrapToken", .text),
    .optional("password", .text),
    .optional("approvalRuntimeToken", .text),
    .optional("agentRuntimeIdentityToken", .text),
  ])

  /// Section 3.5.
  private static let clientIDs = [
    "webchat-ui", "openclaw-control-ui", "webchat", "cli", "gateway-client", "openclaw-macos", "openclaw-ios",
    "openclaw-android", "node-host", "test", "fingerprint", "openclaw-probe", "openclaw-tui",
    "openclaw-linux",
    "openclaw-watchos", "openclaw-browser-copilot", "openclaw-worker",
  ]

  /// Section 3.5.
  private static let clientModes = ["webchat", "cli", "ui", "backend", "node", "probe", "test", "worker"]
}
