/// Settings that are right and change nothing, because what they are about is not switched on: a line for the light
/// without a driver, a wake phrase without a microphone. Whoever writes one expects something of it.
enum IdleSettings {
  /// A section, when nothing of it counts, and what is missing.
  private struct Rule {
    /// Its name, or the first word of the names where each has its own.
    let section: String
    /// Keys that count all the same.
    let spared: [String]
    let isIdle: @Sendable (Configuration) -> Bool
    let remedy: String
    /// There are sections of it with names of their own.
    var hasNames = false
  }

  private static let rules: [Rule] = [
    Rule(
      section: "light", spared: ["driver"], isIdle: { $0.light.driver == .none }, remedy: "set driver = gpio or led"),
    Rule(section: "button", spared: ["driver"], isIdle: { $0.button.driver == .none }, remedy: "set driver = gpio"),
    Rule(
      section: "camera", spared: ["driver", "enabled"], isIdle: { $0.cameraDriver == .none },
      remedy: "driver = none switches the camera off"),
    Rule(
      section: "location", spared: ["driver"], isIdle: { $0.locationDriver == .none },
      remedy: "set driver = serial or gpsd"),
    Rule(
      section: "motion", spared: ["driver"], isIdle: { $0.motionDriver == .none }, remedy: "set driver; it is none"),
    Rule(
      section: "microphone", spared: ["driver", "enabled"], isIdle: { $0.sound.microphoneDriver == .none },
      remedy: "set driver = alsa"),
    Rule(
      section: "speaker", spared: ["driver", "enabled"], isIdle: { $0.sound.speakerDriver == .none },
      remedy: "set driver = alsa"),
    Rule(
      section: "wake", spared: ["enabled"], isIdle: { $0.sound.microphoneDriver == .none },
      remedy: "there is no microphone; set driver = alsa in [microphone]"),
    Rule(
      section: "talk", spared: ["enabled", "commands"], isIdle: { $0.sound.microphoneDriver == .none },
      remedy: "there is no microphone; set driver = alsa in [microphone]"),
    Rule(
      section: "tools", spared: [], isIdle: { !$0.commands.includes("mcp.tools.call.v1", publishes: true) },
      remedy: "[node] commands takes mcp.tools.call.v1 away, by which tools are called"),
    Rule(
      section: "mcp", spared: [], isIdle: { $0.tools.choice == .none && !$0.agent.isEnabled },
      remedy: "nobody may call the tools of MCP servers: set publish in [tools]", hasNames: true),
  ]

  /// One sentence for each section with such settings, in the order of the rules.
  static func warnings(_ configuration: Configuration) -> [String] {
    var sentences: [String] = []
    for rule in rules where rule.isIdle(configuration) {
      let idle = configuration.settings.filter {
        ($0.section == rule.section || rule.hasNames && $0.section.hasPrefix(rule.section + " "))
          && !rule.spared.contains($0.key)
      }
      guard let first = idle.first else { continue }
      let names = idle.filter { $0.section == first.section }.map { $0.key }.joined(separator: ", ")
      sentences.append("line \(first.line): [\(first.section)] \(names) without effect: \(rule.remedy)")
    }
    return sentences
  }
}
