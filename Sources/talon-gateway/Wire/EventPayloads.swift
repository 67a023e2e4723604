/// What may be in a `node.event`, as closed schemas (protocol reference, sections 9.5 and 10).
enum EventPayloads {
  /// Nil for events that this gateway does not know.
  static func schema(of event: String) -> Schema? { table[event] }

  private static let text = Schema.string(min: 0, max: .max)
  private static let speech = Schema.string(min: 1, max: 20_000)
  private static let natural = Schema.integer(min: 0)

  private static func identifiers(_ keys: [String]) -> [Schema.Field] { keys.map { .optional($0, .text) } }
  private static func numbers(_ keys: [String]) -> [Schema.Field] { keys.map { .optional($0, natural) } }

  private static let table: [String: Schema] = [
    "voice.transcript": .object(
      [.required("text", speech)]
        + identifiers([
          "sessionKey", "eventId", "providerEventId", "transcriptId", "callId", "providerCallId",
        ])
        + numbers(["sequence", "seq", "timestamp", "ts", "eventTimestamp"])),
    "agent.request": .object(
      [.required("message", speech), .optional("deliver", .bool), .optional("receipt", .bool)]
        + identifiers(["sessionKey", "thinking", "to", "channel", "key", "receiptText"])
        + [.optional("timeoutSeconds", natural), .optional("attachments", .array(attachment))]),
    "chat.subscribe": .object([.required("sessionKey", .text)]),
    "chat.unsubscribe": .object([.required("sessionKey", .text)]),
    "exec.started": .object(exec),
    "exec.finished": .object(
      exec + [
        .optional("exitCode", .integer(min: .min)), .optional("timedOut", .bool), .optional("success", .bool),
        .optional("output", .string(min: 0, max: 20_000)),
      ]),
    "exec.denied": .object(exec + [.optional("reason", .text)]),
    "notifications.changed": .object(
      [.required("change", .oneOf(["posted", "removed"])), .required("key", .text)]
        + ["title", "text", "subText"].map { .optional($0, text) }
        + identifiers(["packageName", "sessionKey", "category", "channelId"])
        + [.optional("postTimeMs", natural), .optional("isOngoing", .bool), .optional("isClearable", .bool)]),
    "node.presence.alive": .object(
      [.required("trigger", .oneOf(triggers)), .optional("sentAtMs", natural)]
        + identifiers([
          "displayName", "version", "platform", "deviceFamily", "modelIdentifier", "pushTransport",
        ])),
    "node.host.stats": .object([
      .required("cpuCount", .integer(min: 1, max: 4096)),
      .optional("loadAverage", .list(.number(0...100_000), min: 3, max: 3)),
      .required("memoryTotalBytes", natural), .required("memoryFreeBytes", natural),
      .optional("diskTotalBytes", natural), .optional("diskAvailableBytes", natural),
    ]),
    "location.update": .object([
      .required("lat", .number(-90...90)), .required("lon", .number(-180...180)),
      .optional("accuracyMeters", .number(0...Double.greatestFiniteMagnitude)), .optional("source", .text),
    ]),
  ]

  /// newer-gateways 1.5.
  static let commandFeatures = Schema.object([
    .required("features", .map(.list(.string(min: 1, max: 128), min: 0, max: 8)))
  ])

  /// Section 10.
  static let triggers = [
    "background", "silent_push", "bg_app_refresh", "significant_location", "manual", "connect",
  ]

  private static let exec: [Schema.Field] = [
    .required("sessionKey", .text), .required("runId", .text), .optional("host", .oneOf(["node"])),
    .optional("command", text), .optional("suppressNotifyOnExit", .bool),
  ]

  private static let attachment = Schema.object([
    .optional("type", .text), .required("mimeType", .text), .optional("fileName", .text),
    .required("content", .form(.base64)),
  ])
}
