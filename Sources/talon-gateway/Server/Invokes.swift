import Foundation
import NIOCore

/// What a caller asks of a node.
struct InvokeRequest {
  let command: String
  let params: JSON?
  /// Nil: the generation's default. Zero: no deadline.
  let timeoutMilliseconds: Int64?
  let idempotencyKey: String
}

/// Invokes on their way: each ends exactly once, by a result, its deadline, or the node's departure.
final class InvokeTable {
  typealias Outcome = Result<JSON, GatewayError>

  private struct Pending {
    let session: Session
    let command: String
    let deadline: Scheduled<Void>?
    let finish: (Outcome) -> Void
  }

  private let loop: any EventLoop
  private let timeoutMillisecondsDefault: Int64
  private var pending: [String: Pending] = [:]

  init(loop: any EventLoop, timeoutMillisecondsDefault: Int64) {
    self.loop = loop
    self.timeoutMillisecondsDefault = timeoutMillisecondsDefault
  }

  /// Sends `node.invoke.request` and returns the invoke's id. `finish` is called once, on the event loop.
  @discardableResult
  func start(_ request: InvokeRequest, on session: Session, finish: @escaping (Outcome) -> Void) -> String {
    let id = UUID().uuidString.lowercased()
    let timeout = request.timeoutMilliseconds ?? timeoutMillisecondsDefault
    let deadline =
      timeout == 0
      ? nil
      : loop.assumeIsolated().scheduleTask(in: .milliseconds(timeout)) { [self] in
        cancel(id, .invoke("TIMEOUT", "node invoke timed out"))
      }
    pending[id] = Pending(session: session, command: request.command, deadline: deadline, finish: finish)
    session.send(
      Frames.event(
        "node.invoke.request",
        [
          "id": .string(id),
          "nodeId": .string(session.nodeID),
          "command": .string(request.command),
          "paramsJSON": request.params.map { .string($0.text) } ?? .null,
          "timeoutMs": .integer(timeout),
          "idempotencyKey": .string(request.idempotencyKey),
        ]))
    return id
  }

  /// Hands over a node's result. False when nobody waits for it on this connection.
  func finish(_ id: String, from session: Session, _ outcome: Outcome) -> Bool {
    guard pending[id]?.session === session else { return false }
    take(id)?.finish(outcome)
    return true
  }

  /// Ends an invoke from this side and tells the node to stop its work.
  func cancel(_ id: String, _ error: GatewayError) {
    guard let invoke = take(id) else { return }
    invoke.session.send(
      Frames.event(
        "node.invoke.cancel", ["invokeId": .string(id), "nodeId": .string(invoke.session.nodeID)]))
    invoke.finish(.failure(error))
  }

  /// Fails everything that a departed node still owed.
  func abandon(_ session: Session) {
    for (id, invoke) in pending where invoke.session === session {
      take(id)?.finish(.failure(.invoke("DISCONNECTED", "node disconnected (\(invoke.command))")))
    }
  }

  private func take(_ id: String) -> Pending? {
    let invoke = pending.removeValue(forKey: id)
    invoke?.deadline?.cancel()
    return invoke
  }
}

/// `node.invoke.result` (protocol reference, section 9.3).
enum InvokeResults {
  static func receive(_ call: MethodCall) throws(GatewayError) -> JSON {
    try call.validate(call.core.generation.schemas.invokeResult, "node.invoke.result")
    guard call.params["nodeId"]?.string == call.deviceID else { throw .invalidRequest("nodeId mismatch") }
    let id = call.params["id"]?.string ?? ""
    let known = call.core.invokes.finish(id, from: call.session, outcome(of: call.params))
    return known ? ["ok": true] : ["ok": true, "ignored": true]
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
}
