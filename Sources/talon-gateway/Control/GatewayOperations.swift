import Foundation

/// `gateway ...` and `qr` of the CLI: what operators of a real gateway do to it, and what happens to one.
enum GatewayOperations {
  static let table: [String: ControlOperations.Operation] = [
    "gateway.restart": { core, params in restart(core, params) },
    "gateway.drop": { core, params in try drop(core, params) },
    "gateway.renew": { core, params in try renew(core, params) },
    "gateway.reload": { core, _ in
      try core.reloadPolicy()
      return ["ok": true]
    },
    "gateway.suspend": { core, _ in try suspend(core, true) },
    "gateway.resume": { core, _ in try suspend(core, false) },
    "qr": { core, params in try setupCode(core, params) },
  ]

  /// Closes connections as before a restart; the listener stays, so clients can reconnect at once.
  private static func restart(_ core: GatewayCore, _ params: JSON) -> JSON {
    let count = core.sessions.count
    core.sayGoodbye(reason: "gateway restarting", expectedMilliseconds: params["expectedMs"]?.integer)
    return ["closed": .integer(Int64(count))]
  }

  /// Cuts a node's connections, without a word or with a close code.
  private static func drop(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let id = try NodeInvocation.resolve(params["node"]?.string ?? "", core)
    let sessions = core.sessions.values.filter { $0.admission?.claim.deviceID == id }
    for session in sessions {
      if let code = params["code"]?.integer.flatMap(UInt16.init(exactly:)) {
        session.close(code, params["reason"]?.string ?? "")
      } else {
        session.drop()
      }
    }
    return ["nodeId": .string(id), "dropped": .integer(Int64(sessions.count))]
  }

  /// Turns new connections away, or takes them again.
  private static func suspend(_ core: GatewayCore, _ isSuspended: Bool) throws -> JSON {
    guard core.generation.era >= .july else {
      throw GatewayError.invalidRequest("gateways of generation \(core.generation.era.rawValue) cannot be suspended")
    }
    core.isSuspended = isSuspended
    return ["suspended": .bool(isSuspended)]
  }

  /// A new certificate for the connections to come; those that are open keep the old one.
  private static func renew(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    guard core.tls != nil else { throw GatewayError.invalidRequest("this gateway serves without TLS") }
    let certificate = try ServerCertificate.renewed(
      in: core.folder, keepsKey: params["sameKey"]?.bool == true)
    core.tls = certificate.tls
    core.address.fingerprint = certificate.fingerprint
    core.logger.info("certificate renewed: \(certificate.fingerprint)")
    return ["fingerprint": .string(certificate.fingerprint)]
  }

  private static func setupCode(_ core: GatewayCore, _ params: JSON) throws -> JSON {
    let generation = core.generation
    guard generation.hasSetupCodes else {
      throw GatewayError.invalidRequest(
        "gateways of generation \(generation.era.rawValue) have no setup codes")
    }
    let isNodeOnly = params["nodeOnly"]?.bool == true
    guard !isNodeOnly || generation.era >= .july else {
      throw GatewayError.invalidRequest("node-only codes came with generation N")
    }
    let isJoin = params["join"]?.bool == true
    guard !isJoin || generation.era >= .july else {
      throw GatewayError.invalidRequest("join codes came with generation N")
    }
    let now = wallMilliseconds()
    let lifetime = params["expiresInMs"]?.integer ?? BootstrapTokens.lifetimeMilliseconds
    let token = try core.bootstraps.issue(
      isNodeOnly ? .nodeOnly : .standard, lifetimeMilliseconds: lifetime, nowMilliseconds: now)
    let chosen = params["urls"]?.strings ?? []
    let urls = chosen.isEmpty ? [core.address.url] : chosen
    let isNewest = generation.era >= .july
    let payload = JSON.compact([
      "url": .string(urls[0]),
      "urls": given(isNewest, JSON(urls)),
      "bootstrapToken": .string(token.token),
      "expiresAtMs": given(isNewest, .integer(token.expiresAtMs)),
      "tlsFingerprint": given(isNewest, core.address.fingerprint.map(JSON.string)),
    ])
    if isJoin {
      let code = core.joins.issue(payload, expiresAtMs: token.expiresAtMs)
      return [
        "joinUrl": .string(GatewayCore.joinURL(urls[0], code: code)), "urls": JSON(urls),
        "expiresAtMs": .integer(token.expiresAtMs),
      ]
    }
    return [
      "setupCode": .string(Data(payload.bytes).base64URL), "urls": JSON(urls),
      "expiresAtMs": .integer(token.expiresAtMs),
    ]
  }
}
