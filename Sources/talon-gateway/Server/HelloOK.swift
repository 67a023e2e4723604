import Glibc

/// The `hello-ok` payload (protocol reference, section 3.9 and examples E7 to E9).
enum HelloOK {
  static func payload(for session: Session, _ admission: Admission, _ core: GatewayCore) -> JSON {
    let generation = core.generation
    let canvas = core.canvas.url(for: session)
    let hello = JSON.compact([
      "type": "hello-ok",
      "protocol": .integer(generation.wireProtocol),
      "server": server(session, core),
      "features": .compact([
        "methods": JSON(AdvertisedMethods.of(generation.era)),
        "events": JSON(AdvertisedMethods.events(of: generation.era)),
        "capabilities": given(generation.era >= .july, ["profile-binding-v1"]),
      ]),
      "snapshot": snapshot(core),
      "canvasHostUrl": generation.hasPluginSurfaces ? nil : .string(canvas),
      "pluginSurfaceUrls": given(generation.hasPluginSurfaces, ["canvas": .string(canvas)]),
      "auth": auth(admission, generation),
      "policy": .compact([
        "maxPayload": .integer(Int64(generation.messageBytesMax)),
        "maxBufferedBytes": .integer(Int64(generation.bufferedBytesMax)),
        "tickIntervalMs": .integer(core.options.tickIntervalMilliseconds),
        "attachments": given(
          generation.era >= .july, ["maxBytes": 20_971_520, "maxImageBytes": 6_291_456]),
        "allowedSessionVisibilities": given(generation.hasLongHello, ["private", "shared"]),
        "hasMultipleSessionSharingIdentities": given(generation.hasLongHello, false),
      ]),
    ])
    return generation.hasLongHello ? hello.adding(ControlPages.members(core, beside: hello)) : hello
  }

  private static func server(_ session: Session, _ core: GatewayCore) -> JSON {
    .compact([
      "version": .string(core.generation.serverVersion),
      "host": given(core.generation.era == .old, .string(hostName)),
      "connId": .string(session.connectionID),
      "bootId": given(core.generation.era >= .july, .string(core.bootID)),
      "buildId": given(core.generation.hasLongHello, "talon-gateway"),
      "controlUiBuildSource": given(core.generation.hasLongHello, "bundled"),
    ])
  }

  private static func snapshot(_ core: GatewayCore) -> JSON {
    .compact([
      "presence": presence(core),
      "health": core.health,
      "stateVersion": core.stateVersion,
      "uptimeMs": .integer(core.uptimeMilliseconds),
      "stateDir": given(core.generation.era == .old, .string(core.folder.path)),
      "sessionDefaults": [
        "defaultAgentId": "main", "mainKey": "main", "mainSessionKey": .string(Conversations.mainKey),
        "scope": "per-sender",
      ],
      "authMode": .string(core.options.authMode.name),
    ])
  }

  /// Absent where no token was issued on gateways that make it optional.
  private static func auth(_ admission: Admission, _ generation: Generation) -> JSON? {
    guard generation.issuesDeviceTokens else { return nil }
    let handedOver = admission.handedOver.map { token -> JSON in
      [
        "deviceToken": .string(token.token), "role": .string(token.role), "scopes": JSON(token.scopes),
        "issuedAtMs": .integer(token.issuedAtMs),
      ]
    }
    let scopes = generation.era >= .july ? admission.claim.scopes : admission.tokenScopes
    return .compact([
      "role": .string(admission.claim.role),
      "scopes": JSON(scopes),
      "deviceToken": .string(admission.deviceToken),
      "issuedAtMs": .integer(admission.issuedAtMs),
      "method": given(generation.era >= .july, .string(admission.method)),
      "recoveryMigrationAllowed": given(generation.hasLongHello, false),
      "deviceTokens": handedOver.isEmpty ? nil : .array(handedOver),
    ])
  }

  /// One row for the gateway and one per connected node (section 9.12).
  static func presence(_ core: GatewayCore) -> JSON {
    let gateway: JSON = [
      "host": .string(hostName), "version": .string(core.generation.serverVersion),
      "platform": "linux", "mode": "gateway", "reason": "self", "ts": .integer(wallMilliseconds()),
    ]
    let nodes = core.connectedNodes.compactMap { node in node.admission.map { row(node, $0) } }
    return .array([gateway] + nodes)
  }

  /// `gethostname`, which asks no name server.
  private static let hostName: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "gateway" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  private static func row(_ node: Session, _ admission: Admission) -> JSON {
    .compact([
      "host": admission.client["displayName"],
      "ip": .string(node.remoteAddress),
      "version": admission.client["version"],
      "platform": admission.client["platform"],
      "deviceFamily": admission.client["deviceFamily"],
      "modelIdentifier": admission.client["modelIdentifier"],
      "mode": admission.client["mode"],
      "reason": "connect",
      "ts": .integer(node.connectedAtMs),
      "deviceId": .string(node.nodeID),
      "roles": [.string(admission.claim.role)],
      "scopes": JSON(admission.claim.scopes),
      "instanceId": .string(node.nodeID),
    ])
  }
}
