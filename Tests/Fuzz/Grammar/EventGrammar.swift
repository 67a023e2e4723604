/// What a gateway tells by itself, on either connection.
enum EventGrammar {
  static let session = Shape.word(["agent:main:main", "agent:main:main", "main", "other"])
  static let content = Shape.either([
    .text, .list(.object([("type", .word(["text", "text", "tool_use", "image"])), ("text", .text)]), 3),
    .object([("text", .text)]),
  ])
  static let message = Shape.object([
    ("role", .word(["user", "assistant", "assistant", "tool"])), ("content", content), ("timestamp", .time),
    ("text", .text),
    ("id", .name("m", 9)),
  ])
  private static let run = Shape.name("run", 4)
  private static let turn = Shape.object([("turnId", .name("turn", 3)), ("type", .text), ("payload", .soup)])
  private static let target = Shape.either([
    .object([("mode", .word(["current"]))]), .object([("agentId", .text)]), .object([("sessionKey", session)]), .soup,
  ])
  static let phrases = Shape.list(.either([.text, .word(["computer", "hey talon", "good morning", "x"])]), 6)

  static let chat = Shape.object([
    ("runId", run), ("sessionKey", session), ("seq", .whole(1, 9)),
    ("state", .word(["delta", "delta", "final", "aborted", "error"])),
    ("message", message), ("deltaText", .text), ("text", .text), ("replace", .flag), ("errorMessage", .text),
  ])
  static let talk = Shape.made { maker in
    maker.whole([
      (maker.dice.pick(["sessionId", "transcriptionSessionId", "relaySessionId"]), .word(["t1", "t1", "t1", "t2"])),
      (
        "type",
        .word([
          "audio", "output.audio.delta", "mark", "output.audio.done", "audioDone", "turn.ended", "clear",
          "turn.cancelled", "transcript",
          "transcript.delta", "transcript.done", "output.text.delta", "output.text.done", "toolCall", "tool.call",
          "error", "session.error",
          "close", "session.closed", "partial", "ready", "session.ready",
        ])
      ),
      ("text", .text), ("role", .word(["user", "assistant"])), ("final", .flag), ("audioBase64", .base64(90)),
      ("talkEvent", turn),
      ("turnId", .name("turn", 3)), ("message", .text), ("callId", .name("call", 3)),
      ("name", .word(["openclaw_agent_consult", "other"])),
      ("args", .object([("question", .text), ("text", .text)])),
      (
        "payload",
        .object([
          ("text", .text), ("audioBase64", .base64(40)), ("role", .word(["assistant", "user"])), ("message", .text),
          ("callId", .name("call", 3)), ("name", .text), ("args", .soup),
        ])
      ),
    ])
  }

  private static let events: [(String, Shape)] = [
    ("chat", chat), ("chat", chat), ("chat", chat), ("talk.event", talk), ("talk.event", talk), ("talk.event", talk),
    ("talk.event", talk),
    ("session.message", .object([("sessionKey", session), ("message", message), ("messageId", .text)])),
    ("voicewake.changed", .object([("triggers", phrases)])),
    (
      "voicewake.routing.changed",
      .object([
        (
          "config",
          .object([("defaultTarget", target), ("routes", .list(.object([("trigger", .text), ("target", target)]), 5))])
        )
      ])
    ),
    ("tick", .object([("ts", .time)])), ("health", .soup), ("presence", .soup), ("heartbeat", .soup), ("cron", .soup),
    ("connect.challenge", .object([("nonce", .text), ("ts", .time)])), ("device.pair.requested", .soup),
    ("device.pair.resolved", .soup),
    ("node.pair.requested", .soup), ("node.pair.resolved", .soup), ("exec.approval.requested", .soup), ("agent", .soup),
    ("node.invoke.progress", .soup), ("node.invoke.input", .soup),
  ]

  /// An event that does not end the connection.
  static func write(into maker: Maker) {
    let (name, payload) = maker.dice.pick(events)
    write(name, payload, into: maker)
  }

  static func write(_ name: String, _ payload: Shape, into maker: Maker) {
    maker.add(#"{"type":"event","event":"#)
    maker.quote(maker.dice.chance(1, in: 40) ? maker.dice.pick(Maker.words) : Array(name.utf8))
    if !maker.dice.chance(1, in: 60) {
      maker.add(#","payload":"#)
      maker.value(payload)
    }
    if maker.dice.chance(1, in: 8) {
      maker.add(#","seq":"#)
      maker.value(.whole(0, 1000))
    }
    maker.add("}")
  }

  static func writeShutdown(into maker: Maker) {
    write("shutdown", .object([("reason", .text), ("restartExpectedMs", .time)]), into: maker)
  }

  static func writeCancel(_ id: String, node: [UInt8], into maker: Maker) {
    maker.add(#"{"type":"event","event":"node.invoke.cancel","payload":{"invokeId":""#)
    maker.add(id)
    maker.add(#"","nodeId":""#)
    maker.add(node)
    maker.add(#""}}"#)
  }
}
