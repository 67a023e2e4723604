/// The results of `device.status`, `device.health` and `device.permissions`: the contract's members required, Talon's
/// own optional, nothing else.
enum DeviceResults {
  private static let (text, bytes) = (CommandResults.text, CommandResults.bytes)
  private static let (positive, unbounded) = (CommandResults.positive, CommandResults.unbounded)

  static let status = Schema.object([
    .required(
      "battery",
      .object(
        [
          .optional("level", .nullable(.number(0...1))), .required("state", batteryState),
          .required("lowPowerModeEnabled", .bool),
        ] + measures)),
    .required(
      "thermal",
      .object([
        .required("state", .oneOf(["nominal", "fair", "serious", "critical"])),
        .optional("temperatureC", .number(unbounded)),
        .optional(
          "zones",
          .array(.object([.required("name", .text), .required("temperatureC", .number(unbounded))]))),
      ])),
    .required("storage", storage), .required("network", network),
    .required("uptimeSeconds", .number(positive)),
    // Sections, as a Windows node has them.
    .optional(
      "os",
      .object([
        .required("name", .text), .required("version", .text), .optional("kernel", .text), .required("hostName", text),
      ])),
    .optional(
      "cpu",
      .object([
        .optional("count", .integer(min: 1)), .optional("loadAverage", .array(.number(positive))), failure,
      ])),
    .optional("memory", .object(orFailure(memory))),
    .optional("disk", .object(orFailure(room))),
    .optional("collectedAt", .form(.instant)),
  ])

  static let health = Schema.object([
    .required("memory", .object(memory)),
    .required("battery", .object([.required("state", batteryState)] + measures)),
    .required(
      "power",
      .object([
        .optional("dozeModeEnabled", .bool), .optional("lowPowerModeEnabled", .bool), .optional("underVoltage", .bool),
        .optional("throttling", .object([.required("now", causes), .required("sinceBoot", causes)])),
      ])),
    .required("system", .object([.optional("securityPatchLevel", text)])),
    .optional(
      "storage",
      .object([
        .optional("kind", .text), .optional("name", .text), .optional("lifeUsedPercent", .integer(min: 10)),
        .optional("endOfLife", .oneOf(["normal", "warning", "urgent"])), .optional("writtenBytes", bytes),
        .optional("errors", bytes),
      ])),
    .optional(
      "clock",
      .object([
        .optional("isSynchronized", .bool), .required("hasHardwareClock", .bool), .required("isBelievable", .bool),
      ])),
    .optional(
      "watchdog",
      .object([
        .optional("identity", .text), .required("state", .oneOf(["active", "inactive"])),
        .optional("timeoutSeconds", .integer(min: 0)), .required("hasResetBoard", .bool),
      ])),
    .optional(
      "restart",
      .object([
        .required("cause", .oneOf(["power", "watchdog", "order", "recovery"])), .optional("reason", .text),
      ])),
    // What hardware is there, and what is wrong with it; what the agent does.
    .optional("devices", .map(.object(state))),
    .optional(
      "services",
      .map(
        .object(
          state + ["connections", "waiting", "delivered", "dropped"].map { .optional($0, .integer(min: 0)) }))),
    .optional("update", report),
  ])

  /// What `device.info` and `device.health` tell of the board's system.
  static let report = Schema.object([
    .required("state", .text), .optional("version", .text), .optional("slot", .oneOf(["a", "b"])),
    .optional("pending", .text), .optional("failure", .text),
  ])

  static let update = Schema.object([
    .required("state", .text), .optional("running", .text), .optional("slot", .oneOf(["a", "b"])),
    .optional("isTrial", .bool), .optional("other", .text), .optional("otherState", .text), .optional("version", .text),
    .optional("percent", .integer(min: 0)), .optional("outcome", .text), .optional("outcomeVersion", .text),
    .optional("reason", .text), .optional("asksInMs", .integer(min: 0)), .optional("failures", .integer(min: 0)),
  ])

  static let permission = Schema.object([
    .required("status", .oneOf(["granted", "denied"])), .required("promptable", .bool), .optional("detail", .text),
  ])

  private static let state: [Schema.Field] = [
    .required("state", .oneOf(["ok", "absent", "error"])), .optional("detail", .text),
  ]
  private static let failure = Schema.Field.optional("error", .oneOf(["collection failed"]))
  /// A section: the block, or why there is none.
  private static func orFailure(_ fields: [Schema.Field]) -> [Schema.Field] {
    fields.map { .optional($0.key, $0.schema) } + [failure]
  }

  private static let batteryState = Schema.oneOf(["unknown", "unplugged", "charging", "full"])
  private static let causes = Schema.array(
    .oneOf(["underVoltage", "frequencyCapped", "throttled", "softTemperatureLimit"]))

  /// What batteries measure.
  private static let measures: [Schema.Field] =
    measured + [
      .optional("chargingType", .oneOf(["ac", "usb", "wireless", "dock", "none"])),
      .optional(
        "packs",
        .array(
          .object(
            [
              .required("name", .text), .required("state", batteryState), .optional("level", .number(0...1)),
            ] + measured))),
    ]

  private static let measured: [Schema.Field] = [
    .optional("temperatureC", .number(unbounded)), .optional("currentMa", .number(unbounded)),
    .optional("voltageV", .number(unbounded)),
    .optional("capacityLevel", .oneOf(["critical", "low", "normal", "high", "full"])),
    .optional("timeToEmptySeconds", .number(positive)),
  ]

  private static let room: [Schema.Field] = [
    .required("totalBytes", bytes), .required("freeBytes", bytes), .required("usedBytes", bytes),
    .optional("isReadOnly", .bool),
  ]
  private static let storage = Schema.object(room)

  private static let kind = Schema.oneOf(["wifi", "cellular", "wired", "other"])

  private static let network = Schema.object([
    .required("status", .oneOf(["satisfied", "unsatisfied", "requiresConnection"])),
    .required("isExpensive", .bool), .required("isConstrained", .bool), .required("interfaces", .array(kind)),
    .optional("defaultInterface", .text),
    .optional(
      "links",
      .array(
        .object([
          .required("name", .text), .required("kind", kind), .required("hasCarrier", .bool),
          .optional("speedMbps", .integer(min: 1)), .optional("addresses", .integer(min: 0)),
          .optional("signalDbm", .number(-128...0)), .optional("bitrateMbps", .number(positive)),
          .optional("frequencyMhz", .integer(min: 1)),
        ]))),
  ])

  private static let memory: [Schema.Field] = [
    .required("pressure", .oneOf(["normal", "moderate", "high", "critical", "unknown"])),
    .optional("totalRamBytes", bytes), .optional("availableRamBytes", bytes), .optional("usedRamBytes", bytes),
    .optional("thresholdBytes", bytes), .optional("lowMemory", .bool),
    .optional(
      "stallPercent", .object([.required("some", .number(0...100)), .required("full", .number(0...100))])),
  ]
}
