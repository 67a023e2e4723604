/// The results of the commands that Talon has, as closed schemas. The shapes are those of the command reference;
/// real gateways pass on what they do not know, a development gateway is the place to notice it.
enum CommandResults {
  static func schema(of command: String) -> Schema? { table[command] }

  static let unbounded = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  static let positive = 0...Double.greatestFiniteMagnitude
  static let text = Schema.string(min: 0, max: .max)
  static let bytes = Schema.integer(min: 0)

  private static let capture = Schema.object([
    .required("captureId", .text), .optional("transcript", .nullable(.text)),
    .required(
      "status", .oneOf(["idle", "empty", "offline", "queued", "cancelled", "busy", "not_queued"])),
  ])

  private static let runPlan = Schema.object([
    .required("argv", .array(.text)), .required("cwd", .nullable(.text)), .required("commandText", .text),
    .required("agentId", .nullable(.text)), .required("sessionKey", .nullable(.text)),
  ])

  private static let table: [String: Schema] = [
    "camera.list": .object([
      .required(
        "devices",
        .array(
          .object([
            .required("id", .text), .required("name", text),
            .required("position", .oneOf(["front", "back", "external", "unspecified", "unknown"])),
            .required("deviceType", text),
          ])))
    ]),
    "camera.snap": .object([
      .required("format", .oneOf(["jpg", "jpeg", "png"])), .required("base64", .form(.base64)),
      .required("width", .integer(min: 1)), .required("height", .integer(min: 1)),
    ]),
    "photos.latest": .object([
      .required(
        "photos",
        .array(
          .object([
            .required("format", .oneOf(["jpeg", "jpg", "png"])), .required("base64", .form(.base64)),
            .required("width", .integer(min: 1)), .required("height", .integer(min: 1)),
            .optional("createdAt", .form(.instant)),
          ])))
    ]),
    "location.get": .object([
      .required("lat", .number(-90...90)), .required("lon", .number(-180...180)),
      .required("accuracyMeters", .number(positive)), .optional("altitudeMeters", .number(unbounded)),
      .optional("speedMps", .number(positive)), .optional("headingDeg", .number(0...(360.0).nextDown)),
      .required("timestamp", .form(.instant)), .required("isPrecise", .bool),
      .optional("source", .oneOf(["gps", "wifi", "cell", "unknown", "network", "fused", "passive"])),
      // Talon's own.
      .optional("satellites", .integer(min: 0)), .optional("verticalAccuracyMeters", .number(positive)),
    ]),
    "motion.pedometer": .object([
      .required("startISO", .form(.instant)), .required("endISO", .form(.instant)),
      .optional("steps", .integer(min: 0)), .optional("distanceMeters", .number(positive)),
      .optional("floorsAscended", .integer(min: 0)), .optional("floorsDescended", .integer(min: 0)),
    ]),
    "motion.activity": .object([
      .required(
        "activities",
        .array(
          .object(
            [
              .required("startISO", .form(.instant)), .required("endISO", .form(.instant)),
              .required("confidence", .oneOf(["low", "medium", "high"])),
            ]
              + ["isWalking", "isRunning", "isCycling", "isAutomotive", "isStationary", "isUnknown"].map {
                .required($0, .bool)
              })))
    ]),
    "screen.record": .object([
      .required("format", .oneOf(["mp4"])), .required("base64", .form(.base64)),
      .required("durationMs", .integer(min: 250)),
      .required("fps", .integer(min: 1)), .required("screenIndex", bytes), .required("hasAudio", .bool),
    ]),
    "device.info": .object(
      [
        "deviceName", "modelIdentifier", "systemName", "systemVersion", "appVersion", "appBuild", "locale",
      ].map { .required($0, text) }
        // Talon's own.
        + [
          .optional("serialNumber", .text), .optional("kernelVersion", .text),
          .optional("update", DeviceResults.report), .optional("place", .text), .optional("tags", .array(.text)),
        ]),
    "device.status": DeviceResults.status,
    "device.health": DeviceResults.health,
    "update.start": DeviceResults.update,
    "device.permissions": .object([.required("permissions", .map(DeviceResults.permission))]),
    "talk.ptt.start": .object([.required("captureId", .text)]),
    "talk.ptt.stop": capture, "talk.ptt.cancel": capture, "talk.ptt.once": capture,
    "stt.listen": .object([
      .required("text", text), .optional("durationMs", bytes), .optional("engineEffective", .text),
    ]),
    "stt.transcribe": .object([
      .required("transcribed", .bool), .required("text", text), .optional("durationMs", bytes),
      .optional("engineEffective", .text),
    ]),
    "stt.status": .object([
      .required("engine", .text), .required("readiness", .oneOf(["ready", "unavailable"])),
      .required("isListenWithVadSupported", .bool), .required("isBoundedTranscribeSupported", .bool),
    ]),
    "tts.speak": .object([
      .required("spoken", .bool), .required("provider", .text), .optional("requestedProvider", .text),
      .required("fellBack", .bool), .optional("contentType", .nullable(.text)), .required("durationMs", bytes),
    ]),
    "tts.status": .object([
      .required("configuredProvider", .text), .required("effectiveProvider", .text), .required("willFallBack", .bool),
      .required(
        "providers",
        .array(
          .object([
            .required("provider", .text), .required("readiness", .oneOf(["ready"])), .required("isReady", .bool),
          ]))),
    ]),
    "system.notify": .object([.optional("ok", .bool), .optional("sent", .bool)]),
    "system.run": .object([
      .optional("exitCode", .integer(min: 0)), .required("timedOut", .bool), .required("success", .bool),
      .required("stdout", text), .required("stderr", text), .optional("error", .nullable(.text)),
      .optional("truncated", .bool), .optional("durationMs", bytes),
    ]),
    "system.run.prepare": .object([
      .required("plan", runPlan),
      .optional(
        "execPolicy",
        .object([
          .required("security", .oneOf(["deny", "allowlist", "full"])),
          .required("ask", .oneOf(["off", "on-miss", "always"])),
        ])),
    ]),
    "system.which": .object([.required("bins", .map(.text))]),
    "file.fetch": FileResults.fetch, "dir.list": FileResults.list, "file.stat": FileResults.stat,
    "file.write": FileResults.write, "file.create": FileResults.write,
    NodeTools.command: NodeTools.result,
  ]
}
