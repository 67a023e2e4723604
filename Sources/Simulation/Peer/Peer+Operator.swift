import Codec
import Runtime

/// Requests of an operator connection (gateway reference 9.9 to 9.12).
extension Peer {
  /// Answers one; `id` is repeated.
  func operatorRequest(_ method: borrowing JSONView, _ params: borrowing JSONView, _ id: borrowing JSONView) {
    if method.equals("chat.send") { return chatSend(params, id) }
    if method.equals("chat.abort") {
      guard let run = params.member("runId")?.string else { return life.invariants.violated("an abort of no run") }
      let isAborted = gateway.chats.abort(run)
      return answer(id, "{\"ok\":true,\"aborted\":\(isAborted),\"runIds\":[]}")
    }
    if method.equals("chat.history") { return history(id) }
    if method.equals("sessions.list") { return answer(id, "{\"sessions\":[{\"key\":\"agent:main:main\"}]}") }
    // Nothing can be set here: it says what there is.
    if method.equals("voicewake.get") || method.equals("voicewake.set") {
      return answer(id, life.phrases.json, .phrases(life.phrases.current, isAnswer: true))
    }
    if method.equals("talk.speak") { return speak(id) }
    if method.equals("talk.session.create") { return talkCreate(params, id) }
    for name in ["talk.session.appendAudio", "talk.session.cancelOutput", "talk.session.close"] as [StaticString]
    where method.equals(name) {
      return talk(method, params, id)
    }
    if method.equals("gateway.identity.get") { return answer(id, "{\"deviceId\":\"gateway\",\"publicKey\":\"k\"}") }
    if method.equals("node.describe") { return describe(id) }
    if method.equals("node.invoke") { return invokeForOperator(id) }
    life.invariants.violated("the operator connection asked for \(method.string), which no gateway knows")
  }

  private func chatSend(_ params: borrowing JSONView, _ id: borrowing JSONView) {
    guard let key = params.member("idempotencyKey")?.string, let message = params.member("message")?.string else {
      return life.invariants.violated("the board said something without a key or a message")
    }
    if life.chance(1, in: 30) {
      life.ledger.refused()
      return refuseRequest(id, "UNAVAILABLE", "the agent is busy", isRetryable: true)
    }
    gateway.chats.begin(key, message)
    answer(id, "{\"runId\":\"\(key)\",\"status\":\"started\"}")
  }

  private func history(_ id: borrowing JSONView) {
    id.rawText.withUnsafeBufferPointer { beginAnswer($0) }
    builder.text(",\"ok\":true,\"payload\":{\"sessionKey\":\"main\",\"messages\":")
    gateway.chats.writeHistory(into: builder)
    builder.text("}}")
    send(after: life.random(below: 20))
  }

  /// The board asks whether the gateway's configuration has a command (gateway reference 9.12), and would not if its
  /// approval were there.
  private func invokeForOperator(_ id: borrowing JSONView) {
    if gateway.mayInvoke { return answer(id, "{\"ok\":true}") }
    refuseRequest(id, "INVALID_REQUEST", "node command not allowed", reason: "node did not declare commands")
  }

  private func describe(_ id: borrowing JSONView) {
    let commands = gateway.mayInvoke ? gateway.device.commands : "[]"
    var state = ""
    if generation >= .june {
      state = ",\"approvalState\":\"\(gateway.device.isSurfaceApproved ? "approved" : "pending-approval")\""
    }
    answer(
      id,
      "{\"nodeId\":\"\(life.board.nodeID)\",\"connected\":\(gateway.node != nil),\"commands\":\(commands)\(state)}")
  }
}
