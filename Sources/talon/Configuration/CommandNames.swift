import Node

/// The names that [node] commands may have: of every build, and also of what this board has not. A wrong one would
/// leave declared what it is to take away.
enum CommandNames {
  static let all = [
    "camera.list", "camera.snap", "camera.clip", "camera.ptz.control", "camera.ptz.status", "photos.latest",
    "canvas.present", "canvas.hide", "canvas.navigate", "canvas.eval", "canvas.snapshot", "canvas.a2ui.push",
    "canvas.a2ui.pushJSONL", "canvas.a2ui.reset", "canvas.a2ui.dump", "canvas.caps", "canvas.draw",
    "screen.snapshot", "screen.record", "location.get", "motion.activity", "motion.pedometer",
    "talk.ptt.start", "talk.ptt.stop", "talk.ptt.cancel", "talk.ptt.once",
    "stt.listen", "stt.transcribe", "stt.status", "tts.speak", "tts.status",
    "system.notify", "system.run", "system.run.prepare", "system.which",
    "device.info", "device.status", "device.health", "device.permissions",
    "debug.logs", "debug.doctor", "debug.bundle", "update.start", "mcp.tools.call.v1",
    "file.fetch", "file.write", "file.create", "file.stat", "dir.list",
  ]

  /// What is wrong with the names of a choice. `owned`: the owner's tools, each of which is a command `io.NAME`.
  static func complaint(_ choice: CommandChoice, owned: [String]) -> String? {
    let names = all + owned.map { "io." + $0 }
    guard let wrong = choice.names.first(where: { !names.contains($0) }) else { return nil }
    let hint = Nearest.word(wrong, of: names).map { "did you mean \($0)?" } ?? "docs/owners/commands.md has all names"
    return "names no command with \(wrong); \(hint)"
  }
}
