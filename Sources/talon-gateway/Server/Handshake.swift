/// The result of a handshake: the client and its role.
struct Admission {
  let claim: DeviceClaim
  let client: JSON
  let caps: [String]
  let commands: [String]
  let permissions: JSON
  let deviceToken: String
  let issuedAtMs: Int64
  /// The scopes that go with the token.
  let tokenScopes: [String]
  /// Tokens for other roles, from a setup code.
  let handedOver: [PairingStore.Token]
  /// How it authenticated: `token`, `password`, `none`, `device-token` or `bootstrap-token`.
  let method: String
  /// A setup code approved this device just now, with no person in between.
  let wasApprovedAutomatically: Bool
}

/// The checks on one `connect`, in the order of real gateways (protocol reference, section 3.8).
struct Handshake {
  let generation: Generation
  let authMode: AuthMode
  let pairing: PairingStore
  let challengeNonce: String
  let sentOrigin: Bool
  let remoteAddress: String
  let nowMilliseconds: Int64
  var bootstraps: BootstrapTokens?
  var isStarting = false
  var isSuspended = false
  /// TLS or loopback: what a setup code hands over may be more.
  var isTrustedTransport = true
  /// New nodes from there need nobody.
  var isTrustedAddress = false

  private static let roles = ["operator", "node"]

  /// Throws the refusal to answer and close with.
  func admit(_ params: JSON, limiter: inout FailureLimiter) throws(Refusal) -> Admission {
    do {
      return try check(params, &limiter)
    } catch {
      throw error.shaped(for: generation)
    }
  }

  private func check(_ params: JSON, _ limiter: inout FailureLimiter) throws(Refusal) -> Admission {
    try checkSchema(params)
    if isStarting && generation.answersWhileStarting { throw Self.startingRefusal }
    if isSuspended { throw Self.suspendedRefusal }
    try checkProtocol(params)
    let role = params["role"]?.string ?? "operator"
    guard Self.roles.contains(role) else { throw Refusal(.invalidRequest("invalid role")) }
    guard !sentOrigin else { throw Self.originRefusal }
    guard let proof = DeviceProof(params) else { throw Self.deviceRefusal }
    try verify(proof)
    let claim = DeviceClaim(
      deviceID: proof.deviceID, displayName: params["client"]?["displayName"]?.string,
      platform: proof.platform,
      deviceFamily: params["client"]?["deviceFamily"]?.string, role: role, scopes: proof.scopes)
    let outcome = try authenticate(params["auth"] ?? [:], claim, &limiter)
    let isByCode = approvesAutomatically(claim, outcome.bootstrap, params["client"] ?? [:])
    let isNew = pairing.device(claim.deviceID) == nil
    let token = try pair(claim, outcome.bootstrap, isByCode || approvesByAddress(claim))
    return Admission(
      claim: claim, client: params["client"] ?? [:],
      caps: params["caps"]?.strings ?? [], commands: params["commands"]?.strings ?? [],
      permissions: params["permissions"] ?? [:], deviceToken: token.token, issuedAtMs: token.issuedAtMs,
      tokenScopes: token.scopes, handedOver: try handOver(claim, outcome.bootstrap), method: outcome.method,
      wasApprovedAutomatically: isByCode && isNew)
  }

  private func checkSchema(_ params: JSON) throws(Refusal) {
    do {
      try generation.schemas.connect.validate(params)
    } catch {
      throw Refusal(.invalidRequest("invalid connect params: \(error)"))
    }
  }

  private func checkProtocol(_ params: JSON) throws(Refusal) {
    let lowest = params["minProtocol"]?.integer ?? 0
    let highest = params["maxProtocol"]?.integer ?? 0
    let range = lowest <= highest ? lowest...highest : 0...0
    let mode = params["client"]?["mode"]?.string
    let acceptsLegacy = mode == "probe" || (mode == "node" && params["role"]?.string == "node")
    if range.contains(generation.wireProtocol) { return }
    if acceptsLegacy, let legacy = generation.legacyNodeProtocol, range.contains(legacy) { return }
    let expected: JSON = ["expectedProtocol": .integer(generation.wireProtocol)]
    let explained: JSON = [
      "code": "PROTOCOL_MISMATCH",
      "clientMinProtocol": .integer(lowest),
      "clientMaxProtocol": .integer(highest),
      "expectedProtocol": .integer(generation.wireProtocol),
      "minimumProbeProtocol": .integer(generation.legacyNodeProtocol ?? generation.wireProtocol),
    ]
    let details = generation.explainsProtocolMismatch ? explained : expected
    throw Refusal(.invalidRequest("protocol mismatch", details: details), closeCode: 1002)
  }

  private static let startingRefusal = Refusal(
    .unavailable(
      "gateway starting; retry shortly", details: ["reason": "startup-sidecars"], retryAfterMilliseconds: 500),
    closeCode: 1013, closeReason: "gateway starting")

  /// newer-gateways 4.4.
  private static let suspendedRefusal = Refusal(
    .unavailable("gateway suspended; retry shortly", retryAfterMilliseconds: 1000), closeCode: 1013,
    closeReason: "gateway suspended")

  private static let originRefusal = Refusal(
    .invalidRequest("origin not allowed", details: ["code": "CONTROL_UI_ORIGIN_NOT_ALLOWED"]))

  private static let deviceRefusal = Refusal(
    GatewayError(
      code: "NOT_PAIRED", message: "device identity required", details: ["code": "DEVICE_IDENTITY_REQUIRED"]))

  private func verify(_ proof: DeviceProof) throws(Refusal) {
    do {
      try proof.verify(
        challengeNonce: challengeNonce, nowMilliseconds: nowMilliseconds,
        skewMillisecondsMax: generation.signatureSkewMillisecondsMax, versions: generation.proofVersions)
    } catch {
      throw error.refusal
    }
  }

  private func authenticate(
    _ auth: JSON, _ claim: DeviceClaim, _ limiter: inout FailureLimiter
  ) throws(Refusal) -> CredentialCheck.Outcome {
    if let wait = limiter.remainingLockout(remoteAddress, nowMilliseconds: nowMilliseconds) {
      throw CredentialFailure.rateLimited.refusal(
        auth: auth, retryAfterMilliseconds: generation.namesLockoutTime ? wait : nil)
    }
    let check = CredentialCheck(
      mode: authMode, auth: auth, deviceToken: { pairing.match($0, for: claim) },
      bootstrapToken: { try? bootstraps?.present($0, by: claim, nowMilliseconds: nowMilliseconds) })
    do {
      let outcome = try check.decide()
      limiter.noteSuccess(remoteAddress)
      return outcome
    } catch {
      limiter.noteFailure(remoteAddress, nowMilliseconds: nowMilliseconds)
      throw error.known(to: generation).refusal(auth: auth)
    }
  }

  /// Which setup codes need no person: the table in section 5.4.
  private func approvesAutomatically(_ claim: DeviceClaim, _ bootstrap: BootstrapToken?, _ client: JSON)
    -> Bool
  {
    guard let bootstrap, claim.role == "node", claim.scopes.isEmpty else { return false }
    switch generation.era {
    case .old, .early: return false
    case .april, .may: return true
    case .june: return client["mode"]?.string == "node"
    case .july, .september, .next, .autumn: return client["id"]?.string == "node-host" && bootstrap.profile == .nodeOnly
    }
  }

  /// Which addresses do: the same table. What such a node declares still waits for a person.
  private func approvesByAddress(_ claim: DeviceClaim) -> Bool {
    isTrustedAddress && generation.era >= .may && claim.role == "node" && claim.scopes.isEmpty
  }

  private func pair(
    _ claim: DeviceClaim, _ bootstrap: BootstrapToken?, _ isAutomatic: Bool
  ) throws(Refusal) -> PairingStore.Token {
    let decision = try saving { () throws in
      try pairing.decide(claim, nowMilliseconds: nowMilliseconds, automatically: isAutomatic)
    }
    switch decision {
    case .admitted(let token): return token
    case .approvalNeeded(let request):
      throw pairingRefusal(request, pairing.device(claim.deviceID), isWaiting: bootstrap != nil)
    }
  }

  /// Redeems a setup code: its operator token goes with the node's first `hello-ok`.
  private func handOver(
    _ claim: DeviceClaim, _ bootstrap: BootstrapToken?
  ) throws(Refusal) -> [PairingStore.Token] {
    guard let bootstrap else { return [] }
    return try saving { () throws in
      try bootstraps?.redeem(bootstrap)
      guard bootstrap.profile == .standard, claim.role == "node" else { return [] }
      let scopes = OperatorScope.handedOver(withAdmin: generation.era >= .july && isTrustedTransport)
      return [
        try pairing.handOver("operator", scopes: scopes, to: claim.deviceID, nowMilliseconds: nowMilliseconds)
      ]
    }
  }

  private func saving<Value>(_ body: () throws -> Value) throws(Refusal) -> Value {
    do {
      return try body()
    } catch {
      throw Refusal(.unavailable("the gateway could not save its state: \(error)"), closeCode: 1011)
    }
  }

  /// Each generation says a little more than the one before (sections 5.2 and 14.1).
  private func pairingRefusal(
    _ request: PairingRequest, _ approved: PairedDevice?, isWaiting: Bool
  ) -> Refusal {
    let explains = generation.era >= .may
    let message = "pairing required" + (explains ? ": " + request.reason.explanation : "")
    let waits = isWaiting && generation.era >= .june
    let hint = "On the gateway host: talon-gateway devices approve \(request.requestID)"
    let details = JSON.compact([
      "code": "PAIRING_REQUIRED",
      "reason": .string(request.reason.rawValue),
      "requestId": .string(request.requestID),
      "remediationHint": given(explains, .string(hint)),
      "recommendedNextStep": given(waits, "wait_then_retry"),
      "retryable": given(waits, true),
      "pauseReconnect": given(waits, false),
      "waitForResolution": given(waits && generation.era >= .july, true),
      "deviceId": given(explains, .string(request.claim.deviceID)),
      "requestedRole": given(explains, .string(request.claim.role)),
      "requestedScopes": given(explains, JSON(request.claim.scopes)),
      "approvedRoles": given(explains, approved.map { JSON($0.grants.keys.sorted()) }),
      "approvedScopes": given(explains, approved.map { JSON($0.approvedScopes) }),
    ])
    return Refusal(
      GatewayError(code: "NOT_PAIRED", message: message, details: details),
      closeReason: "\(message) (requestId: \(request.requestID))")
  }
}
