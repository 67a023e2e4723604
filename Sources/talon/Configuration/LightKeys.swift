import Board
import Runtime

extension ConfigurationKey {
  /// Keys of `[light]` and `[button]`.
  static let panel: [ConfigurationKey] = [
    ConfigurationKey(section: "light", name: "driver") { configuration, value in
      choice(value, [("none", .none), ("led", .led), ("gpio", .gpio)], &configuration.light.driver)
    },
    ConfigurationKey(section: "light", name: "led") { ledName($1, &$0.light.led) },
    ConfigurationKey(section: "light", name: "red") { ledName($1, &$0.light.red) },
    ConfigurationKey(section: "light", name: "green") { ledName($1, &$0.light.green) },
    ConfigurationKey(section: "light", name: "blue") { ledName($1, &$0.light.blue) },
    ConfigurationKey(section: "light", name: "brightness") { number($1, 1...100, &$0.light.brightness) },
    ConfigurationKey(section: "light", name: "chip", isFileOnly: true) { text($1, limit: 64, &$0.light.chip) },
    ConfigurationKey(section: "light", name: "line") { gpioLine($1, &$0.light.line) },
    ConfigurationKey(section: "light", name: "red_line") { gpioLine($1, &$0.light.redLine) },
    ConfigurationKey(section: "light", name: "green_line") { gpioLine($1, &$0.light.greenLine) },
    ConfigurationKey(section: "light", name: "blue_line") { gpioLine($1, &$0.light.blueLine) },
    ConfigurationKey(section: "light", name: "active_low") { bool($1, &$0.light.isActiveLow) },
    ConfigurationKey(section: "button", name: "driver") { configuration, value in
      choice(value, [("none", .none), ("gpio", .gpio)], &configuration.button.driver)
    },
    ConfigurationKey(section: "button", name: "chip", isFileOnly: true) { text($1, limit: 64, &$0.button.chip) },
    ConfigurationKey(section: "button", name: "line") { gpioLine($1, &$0.button.line) },
    ConfigurationKey(section: "button", name: "active_low") { bool($1, &$0.button.isActiveLow) },
    ConfigurationKey(section: "button", name: "bias") { buttonBias($1, &$0.button.bias) },
  ]

  static func buttonBias(_ value: String, _ target: inout ButtonConfiguration.Bias) -> String? {
    choice(value, [("pull-up", .pullUp), ("pull-down", .pullDown), ("none", .none), ("as-is", .asItIs)], &target)
  }

  private static func ledName(_ value: String, _ target: inout String) -> String? {
    guard !value.utf8.contains(UInt8(ascii: "/")), value.utf8.first != UInt8(ascii: ".") else {
      return "must be a name below /sys/class/leds"
    }
    return text(value, limit: 64, &target)
  }

  /// A line's number or name, or a pin of the header.
  static func gpioLine(_ value: String, _ target: inout String) -> String? {
    if GPIOPlace.headerLine(value) == .noLine {
      return "is a pin without a line: ground, a supply, or none of the 40. Example: pin 11, which is line 17"
    }
    return text(value, limit: 64, &target)
  }

  /// `CHIP:LINE`, each a name, a label, a path or a number; or the line alone, by its name on whichever chip has it, or
  /// by its number or pin on the header's chip.
  static func gpioPlace(_ value: String, _ chip: inout String, _ line: inout String) -> String? {
    let bytes = Array(value.utf8)
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      chip = ""
      return gpioLine(value, &line)
    }
    guard colon > 0, colon + 1 < bytes.count else {
      return "must be a line, as 17, GPIO17 or pin 11, or a chip and a line of it, as pinctrl-rp1:17"
    }
    return text(String(decoding: bytes[..<colon], as: UTF8.self), limit: 64, &chip)
      ?? gpioLine(String(decoding: bytes[(colon + 1)...], as: UTF8.self), &line)
  }
}

/// `[light]`.
struct LightConfiguration {
  enum Driver { case none, led, gpio }

  var driver = Driver.none
  /// Names in /sys/class/leds: one LED, or one for each color. Empty for none.
  var led = "", red = "", green = "", blue = ""
  /// Percent.
  var brightness = 100
  /// Empty: the chip that has the line (`GPIOPlace`).
  var chip = ""
  /// Numbers, names or pins of lines: one, or one for each color. Empty for none.
  var line = "", redLine = "", greenLine = "", blueLine = ""
  var isActiveLow = false

  /// The key that is missing or excess, and what is wrong.
  var complaint: (key: String, reason: String)? {
    switch driver {
    case .none: nil
    case .led: Self.complaint(led, [red, green, blue], ("led", "red, green and blue"), "ls /sys/class/leds tells")
    case .gpio:
      Self.complaint(
        line, [redLine, greenLine, blueLine], ("line", "red_line, green_line and blue_line"), "Example: line = 17")
    }
  }

  private static func complaint(
    _ one: String, _ colors: [String], _ keys: (one: String, colors: String), _ hint: String
  ) -> (key: String, reason: String)? {
    let hasColors = colors.contains { !$0.isEmpty }
    if one.isEmpty, !hasColors { return (keys.one, "is missing: which one? \(hint)") }
    if !one.isEmpty, hasColors {
      return (keys.one, "stands beside \(keys.colors): it is either one light, or one for each colour")
    }
    return nil
  }
}

/// `[button]`, and the button of `[talk]`.
struct ButtonConfiguration {
  enum Driver { case none, gpio }
  enum Bias { case pullUp, pullDown, none, asItIs }

  var driver = Driver.none
  /// Empty: the chip that has the line (`GPIOPlace`).
  var chip = ""
  var line = ""
  var isActiveLow = true
  var bias = Bias.pullUp

  var place: GPIOPlace { GPIOPlace(chip: chip, line: line, isActiveLow: isActiveLow) }
}
