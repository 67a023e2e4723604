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
      var bits: UInt32 = 0
      for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
        guard let index = Tool.all.firstIndex(where: { $0.name.bytes.elementsEqual(word.utf8) }) else {
          return "\(word) is no tool; must be none, safe, all, or names: \(toolNames)"
        }
        bits |= 1 << UInt32(index)
      }
      if bits == 0 { return "must be none, safe, all, or names: \(toolNames)" }
      target = .named(bits)
    }
    return nil
  }

  private static var toolNames: String {
    var names = ""
    for tool in Tool.all {
      names += (names.isEmpty ? "" : ", ") + String(decoding: tool.name.bytes, as: UTF8.self)
    }
    return names
  }
}
