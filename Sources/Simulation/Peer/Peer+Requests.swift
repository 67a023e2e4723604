import Codec
import Runtime

/// Requests of a board that is online.
extension Peer {
  /// Answers a request (gateway reference 9).
  func request(_ text: UnsafeBufferPointer<UInt8>) {
    let frame = JSONView(Span(_unsafeElements: text))
    guard let method = frame.member("method"), let id = frame.member("id"), let params = frame.member("params") else {
      return life.invariants.violated("the board sent a frame without method, id or params")
    }
    if let key = Schema.unknown(frame, Schema.frame)
      ?? Schema.unknownKey(in: params, of: method, isStrange: life.options.plant == .sendsUnknownKey)
    {
      return life.invariants.violated("the board sent the key \(key), which no gateway knows")
    }
    let isDeaf = gateway.deafness > 0
    if role == .node, gateway.refusing > 0, !isDeaf {
      return refuseRequest(id, "UNAVAILABLE", "pairing changed", isRetryable: true, code: "PAIRING_CHANGED")
    }
    if role == .node, method.equals("node.event") { return event(text, params, id, isDeaf) }
    if isDeaf { return }
    if role == .operator { return operatorRequest(method, params, id) }
    if method.equals("node.invoke.result") { return answer(id, "{\"ok\":true}") }
    if method.equals("node.pending.pull"), generation.knowsPendingPull { return pull(id) }
    if method.equals("node.pending.ack"), generation.knowsPendingPull {
      return answer(id, "{\"nodeId\":\"n\",\"ackedIds\":[],\"remainingCount\":0}")
    }
    if method.equals("node.pluginTools.update"), generation == .newest, life.tools.isAnnounced {
      return life.tools.arrived(params, id, at: self)
    }
    if method.equals("node.invoke.progress") {
      if generation != .newest { life.invariants.violated("progress was sent to a gateway that knows none") }
      return answer(id, "{\"ok\":true}")
    }
    refuseRequest(id, "INVALID_REQUEST", "unauthorized role: node")
  }

  private func event(
    _ text: UnsafeBufferPointer<UInt8>, _ params: borrowing JSONView, _ id: borrowing JSONView, _ isDeaf: Bool
  ) {
    guard let name = params.member("event") else { return life.invariants.violated("an event without a name") }
    let number = Search.number(after: "\\\"event ", in: text)
    if let number { life.events.arrived(number) }
    let order = number == nil ? Search.number(after: "rder ", in: text) : nil
    if let order, let id = Self.eventID(text) { life.ledger.arrived(order, id) }
    if isDeaf { return }
    let cargo: Connection.Cargo = (number ?? order.map { _ in -1 }).map { .acknowledgement($0) } ?? .nothing
    if number != nil, life.options.plant == .repeatsEvents {
      // An acknowledgement that the board cannot read.
      return answer("lost", "{\"ok\":true}", cargo)
    }
    if number != nil, life.chance(1, in: 200) {
      return refuseRequest(id, "UNAVAILABLE", "the agent is busy", isRetryable: true)
    }
    guard generation.reportsEvents else { return answer(id, "{\"ok\":true}", cargo) }
    if name.equals("node.presence.alive") {
      return answer(id, "{\"ok\":true,\"event\":\"node.presence.alive\",\"handled\":true,\"reason\":\"persisted\"}")
    }
    if name.equals("node.host.stats"), generation == .newest {
      return answer(id, "{\"ok\":true,\"event\":\"node.host.stats\",\"handled\":true,\"reason\":\"updated\"}")
    }
    answer(id, "{\"ok\":true}", cargo)
  }

  /// By which an event and its repetitions are told to be one.
  private static func eventID(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let label: StaticString = "eventId\\\":\\\""
    guard let start = Search.find(label.bytes, in: text) else { return nil }
    return String(
      decoding: text[(start + label.utf8CodeUnitCount)...].prefix { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
  }

  private func pull(_ id: borrowing JSONView) {
    guard life.chance(1, in: 20) else { return answer(id, "{\"nodeId\":\"n\",\"actions\":[]}") }
    answer(
      id,
      "{\"nodeId\":\"n\",\"actions\":[{\"id\":\"action-\(connection.serial)\",\"command\":\"system.notify\","
        + "\"paramsJSON\":\"{\\\"title\\\":\\\"t\\\",\\\"body\\\":\\\"b\\\"}\",\"enqueuedAtMs\":\(life.wall)}]}")
  }

  /// Without `pause` in milliseconds, it takes a while.
  func answer(
    _ id: borrowing JSONView, _ payload: String, _ cargo: Connection.Cargo = .nothing, after pause: Int64? = nil
  ) {
    id.rawText.withUnsafeBufferPointer { beginAnswer($0) }
    endAnswer(payload, cargo, pause)
  }

  private func answer(_ id: StaticString, _ payload: String, _ cargo: Connection.Cargo) {
    builder.begin()
    builder.text("{\"type\":\"res\",\"id\":\"")
    builder.text(id)
    builder.text("\"")
    endAnswer(payload, cargo)
  }

  func beginAnswer(_ id: UnsafeBufferPointer<UInt8>) {
    builder.begin()
    builder.text("{\"type\":\"res\",\"id\":")
    builder.bytes(id)
  }

  private func endAnswer(_ payload: String, _ cargo: Connection.Cargo, _ pause: Int64? = nil) {
    builder.text(",\"ok\":true,\"payload\":")
    builder.text(payload)
    builder.text("}")
    send(0x81, cargo, after: pause ?? life.random(below: 20))
  }

  func refuseRequest(
    _ id: borrowing JSONView, _ code: StaticString, _ message: StaticString, isRetryable: Bool = false,
    reason: StaticString? = nil, code detail: StaticString? = nil, after pause: Int64? = nil,
    _ cargo: Connection.Cargo = .nothing
  ) {
    id.rawText.withUnsafeBufferPointer { beginAnswer($0) }
    builder.text(",\"ok\":false,\"error\":{\"code\":\"")
    builder.text(code)
    builder.text("\",\"message\":\"")
    builder.text(message)
    builder.text(isRetryable ? "\",\"retryable\":true" : "\"")
    if let reason {
      builder.text(",\"details\":{\"reason\":\"")
      builder.text(reason)
      builder.text("\"}")
    }
    if let detail {
      builder.text(",\"details\":{\"code\":\"")
      builder.text(detail)
      builder.text("\"}")
    }
    builder.text("}}")
    send(0x81, cargo, after: pause ?? life.random(below: 20))
  }
}
