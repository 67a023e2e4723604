import Foundation
import NIOCore

/// One Talk session of a client: sound comes in, and what was "understood" goes out on `talk.event`, in the order in
/// which released gateways of that age send it.
final class TalkRelay {
  enum Mode: String {
    case transcription, realtime

    var brain: String { self == .transcription ? "none" : "agent-consult" }
    /// As error messages call it.
    var title: String { self == .transcription ? "Transcription Talk" : "Realtime relay" }
    /// The member of its events that names the session.
    var idKey: String { self == .transcription ? "transcriptionSessionId" : "relaySessionId" }
  }

  enum State: String {
    case open
    /// Closed by its client; the provider may still say what it understood (N).
    case draining
    case closed, failed
    /// Its connection went away first.
    case abandoned
  }

  static let lifetimeMilliseconds: Int64 = 1_800_000
  /// Characters of base64 in one `appendAudio`.
  static let audioCharactersMax = 524_288
  private static let pieceMilliseconds = 100

  let id = UUID().uuidString.lowercased()
  let mode: Mode
  let input: TalkFormat
  let owner: Session
  let expiresAtMs = wallMilliseconds() + lifetimeMilliseconds
  private(set) var state = State.open
  private let core: GatewayCore
  private var ear: TalkEar
  private var envelope: TalkEnvelope
  private var turns = 0
  private var turnID: String?
  /// Whole seconds of the utterance that a guess was made for.
  private var guessedSeconds = 0
  private var appends: Int64 = 0
  private var byteCount: Int64 = 0
  private var transcripts: [String] = []
  /// Pieces of the reply's sound that were not sent yet.
  private var output: [[UInt8]] = []
  private var nextPiece: Scheduled<Void>?
  /// Pieces of the reply that were sent, and replies that their client cancelled.
  private var piecesSaid = 0
  private var cancels: Int64 = 0
  /// The call of the agent's tool that waits for its end, and its question; and what earlier ones brought.
  private var consultation: (callID: String, question: String)?
  private var answers: [String] = []

  init(_ mode: Mode, input: TalkFormat, for call: MethodCall) {
    self.mode = mode
    self.input = input
    owner = call.session
    core = call.core
    ear = TalkEar(rate: input.rate)
    envelope = TalkEnvelope(
      sessionID: id, mode: mode.rawValue, transport: "gateway-relay", brain: mode.brain,
      provider: TalkDesk.provider)
    after(core.options.replyDelayMilliseconds) { relay in
      if relay.state == .open { relay.sendEvent("ready", as: "session.ready", payload: .null, isOfTurn: false) }
    }
  }

  /// What `talk.session.create` is answered with.
  var answer: JSON {
    let isRealtime = mode == .realtime
    let isNewest = core.generation.era >= .july
    let audio = JSON.compact([
      "inputEncoding": .string(input.encoding.rawValue), "inputSampleRateHz": .integer(Int64(input.rate)),
      "outputEncoding": given(isRealtime, .string(TalkFormat.studio.encoding.rawValue)),
      "outputSampleRateHz": given(isRealtime, .integer(Int64(TalkFormat.studio.rate))),
    ])
    return .compact([
      "sessionId": .string(id), "provider": .string(TalkDesk.provider), "mode": .string(mode.rawValue),
      "transport": "gateway-relay", "brain": .string(mode.brain), mode.idKey: .string(id),
      "ready": given(isNewest && !isRealtime, false),
      "voiceSessionId": given(isNewest && isRealtime, .string(id)),
      "audio": audio, "expiresAt": .integer(expiresAtMs / 1000),
    ])
  }

  /// A row of `talk heard`.
  var row: JSON {
    let heard = ear.total
    return [
      "sessionId": .string(id), "deviceId": .string(owner.nodeID), "mode": .string(mode.rawValue),
      "format": .string(input.name), "state": .string(state.rawValue), "appends": .integer(appends),
      "bytes": .integer(byteCount), "milliseconds": .integer(Int64(heard.milliseconds)),
      "speechMilliseconds": .integer(Int64(heard.speechMilliseconds)), "rms": .integer(Int64(heard.rms)),
      "peak": .integer(Int64(heard.peak)), "transcripts": JSON(transcripts), "cancels": .integer(cancels),
      "answers": JSON(answers),
    ]
  }

  // MARK: Sound

  /// Takes a piece of sound. Throws why it is none, in the words of released gateways.
  func hear(_ base64: String) throws(TalkRefusal) {
    guard base64.utf8.count <= Self.audioCharactersMax else {
      throw TalkRefusal("\(mode.title) audio frame is too large")
    }
    guard Schema.Form.base64.fits(base64), let data = Data(base64Encoded: base64) else {
      throw TalkRefusal("\(mode.title) audio frame is invalid base64")
    }
    guard let samples = input.samples(in: Array(data)) else {
      throw TalkRefusal(
        "\(mode.title) audio frame is not a whole number of \(input.encoding.rawValue) samples")
    }
    ensureTurn()
    appends += 1
    byteCount += Int64(data.count)
    let size: JSON = ["byteLength": .integer(Int64(data.count))]
    sendEvent("inputAudio", size, as: "input.audio.delta", payload: size)
    for utterance in ear.hear(samples) { understand(utterance) }
    guess()
    core.talk.note(self)
  }

  private func ensureTurn() {
    guard turnID == nil else { return }
    turns += 1
    turnID = "turn-\(turns)"
    let isRealtime = mode == .realtime
    sendEvent(
      isRealtime ? "inputAudio" : "speechStart", isRealtime ? ["byteLength": 0] : [:], as: "turn.started",
      payload: [:])
  }

  /// With every second of an utterance one word more.
  private func guess() {
    let seconds = ear.utterance.milliseconds / 1000
    guard ear.utterance.isSpeech, seconds > guessedSeconds else { return }
    guessedSeconds = seconds
    let text = core.talk.script.words.prefix(seconds).joined(separator: " ")
    if mode == .transcription {
      sendEvent("partial", ["text": .string(text)], as: "transcript.delta", payload: ["text": .string(text)])
    } else {
      sendEvent(
        "transcript", ["role": "user", "text": .string(text), "final": false], as: "transcript.delta",
        payload: ["role": "user", "text": .string(text)], isFinal: false)
    }
  }

  // MARK: Understanding

  private func understand(_ utterance: TalkEar.Measure) {
    guessedSeconds = 0
    after(core.options.replyDelayMilliseconds) { relay in
      if relay.state != .abandoned, relay.state != .failed { relay.say(utterance) }
    }
  }

  private func say(_ utterance: TalkEar.Measure) {
    if let failure = core.talk.script.failure { return fail(failure) }
    let text = core.talk.script.transcript(of: utterance)
    transcripts.append(text)
    ensureTurn()
    if mode == .transcription {
      sendEvent(
        "transcript", ["text": .string(text), "final": true], as: "transcript.done",
        payload: ["text": .string(text)], isFinal: true)
      endTurn()
    } else {
      sendEvent(
        "transcript", ["role": "user", "text": .string(text), "final": true], as: "transcript.done",
        payload: ["role": "user", "text": .string(text)], isFinal: true)
      if text.hasPrefix(Self.asking) {
        consult(String(text.dropFirst(Self.asking.count)))
      } else {
        reply("You said: \(text)")
      }
    }
    core.talk.note(self)
  }

  /// Released gateways tell the end of a turn as one more transcript, which is empty.
  private func endTurn() {
    sendEvent("transcript", ["text": "", "final": true], as: "turn.ended", payload: [:], isFinal: true)
    turnID = nil
  }

  private func fail(_ message: String) {
    let text: JSON = ["message": .string(message)]
    sendEvent("error", text, as: "session.error", payload: text, isFinal: true, isOfTurn: false)
    end(.failed)
  }

  // MARK: Asking the agent

  /// What begins so is a question for the agent, whom the voice of a conversation asks through its client.
  private static let asking = "ask "

  private func consult(_ question: String) {
    let callID = "call-\(turns)"
    consultation = (callID, question)
    let wish: JSON = ["name": .string(TalkDesk.tool), "args": ["question": .string(question)]]
    var members = JSONObject()
    members.append("itemId", .string("item-\(turns)"))
    members.append("callId", .string(callID))
    for member in wish.object?.members ?? [] { members.append(member.key, member.value) }
    sendEvent("toolCall", .object(members), as: "tool.call", payload: wish, callID: callID)
  }

  /// The question of a call that waits for its end.
  func question(of callID: String) -> String? { consultation?.callID == callID ? consultation?.question : nil }

  /// `talk.session.submitToolResult`: the voice reads it out. False: nothing waits for it.
  func take(_ result: JSON, of callID: String) -> Bool {
    guard question(of: callID) != nil else { return false }
    consultation = nil
    let answer = result["result"]?.string ?? "failed: \(result["error"]?.string ?? "")"
    answers.append(answer)
    sendEvent("toolResult", ["callId": .string(callID)], as: "tool.result", payload: [:], isFinal: true, callID: callID)
    reply(answer)
    core.talk.note(self)
    return true
  }

  // MARK: Speaking

  private func reply(_ text: String) {
    sendEvent(
      "transcript", ["role": "assistant", "text": .string(text), "final": true], as: "output.text.done",
      payload: ["text": .string(text)], isFinal: true)
    let length = TalkVoice.milliseconds(of: text, speed: 1)
    let bytes = TalkFormat.studio.bytes(of: Tone.samples(milliseconds: length, rate: TalkFormat.studio.rate))
    let piece = 2 * TalkFormat.studio.rate * Self.pieceMilliseconds / 1000
    output += stride(from: 0, to: bytes.count, by: piece).map {
      Array(bytes[$0..<min($0 + piece, bytes.count)])
    }
    piecesSaid = 0
    if nextPiece == nil { speak() }
  }

  private func speak() {
    nextPiece = core.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(core.options.replyDelayMilliseconds)
    ) { [self] in
      nextPiece = nil
      guard state == .open else { return }
      if let most = core.talk.script.stallsAfter, piecesSaid >= most { return output = [] }
      guard !output.isEmpty else { return spoken() }
      piecesSaid += 1
      let piece = output.removeFirst()
      let audio = JSON.string(Data(piece).base64EncodedString())
      let size = JSON.integer(Int64(piece.count))
      let isCommon = core.options.talk.form == .common
      sendEvent(
        "audio", ["audioBase64": audio], as: "output.audio.delta",
        payload: .compact(["byteLength": size, "audioBase64": given(isCommon, audio)]))
      speak()
    }
  }

  private func spoken() {
    let mark: JSON = ["markName": .string("reply-\(turns)")]
    sendEvent("mark", mark, as: "output.audio.done", payload: mark, isFinal: true)
    sendEvent("audioDone", as: "turn.ended", payload: [:], isFinal: true)
    turnID = nil
  }

  /// `talk.session.cancelOutput`; one that names a turn of before has no effect.
  func cancelOutput(turnID wanted: String?, reason: String) {
    if let wanted, wanted != turnID { return }
    cancels += 1
    core.talk.note(self)
    nextPiece?.cancel()
    (nextPiece, output) = (nil, [])
    ensureTurn()
    sendEvent("clear", as: "turn.cancelled", payload: ["reason": .string(reason)], isFinal: true)
    turnID = nil
  }

  // MARK: Its end

  /// `talk.session.close`. From N on the provider has some seconds to say what it understood, and the end of the
  /// session is told after that time; before, the end is told at once, and what the provider says comes after it.
  func close() {
    let utterance = ear.finish()
    guard mode == .transcription, appends > 0 else { return end(.closed) }
    if turnID != nil {
      sendEvent(
        "transcript", ["text": "", "final": true], as: "input.audio.committed", payload: [:], isFinal: true)
    }
    let drains = core.generation.drainsTranscriptions
    if drains { state = .draining } else { end(.closed) }
    if let utterance { understand(utterance) }
    if drains {
      // Never before what is still to be said.
      let time = max(core.options.talk.drainMilliseconds, core.options.replyDelayMilliseconds)
      after(time) { relay in relay.end(.closed) }
    }
    core.talk.note(self)
  }

  /// The last word of a session, once.
  func end(_ last: State) {
    guard state == .open || state == .draining else { return }
    state = last
    nextPiece?.cancel()
    output = []
    core.talk.remove(self)
    guard last != .abandoned else { return }
    let reason: JSON = ["reason": last == .failed ? "error" : "completed"]
    sendEvent("close", reason, as: "session.closed", payload: reason, isFinal: true, isOfTurn: false)
  }

  // MARK: Sending

  /// Sends one event to the session's owner only.
  private func sendEvent(
    _ kind: String, _ members: JSON = [:], as type: String, payload: JSON, isFinal: Bool? = nil,
    isOfTurn: Bool = true, callID: String? = nil
  ) {
    let common = envelope.next(
      type, turnID: isOfTurn ? turnID : nil, callID: callID, isFinal: isFinal, payload: payload)
    guard core.options.talk.form == .relay else { return owner.send(Frames.event("talk.event", common)) }
    var event = JSONObject()
    event.append(mode.idKey, .string(id))
    event.append("type", .string(kind))
    for member in members.object?.members ?? [] { event.append(member.key, member.value) }
    event.append("talkEvent", common)
    owner.send(Frames.event("talk.event", .object(event)))
  }

  private func after(_ milliseconds: Int64, _ body: @escaping (TalkRelay) -> Void) {
    core.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) { [self] in body(self) }
  }
}

/// Why a Talk session does not take something.
struct TalkRefusal: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
