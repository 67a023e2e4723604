import Canvas
import Fetch
import Runtime

/// `[canvas]`.
struct CanvasConfiguration {
  var screen = ScreenChoice(output: .none)
  var theme = Theme.Mode.dark
  /// In percent; 0: as the panel wants it.
  var scale: Int64 = 0
  /// The backlight in percent; 0: as it is.
  var brightness: Int64 = 0
  /// From where may be fetched beside the public internet, and whose certificates are taken; empty: the usual ones.
  var allowed = AllowList()
  var authorities = ""
  /// Programs of agents run (`canvas.eval`), in builds with a script engine; and may tell the agent what a press would.
  var runsScripts = true
  var allowsScriptActions = false

  /// There is a screen, and scripts may draw on it.
  var hasScripts: Bool {
    if case .none = screen.output { return false }
    return runsScripts
  }
}

extension ConfigurationKey {
  /// Keys of `[canvas]`.
  static let canvas: [ConfigurationKey] = [
    ConfigurationKey(section: "canvas", name: "screen") { configuration, value in
      guard let output = ScreenChoice.Output(value.utf8.span) else {
        return "must be auto, none, a size such as 800x480, or a display such as /dev/dri/card0"
      }
      configuration.canvas.screen.output = output
      return nil
    },
    ConfigurationKey(section: "canvas", name: "mode") { configuration, value in
      guard let mode = ScreenMode(value.utf8.span) else { return "must be a mode such as 1280x720 or 1280x720@60" }
      configuration.canvas.screen.mode = mode
      return nil
    },
    ConfigurationKey(section: "canvas", name: "rotate") { configuration, value in
      guard let degrees = decimal(value), let rotation = Rotation(degrees: Int(degrees)) else {
        return "must be 0, 90, 180 or 270"
      }
      configuration.canvas.screen.rotation = rotation
      return nil
    },
    ConfigurationKey(section: "canvas", name: "depth") { configuration, value in
      choice(value, [("16", 16), ("32", 32)], &configuration.canvas.screen.bitsPerPixel)
    },
    ConfigurationKey(section: "canvas", name: "theme") { configuration, value in
      choice(value, [("dark", .dark), ("light", .light)], &configuration.canvas.theme)
    },
    ConfigurationKey(section: "canvas", name: "scale") { number($1, 50...400, &$0.canvas.scale) },
    ConfigurationKey(section: "canvas", name: "allow") { configuration, value in
      for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
        let text = String(decoding: Array(word), as: UTF8.self)
        guard configuration.canvas.allowed.add(text) else {
          return "must be at most \(Budget.fetchAllowed) hosts, addresses or networks such as nas.local or 192.168.1.0/24"
        }
      }
      return nil
    },
    ConfigurationKey(section: "canvas", name: "authorities") { path($1, &$0.canvas.authorities) },
    ConfigurationKey(section: "canvas", name: "eval") { choice($1, [("on", true), ("off", false)], &$0.canvas.runsScripts) },
    ConfigurationKey(section: "canvas", name: "script_actions") {
      choice($1, [("on", true), ("off", false)], &$0.canvas.allowsScriptActions)
    },
    ConfigurationKey(section: "canvas", name: "brightness") { number($1, 1...100, &$0.canvas.brightness) },
  ]
}
