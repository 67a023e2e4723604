import Codec
import Gateway
import Runtime

/// The gateway's checks of `connect`, in its order (gateway reference 3.8), and its answers.
extension Peer {
  /// Why a connect is refused.
  private struct Refusal {
    var message: String
    var code = "INVALID_REQUEST"
    var detail = ""
    var more = ""
    var retryAfter: Int64?
    var close: UInt16 = 1008
    var suffix = ""
  }

  /// The first request of the board.
  func connect(_ text: UnsafeBufferPointer<UInt8>) {
    guard gateway.hangs == 0 else { return }
    let frame = JSONView(Span(_unsafeElements: text))
    guard let method = frame.member("method"), method.equals("connect"), let params = frame.member("params"),
      Schema.unknown(frame, Schema.frame) == nil
    else {
      return life.invariants.violated("the first request is no connect")
    }
    if let refusal = judge(params) {
      refuse(refusal)
    } else {
      welcome(params)
    }
  }

  private func judge(_ params: borrowing JSONView) -> Refusal? {
    if let key = Schema.unknownKey(inConnect: params, generation) {
      life.invariants.taught(key, generation, role)
      return Refusal(message: "invalid connect params: at /auth: unexpected property '\(key)'")
    }
    if life.now < gateway.startingUntil {
      return Refusal(
        message: "gateway starting; retry shortly", code: "UNAVAILABLE", detail: "",
        more: "\"reason\":\"startup-sidecars\"", retryAfter: 500, close: 1013)
    }
    let low = params.member("minProtocol")?.int64 ?? 0
    let high = params.member("maxProtocol")?.int64 ?? 0
    if gateway.strangers > 0 || low > generation.wireProtocol || high < generation.wireProtocol {
      gateway.toldToWait[role.rawValue] = true
      return Refusal(
        message: "protocol mismatch", detail: "PROTOCOL_MISMATCH", more: "\"expectedProtocol\":9", close: 1002)
    }
    guard let asked = params.member("role"), asked.equals(role.name) else {
      life.invariants.violated("a connection asked for another role than its own")
      return Refusal(message: "invalid role")
    }
    if life.now < gateway.lockedUntil {
      gateway.toldToWait[role.rawValue] = true
      return Refusal(
        message: "too many failed authentication attempts", detail: "AUTH_RATE_LIMITED",
        retryAfter: gateway.lockedUntil - life.now)
    }
    return judgeProof(params) ?? judgeCredential(params)
  }

  // MARK: Proof

  private func judgeProof(_ params: borrowing JSONView) -> Refusal? {
    guard let device = params.member("device"), let client = params.member("client") else {
      return Refusal(message: "device identity required", code: "NOT_PAIRED", detail: "DEVICE_IDENTITY_REQUIRED")
    }
    let signedAt = device.member("signedAt")?.int64 ?? 0
    if abs(life.wall - signedAt) > generation.skew {
      return Refusal(message: "device signature expired", detail: "DEVICE_AUTH_SIGNATURE_EXPIRED")
    }
    guard let sent = device.member("nonce"), sent.string == nonce else {
      life.invariants.violated("a proof was made for another challenge")
      return Refusal(message: "device nonce mismatch", detail: "DEVICE_AUTH_NONCE_MISMATCH")
    }
    var slot = ""
    if let auth = params.member("auth") {
      for key in ["token", "deviceToken", "bootstrapToken"] as [StaticString] where slot.isEmpty {
        if let token = auth.member(key) { slot = token.string }
      }
    }
    let signature = device.member("signature")?.string ?? ""
    life.invariants.hide(Array(signature.utf8))
    let fields = [
      device.member("id")?.string ?? "", client.member("id")?.string ?? "", client.member("mode")?.string ?? "",
      role == .node ? "node" : "operator", scopes(params), "\(signedAt)", slot, nonce,
    ]
    let family = ["linux", "linux"]
    let newer = generation.takesProofVersion3 && signature == sign((["v3"] + fields + family).joined(separator: "|"))
    if newer || signature == sign((["v2"] + fields).joined(separator: "|")) { return nil }
    if generation.takesProofVersion3 { life.invariants.violated("the device's signature is wrong") }
    return Refusal(message: "device signature invalid", detail: "DEVICE_AUTH_SIGNATURE_INVALID")
  }

  private func scopes(_ params: borrowing JSONView) -> String {
    guard let list = params.member("scopes") else { return "" }
    var names: [String] = []
    var elements = list.elements()
    while let element = elements.next() { names.append(element.string) }
    return names.joined(separator: ",")
  }

  /// What the board with its seed would have signed.
  private func sign(_ payload: String) -> String {
    guard let seed = life.board.seedText, let key = Fingerprint(text: seed.utf8.span) else { return "" }
    let signature = life.cryptography.ed25519Signature(payload.utf8.span, seed: key.digest)
    var text = InlineText<86>()
    text.fill { Base64.url.encode(signature.span, into: $0) }
    return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Credential and pairing

  private func judgeCredential(_ params: borrowing JSONView) -> Refusal? {
    var token = ""
    var deviceToken = ""
    var bootstrap = ""
    var password = ""
    if let auth = params.member("auth") {
      token = auth.member("token")?.string ?? ""
      deviceToken = auth.member("deviceToken")?.string ?? ""
      bootstrap = auth.member("bootstrapToken")?.string ?? ""
      password = auth.member("password")?.string ?? ""
    }
    let kind = life.scenario.credential
    let shared = GatewayModel.sharedSecret
    let known = gateway.device.tokens[role.rawValue]
    if !bootstrap.isEmpty {
      guard bootstrap == gateway.device.bootstrapToken, life.now < gateway.device.bootstrapExpiry else {
        life.person.tokenGone(role)
        return Refusal(message: "unauthorized: bootstrap token invalid", detail: "AUTH_BOOTSTRAP_TOKEN_INVALID")
      }
      if role == .operator { life.invariants.violated("the operator connection used the setup code") }
      // Approved by itself with the first pairing (gateway reference 5.4); the newest wants a person.
      if generation < .newest, !gateway.device.approved[0] {
        gateway.device.approved[0] = true
        gateway.device.isSurfaceApproved = true
      }
    } else if !deviceToken.isEmpty || (!token.isEmpty && token != shared) {
      let sent = deviceToken.isEmpty ? token : deviceToken
      guard known == sent else {
        life.person.tokenGone(role)
        return Refusal(message: "unauthorized: device token mismatch", detail: "AUTH_DEVICE_TOKEN_MISMATCH")
      }
    } else if !token.isEmpty {
      if kind != .token { return Refusal(message: "unauthorized: token mismatch", detail: "AUTH_TOKEN_MISMATCH") }
    } else if !password.isEmpty {
      if kind != .password || password != shared {
        return Refusal(message: "unauthorized: password mismatch", detail: "AUTH_PASSWORD_MISMATCH")
      }
    } else if kind != .none {
      life.person.tokenGone(role)
      return Refusal(message: "unauthorized: token missing", detail: "AUTH_TOKEN_MISSING")
    }
    guard gateway.device.approved[role.rawValue] else {
      // A gateway keeps one request for each device, so the board's connections must not replace each other's (gateway
      // reference 5.3). A node connection whose end was lost is noticed within two minutes.
      if role == .operator, !gateway.device.approved[0], life.now - gateway.device.removedAt > 120_000 {
        life.invariants.violated("the operator connection asked for approval while the node had none")
      }
      let id = gateway.pairingRequest(for: role)
      let reason = role == .operator && gateway.device.approved[0] ? "role-upgrade" : "not-paired"
      return Refusal(
        message: generation >= .may ? "pairing required: device is not approved yet" : "pairing required",
        code: "NOT_PAIRED", detail: "PAIRING_REQUIRED", more: "\"reason\":\"\(reason)\",\"requestId\":\"\(id)\"",
        suffix: " (requestId: \(id))")
    }
    return nil
  }

  // MARK: Answers

  private func refuse(_ refusal: Refusal) {
    var details = generation.hasDetails && !refusal.detail.isEmpty ? "\"code\":\"\(refusal.detail)\"" : ""
    // The request's id was there before the codes were.
    if !refusal.more.isEmpty, generation.hasDetails || refusal.code == "NOT_PAIRED" {
      details += (details.isEmpty ? "" : ",") + refusal.more
    }
    builder.begin()
    builder.text("{\"type\":\"res\",\"id\":\"connect\",\"ok\":false,\"error\":{\"code\":\"\(refusal.code)\",")
    builder.text("\"message\":\"\(refusal.message)\"")
    if let pause = refusal.retryAfter { builder.text(",\"retryable\":true,\"retryAfterMs\":\(pause)") }
    if !details.isEmpty { builder.text(",\"details\":{\(details)}") }
    builder.text("}}")
    // Sometimes the answer is lost with its connection, and the close says it all.
    if !life.chance(1, in: 20) { send(after: life.random(below: 10)) }
    life.trace.note(life.now, "gateway refuses", connection.serial)
    close(refusal.close, refusal.message + refusal.suffix)
  }

  private func welcome(_ params: borrowing JSONView) {
    let token = gateway.tokenToIssue(role)
    let handoff = takeBootstrap(params)
    if role == .node, let commands = params.member("commands") {
      gateway.device.commands = commands.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    life.trace.note(life.now, "hello-ok", connection.serial, Int64(generation.rawValue))
    // One that comes before its time is of no matter: it comes again (gateway reference 9.11).
    if life.chance(1, in: 4) { sendEvent("voicewake.changed", text: life.phrases.json) }
    builder.begin()
    builder.text("{\"type\":\"res\",\"id\":\"connect\",\"ok\":true,\"payload\":{\"type\":\"hello-ok\",\"protocol\":")
    builder.decimal(generation.wireProtocol)
    builder.text(",\"server\":{\"version\":\"\(gateway.version)\",\"connId\":\"c\(connection.serial)\"}")
    builder.text(",\"features\":{\"methods\":[\"health\",\"node.invoke.result\",\"node.event\"")
    if generation.knowsPendingPull { builder.text(",\"node.pending.pull\",\"node.pending.ack\"") }
    if generation == .newest { builder.text(",\"node.invoke.progress\"") }
    if generation == .newest, life.tools.isAnnounced { builder.text(",\"node.pluginTools.update\"") }
    builder.text("],\"events\":[\"tick\",\"health\",\"shutdown\"]}")
    builder.text(",\"snapshot\":{\"presence\":[],\"health\":{\"ok\":true,\"notes\":\"")
    builder.fill(UInt8(ascii: "h"), 1_500)
    builder.text("\"},\"stateVersion\":{\"presence\":1,\"health\":1},\"uptimeMs\":\(life.now)}")
    builder.text(",\"auth\":{\"deviceToken\":\"\(token)\",\"role\":\"")
    builder.text(role.name)
    builder.text(role == .node ? "\",\"scopes\":[]" : "\",\"scopes\":[\"operator.read\",\"operator.write\"]")
    builder.text(handoff)
    builder.text("}")
    builder.text(",\"policy\":{\"maxPayload\":\(generation.limit),\"maxBufferedBytes\":52428800,")
    builder.text("\"tickIntervalMs\":30000}}}")
    let isEarly = life.chance(1, in: 10)
    phase = .online
    // A fast caller's invoke may arrive before the answer (gateway reference 1.6).
    if isEarly, role == .node, gateway.mayInvoke { keepingBuilder { invoke() } }
    send(after: isEarly ? 0 : life.random(below: 20))
    online()
    sendPhrases()
  }

  /// The setup code has done its work: what else `hello-ok` brings for it (gateway reference 5.4).
  private func takeBootstrap(_ params: borrowing JSONView) -> String {
    guard role == .node else { return "" }
    let isUsed = params.member("auth")?.member("bootstrapToken") != nil
    gateway.device.bootstrapToken = nil
    guard isUsed, generation >= .april, generation < .newest else { return "" }
    gateway.device.approved[1] = true
    let scopes = "[\"operator.approvals\",\"operator.read\",\"operator.talk.secrets\",\"operator.write\"]"
    let token = gateway.tokenToIssue(.operator)
    return ",\"deviceTokens\":[{\"deviceToken\":\"\(token)\",\"role\":\"operator\",\"scopes\":\(scopes)}]"
  }

  /// Sends something else while a message stands in the builder.
  private func keepingBuilder(_ body: () -> Void) {
    let kept = Array(builder.payload)
    body()
    builder.begin()
    kept.withUnsafeBufferPointer { builder.bytes($0) }
  }
}
