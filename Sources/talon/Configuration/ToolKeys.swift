import Runtime
import ToolsPart

extension ToolSettings {
  /// Where the owner says nothing: what neither sees nor hears nor moves anything, behind one approval.
  static var usual: ToolSettings {
    var settings = ToolSettings()
    settings.choice = .safe
    settings.isAskedFor = false
    return settings
  }
}

extension ConfigurationKey {
  /// Keys of `[tools]`.
  static let tools: [ConfigurationKey] = [
    ConfigurationKey(section: "tools", name: "publish", isFileOnly: true) {
      $0.tools.isAskedFor = true
      return toolChoice($1, $0.handNames, &$0.tools.choice)
    },
    ConfigurationKey(section: "tools", name: "about") { text($1, limit: Budget.toolAboutBytes, &$0.tools.about) },
  ]

  /// none, safe, all, or names of tools: the board's own, and those of sections `[tool NAME]`, and of
  /// `[mcp NAME]`, which stand for all tools of the server.
  static func toolChoice(_ value: String, _ hands: [String], _ target: inout ToolChoice) -> String? {
    let known = Tool.all.map { $0.name } + hands
    func complaint() -> String {
      var names = "must be none, safe, all, or names: "
      for index in known.indices { names += (index == 0 ? "" : ", ") + known[index] }
      return names
    }
    switch value {
    case "none": target = .none
    case "safe": target = .safe
    case "all": target = .all
    default:
      var names: [String] = []
      for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
        let word = String(word)
        guard known.contains(word) else { return "\(word) is no tool; \(complaint())" }
        if !names.contains(word) { names.append(word) }
      }
      if names.isEmpty { return complaint() }
      target = .named(names)
    }
    return nil
  }
}
