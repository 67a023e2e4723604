/// What a gateway answers to the requests of a board.
enum AnswerGrammar {
  private static let codes = [
    "UNAVAILABLE", "INVALID_REQUEST", "NOT_PAIRED", "FORBIDDEN", "NOT_FOUND", "RATE_LIMITED", "AUTH_RATE_LIMITED",
    "AUTH_TOKEN_MISMATCH",
    "AUTH_DEVICE_TOKEN_MISMATCH", "PAIRING_REQUIRED", "DEVICE_AUTH_SIGNATURE_INVALID", "DEVICE_AUTH_NONCE_MISMATCH",
    "AUTH_SCOPE_MISMATCH",
    "PROTOCOL_MISMATCH", "OPERATOR_ACCESS_DENIED", "PAIRING_REJECTED", "missing scope: operator.admin", "SOMETHING",
  ]
  static let error = Shape.object([
    ("code", .word(codes)),
    (
      "message", .either([.text, .word(codes), .word(["unknown field declaredCommands", "Too many active sessions"])])
    ),
    ("retryable", .flag), ("retryAfterMs", .time),
    (
      "details",
      .object([
        ("code", .word(codes)),
        ("reason", .word(["role-upgrade", "scope-upgrade", "metadata-upgrade", "startup-sidecars"])),
        ("requestId", .text), ("retryAfterMs", .time),
        ("recommendedNextStep", .word(["wait_then_retry", "update_auth_configuration"])),
        ("pauseReconnect", .flag), ("missingScope", .text), ("fallbackEligible", .flag),
        ("canRetryWithDeviceToken", .flag),
      ])
    ),
  ])
  private static let audio = Shape.object([
    ("inputEncoding", .word(["pcm16", "g711_ulaw", "g711_alaw", "mp3"])),
    ("inputSampleRateHz", .either([.raw("8000"), .raw("16000"), .raw("24000"), .whole(0, 100_000)])),
    ("outputEncoding", .word(["pcm16", "g711_ulaw"])),
    ("outputSampleRateHz", .either([.raw("24000"), .whole(0, 100_000)])),
  ])
  private static let inFlight = Shape.object([
    ("runId", .name("run", 4)), ("message", EventGrammar.message), ("text", .text),
  ])

  private static func payload(_ method: String, commands: [String]) -> Shape {
    switch method {
    case "talk.session.create":
      .object([
        ("sessionId", .raw(#""t1""#)), ("transcriptionSessionId", .raw(#""t1""#)), ("relaySessionId", .raw(#""t1""#)),
        ("audio", audio),
        ("expiresAt", .time), ("provider", .text), ("mode", .text), ("transport", .text),
      ])
    case "talk.speak":
      .object([
        ("audioBase64", .base64(200)),
        ("outputFormat", .word(["pcm_24000", "pcm16", "wav", "mp3_44100_128", "ulaw_8000"])),
        ("mimeType", .word(["audio/wav", "audio/pcm", "audio/mpeg"])), ("fileExtension", .word([".wav", ".pcm"])),
        ("sampleRateHz", .whole(0, 100_000)),
        ("provider", .text),
      ])
    case "voicewake.get", "voicewake.set": .object([("triggers", EventGrammar.phrases)])
    case "node.describe":
      .object([
        ("connected", .flag), ("commands", .list(.word(commands), 30)),
        ("approvalState", .word(["approved", "unapproved", "pending-approval", "x"])),
        ("pendingRequestId", .text), ("nodeId", .text),
      ])
    case "chat.history":
      .object([
        ("sessionKey", EventGrammar.session), ("messages", .list(EventGrammar.message, 6)), ("inFlightRun", inFlight),
      ])
    case "chat.send":
      .object([("runId", .name("run", 4)), ("status", .word(["started", "ok", "in_flight", "accepted"]))])
    case "sessions.list":
      .object([
        ("sessions", .list(.object([("key", EventGrammar.session), ("updatedAt", .time), ("kind", .text)]), 5)),
        ("count", .whole(0, 9)),
      ])
    case "node.pending.pull":
      .object([
        ("nodeId", .text),
        (
          "actions",
          .list(
            .object([
              ("id", .name("a", 9)), ("command", .word(commands)), ("paramsJSON", .quoted(.soup)),
              ("enqueuedAtMs", .time),
            ]), 4)
        ),
      ])
    case "node.pending.ack": .object([("ackedIds", .list(.name("a", 9), 4)), ("remainingCount", .whole(0, 9))])
    case "node.event", "node.presence.alive":
      .object([
        ("ok", .flag), ("event", .text), ("handled", .flag),
        ("reason", .word(["persisted", "persist_failed", "throttled"])),
      ])
    case "node.pluginSurface.refresh", "node.canvas.capability.refresh":
      .object([
        ("surface", .raw(#""canvas""#)), ("canvasHostUrl", .url), ("canvasCapability", .text),
        ("canvasCapabilityExpiresAtMs", .time),
        ("expiresAtMs", .time),
        (
          "pluginSurfaceUrls",
          .object([("canvas", .word(["http://127.0.0.1:18789/__openclaw__/cap/b", "http://127.0.0.1:18789/x/"]))])
        ),
      ])
    default: .soup
    }
  }

  /// The answer to the request `id`.
  static func write(_ method: String, id: [UInt8], commands: [String], into maker: Maker) {
    let isGood = maker.dice.chance(3, in: 4)
    maker.add(#"{"type":"res","id":"#)
    maker.quote(id)
    maker.add(isGood ? #","ok":true"# : #","ok":false"#)
    if isGood, !maker.dice.chance(1, in: 30) {
      maker.add(#","payload":"#)
      maker.value(payload(method, commands: commands))
    } else if !isGood, !maker.dice.chance(1, in: 30) {
      maker.add(#","error":"#)
      maker.value(error)
    }
    maker.add("}")
  }

  /// The first message of a gateway.
  static func writeChallenge(into maker: Maker) {
    EventGrammar.write("connect.challenge", .object([("nonce", .text), ("ts", .time)]), into: maker)
  }

  private static let policy = Shape.object([
    ("maxPayload", .whole(1000, 26_214_400)), ("maxBufferedBytes", .whole(1, 52_428_800)),
    ("tickIntervalMs", .number(1000, 30_000)),
  ])

  /// `hello-ok`, or a refusal, of a gateway that may do anything.
  static func writeHello(into maker: Maker) {
    maker.add(#"{"type":"res","id":"connect","ok":"#)
    guard maker.dice.chance(1, in: 2) else {
      maker.add(#"false,"error":"#)
      maker.value(error)
      return maker.add("}")
    }
    maker.add(#"true,"payload":"#)
    maker.object([
      ("type", .raw(#""hello-ok""#)), ("protocol", .whole(1, 5)),
      ("server", .object([("version", .text), ("connId", .text)])),
      (
        "features",
        .object([
          ("methods", .list(.word(["node.invoke.progress", "node.pending.pull", "talk.speak"]), 3)),
          ("events", .list(.text, 2)),
        ])
      ),
      (
        "snapshot",
        .object([("sessionDefaults", .object([("mainSessionKey", EventGrammar.session)])), ("presence", .soup)])
      ), ("policy", policy),
      (
        "auth",
        .object([
          ("deviceToken", .text), ("role", .text),
          ("scopes", .list(.word(["operator.read", "operator.write", "x"]), 3)),
        ])
      ),
      ("canvasHostUrl", .url), ("pluginSurfaceUrls", .object([("canvas", .url)])),
    ])
    maker.add("}")
  }

  /// `hello-ok` of a gateway that is well.
  static let hello = Array(
    (#"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","protocol":4,"server":{"version":"2026.8.0"},"features":{"#
      + #""methods":["node.invoke.progress","node.pending.pull","node.pluginSurface.refresh","talk.speak","voicewake.get"]},"#
      + #""snapshot":{"sessionDefaults":{"mainSessionKey":"agent:main:main"}},"policy":{"maxPayload":26214400,"tickIntervalMs":3600000},"#
      + #""auth":{"deviceToken":"device-token-of-the-fuzzer"},"pluginSurfaceUrls":{"canvas":"http://127.0.0.1:18789/__openclaw__/cap/first"}}}"#)
      .utf8)
  static let challenge = Array(
    #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1767225600000}}"#.utf8)
}
