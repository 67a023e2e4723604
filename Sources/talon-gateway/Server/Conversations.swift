import Foundation
import NIOCore

/// A simulated agent: it repeats what it was told, in pieces (protocol reference, section 9.9), or says what a program
/// answers (`run --agent`).
///
/// A message that begins with `/fail` ends in an error instead.
final class Conversations {
  static let mainKey = "agent:main:main"

  /// Bounds of what is remembered; the oldest goes first.
  private static let sessionsMax = 64
  private static let messagesMax = 256
  /// Real gateways remember idempotency keys this long, and this many.
  private static let runsMax = 1000
  private static let runLifetimeMilliseconds: Int64 = 300_000

  private final class Run {
    let id: String
    let sessionKey: String
    let startedAtMs = wallMilliseconds()
    var pieces: [String]
    var spoken = ""
    var sequence: Int64 = 0
    var workSequence: Int64 = 0
    /// What a repeated `chat.send` is told.
    var status = "in_flight"
    var next: Scheduled<Void>?
    var work: AgentWork

    init(id: String, sessionKey: String, pieces: [String], work: AgentWork = AgentWork("")) {
      self.work = work
      self.id = id
      self.sessionKey = sessionKey
      self.pieces = pieces
    }
  }

  private struct Conversation {
    let sessionID = UUID().uuidString.lowercased()
    var messages: [JSON] = []
    var updatedAtMs = wallMilliseconds()
  }

  private unowned let core: GatewayCore
  private var conversations: [String: Conversation] = [:]
  private var runs: [String: Run] = [:]

  init(core: GatewayCore) { self.core = core }

  /// Silences every run that is still speaking.
  func stop() {
    for run in runs.values { run.next?.cancel() }
  }

  // MARK: Methods

  /// `chat.send`.
  func send(_ params: JSON) -> JSON {
    let id = params["idempotencyKey"]?.string ?? ""
    let pictures = (params["attachments"]?.array ?? []).compactMap { $0["content"]?.string }
    let status = begin(
      id, params["sessionKey"]?.string ?? Self.mainKey, params["message"]?.string ?? "", pictures: pictures)
    return ["runId": .string(id), "status": .string(status)]
  }

  /// Starts a run, unless this key has one. Returns its status.
  @discardableResult
  func begin(_ id: String, _ key: String, _ text: String, pictures: [String] = []) -> String {
    forgetOldRuns()
    if let run = runs[id] { return run.status }
    remember(key, role: "user", text, pictures: pictures)
    if let program = core.options.agentProgram {
      let run = Run(id: id, sessionKey: key, pieces: [])
      runs[id] = run
      ask(program, text, for: run)
      return "started"
    }
    let seen = pictures.reduce(0) { $0 + (Data(base64Encoded: $1)?.count ?? 0) }
    let words = pictures.isEmpty ? "You said: \(text)" : "You said: \(text) (with \(seen) bytes of pictures)"
    let run = Run(
      id: id, sessionKey: key, pieces: text.hasPrefix("/fail") ? [] : Self.pieces(words), work: AgentWork(text))
    runs[id] = run
    scheduleNext(run)
    return "started"
  }

  /// The program's answer is what the run says, unless it was stopped meanwhile.
  private func ask(_ program: String, _ text: String, for run: Run) {
    let reply = AgentProgram(path: program).reply(to: text, on: core.eventLoop)
    reply.assumeIsolated().whenComplete { [weak self] result in
      guard let self, run.status == "in_flight" else { return }
      switch result {
      case .success(let reply):
        run.pieces = Self.pieces(reply)
        speak(run)
      case .failure(let error):
        finish(run, "error", ["errorMessage": .string("\(error)"), "errorKind": "unknown"])
      }
    }
  }

  /// `chat.abort`.
  func abort(_ params: JSON) -> JSON {
    let key = params["sessionKey"]?.string
    let id = params["runId"]?.string
    let aborted = runs.values.filter { run in
      run.status == "in_flight" && run.sessionKey == key && (id == nil || run.id == id)
    }
    for run in aborted { finish(run, "aborted", ["message": Self.message("assistant", run.spoken)]) }
    return ["ok": true, "aborted": .bool(!aborted.isEmpty), "runIds": JSON(aborted.map(\.id).sorted())]
  }

  /// `chat.history`.
  func history(_ params: JSON) -> JSON {
    let key = params["sessionKey"]?.string ?? Self.mainKey
    let limit = Int(params["limit"]?.integer ?? 200)
    let conversation = conversations[key]
    return .compact([
      "sessionKey": .string(key),
      "sessionId": conversation.map { .string($0.sessionID) },
      "messages": .array((conversation?.messages ?? []).suffix(limit)),
      "thinkingLevel": "off",
      "inFlightRun": core.generation.era < .july ? nil : inFlightRun(key),
    ])
  }

  /// The run of a session that goes on, for those who come in the middle of it.
  private func inFlightRun(_ key: String) -> JSON? {
    guard let run = runs.values.first(where: { $0.sessionKey == key && $0.status == "in_flight" }) else { return nil }
    return ["runId": .string(run.id), "text": .string(run.spoken)]
  }

  /// `sessions.list`, newest first. The main session is always there.
  func list(_ params: JSON) -> JSON {
    var rows = conversations.map { (key: $0.key, updatedAtMs: $0.value.updatedAtMs, id: $0.value.sessionID) }
    if conversations[Self.mainKey] == nil { rows.append((Self.mainKey, 0, "main")) }
    rows.sort { ($0.updatedAtMs, $0.key) > ($1.updatedAtMs, $1.key) }
    let shown = rows.prefix(Int(params["limit"]?.integer ?? Int64(rows.count)))
    return [
      "ts": .integer(wallMilliseconds()), "count": .integer(Int64(shown.count)),
      "sessions": .array(
        shown.map { row in
          [
            "key": .string(row.key), "kind": "direct", "sessionId": .string(row.id),
            "updatedAt": .integer(row.updatedAtMs),
          ]
        }),
    ]
  }

  // MARK: Speaking

  private func scheduleNext(_ run: Run) {
    let delay = TimeAmount.milliseconds(core.options.replyDelayMilliseconds)
    run.next = core.eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.speak(run) }
  }

  /// The number of conversations.
  var count: Int { conversations.count }

  /// The next thing that the agent does besides talking; false: it has done all.
  private func works(_ run: Run) -> Bool {
    guard let (stream, data) = run.work.next() else { return false }
    run.workSequence += 1
    core.broadcastWork([
      "runId": .string(run.id), "sessionKey": .string(run.sessionKey), "seq": .integer(run.workSequence),
      "stream": .string(stream), "ts": .integer(wallMilliseconds()), "data": data,
    ])
    if data["phase"]?.string == "result" {
      for message in run.work.messages(wallMilliseconds()) { add(message, to: run.sessionKey) }
    }
    scheduleNext(run)
    return true
  }

  private func speak(_ run: Run) {
    if works(run) { return }
    guard !run.pieces.isEmpty else {
      if !run.spoken.isEmpty {
        return finish(run, "final", ["message": Self.message("assistant", run.spoken)])
      }
      return finish(
        run, "error", ["errorMessage": "the agent failed, as it was told to", "errorKind": "unknown"])
    }
    let piece = run.pieces.removeFirst()
    run.spoken += piece
    if core.generation.wireProtocol >= 4 {
      // The last of several pieces comes as a replacement of all before it: clients have to know both forms.
      let replaces = run.pieces.isEmpty && run.sequence > 1
      emit(
        run, "delta",
        .compact(["deltaText": .string(replaces ? run.spoken : piece), "replace": given(replaces, true)]))
    } else {
      emit(run, "delta", ["message": Self.message("assistant", run.spoken)])
    }
    scheduleNext(run)
  }

  private func finish(_ run: Run, _ state: String, _ rest: JSON) {
    run.next?.cancel()
    run.status = state == "final" ? "ok" : state
    if !run.spoken.isEmpty { remember(run.sessionKey, role: "assistant", run.spoken) }
    emit(run, state, rest)
  }

  private func emit(_ run: Run, _ state: String, _ rest: JSON) {
    run.sequence += 1
    var payload = JSONObject()
    payload.append("runId", .string(run.id))
    payload.append("sessionKey", .string(run.sessionKey))
    payload.append("seq", .integer(run.sequence))
    payload.append("state", .string(state))
    for member in rest.object?.members ?? [] { payload.append(member.key, member.value) }
    core.broadcastChat(.object(payload))
  }

  // MARK: Memory

  private func remember(_ key: String, role: String, _ text: String, pictures: [String] = []) {
    add(Self.message(role, text, pictures), to: key)
  }

  private func add(_ message: JSON, to key: String) {
    if conversations[key] == nil, conversations.count >= Self.sessionsMax,
      let oldest = conversations.min(by: { $0.value.updatedAtMs < $1.value.updatedAtMs })
    {
      conversations[oldest.key] = nil
    }
    var conversation = conversations[key] ?? Conversation()
    conversation.messages = conversation.messages.suffix(Self.messagesMax - 1) + [message]
    core.broadcastMessage(key, message)
    conversation.updatedAtMs = wallMilliseconds()
    conversations[key] = conversation
  }

  private func forgetOldRuns() {
    let now = wallMilliseconds()
    runs = runs.filter {
      $0.value.status == "in_flight" || now - $0.value.startedAtMs < Self.runLifetimeMilliseconds
    }
    guard runs.count >= Self.runsMax else { return }
    let finished = runs.values.filter { $0.status != "in_flight" }
    if let oldest = finished.min(by: { $0.startedAtMs < $1.startedAtMs }) { runs[oldest.id] = nil }
  }

  private static func message(_ role: String, _ text: String, _ pictures: [String] = []) -> JSON {
    let images = pictures.map { picture -> JSON in
      ["type": "image", "data": .string(picture), "mimeType": "image/jpeg"]
    }
    return [
      "role": .string(role), "content": .array([["type": "text", "text": .string(text)]] + images),
      "timestamp": .integer(wallMilliseconds()),
    ]
  }

  /// Cuts after every second blank, so that even a short reply comes in several pieces.
  private static func pieces(_ text: String) -> [String] {
    var pieces = [""]
    var blanks = 0
    for character in text {
      pieces[pieces.count - 1].append(character)
      guard character == " " else { continue }
      blanks += 1
      if blanks % 2 == 0 { pieces.append("") }
    }
    return pieces.filter { !$0.isEmpty }
  }
}
