/// Methods for operators that talk (protocol reference, sections 9.10 and 9.11).
enum TalkMethods {
  static let table = voiceWake.merging(sessions) { $1 }

  private static let voiceWake: [String: Method] = [
    "voicewake.get": Method(caller: .holder(of: OperatorScope.read), params: .object([])) { (call) in
      call.core.voiceWake.json
    },
    "voicewake.set": Method(
      caller: .holder(of: OperatorScope.write),
      params: .object([.required("triggers", .array(.string(min: 0, max: .max)))])
    ) { (call) in setVoiceWake(call) },
    "voicewake.routing.get": Method(
      caller: .holder(of: OperatorScope.read), since: .may, params: .object([])
    ) { (call) in ["config": call.core.voiceWake.routing] },
  ]

  private static func setVoiceWake(_ call: MethodCall) -> JSON {
    call.core.voiceWake.set(call.params["triggers"]?.strings ?? [])
    call.core.broadcast("voicewake.changed", call.core.voiceWake.json, to: .nodesAndReaders)
    return call.core.voiceWake.json
  }

  private static let sessions: [String: Method] = [
    "talk.config": Method(
      caller: .holder(of: OperatorScope.read), since: .early,
      params: .object([.optional("includeSecrets", .bool)])
    ) { (call) throws(GatewayError) in try call.core.talk.config(call) },
    "talk.speak": Method(caller: .talker, since: .april, params: speech) { (call) throws(GatewayError) in
      try TalkVoice.speak(call)
    },
    "tts.speak": Method(caller: .holder(of: OperatorScope.write), since: .july, params: SpokenClip.params) {
      (call) throws(GatewayError) in try SpokenClip.speak(call)
    },
    "talk.session.create": Method(caller: .talker, since: .june, params: creation) {
      (call) throws(GatewayError) in try call.core.talk.create(call)
    },
    "talk.session.appendAudio": Method(
      caller: .talker, since: .june,
      params: .object([
        .required("sessionId", .text), .required("audioBase64", .text),
        .optional("timestamp", .number(CommandResults.unbounded)),
      ])
    ) { (call) throws(GatewayError) in try call.core.talk.append(call) },
    "talk.session.cancelOutput": Method(
      caller: .talker, since: .june,
      params: .object([.required("sessionId", .text), .optional("turnId", .text), .optional("reason", .text)])
    ) { (call) throws(GatewayError) in try call.core.talk.cancelOutput(call) },
    "talk.client.toolCall": Method(
      caller: .talker, since: .june,
      params: .object([
        .required("sessionKey", .text), .required("callId", .text), .required("name", .text), .optional("args", .any),
        .optional("relaySessionId", .text),
      ])
    ) { (call) throws(GatewayError) in try call.core.talk.consult(call) },
    "talk.session.submitToolResult": Method(
      caller: .talker, since: .june,
      params: .object([
        .required("sessionId", .text), .required("callId", .text), .required("result", .any),
        .optional("options", .object([.optional("suppressResponse", .bool), .optional("willContinue", .bool)])),
      ])
    ) { (call) throws(GatewayError) in try call.core.talk.submit(call) },
    "talk.session.close": Method(
      caller: .talker, since: .june, params: .object([.required("sessionId", .text)])
    ) { (call) throws(GatewayError) in try call.core.talk.close(call) },
  ]

  /// Node command reference, sections 7.2 and 7.3: its ranges, where a real gateway leaves some to the provider.
  private static let speech = Schema.object([
    .required("text", .text), .optional("voiceId", .text), .optional("modelId", .text),
    .optional("outputFormat", .text), .optional("speed", .number((0.5).nextUp...(2.0).nextDown)),
    .optional("rateWpm", .integer(min: 1)), .optional("stability", .number(0...1)),
    .optional("similarity", .number(0...1)), .optional("style", .number(0...1)),
    .optional("speakerBoost", .bool), .optional("seed", .integer(min: 0, max: 4_294_967_295)),
    .optional("normalize", .oneOf(["auto", "on", "off"])), .optional("language", .string(min: 2, max: 2)),
    .optional("latencyTier", .integer(min: 0, max: 4)),
  ])

  /// The reference has clients name mode, transport and brain; real gateways fill in what is missing.
  private static let creation = Schema.object([
    .required("mode", .oneOf(["realtime", "stt-tts", "transcription"])),
    .required("transport", .oneOf(["webrtc", "provider-websocket", "gateway-relay", "managed-room"])),
    .required("brain", .oneOf(["agent-consult", "direct-tools", "none"])),
    .optional("sessionKey", .text), .optional("spawnedBy", .text), .optional("provider", .text),
    .optional("model", .text), .optional("voice", .text), .optional("language", .string(min: 2, max: 2)),
    .optional("vadThreshold", .number(0...1)), .optional("silenceDurationMs", .integer(min: 1)),
    .optional("prefixPaddingMs", .integer(min: 0)), .optional("reasoningEffort", .text),
    .optional("ttlMs", .integer(min: 1000, max: 3_600_000)),
  ])
}
