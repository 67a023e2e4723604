/// What the commands of a node take (node-commands), as far as a generator has to know it to get past the first look.
enum CommandGrammar {
  private static let picture: [(String, Shape)] = [
    ("format", .word(["jpg", "jpeg", "png"])), ("maxWidth", .number(1, 400)), ("quality", .number(0, 1)),
    ("screenIndex", .raw("0")),
  ]
  /// What the tool that shows a card takes.
  private static let card: [(String, Shape)] = [
    ("title", .text), ("text", .text), ("list", .list(.text, 20)), ("table", .list(.list(.text, 6), 12)),
    (
      "gauge",
      .object([
        ("label", .text), ("value", .number(-10, 200)), ("min", .number(-10, 10)), ("max", .number(0, 200)),
        ("unit", .text),
      ])
    ),
    ("picture", .url), ("qr", .text), ("buttons", .list(.text, 6)), ("messages", .list(A2UIGrammar.message, 4)),
  ]
  /// What the tools that speak, ask, listen and light take.
  private static let question: [(String, Shape)] = [
    ("question", .text), ("buttons", .list(.text, 6)), ("seconds", .number(1, 20)), ("speak", .flag), ("text", .text),
    ("speed", .number(0, 3)),
  ]
  private static let argv: Shape = .list(.either([.word(["df", "sh", "-c", "/usr/bin/df", "rm"]), .text]), 5)
  private static let run: [(String, Shape)] = [
    ("command", argv), ("rawCommand", .either([.word(["df", "sh -c df", " "]), .text])), ("commandText", .word(["df"])),
    ("cwd", .word(["/tmp", "", "/"])), ("env", .object([("PATH", .text), ("LC_ALL", .text), ("LD_PRELOAD", .text)])),
    ("timeoutMs", .number(0, 100_000)), ("sessionKey", .text), ("runId", .text), ("agentId", .word(["main"])),
    ("approvalDecision", .word(["allow-once", "deny"])), ("suppressNotifyOnExit", .flag),
    ("needsScreenRecording", .flag),
  ]
  private static let degrees: Shape = .object([
    ("panDegrees", .number(-180, 180)), ("tiltDegrees", .number(-90, 90)), ("zoomPercent", .number(0, 100)),
  ])
  private static let times: [(String, Shape)] = [
    ("at", .word(["2026-01-01T00:00:00Z", "2026-07-15T12:00+02:00", "yesterday"])),
    ("from", .word(["2026-01-01T00:00:00Z", "0000-01-01T00:00:00Z"])), ("to", .word(["9999-12-31T23:59:60Z"])),
  ]

  private static let window: [(String, Shape)] = [
    (
      "startISO",
      .word(["2026-01-01T00:00:00Z", "2025-12-31T23:59:59.999Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z"])
    ),
    ("endISO", .word(["2026-01-01T01:00:00Z", "2026-01-02T00:00:00+14:00", "1970-01-01T00:00:00Z"])),
    ("limit", .whole(1, 1000)),
  ]

  private static let file: [(String, Shape)] = [
    (
      "path",
      .word([
        "/nowhere/ro", "/nowhere/ro/a.txt", "/nowhere/rw/a", "/nowhere/rw/b/c", "/nowhere/rw/../ro/a.txt",
        "/etc/passwd", "a", "",
      ])
    ),
    ("contentBase64", .word(["", "YQ==", "YWI", "!", "aGVsbG8="])), ("overwrite", .flag), ("createParents", .flag),
    ("preflightOnly", .flag), ("followSymlinks", .flag), ("maxBytes", .whole(0, 20_000_000)),
    ("maxEntries", .whole(0, 6_000)), ("pageToken", .word(["0", "1", "5000", "x", ""])),
    (
      "expectedSha256",
      .word(["2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "2cf2", ""])
    ),
  ]

  /// The parameters of a command; a command without a row gets what words Talon knows.
  static func parameters(_ command: String) -> Shape {
    switch command {
    case "camera.snap":
      .object(
        picture + [
          ("facing", .word(["front", "back"])), ("deviceId", .word(["fuzz", "other"])), ("delayMs", .number(0, 100)),
        ])
    case "camera.clip":
      .object([
        ("durationMs", .number(250, 400)), ("includeAudio", .flag), ("format", .word(["mp4"])),
        ("deviceId", .word(["fuzz"])),
        ("facing", .word(["front", "back"])),
      ])
    case "camera.ptz.control":
      .object([
        ("deviceId", .word(["fuzz"])), ("operation", .word(["set", "move", "home"])), ("target", degrees),
        ("delta", degrees),
      ])
    case "camera.ptz.status": .object([("deviceId", .word(["fuzz"]))])
    case "location.get":
      .object([
        ("timeoutMs", .number(1000, 60_000)), ("maxAgeMs", .whole(0, 100_000)),
        ("desiredAccuracy", .word(["coarse", "balanced", "precise"])),
      ])
    case "motion.activity", "motion.pedometer": .object(window)
    case "photos.latest":
      .object([("limit", .whole(0, 30)), ("maxWidth", .whole(100, 5_000)), ("quality", .number(0, 2))])
    case "system.run", "system.run.prepare": .object(run + [("systemRunPlan", .object(run + [("argv", argv)]))])
    case "stt.listen": .object([("timeoutMs", .number(-10, 200_000)), ("language", .text)])
    case "stt.transcribe": .object([("maxDurationMs", .number(-10, 40_000)), ("language", .text)])
    case "tts.speak":
      .object([
        ("text", .text), ("provider", .text), ("voiceId", .text), ("model", .text), ("interrupt", .flag),
        ("speed", .number(0, 3)),
      ])
    case "system.which": .object([("bins", .list(.word(["df", "sh", "/usr/bin/df", "rm"]), 8))])
    case "file.fetch", "dir.list", "file.stat", "file.write", "file.create": .object(file)
    case "system.notify":
      .object([
        ("title", .text), ("body", .text), ("sound", .word(["none", "default"])),
        ("priority", .word(["passive", "active", "timeSensitive"])),
        ("delivery", .word(["system", "overlay", "auto"])),
        ("subtitle", .text), ("durationMs", .number(0, 60_000)),
      ])
    case "io.heater", "io.door", "io.fan", "io.water":
      .object([
        ("action", .word(["read", "on", "off", "pulse"])), ("seconds", .number(0, 100)), ("percent", .number(0, 100)),
      ])
    case "mcp.tools.call.v1":
      .object([
        ("server", .word(["talon", "other"])),
        (
          "tool",
          .word([
            "photo", "location", "steps", "activity", "health", "notify", "screen", "say", "ask", "show", "listen",
            "light", "where_was", "heater", "fan", "none",
          ])
        ),
        (
          "arguments",
          .either([.object(picture), .object(window), .object(times), .object(card), .object(question), .soup])
        ),
      ])
    case "screen.snapshot", "canvas.snapshot": .object(picture)
    case "screen.record":
      .object([
        ("durationMs", .number(250, 400)), ("fps", .number(1, 60)), ("format", .word(["mp4"])), ("includeAudio", .flag),
        ("screenIndex", .raw("0")), ("monitor", .raw("0")),
      ])
    case "canvas.present":
      .object([
        ("url", .url),
        (
          "placement",
          .object([
            ("x", .number(-10, 300)), ("y", .number(-10, 300)), ("width", .number(0, 400)), ("height", .number(0, 400)),
          ])
        ),
      ])
    case "canvas.navigate": .object([("url", .url)])
    case "canvas.eval": .object([("javaScript", .made { ScriptGrammar.writeQuoted(into: $0) })])
    case "canvas.draw": .made { DrawingGrammar.write(into: $0) }
    case "canvas.a2ui.push": .object([("messages", .list(A2UIGrammar.message, 4))])
    case "canvas.a2ui.pushJSONL": .object([("jsonl", .made { A2UIGrammar.writeLines(into: $0) })])
    case "canvas.hide", "canvas.caps", "canvas.a2ui.reset", "device.info", "device.status", "device.health",
      "device.permissions",
      "camera.list":
      .either([.object([]), .raw("null"), .soup])
    default: .either([.object([]), .object([]), .soup])
    }
  }

  /// How often a command is invoked, beside the others: what has much to say more often, what takes long seldom.
  static func weight(_ command: String) -> Int {
    switch command {
    case "canvas.draw": 14
    case "canvas.a2ui.push", "canvas.a2ui.pushJSONL": 8
    case "canvas.eval", "canvas.navigate", "canvas.present", "location.get", "talk.ptt.start": 4
    case "camera.snap", "canvas.snapshot", "screen.snapshot", "canvas.a2ui.reset": 2
    case "camera.clip", "screen.record": 1
    default: 3
    }
  }

  /// The event that invokes `command`; `id` and `node` as they must be, everything around them as it comes.
  static func write(_ command: String, id: String, node: [UInt8], into maker: Maker) {
    let dice = maker.dice
    maker.add(#"{"type":"event","event":"node.invoke.request","payload":{"id":""#)
    maker.add(id)
    maker.add(#"","nodeId":""#)
    maker.add(node)
    maker.add(#"","command":""#)
    maker.add(command)
    maker.add(0x22)
    let shape = parameters(command)
    switch dice.below(20) {
    case 0: break
    case 1: maker.add(#","paramsJSON":null"#)
    case 2:
      maker.add(#","paramsJSON":"#)
      maker.anything()
    case 3...6:
      maker.add(#","params":"#)
      maker.value(shape)
    default:
      maker.add(#","paramsJSON":"#)
      maker.quote(maker.apart { maker.value(shape) })
    }
    if dice.chance(1, in: 3) {
      maker.add(#","timeoutMs":"#)
      maker.value(.number(100, 60_000))
    }
    if dice.chance(1, in: 4) {
      maker.add(#","idempotencyKey":"#)
      maker.value(.name("k", 40))
    }
    if dice.chance(1, in: 4) {
      maker.add(#","sessionKey":"#)
      maker.value(.word(["agent:main:main", "main", "other"]))
    }
    maker.add("}}")
  }
}
