import Glibc

/// The `hello-ok` payload (protocol reference, section 3.9 and example E7).
enum HelloOK {
  static func payload(for session: Session, _ admission: Admission, _ core: GatewayCore) -> JSON {
    [
      "type": "hello-ok",
      "protocol": .integer(core.generation.wireProtocol),
      "server": [
        "version": .string(core.generation.serverVersion),
        "connId": .string(session.connectionID),
        "bootId": .string(core.bootID),
      ],
      "features": ["methods": JSON(methods), "events": JSON(events), "capabilities": ["profile-binding-v1"]],
      "snapshot": [
        "presence": presence(session, core),
        "health": core.health,
        "stateVersion": ["presence": 1, "health": 1],
        "uptimeMs": .integer(core.uptimeMilliseconds),
        "sessionDefaults": [
          "defaultAgentId": "main", "mainKey": "main", "mainSessionKey": "agent:main:main",
          "scope": "per-sender",
        ],
        "authMode": .string(core.authMode.name),
      ],
      "auth": [
        "role": .string(admission.claim.role),
        "scopes": JSON(admission.claim.scopes),
        "deviceToken": .string(admission.deviceToken),
        "issuedAtMs": .integer(admission.issuedAtMs),
        "method": .string(admission.method),
      ],
      "policy": [
        "maxPayload": .integer(Int64(core.generation.messageBytesMax)),
        "maxBufferedBytes": .integer(Int64(core.generation.bufferedBytesMax)),
        "tickIntervalMs": .integer(core.tickIntervalMilliseconds),
        "attachments": ["maxBytes": 20_971_520, "maxImageBytes": 6_291_456],
      ],
    ]
  }

  /// One row for the gateway and one per connected node (section 9.12).
  private static func presence(_ session: Session, _ core: GatewayCore) -> JSON {
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

  /// What a real gateway of this generation advertises, operator methods included, so that a client meets a
  /// list of realistic length. Methods that this gateway lacks answer as unknown.
  private static let methods = [
    "health", "status", "system-presence", "system-event", "gateway.identity.get", "config.get", "config.set",
    "config.patch", "config.apply", "config.schema", "channels.status", "channels.logout", "models.list",
    "agents.list", "agents.create", "agents.update", "agents.delete", "agents.files.list", "agents.files.get",
    "agents.files.set", "agent", "agent.wait", "agent.identity.get", "chat.history", "chat.send",
    "chat.abort",
    "chat.inject", "sessions.list", "sessions.preview", "sessions.create", "sessions.send", "sessions.abort",
    "sessions.patch", "sessions.reset", "sessions.delete", "sessions.compact", "sessions.describe",
    "sessions.resolve", "sessions.subscribe", "sessions.unsubscribe", "sessions.messages.subscribe",
    "sessions.messages.unsubscribe", "sessions.usage", "talk.config", "talk.mode", "talk.speak",
    "talk.client.create", "talk.session.create", "talk.session.close", "tts.status", "tts.providers",
    "tts.enable", "tts.disable", "tts.convert", "tts.setProvider", "voicewake.get", "voicewake.set",
    "voicewake.routing.get", "voicewake.routing.set", "skills.status", "skills.bins", "skills.install",
    "skills.update", "cron.list", "cron.status", "cron.add", "cron.update", "cron.remove", "cron.run",
    "cron.runs", "device.pair.list", "device.pair.approve", "device.pair.reject", "device.pair.remove",
    "device.pair.rename", "device.pair.setupCode", "device.pair.setupStatus", "device.token.rotate",
    "device.token.revoke", "node.pair.list", "node.pair.approve", "node.pair.reject", "node.pair.remove",
    "node.rename", "node.list", "node.describe", "node.invoke", "node.invoke.result", "node.invoke.progress",
    "node.event", "node.pending.pull", "node.pending.ack", "node.pending.drain", "node.pending.enqueue",
    "node.pluginSurface.refresh", "node.pluginTools.update", "node.skills.update", "plugin.surface.refresh",
    "exec.approvals.get", "exec.approvals.set", "exec.approvals.node.get", "exec.approvals.node.set",
    "exec.approval.list", "exec.approval.get", "exec.approval.request", "exec.approval.waitDecision",
    "exec.approval.resolve", "plugin.approval.list", "plugin.approval.request", "plugin.approval.resolve",
    "usage.status", "usage.cost", "logs.tail", "push.test", "update.run", "update.status", "wizard.start",
    "wizard.next", "wizard.cancel", "wizard.status", "secrets.reload", "secrets.resolve", "last-heartbeat",
    "set-heartbeats", "wake", "send", "poll", "message.action", "tools.catalog", "tools.effective",
    "tools.invoke", "commands.list", "skills.search", "skills.detail", "skills.upload.begin",
    "skills.upload.chunk", "skills.upload.commit", "sessions.compaction.list", "sessions.compaction.get",
    "sessions.compaction.branch", "sessions.compaction.restore", "sessions.usage.timeseries",
    "sessions.usage.logs", "config.schema.lookup", "channels.start", "channels.stop", "web.login.start",
    "web.login.wait", "artifacts.list", "artifacts.get", "artifacts.download", "environments.list",
    "environments.status", "talk.catalog", "talk.session.join", "talk.session.appendAudio",
    "talk.session.startTurn", "talk.session.endTurn", "talk.session.cancelTurn", "talk.session.cancelOutput",
    "talk.session.submitToolResult", "talk.client.toolCall", "tts.personas", "tts.setPersona",
    "models.authStatus", "doctor.memory.status", "diagnostics.stability", "gateway.restart.request",
    "gateway.restart.preflight", "push.web.vapidPublicKey", "push.web.subscribe", "push.web.unsubscribe",
    "push.web.test", "tasks.list", "tasks.get", "tasks.cancel", "cron.get", "plugins.uiDescriptors",
    "plugins.sessionAction", "browser.request",
  ]

  /// Section 9.13.
  private static let events = [
    "connect.challenge", "agent", "chat", "session.message", "session.tool", "sessions.changed", "presence",
    "tick", "talk.mode", "talk.event", "shutdown", "health", "heartbeat", "cron", "node.pair.requested",
    "node.pair.resolved", "node.invoke.request", "node.invoke.cancel", "node.invoke.input", "node.presence",
    "device.pair.requested", "device.pair.resolved", "voicewake.changed", "voicewake.routing.changed",
    "exec.approval.requested", "exec.approval.resolved", "plugin.approval.requested",
    "plugin.approval.resolved", "config.changed", "skills.changed", "gateway.suspension", "update.available",
  ]
}
