/// What gateways say in `hello-ok.features`: the methods and events that a real gateway of that generation has, so
/// that a client meets a list of realistic content and length. Methods that this gateway lacks answer as unknown.
enum AdvertisedMethods {
  static func of(_ era: Era) -> [String] {
    since.filter { $0.era <= era }.flatMap(\.names)
      + retired.filter { $0.from <= era && era <= $0.to }.map(\.name)
  }

  /// Section 9.13.
  static func events(of era: Era) -> [String] {
    let july = [
      "node.invoke.cancel", "node.invoke.input", "node.presence", "config.changed", "skills.changed",
      "gateway.suspension",
    ]
    let september = ["node.hostStats", "plugins.changed", "session.updated", "board.changed"]
    let june = ["talk.event"]
    let may = ["voicewake.routing.changed", "plugin.approval.requested", "plugin.approval.resolved"]
    return commonEvents + (era >= .may ? may : []) + (era >= .june ? june : [])
      + (era >= .july ? july : []) + (era >= .september ? september : [])
  }

  private static let commonEvents = [
    "connect.challenge", "agent", "chat", "session.message", "session.tool", "sessions.changed", "presence",
    "tick", "talk.mode", "shutdown", "health", "heartbeat", "cron", "node.pair.requested",
    "node.pair.resolved", "node.invoke.request", "device.pair.requested", "device.pair.resolved",
    "voicewake.changed", "exec.approval.requested", "exec.approval.resolved", "update.available",
  ]

  private static let retired: [(name: String, from: Era, to: Era)] = [
    ("node.pair.request", .old, .june), ("node.pair.verify", .old, .june),
    ("node.canvas.capability.refresh", .early, .may),
  ]

  private static let since: [(era: Era, names: [String])] = [
    (
      .old,
      [
        "health", "status", "system-presence", "system-event", "config.get", "config.set", "config.patch",
        "config.apply", "config.schema", "channels.status", "channels.logout", "models.list", "agents.list",
        "agents.create", "agents.update", "agents.delete", "agents.files.get", "agents.files.set", "agent",
        "agent.wait", "agent.identity.get", "chat.history", "chat.send", "chat.abort", "chat.inject",
        "sessions.list", "sessions.preview", "sessions.patch", "sessions.reset", "sessions.delete",
        "sessions.compact", "sessions.resolve", "talk.mode", "tts.status", "tts.providers", "tts.enable",
        "tts.disable", "tts.convert", "tts.setProvider", "voicewake.get", "voicewake.set", "skills.status",
        "skills.bins", "skills.install", "skills.update", "cron.list", "cron.status", "cron.add",
        "cron.update", "cron.remove", "cron.run", "cron.runs", "device.pair.list", "device.pair.approve",
        "device.pair.reject", "device.token.rotate", "device.token.revoke", "node.pair.list",
        "node.pair.approve", "node.pair.reject", "node.pair.remove", "node.rename", "node.list",
        "node.describe", "node.invoke", "node.invoke.result", "node.event", "exec.approvals.get",
        "exec.approvals.set", "exec.approvals.node.get", "exec.approvals.node.set", "exec.approval.list",
        "exec.approval.get", "exec.approval.request", "exec.approval.waitDecision", "exec.approval.resolve",
        "usage.status", "usage.cost", "logs.tail", "push.test", "update.run", "update.status", "wizard.start",
        "wizard.next", "wizard.cancel", "wizard.status", "last-heartbeat", "set-heartbeats", "wake", "send",
        "poll", "tools.invoke", "channels.start", "channels.stop", "web.login.start", "web.login.wait",
        "cron.get", "browser.request",
      ]
    ),
    (
      .early,
      [
        "sessions.usage", "talk.config", "node.pending.pull", "node.pending.ack", "secrets.reload",
        "secrets.resolve", "tools.catalog", "sessions.usage.timeseries", "sessions.usage.logs",
      ]
    ),
    (
      .april,
      [
        "gateway.identity.get", "sessions.create", "sessions.send", "sessions.abort", "sessions.describe",
        "sessions.subscribe", "sessions.unsubscribe", "sessions.messages.subscribe",
        "sessions.messages.unsubscribe", "talk.speak", "device.pair.remove", "node.pending.drain",
        "node.pending.enqueue", "message.action", "tools.effective", "skills.search", "skills.detail",
        "config.schema.lookup",
      ]
    ),
    (
      .may,
      [
        "voicewake.routing.get", "voicewake.routing.set", "sessions.compaction.list",
        "sessions.compaction.get", "sessions.compaction.branch", "sessions.compaction.restore",
        "models.authStatus", "doctor.memory.status", "diagnostics.stability",
      ]
    ),
    (
      .june,
      [
        "talk.client.create", "talk.session.create", "talk.session.close", "node.pluginSurface.refresh",
        "plugin.approval.list", "plugin.approval.request", "plugin.approval.resolve", "artifacts.list",
        "artifacts.get", "artifacts.download", "environments.list", "environments.status", "talk.catalog",
        "talk.session.join", "talk.session.appendAudio", "talk.session.startTurn", "talk.session.endTurn",
        "talk.session.cancelTurn", "talk.session.cancelOutput", "talk.session.submitToolResult",
        "talk.client.toolCall", "tasks.list", "tasks.get", "tasks.cancel", "plugins.uiDescriptors",
        "plugins.sessionAction",
      ]
    ),
    (
      .july,
      [
        "agents.files.list", "device.pair.rename", "device.pair.setupCode", "device.pair.setupStatus",
        "node.invoke.progress", "node.pluginTools.update", "node.skills.update", "plugin.surface.refresh",
        "commands.list", "skills.upload.begin", "skills.upload.chunk", "skills.upload.commit", "tts.personas",
        "tts.setPersona", "gateway.restart.request", "gateway.restart.preflight", "push.web.vapidPublicKey",
        "push.web.subscribe", "push.web.unsubscribe", "push.web.test", "tts.speak",
      ]
    ),
    (
      .september,
      [
        "node.runnerInventory.update", "board.get", "board.list", "sessions.companion.ask", "openclaw.status",
        "openclaw.chat", "plugins.list", "plugins.install", "gateway.suspension.get", "gateway.suspension.set",
      ]
    ),
  ]
}
