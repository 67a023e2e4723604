/// `talk ...` of the CLI: what this gateway is to understand and to say, and what it heard and said.
enum TalkOperations {
  static let table: [String: ControlOperations.Operation] = [
    "talk.expect": { core, params in try expect(core, params) },
    "talk.fail": { core, params in try fail(core, params) },
    "talk.mute": { core, params in try mute(core, params) },
    "talk.unmute": { core, _ in
      core.talk.silence = nil
      return ["speaks": true]
    },
    "talk.route": { core, params in try route(core, params) },
    "talk.heard": { core, _ in core.talk.report },
  ]

  private static func expect(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let text = (params["text"]?.string ?? "").trimmed
    guard !text.isEmpty else { throw GatewayError.invalidRequest("nobody says nothing: give a text") }
    core.talk.script = TalkScript(text: text, stallsAfter: params["stallsAfter"]?.integer.map(Int.init))
    return ["text": .string(text)]
  }

  private static func route(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let trigger = (params["trigger"]?.string ?? "").trimmed
    let sessionKey = (params["sessionKey"]?.string ?? "").trimmed
    guard !trigger.isEmpty, !sessionKey.isEmpty else {
      throw GatewayError.invalidRequest("a route has a phrase and a session")
    }
    guard core.generation.hasVoiceWakeRouting else {
      throw GatewayError.invalidRequest("gateways of this age have no routes")
    }
    try core.voiceWake.route(trigger, to: sessionKey)
    let config: JSON = ["config": core.voiceWake.routing]
    core.broadcast("voicewake.routing.changed", config, to: .nodesAndReaders)
    return config
  }

  private static func fail(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let message = (params["message"]?.string ?? "").trimmed
    guard !message.isEmpty else { throw GatewayError.invalidRequest("a failure has a message") }
    core.talk.script.failure = message
    core.talk.script.failsAtOnce = params["atOnce"]?.bool == true
    return ["message": .string(message)]
  }

  private static func mute(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let name = params["reason"]?.string ?? TalkVoice.Silence.unconfigured.rawValue
    guard let silence = TalkVoice.Silence(rawValue: name) else {
      let known = TalkVoice.Silence.allCases.map(\.rawValue).joined(separator: ", ")
      throw GatewayError.invalidRequest("talk.speak knows no reason \(name), but \(known)")
    }
    core.talk.silence = silence
    return ["speaks": false, "reason": .string(name), "fallbackEligible": .bool(silence.isFallbackEligible)]
  }
}
