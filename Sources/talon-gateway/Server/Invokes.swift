import Foundation
import NIOCore

/// What a caller asks of a node.
struct InvokeRequest {
  let command: String
  let params: JSON?
  /// Nil: the generation's default. Zero: no deadline.
  let timeoutMilliseconds: Int64?
  /// How much longer than that the gateway waits.
  var graceMilliseconds: Int64 = 0
  let idempotencyKey: String
  /// The agent session that calls, where there is one.
  var sessionKey: String?
}

/// Invokes on their way: each ends exactly once, by a result, its deadline, or the node's departure.
final class InvokeTable {
  typealias Outcome = Result<JSON, GatewayError>

  private struct Pending {
    let session: Session
    let request: InvokeRequest
    let deadline: Scheduled<Void>?
    let finish: (Outcome) -> Void
    var progress: [Int64: String] = [:]
    /// The id by which the caller knows it.
    let firstID: String
    /// How often it was sent again.
    var repeats = 0

    var command: String { request.command }
  }

  /// Pieces of progress beyond this are not kept.
  private static let chunksMax = 4096

  /// How often an invoke is sent again to a node that is not ready, and after which time.
  private static let repeatsMax = 4
  private static let repeatDelay = TimeAmount.milliseconds(100)

  private let loop: any EventLoop
  private let generation: Generation
  /// By the ids under which they were sent last.
  private var pending: [String: Pending] = [:]
  /// That id, of those that were sent again.
  private var lastID: [String: String] = [:]

  init(loop: any EventLoop, generation: Generation) {
    self.loop = loop
    self.generation = generation
  }

  /// Sends `node.invoke.request` and returns the invoke's id. `finish` is called once, on the event loop.
  @discardableResult
  func start(_ request: InvokeRequest, on session: Session, finish: @escaping (Outcome) -> Void) -> String {
    let id = UUID().uuidString.lowercased()
    let timeout = request.timeoutMilliseconds ?? generation.invokeTimeoutMillisecondsDefault
    let deadline =
      timeout == 0
      ? nil
      : loop.assumeIsolated().scheduleTask(in: .milliseconds(timeout + request.graceMilliseconds)) { [self] in
        _ = cancel(id, .invoke("TIMEOUT", "node invoke timed out"))
      }
    pending[id] = Pending(session: session, request: request, deadline: deadline, finish: finish, firstID: id)
    send(request, id, on: session)
    return id
  }

  private func send(_ request: InvokeRequest, _ id: String, on session: Session) {
    let timeout = request.timeoutMilliseconds ?? generation.invokeTimeoutMillisecondsDefault
    let toldTimeout = generation.alwaysSendsInvokeTimeout ? timeout : request.timeoutMilliseconds
    session.send(
      Frames.event(
        "node.invoke.request",
        .compact([
          "id": .string(id),
          "nodeId": .string(session.nodeID),
          "command": .string(request.command),
          "paramsJSON": request.params.map { .string($0.text) } ?? .null,
          "timeoutMs": toldTimeout.map(JSON.integer),
          "idempotencyKey": .string(request.idempotencyKey),
          "sessionKey": request.sessionKey.map(JSON.string),
        ])))
  }

  /// Sends an invoke again, under another id and within the same deadline, because the node has not begun it
  /// (newer-gateways 12). False when it was sent often enough, or the generation does not do so.
  func sendAgain(_ id: String, on session: Session) -> Bool {
    guard generation.callsUnreadyNodesAgain, var invoke = pending[id], invoke.session === session,
      invoke.repeats < Self.repeatsMax
    else { return false }
    let next = UUID().uuidString.lowercased()
    invoke.repeats += 1
    pending[id] = nil
    pending[next] = invoke
    lastID[invoke.firstID] = next
    loop.assumeIsolated().scheduleTask(in: Self.repeatDelay) { [self] in
      if let invoke = pending[next] { send(invoke.request, next, on: invoke.session) }
    }
    return true
  }

  /// The command that this connection is working on under that id.
  func command(of id: String, on session: Session) -> String? {
    pending[id]?.session === session ? pending[id]?.command : nil
  }

  /// Delivers a node's result. False when no invoke waits for it on this connection.
  func finish(_ id: String, from session: Session, _ outcome: Outcome) -> Bool {
    guard pending[id]?.session === session, let invoke = take(id) else { return false }
    invoke.finish(outcome)
    return true
  }

  /// Stores a piece of progress. Nil when no invoke waits for it; false when the piece is out of order.
  func noteProgress(_ id: String, from session: Session, sequence: Int64, _ chunk: String) -> Bool? {
    guard let invoke = pending[id], invoke.session === session else { return nil }
    guard sequence == invoke.progress.count else { return false }
    if invoke.progress.count < Self.chunksMax { pending[id]?.progress[sequence] = chunk }
    return true
  }

  /// What the node has said so far about an invoke.
  func progress(of id: String) -> [String] {
    (pending[lastID[id] ?? id]?.progress ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Ends an invoke from this side and, where the generation does so, tells the node to stop its work. False when
  /// it is not running. Only node hosts are told of invokes that stream nothing (newer-gateways 2).
  func cancel(_ id: String, _ error: GatewayError) -> Bool {
    let id = lastID[id] ?? id
    guard let invoke = take(id) else { return false }
    let client = invoke.session.admission?.client
    if generation.cancelsInvokes, client?["id"] == "node-host", client?["mode"] == "node" {
      invoke.session.send(
        Frames.event(
          "node.invoke.cancel", ["invokeId": .string(id), "nodeId": .string(invoke.session.nodeID)]))
    }
    invoke.finish(.failure(error))
    return true
  }

  /// Ends the invokes that `isOver` says, of a connection and a command.
  func cancel(_ error: GatewayError, where isOver: (Session, String) -> Bool) {
    for (id, invoke) in pending where isOver(invoke.session, invoke.command) { _ = cancel(id, error) }
  }

  /// Fails everything that a departed node still owed.
  func abandon(_ session: Session) {
    for (id, invoke) in pending where invoke.session === session {
      let isCall = generation.cancelsInvokes && invoke.command == NodeTools.command
      let code = isCall ? "MCP_SERVER_UNAVAILABLE" : "DISCONNECTED"
      take(id)?.finish(.failure(.invoke(code, "node disconnected (\(invoke.command))")))
    }
  }

  private func take(_ id: String) -> Pending? {
    let invoke = pending.removeValue(forKey: id)
    if let invoke { lastID[invoke.firstID] = nil }
    invoke?.deadline?.cancel()
    return invoke
  }
}

/// `node.invoke.result` and `node.invoke.progress` (protocol reference, sections 9.3 and 9.4).
enum InvokeResults {
  static func receive(_ call: MethodCall) throws(GatewayError) -> JSON {
    guard call.params["nodeId"]?.string == call.deviceID else { throw .invalidRequest("nodeId mismatch") }
    let id = call.params["id"]?.string ?? ""
    guard let command = call.core.invokes.command(of: id, on: call.session) else {
      call.session.ignoredResults += 1
      return ["ok": true, "ignored": true]
    }
    let outcome = checked(outcome(of: call.params), command, call)
    if case .failure(let error) = outcome, error.message.hasPrefix("NODE_NOT_READY: "),
      call.core.invokes.sendAgain(id, on: call.session)
    {
      return ["ok": true]
    }
    _ = call.core.invokes.finish(id, from: call.session, outcome)
    return ["ok": true]
  }

  static func receiveProgress(_ call: MethodCall) throws(GatewayError) -> JSON {
    guard call.params["nodeId"]?.string == call.deviceID else { throw .invalidRequest("nodeId mismatch") }
    let id = call.params["invokeId"]?.string ?? ""
    let sequence = call.params["seq"]?.integer ?? 0
    let chunk = call.params["chunk"]?.string ?? ""
    guard let isNext = call.core.invokes.noteProgress(id, from: call.session, sequence: sequence, chunk)
    else {
      return ["ok": true, "ignored": true]
    }
    guard isNext else {
      call.core.noteViolation("node.invoke.progress seq \(sequence) is not the next", from: call.deviceID)
      throw .invalidRequest("invoke progress out of order")
    }
    return ["ok": true]
  }

  private static func outcome(of params: JSON) -> InvokeTable.Outcome {
    guard params["ok"]?.bool == true else {
      let code = params["error"]?["code"]?.string ?? "UNAVAILABLE"
      return .failure(.invoke(code, params["error"]?["message"]?.string ?? "node invoke failed"))
    }
    guard let text = params["payloadJSON"]?.string else { return .success(params["payload"] ?? .null) }
    // Callers of real gateways get null for a payload text that does not parse.
    return .success((try? JSON(parsing: text)) ?? .null)
  }

  /// A result that does not match its command's schema fails the invoke, so that it is noticed.
  private static func checked(
    _ outcome: InvokeTable.Outcome, _ command: String, _ call: MethodCall
  ) -> InvokeTable.Outcome {
    guard case .success(let payload) = outcome, let schema = CommandResults.schema(of: command) else {
      return outcome
    }
    do {
      try schema.validate(payload)
      return outcome
    } catch {
      call.core.noteViolation("\(command) result \(error)", from: call.deviceID)
      return .failure(.invoke("SCHEMA_VIOLATION", "schema violation: \(command) result \(error)"))
    }
  }
}
