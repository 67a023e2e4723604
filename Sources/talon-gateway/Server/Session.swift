import Foundation
import NIOCore

/// One client connection, from the challenge to its end.
final class Session {
  private enum State {
    case challenged(nonce: String)
    case online(Admission)
    case ended
  }

  /// More wrong-role calls in a row than this close the connection.
  private static let unauthorizedCallsMax = 10

  let connectionID = UUID().uuidString.lowercased()
  let remoteAddress: String
  let connectedAtMs = wallMilliseconds()
  private let core: GatewayCore
  private let transport: WebSocketHandler
  private let sentOrigin: Bool
  private var state = State.challenged(nonce: UUID().uuidString.lowercased())
  private var sequence: Int64 = 0
  private var unauthorizedCalls = 0
  private var ponged = true
  private var pinger: RepeatingTimer?

  init(core: GatewayCore, transport: WebSocketHandler, remoteAddress: String, sentOrigin: Bool) {
    self.core = core
    self.transport = transport
    self.remoteAddress = remoteAddress
    self.sentOrigin = sentOrigin
  }

  /// Who is connected; nil before `hello-ok` and after the end.
  var admission: Admission? {
    guard case .online(let admission) = state else { return nil }
    return admission
  }

  var messageBytesMax: Int {
    admission == nil ? core.generation.preAuthMessageBytesMax : core.generation.messageBytesMax
  }

  var oversizeReason: String { admission == nil ? "preauth payload too large" : "" }

  // MARK: Life

  func start() {
    guard case .challenged(let nonce) = state else { return }
    core.opened(self)
    send(
      Frames.event(
        "connect.challenge", ["nonce": .string(nonce), "ts": .integer(wallMilliseconds())]))
  }

  /// The transport is gone.
  func end() {
    pinger?.cancel()
    state = .ended
    core.closed(self)
  }

  func close(_ code: UInt16, _ reason: String) {
    core.trace.note(connectionID, "close \(code) \(reason)")
    transport.close(code, reason)
  }

  func handshakeBudgetSpent() {
    if case .challenged = state { close(1000, "") }
  }

  // MARK: Liveness

  func receivedPong() { ponged = true }

  private func startPinging() {
    let interval = TimeAmount.milliseconds(core.generation.pingIntervalMilliseconds)
    pinger = RepeatingTimer(loop: core.eventLoop, interval: interval) { [unowned self] in
      guard ponged else { return transport.terminate() }
      ponged = false
      transport.ping()
    }
  }

  // MARK: Sending

  func send(_ frame: JSON) {
    core.trace.outbound(connectionID, frame)
    transport.send(frame.bytes)
  }

  /// A broadcast: numbered per connection, only after `hello-ok`.
  func broadcast(_ event: String, _ payload: JSON) {
    guard admission != nil else { return }
    sequence += 1
    send(Frames.event(event, payload, sequence: sequence))
  }

  private func refuse(_ id: String, _ refusal: Refusal) {
    send(Frames.failure(id, refusal.error))
    close(refusal.closeCode, refusal.closeReason)
  }

  // MARK: Receiving

  func receive(_ message: [UInt8]) {
    let frame: JSON
    do {
      frame = try JSON(parsing: message)
    } catch {
      core.trace.note(connectionID, "not JSON: \(error)")
      if admission == nil { close(1008, "invalid request frame") }
      return
    }
    core.trace.inbound(connectionID, frame)
    switch state {
    case .challenged(let nonce): receiveFirst(frame, nonce)
    case .online(let admission): receive(frame, from: admission)
    case .ended: return
    }
  }

  private func receiveFirst(_ frame: JSON, _ nonce: String) {
    do {
      try core.generation.schemas.request.validate(frame)
    } catch {
      return close(1008, "invalid request frame")
    }
    let id = Frames.answerID(of: frame)
    guard frame["method"]?.string == "connect" else {
      return refuse(id, Refusal(.invalidRequest("invalid handshake: first request must be connect")))
    }
    let handshake = Handshake(
      generation: core.generation, authMode: core.authMode, pairing: core.pairing, challengeNonce: nonce,
      sentOrigin: sentOrigin, remoteAddress: remoteAddress, nowMilliseconds: wallMilliseconds())
    do {
      let admission = try handshake.admit(frame["params"] ?? .null, limiter: &core.limiter)
      welcome(id, admission)
    } catch {
      core.refused(self, error)
      refuse(id, error)
    }
  }

  /// Voice-wake snapshots go out before `hello-ok`, as they may from real gateways: a client has to cope.
  private func welcome(_ id: String, _ admission: Admission) {
    state = .online(admission)
    core.admitted(self, admission)
    if admission.claim.role == "node" {
      send(Frames.event("voicewake.changed", ["triggers": ["openclaw", "computer"]]))
      send(Frames.event("voicewake.routing.changed", ["config": ["routes": []]]))
    }
    send(Frames.success(id, HelloOK.payload(for: self, admission, core)))
    startPinging()
  }

  private func receive(_ frame: JSON, from admission: Admission) {
    let id = Frames.answerID(of: frame)
    do {
      try core.generation.schemas.request.validate(frame)
    } catch {
      return send(Frames.failure(id, .invalidRequest("invalid request frame: \(error)")))
    }
    let method = frame["method"]?.string ?? ""
    let call = MethodCall(core: core, session: self, admission: admission, params: frame["params"] ?? [:])
    do {
      let payload = try Methods.answer(method, call)
      unauthorizedCalls = 0
      send(Frames.success(id, payload))
    } catch {
      send(Frames.failure(id, error))
      noteUnauthorized(error)
    }
  }

  private func noteUnauthorized(_ error: GatewayError) {
    guard error.message.hasPrefix(Methods.unauthorizedPrefix) else { return }
    unauthorizedCalls += 1
    if unauthorizedCalls > Self.unauthorizedCallsMax { close(1008, "repeated unauthorized calls") }
  }
}
