import Camera
import Gateway
import Node
import Runtime

/// One key of the configuration file: its section, its name and its setter. A setter returns what is wrong with the
/// value, or nil, and throws when a file that the value names cannot be read just now.
struct ConfigurationKey: Sendable {
  let section: String
  let name: String
  /// True for a key that only those with access to the file may set, and not `talon config set`, which people at a
  /// serial console can use: it grants rights, names programs, files or devices, or decides what others may see and
  /// hear.
  var isFileOnly = false
  /// True for a key whose value is never shown.
  var isSecret = false
  /// True for a key whose value has double quotes of its own, so that none are removed around it.
  var isRaw = false
  let set: @Sendable (inout Configuration, String) throws(Errno) -> String?

  /// The key of a name in a section; in `[camera NAME]`, `[mcp NAME]`, `[model NAME]` and `[tool NAME]` it
  /// sets what was named last.
  static func find(_ name: String, section: String) -> ConfigurationKey? {
    if section.hasPrefix("tool ") { return HandKeys.key(name, section: section) }
    if section.hasPrefix("mcp ") { return MCPKeys.key(name, section: section) }
    if section.hasPrefix("model ") { return ModelKeys.key(name, section: section) }
    let isCamera = section == "camera" || section.hasPrefix("camera ")
    if section.hasPrefix("camera "), name == "device" { return key(section, name, isFileOnly: true, CameraKeys.device) }
    if isCamera, let found = CameraKeys.all.first(where: { $0.name == name }) { return key(section, name, found.set) }
    return all.first { $0.section == section && $0.name == name }
  }

  /// The names of all sections.
  static var sections: [String] {
    var names: [String] = []
    for key in all where names.last != key.section && !names.contains(key.section) { names.append(key.section) }
    return names
  }

  /// What somebody may have meant by a key that this section has not, as the end of a sentence; empty where nobody can
  /// tell.
  static func hint(_ name: String, section: String) -> String {
    if section == "camera", name == "device" { return "; each camera has one in a [camera NAME] of its own" }
    for key in all where key.name == name && key.section != section {
      return "; [\(key.section)] has a key of that name"
    }
    let own = all.filter { $0.section == section }.map { $0.name }
    return Nearest.word(name, of: own).map { "; did you mean \($0)?" } ?? ""
  }

  private static func key(
    _ section: String, _ name: String, isFileOnly: Bool = false, _ set: @escaping CameraKeys.Setter
  ) -> ConfigurationKey {
    ConfigurationKey(section: section, name: name, isFileOnly: isFileOnly) { configuration, value in
      if section == "camera" { return set(&configuration.cameraSettings.others, value) }
      return set(&configuration.cameraSettings[configuration.cameraSettings.count - 1], value)
    }
  }

  /// The table of keys.
  static let all: [ConfigurationKey] =
    general + links + way + photos + location + motion + sound + talk + wake + panel + canvas + agent + agentService
    + tools + consent + run + files + update + metrics + debug + console

  private static let general: [ConfigurationKey] = [
    ConfigurationKey(section: "gateway", name: "url") { urls($1, &$0.urls) },
    ConfigurationKey(section: "gateway", name: "instance") { text($1, limit: 63, &$0.instance) },
    ConfigurationKey(section: "gateway", name: "domain") { text($1, limit: 253, &$0.domain) },
    ConfigurationKey(section: "gateway", name: "token", isSecret: true) { secret($1, into: &$0.token) },
    ConfigurationKey(section: "gateway", name: "token_file", isFileOnly: true) { (configuration, path) throws(Errno) in
      try secret(from: path, into: &configuration.token)
    },
    ConfigurationKey(section: "gateway", name: "password", isSecret: true) { secret($1, into: &$0.password) },
    ConfigurationKey(section: "gateway", name: "password_file", isFileOnly: true) {
      (configuration, path) throws(Errno) in
      try secret(from: path, into: &configuration.password)
    },
    ConfigurationKey(section: "gateway", name: "pin", isFileOnly: true) { configuration, value in
      pins(value, &configuration.trust)
    },
    ConfigurationKey(section: "gateway", name: "allow_plaintext", isFileOnly: true) { bool($1, &$0.allowPlaintext) },
    ConfigurationKey(section: "gateway", name: "pairing_poll") { number($1, 2...3600, &$0.pairingPoll) },
    ConfigurationKey(section: "node", name: "name") { text($1, limit: 100, &$0.name) },
    ConfigurationKey(section: "node", name: "place") { text($1, limit: 128, &$0.place) },
    ConfigurationKey(section: "node", name: "tags") { tags($1, &$0.tags) },
    ConfigurationKey(section: "node", name: "commands", isFileOnly: true) { configuration, value in
      guard let choice = CommandChoice(value) else {
        return "must be all, names as camera.snap, or names with a hyphen before each, as -camera.ptz.control"
      }
      configuration.commands = choice
      return CommandNames.complaint(choice, owned: configuration.handNames)
    },
    ConfigurationKey(section: "node", name: "state_directory", isFileOnly: true) { path($1, &$0.stateDirectory) },
    ConfigurationKey(section: "node", name: "runtime_directory", isFileOnly: true) { path($1, &$0.runtimeDirectory) },
    ConfigurationKey(section: "agent", name: "follow") { bool($1, &$0.followsFile) },
    ConfigurationKey(section: "operator", name: "enabled", isFileOnly: true) { bool($1, &$0.operatorEnabled) },
    ConfigurationKey(section: "operator", name: "scopes", isFileOnly: true) { scopes($1, &$0.operatorScopes) },
    ConfigurationKey(section: "operator", name: "approvals", isFileOnly: true) { bool($1, &$0.approves) },
    ConfigurationKey(section: "camera", name: "driver") { configuration, value in
      choice(
        value, [("v4l2", .v4l2), ("simulated", .simulated), ("none", .none)],
        &configuration.cameraDriver)
    },
    ConfigurationKey(section: "camera", name: "folder", isFileOnly: true) { path($1, &$0.cameraFolder) },
    ConfigurationKey(section: "camera", name: "enabled", isFileOnly: true) { bool($1, &$0.camera.isEnabled) },
    ConfigurationKey(section: "camera", name: "delay") { number($1, 0...10_000, &$0.camera.delay) },
    ConfigurationKey(section: "camera", name: "idle") { number($1, 0...3_600_000, &$0.camera.idle) },
    ConfigurationKey(section: "camera", name: "keep_warm") { bool($1, &$0.camera.keepsWarm) },
    ConfigurationKey(section: "camera", name: "photo_bytes") {
      number($1, 16_384...Budget.photoBytesMaximum, &$0.camera.limits.bytes)
    },
    ConfigurationKey(section: "camera", name: "progressive") { configuration, value in
      choice(
        value, [("never", .never), ("needed", .whenNeeded), ("always", .always)],
        &configuration.camera.limits.progressive)
    },
    ConfigurationKey(section: "camera", name: "indicator", isFileOnly: true) { configuration, value in
      choice(value, [("none", .unlit), ("optional", .lit), ("required", .required)], &configuration.privacy)
    },
    ConfigurationKey(section: "camera", name: "indicator_led", isFileOnly: true) { configuration, value in
      guard !value.utf8.contains(UInt8(ascii: "/")), value.utf8.first != UInt8(ascii: ".") else {
        return "must be a name below /sys/class/leds"
      }
      return text(value, limit: 64, &configuration.indicatorLED)
    },
    ConfigurationKey(section: "log", name: "level") { configuration, value in
      guard let level = LogLevel(word: value) else {
        return "must be one of error, warning, notice, info, debug"
      }
      configuration.logLevel = level
      return nil
    },
  ]
}
