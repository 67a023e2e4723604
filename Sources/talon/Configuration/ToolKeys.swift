import Runtime
import ToolsPart

extension ConfigurationKey {
  /// Keys of `[tools]`.
  static let tools: [ConfigurationKey] = [
    ConfigurationKey(section: "tools", name: "publish", isFileOnly: true) { toolChoice($1, &$0.tools.choice) },
    ConfigurationKey(section: "tools", name: "about") { text($1, limit: Budget.toolAboutBytes, &$0.tools.about) },
  ]

  /// none, safe, all, or names of tools.
  static func toolChoice(_ value: String, _ target: inout ToolChoice) -> String? {
    switch value {
    case "none": target = .none
    case "safe": target = .safe
    case "all": target = .all
    default:
      var names: [String] = []
      for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
        let word = String(word)
        guard Tool.all.contains(where: { $0.name == word }) else {
          return "\(word) is no tool; must be none, safe, all, or names: \(toolNames)"
        }
        if !names.contains(word) { names.append(word) }
      }
      if names.isEmpty { return "must be none, safe, all, or names: \(toolNames)" }
      target = .named(names)
    }
    return nil
  }

  private static var toolNames: String {
    var names = ""
    for tool in Tool.all { names += (names.isEmpty ? "" : ", ") + tool.name }
    return names
  }
}
