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
  /// Bounds what one node may subscribe to.
  private static let subscriptionsMax = 64

  let connectionID = UUID().uuidString.lowercased()
  let origin: Origin
  let connectedAtMs = wallMilliseconds()
  private let core: GatewayCore
  private let transport: WebSocketHandler
  private var state = State.challenged(nonce: UUID().uuidString.lowercased())
  private let challengedAt = wallMilliseconds()
  private var sequence: Int64 = 0
  private var unauthorizedCalls = 0
  private var ponged = true
  private var pinger: RepeatingTimer?
  /// Sessions whose chat this node wants to hear.
  private(set) var subscriptions: Set<String> = []
  /// The last `node.host.stats`.
  var hostStats: JSON?
  /// The tools that this node published last, and how often it did.
  var tools: [JSON] = []
  var publications: Int64 = 0
  /// Results without a waiting invoke.
  var ignoredResults: Int64 = 0

  /// What the upgrade request told.
  struct Origin {
    let remoteAddress: String
    /// The `Host` header, from which canvas URLs are made.
    var host: String?
    var sentOrigin = false
    var isEncrypted = false
  }

  init(core: GatewayCore, transport: WebSocketHandler, origin: Origin) {
    self.core = core
    self.transport = transport
    self.origin = origin
  }

  var remoteAddress: String { origin.remoteAddress }

  /// The connected client; nil before `hello-ok` and after the end.
  var admission: Admission? {
    guard case .online(let admission) = state else { return nil }
    return admission
  }

  var isNode: Bool { admission?.claim.role == "node" }

  /// The device id of an admitted node.
  var nodeID: String { admission?.claim.deviceID ?? "" }

  /// Whether this is an operator with that scope.
  func mayUse(_ scope: String) -> Bool {
    guard let claim = admission?.claim, claim.role == "operator" else { return false }
    return OperatorScope.satisfied(scope, by: claim.scopes)
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
        "connect.challenge", ["nonce": .string(nonce), "ts": .integer(challengedAt)]))
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

  /// Cuts the connection without a close frame.
  func drop() {
    core.trace.note(connectionID, "dropped")
    transport.terminate()
  }

  func handshakeBudgetSpent() {
    if case .challenged = state { close(1000, "") }
  }

  // MARK: Liveness

  func receivedPong() { ponged = true }

  private func startPinging() {
    guard let milliseconds = core.generation.pingIntervalMilliseconds else { return }
    pinger = RepeatingTimer(loop: core.eventLoop, interval: .milliseconds(milliseconds)) { [unowned self] in
      guard ponged || !core.generation.enforcesPongs else { return transport.terminate() }
      ponged = false
      transport.ping()
    }
  }

  // MARK: Sending

  func send(_ frame: JSON) {
    core.trace.outbound(connectionID, frame)
    transport.send(frame.bytes)
  }

  /// A broadcast, with the gateway's number or the next one of this connection.
  func broadcast(_ event: String, _ payload: JSON, sharedSequence: Int64?, stateVersion: JSON?) {
    sequence += 1
    send(Frames.event(event, payload, sequence: sharedSequence ?? sequence, stateVersion: stateVersion))
  }

  func respond(_ id: String, _ outcome: Result<JSON, GatewayError>) {
    switch outcome {
    case .success(let payload): send(Frames.success(id, payload))
    case .failure(let error): send(Frames.failure(id, error))
    }
  }

  func subscribe(_ key: String) {
    if subscriptions.count < Self.subscriptionsMax { subscriptions.insert(key) }
  }

  func unsubscribe(_ key: String) { subscriptions.remove(key) }

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
      generation: core.generation, authMode: core.options.authMode, pairing: core.pairing,
      challengeNonce: nonce,
      sentOrigin: origin.sentOrigin, remoteAddress: remoteAddress, nowMilliseconds: wallMilliseconds(),
      bootstraps: core.bootstraps, isStarting: core.isStarting, isSuspended: core.isSuspended,
      isTrustedTransport: origin.isEncrypted || remoteAddress.isLoopback,
      isTrustedAddress: core.options.trustedRanges.contains { $0.contains(remoteAddress) })
    do {
      let admission = try handshake.admit(frame["params"] ?? .null, limiter: &core.limiter)
      if core.generation.signsChallengeTime,
        let signedAt = frame["params"]?["device"]?["signedAt"]?.integer, signedAt != challengedAt
      {
        core.noteViolation("connect signedAt is not the challenge's ts", from: admission.claim.deviceID)
      }
      welcome(id, admission)
    } catch {
      core.refused(self, error)
      refuse(id, error)
    }
  }

  /// Of the voice-wake snapshots one comes before `hello-ok` and one after, as both may from real gateways: a
  /// client has to cope.
  private func welcome(_ id: String, _ admission: Admission) {
    state = .online(admission)
    core.admitted(self, admission)
    let isNode = admission.claim.role == "node"
    if isNode { send(Frames.event("voicewake.changed", core.voiceWake.json)) }
    send(Frames.success(id, HelloOK.payload(for: self, admission, core)))
    if isNode && core.generation.hasVoiceWakeRouting {
      send(Frames.event("voicewake.routing.changed", ["config": core.voiceWake.routing]))
    }
    startPinging()
    if isNode { core.broadcastPresence() }
  }

  private func receive(_ frame: JSON, from admission: Admission) {
    let id = Frames.answerID(of: frame)
    do {
      try core.generation.schemas.request.validate(frame)
    } catch {
      core.noteViolation("request \(error)", from: admission.claim.deviceID)
      return send(Frames.failure(id, .invalidRequest("invalid request frame: \(error)")))
    }
    let method = frame["method"]?.string ?? ""
    let call = MethodCall(
      id: id, core: core, session: self, admission: admission, params: frame["params"] ?? [:])
    do {
      let payload = try Methods.answer(method, call)
      unauthorizedCalls = 0
      if let payload { send(Frames.success(id, payload)) }
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
