/// The results of the commands that Talon has, as closed schemas. The shapes are those of the command reference;
/// real gateways pass on what they do not know, a development gateway is the place to notice it.
enum CommandResults {
  static func schema(of command: String) -> Schema? { table[command] }

  private static let unbounded = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  private static let positive = 0...Double.greatestFiniteMagnitude
  private static let text = Schema.string(min: 0, max: .max)
  private static let bytes = Schema.integer(min: 0)

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
    "location.get": .object([
      .required("lat", .number(-90...90)), .required("lon", .number(-180...180)),
      .required("accuracyMeters", .number(positive)), .optional("altitudeMeters", .number(unbounded)),
      .optional("speedMps", .number(positive)), .optional("headingDeg", .number(0...(360.0).nextDown)),
      .required("timestamp", .form(.instant)), .required("isPrecise", .bool),
      .optional("source", .oneOf(["gps", "wifi", "cell", "unknown", "network", "fused", "passive"])),
    ]),
    "device.info": .object(
      [
        "deviceName", "modelIdentifier", "systemName", "systemVersion", "appVersion", "appBuild", "locale",
      ].map { .required($0, text) }),
    "device.status": .object([
      .required(
        "battery",
        .object([
          .optional("level", .nullable(.number(0...1))), .required("state", batteryState),
          .required("lowPowerModeEnabled", .bool),
        ])),
      .required(
        "thermal", .object([.required("state", .oneOf(["nominal", "fair", "serious", "critical"]))])),
      .required(
        "storage",
        .object([
          .required("totalBytes", bytes), .required("freeBytes", bytes), .required("usedBytes", bytes),
        ])),
      .required("network", network),
      .required("uptimeSeconds", .number(positive)),
    ]),
    "device.health": .object([
      .required("memory", memory),
      .required(
        "battery",
        .object([
          .required("state", batteryState),
          .optional("chargingType", .oneOf(["ac", "usb", "wireless", "dock", "none"])),
          .optional("temperatureC", .number(unbounded)), .optional("currentMa", .number(unbounded)),
        ])),
      .required(
        "power", .object([.optional("dozeModeEnabled", .bool), .optional("lowPowerModeEnabled", .bool)])),
      .required("system", .object([.optional("securityPatchLevel", text)])),
      // Talon's own: what hardware is there, and what is wrong with it.
      .optional(
        "devices",
        .map(.object([.required("state", .oneOf(["ok", "absent", "error"])), .optional("detail", .text)]))),
    ]),
    "system.notify": .object([.optional("ok", .bool), .optional("sent", .bool)]),
  ]

  private static let batteryState = Schema.oneOf(["unknown", "unplugged", "charging", "full"])

  private static let network = Schema.object([
    .required("status", .oneOf(["satisfied", "unsatisfied", "requiresConnection"])),
    .required("isExpensive", .bool), .required("isConstrained", .bool),
    .required("interfaces", .array(.oneOf(["wifi", "cellular", "wired", "other"]))),
  ])

  private static let memory = Schema.object([
    .required("pressure", .oneOf(["normal", "moderate", "high", "critical", "unknown"])),
    .optional("totalRamBytes", bytes), .optional("availableRamBytes", bytes),
    .optional("usedRamBytes", bytes),
    .optional("thresholdBytes", bytes), .optional("lowMemory", .bool),
  ])
}
