import Board
import Canvas
import Codec
import Fetch
import Graphics
import Locales
import Runtime

/// `[canvas]`.
struct CanvasConfiguration {
  var screen = ScreenChoice(output: .none)
  var theme = Theme.Mode.dark
  /// True when other programs on the board may use the screen.
  var hasSocket = false
  /// True when people at the screen may talk to the agent over the operator connection.
  var hasChat = false
  /// True when a triple tap where nothing reacts is panic.
  var hasPanicTap = false
  /// In percent; 0 for the display's own scale.
  var scale: Int64 = 0
  /// The backlight in percent; 0 to leave it.
  var brightness: Int64 = 0
  /// Seconds without use after which the screen is blanked; 0 for never.
  var blankAfter: Int64 = 0
  /// Nothing moves that does not have to.
  var isStill = false
  /// The hours in which the screen is dim and warm; nil: none.
  var night: DayWindow?
  /// The illuminance in lux below which it is; 0: whatever the light is.
  var nightLight: Int64 = 0
  /// The language of the screen: how it writes dates, times and numbers, and the letters of its keyboard.
  var locale = Locale.plain
  /// The layout of keyboards, also of the Latin letters on the screen's; nil: US, and the letters of the locale there.
  var keyboard: KeyboardLayout?
  /// When the keyboard on the screen is shown.
  var screenKeyboard = ScreenKeyboardUse.automatic
  var calibration = TouchCalibration.none
  /// The input devices to read; empty for all.
  var inputs: [String] = []
  var hasInput = true
  /// The addresses from which content may be fetched besides the public internet, and the trusted certificate
  /// authorities.
  var allowed = AllowList()
  var authorities = CertificateAuthorities.usualPath
  /// Whether agents may run programs (`canvas.eval`), in builds with a script engine; and whether these may send
  /// actions.
  var runsScripts = true
  var allowsScriptActions = false

  /// True when there is a screen on which scripts may draw.
  var hasScripts: Bool {
    if case .none = screen.output { return false }
    return runsScripts
  }
}

extension ConfigurationKey {
  /// Keys of `[canvas]`.
  static let canvas: [ConfigurationKey] = [
    ConfigurationKey(section: "canvas", name: "screen", isFileOnly: true) { configuration, value in
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
      guard let degrees = decimal(value), let rotation = Rotation(degrees: Int(clamping: degrees)) else {
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
    ConfigurationKey(section: "canvas", name: "socket", isFileOnly: true) { configuration, value in
      choice(value, [("on", true), ("off", false)], &configuration.canvas.hasSocket)
    },
    ConfigurationKey(section: "canvas", name: "chat", isFileOnly: true) {
      choice($1, [("on", true), ("off", false)], &$0.canvas.hasChat)
    },
    ConfigurationKey(section: "canvas", name: "panic_tap") { bool($1, &$0.canvas.hasPanicTap) },
    ConfigurationKey(section: "canvas", name: "scale") { number($1, 50...400, &$0.canvas.scale) },
    ConfigurationKey(section: "canvas", name: "allow", isFileOnly: true) { configuration, value in
      for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
        let text = String(decoding: Array(word), as: UTF8.self)
        guard configuration.canvas.allowed.add(text) else {
          return
            "must be at most \(Budget.fetchAllowed) hosts, addresses or networks such as nas.local or 192.168.1.0/24"
        }
      }
      return nil
    },
    ConfigurationKey(section: "canvas", name: "authorities", isFileOnly: true) { path($1, &$0.canvas.authorities) },
    ConfigurationKey(section: "canvas", name: "eval", isFileOnly: true) {
      choice($1, [("on", true), ("off", false)], &$0.canvas.runsScripts)
    },
    ConfigurationKey(section: "canvas", name: "script_actions", isFileOnly: true) {
      choice($1, [("on", true), ("off", false)], &$0.canvas.allowsScriptActions)
    },
    ConfigurationKey(section: "canvas", name: "brightness") { number($1, 1...100, &$0.canvas.brightness) },
    ConfigurationKey(section: "canvas", name: "night") { configuration, value in
      configuration.canvas.night = DayWindow(value.utf8.span)
      return configuration.canvas.night == nil
        ? "must be hours as 22:00-06:00, with days before them if not all count: mon-fri 22:00-06:00" : nil
    },
    ConfigurationKey(section: "canvas", name: "motion") {
      choice($1, [("full", false), ("reduced", true)], &$0.canvas.isStill)
    },
    ConfigurationKey(section: "canvas", name: "night_light") { number($1, 0...10_000, &$0.canvas.nightLight) },
    ConfigurationKey(section: "canvas", name: "blank_after") { configuration, value in
      guard let seconds = decimal(value), seconds == 0 || Budget.blankSeconds.contains(seconds) else {
        return
          "must be seconds from \(Budget.blankSeconds.lowerBound) to \(Budget.blankSeconds.upperBound), or 0 for never"
      }
      configuration.canvas.blankAfter = seconds
      return nil
    },
    ConfigurationKey(section: "canvas", name: "input", isFileOnly: true) { inputs($1, &$0.canvas) },
    ConfigurationKey(section: "canvas", name: "locale") { configuration, value in
      guard let locale = Locale(value.utf8.span) else { return "must be a language of these: \(languages)" }
      configuration.canvas.locale = locale
      return nil
    },
    ConfigurationKey(section: "canvas", name: "keyboard") { configuration, value in
      var keyboard = KeyboardLayout.us
      if let complaint = layout(value, &keyboard) { return complaint }
      configuration.canvas.keyboard = keyboard
      return nil
    },
    ConfigurationKey(section: "canvas", name: "screen_keyboard") { configuration, value in
      choice(
        value, [("auto", .automatic), ("always", .always), ("never", .never)], &configuration.canvas.screenKeyboard)
    },
    ConfigurationKey(section: "canvas", name: "calibration") { calibration($1, &$0.canvas.calibration) },
  ]

  /// The tags of all languages, with blanks between them.
  private static var languages: String {
    var tags: [String] = []
    Locale.forEachTag { tag in tags.append(tag.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }) }
    return tags.joined(separator: " ")
  }

  /// `auto`, `none`, or devices by their paths.
  private static func inputs(_ value: String, _ target: inout CanvasConfiguration) -> String? {
    target.inputs = []
    target.hasInput = value != "none"
    if value == "auto" || value == "none" { return nil }
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
      let path = String(decoding: Array(word), as: UTF8.self)
      guard path.hasPrefix("/") else {
        return "must be auto, none, or devices such as /dev/input/event0 with blanks between them"
      }
      guard target.inputs.count < Budget.inputDevices else { return "must name at most \(Budget.inputDevices) devices" }
      guard path.utf8.count < Budget.pathBytes - 64 else { return "is too long for a path" }
      target.inputs.append(path)
    }
    return target.inputs.isEmpty ? "must name a device" : nil
  }

  /// Six numbers, as in LIBINPUT_CALIBRATION_MATRIX.
  private static func calibration(_ value: String, _ target: inout TouchCalibration) -> String? {
    let complaint = "must be six numbers with blanks between them, such as 1 0 0 0 1 0"
    var numbers: [Float] = []
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
      let bytes = Array(word)
      guard let number = bytes.span.decimalNumber, numbers.count < 6, abs(number) <= 1000 else { return complaint }
      numbers.append(Float(number))
    }
    guard numbers.count == 6 else { return complaint }
    let (a, b, c, d, e, f) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    // Such a matrix would map all places to one line.
    guard abs(a * e - b * d) > 0.001 else { return "must not take all places to one line" }
    target = TouchCalibration(a, b, c, d, e, f)
    return nil
  }
}
