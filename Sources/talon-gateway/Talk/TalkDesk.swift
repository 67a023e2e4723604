import Foundation

/// Everything this gateway knows of talk: its sessions, what it is to understand, and what was said to it and by it.
final class TalkDesk {
  static let provider = "talon"
  /// The one tool that the voice of a conversation has.
  static let tool = "openclaw_agent_consult"

  /// Sessions of one mode at a time: of one connection, and altogether.
  private static let relaysPerConnectionMax = 2
  private static let relaysMax = 64
  /// What is remembered for `talk heard`; the oldest goes first.
  private static let rowsMax = 64
  private static let capturesMax = 2048

  var script = TalkScript()
  /// Why `talk.speak` says nothing; nil: it speaks.
  var silence: TalkVoice.Silence?
  private let era: Era
  private var relays: [String: TalkRelay] = [:]
  private var heard: [(id: String, row: JSON)] = []
  private var spoken: [JSON] = []
  /// How many events each capture of a node had, oldest first.
  private var captures: [(sessionID: String, sequence: Int64)] = []

  init(_ options: GatewayOptions) {
    era = options.generation.era
    silence = options.speaks ? nil : .unconfigured
  }

  // MARK: Sessions

  func create(_ call: MethodCall) throws(GatewayError) -> JSON {
    let mode = call.params["mode"]?.string ?? ""
    let transport = call.params["transport"]?.string ?? ""
    let brain = call.params["brain"]?.string ?? ""
    guard transport == "gateway-relay" || transport == "managed-room" else {
      throw .invalidRequest(
        "talk.session.create is Gateway-managed; use talk.client.create for client transport \"\(transport)\""
      )
    }
    guard let kind = TalkRelay.Mode(rawValue: mode) else {
      throw .invalidRequest("stt-tts talk.session.create requires transport=\"managed-room\"")
    }
    guard transport == "gateway-relay", brain == kind.brain else {
      throw .invalidRequest(
        "\(mode) talk.session.create requires transport=\"gateway-relay\" and brain=\"\(kind.brain)\"")
    }
    try checkRoom(kind, call.session)
    if script.failsAtOnce, let failure = script.failure { throw unavailable(failure) }
    let format = kind == .transcription ? call.core.options.talk.audio : .studio
    let relay = TalkRelay(kind, input: format, for: call)
    relays[relay.id] = relay
    note(relay)
    return relay.answer
  }

  private func checkRoom(_ mode: TalkRelay.Mode, _ owner: Session) throws(GatewayError) {
    for relay in relays.values where relay.expiresAtMs < wallMilliseconds() { relay.end(.closed) }
    let kind = mode == .transcription ? "transcription Talk sessions" : "realtime relay sessions"
    let others = relays.values.filter { $0.mode == mode }
    guard others.count < Self.relaysMax else { throw unavailable("Too many active \(kind)") }
    guard others.count(where: { $0.owner === owner }) < Self.relaysPerConnectionMax else {
      throw unavailable("Too many active \(kind) for this connection")
    }
  }

  func append(_ call: MethodCall) throws(GatewayError) -> JSON {
    let relay = try relay(of: call)
    do {
      try relay.hear(call.params["audioBase64"]?.string ?? "")
      return ["ok": true]
    } catch {
      call.core.noteViolation("talk.session.appendAudio: \(error.message)", from: call.deviceID)
      throw unavailable(error.message)
    }
  }

  func cancelOutput(_ call: MethodCall) throws(GatewayError) -> JSON {
    let relay = try relay(of: call)
    guard relay.mode == .realtime else {
      throw .invalidRequest("talk.session.cancelOutput requires realtime relay")
    }
    relay.cancelOutput(
      turnID: call.params["turnId"]?.string, reason: call.params["reason"]?.string ?? "output-cancelled")
    return ["ok": true]
  }

  /// `talk.client.toolCall`: the agent is asked. What it says comes as a run of the conversation.
  func consult(_ call: MethodCall) throws(GatewayError) -> JSON {
    let (callID, name) = (call.params["callId"]?.string ?? "", call.params["name"]?.string ?? "")
    guard name == Self.tool else { throw .invalidRequest("unsupported realtime Talk tool: \(name)") }
    let id = call.params["relaySessionId"]?.string ?? ""
    guard let relay = relays[id], relay.owner === call.session, let question = relay.question(of: callID) else {
      throw unavailable("Unknown realtime relay session")
    }
    guard call.params["args"]?["question"]?.string == question else {
      throw .invalidRequest("args are not those of the call")
    }
    let run = "talk-\(callID)-\(UUID().uuidString.lowercased())"
    call.core.conversations.begin(run, call.params["sessionKey"]?.string ?? Conversations.mainKey, question)
    return ["runId": .string(run), "idempotencyKey": .string(run)]
  }

  func submit(_ call: MethodCall) throws(GatewayError) -> JSON {
    guard try relay(of: call).take(call.params["result"] ?? .null, of: call.params["callId"]?.string ?? "") else {
      throw unavailable("Unknown Talk tool call")
    }
    return ["ok": true]
  }

  func close(_ call: MethodCall) throws(GatewayError) -> JSON {
    try relay(of: call).close()
    return ["ok": true]
  }

  /// The session that the call names, if it is one of its connection and still open.
  private func relay(of call: MethodCall) throws(GatewayError) -> TalkRelay {
    let relay = relays[call.params["sessionId"]?.string ?? ""]
    guard let relay, relay.owner === call.session, relay.state == .open else {
      throw unavailable("Unknown Talk session")
    }
    guard relay.expiresAtMs >= wallMilliseconds() else {
      relay.end(.closed)
      throw unavailable("Unknown Talk session")
    }
    return relay
  }

  private func unavailable(_ message: String) -> GatewayError {
    guard era >= .july else { return .unavailable(message) }
    return .unavailable(
      message,
      details: [
        "talkIssue": ["code": "realtime_unavailable", "message": .string(message), "phase": "request"]
      ])
  }

  /// Its sessions go with a connection.
  func connectionClosed(_ owner: Session) {
    for relay in relays.values where relay.owner === owner { relay.end(.abandoned) }
  }

  func remove(_ relay: TalkRelay) {
    relays[relay.id] = nil
    note(relay)
  }

  // MARK: Configuration

  /// `talk.config`. This gateway has no secrets, but refuses the request for secrets without the scope for it.
  func config(_ call: MethodCall) throws(GatewayError) -> JSON {
    if call.params["includeSecrets"]?.bool == true, !call.session.mayUse(OperatorScope.talkSecrets) {
      throw OperatorScope.missing(OperatorScope.talkSecrets, in: call.core.generation)
    }
    let talk = JSON.compact([
      "provider": given(silence == nil, .string(Self.provider)), "interruptOnSpeech": true,
      "silenceTimeoutMs": 700,
    ])
    return ["config": ["talk": talk, "session": ["mainKey": "main"]]]
  }

  // MARK: Push to talk

  /// Tells readers of a node's answer to push to talk (node command reference, section 7.4).
  func announceCapture(_ command: String, _ result: JSON, of nodeID: String, _ core: GatewayCore) {
    guard era >= .june, let type = Self.captureEvents[command] else { return }
    let captureID =
      result["captureId"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString.lowercased()
    let sessionID = "node:\(nodeID):talk:\(captureID)"
    var envelope = TalkEnvelope(
      sessionID: sessionID, mode: "stt-tts", transport: "managed-room", brain: "agent-consult",
      after: lastSequence(of: sessionID))
    let event = envelope.next(
      type, captureID: captureID, isFinal: command != "talk.ptt.start",
      payload: .compact([
        "nodeId": .string(nodeID), "command": .string(command),
        "status": result["status"]?.string.map(JSON.string),
        "transcript": result["transcript"]?.string.map(JSON.string),
      ]))
    captures.append((sessionID, envelope.sequence))
    if captures.count > Self.capturesMax { captures.removeFirst() }
    let relayed: JSON = ["nodeId": .string(nodeID), "command": .string(command), "talkEvent": event]
    core.broadcast(
      "talk.event", core.options.talk.form == .relay ? relayed : event, to: .readers(orEveryone: false))
  }

  private static let captureEvents = [
    "talk.ptt.start": "capture.started", "talk.ptt.stop": "capture.stopped",
    "talk.ptt.cancel": "capture.cancelled", "talk.ptt.once": "capture.once",
  ]

  private func lastSequence(of sessionID: String) -> Int64 {
    guard let index = captures.firstIndex(where: { $0.sessionID == sessionID }) else { return 0 }
    return captures.remove(at: index).sequence
  }

  // MARK: Memory

  func note(_ relay: TalkRelay) {
    if let index = heard.firstIndex(where: { $0.id == relay.id }) {
      heard[index].row = relay.row
      return
    }
    heard.append((relay.id, relay.row))
    if heard.count > Self.rowsMax { heard.removeFirst() }
  }

  func noteSpoken(_ row: JSON) { spoken = spoken.suffix(Self.rowsMax - 1) + [row] }

  /// What was said to this gateway, and what it spoke.
  var report: JSON { ["sessions": .array(heard.map(\.row)), "spoken": .array(spoken)] }
}
