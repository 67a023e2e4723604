/// Who got in, and as what.
struct Admission {
  let claim: DeviceClaim
  let client: JSON
  let caps: [String]
  let commands: [String]
  let permissions: JSON
  let deviceToken: String
  let issuedAtMs: Int64
  /// How it authenticated: `token`, `password`, `none` or `device-token`.
  let method: String
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

  private static let roles = ["operator", "node"]

  /// Throws the refusal to answer and close with.
  func admit(_ params: JSON, limiter: inout FailureLimiter) throws(Refusal) -> Admission {
    try checkSchema(params)
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
    let method = try authenticate(params["auth"] ?? [:], claim, &limiter)
    let (token, issuedAtMs) = try pair(claim)
    return Admission(
      claim: claim, client: params["client"] ?? [:],
      caps: params["caps"]?.strings ?? [], commands: params["commands"]?.strings ?? [],
      permissions: params["permissions"] ?? [:], deviceToken: token, issuedAtMs: issuedAtMs, method: method)
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
    if acceptsLegacy && range.contains(generation.legacyNodeProtocol) { return }
    throw Refusal(
      .invalidRequest(
        "protocol mismatch",
        details: [
          "code": "PROTOCOL_MISMATCH",
          "clientMinProtocol": .integer(lowest),
          "clientMaxProtocol": .integer(highest),
          "expectedProtocol": .integer(generation.wireProtocol),
          "minimumProbeProtocol": .integer(generation.legacyNodeProtocol),
        ]),
      closeCode: 1002)
  }

  private static let originRefusal = Refusal(
    .invalidRequest("origin not allowed", details: ["code": "CONTROL_UI_ORIGIN_NOT_ALLOWED"]))

  private static let deviceRefusal = Refusal(
    GatewayError(
      code: "NOT_PAIRED", message: "device identity required", details: ["code": "DEVICE_IDENTITY_REQUIRED"]))

  private func verify(_ proof: DeviceProof) throws(Refusal) {
    do {
      try proof.verify(
        challengeNonce: challengeNonce, nowMilliseconds: nowMilliseconds,
        skewMillisecondsMax: generation.signatureSkewMillisecondsMax)
    } catch {
      throw error.refusal
    }
  }

  private func authenticate(
    _ auth: JSON, _ claim: DeviceClaim, _ limiter: inout FailureLimiter
  ) throws(Refusal) -> String {
    if let wait = limiter.remainingLockout(remoteAddress, nowMilliseconds: nowMilliseconds) {
      throw CredentialFailure.rateLimited.refusal(auth: auth, retryAfterMilliseconds: wait)
    }
    let check = CredentialCheck(mode: authMode, auth: auth) { pairing.match($0, for: claim) }
    do {
      let method = try check.decide()
      limiter.noteSuccess(remoteAddress)
      return method
    } catch {
      limiter.noteFailure(remoteAddress, nowMilliseconds: nowMilliseconds)
      throw error.refusal(auth: auth)
    }
  }

  private func pair(_ claim: DeviceClaim) throws(Refusal) -> (token: String, issuedAtMs: Int64) {
    let decision: PairingStore.Decision
    do {
      decision = try pairing.decide(claim, nowMilliseconds: nowMilliseconds)
    } catch {
      throw Refusal(.unavailable("the gateway could not save its state: \(error)"), closeCode: 1011)
    }
    switch decision {
    case .admitted(let token, let issuedAtMs): return (token, issuedAtMs)
    case .approvalNeeded(let request): throw Self.pairingRefusal(request, pairing.device(claim.deviceID))
    }
  }

  private static func pairingRefusal(_ request: PairingRequest, _ approved: PairedDevice?) -> Refusal {
    let message = "pairing required: " + request.reason.explanation
    let details = JSON.compact([
      "code": "PAIRING_REQUIRED",
      "reason": .string(request.reason.rawValue),
      "requestId": .string(request.requestID),
      "remediationHint": "On the gateway host: talon-gateway devices approve \(request.requestID)",
      "deviceId": .string(request.claim.deviceID),
      "requestedRole": .string(request.claim.role),
      "requestedScopes": JSON(request.claim.scopes),
      "approvedRoles": approved.map { JSON($0.grants.keys.sorted()) },
      "approvedScopes": approved.map { JSON($0.approvedScopes) },
    ])
    return Refusal(
      GatewayError(code: "NOT_PAIRED", message: message, details: details),
      closeReason: "\(message) (requestId: \(request.requestID))")
  }
}
