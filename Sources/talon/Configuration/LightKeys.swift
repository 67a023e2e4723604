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
    ConfigurationKey(section: "light", name: "chip", isFileOnly: true) { gpioName($1, &$0.light.chip) },
    ConfigurationKey(section: "light", name: "line") { gpioName($1, &$0.light.line) },
    ConfigurationKey(section: "light", name: "red_line") { gpioName($1, &$0.light.redLine) },
    ConfigurationKey(section: "light", name: "green_line") { gpioName($1, &$0.light.greenLine) },
    ConfigurationKey(section: "light", name: "blue_line") { gpioName($1, &$0.light.blueLine) },
    ConfigurationKey(section: "light", name: "active_low") { bool($1, &$0.light.isActiveLow) },
    ConfigurationKey(section: "button", name: "driver") { configuration, value in
      choice(value, [("none", .none), ("gpio", .gpio)], &configuration.button.driver)
    },
    ConfigurationKey(section: "button", name: "chip", isFileOnly: true) { gpioName($1, &$0.button.chip) },
    ConfigurationKey(section: "button", name: "line") { gpioName($1, &$0.button.line) },
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

  /// A chip's name, label or path; a line's number or name.
  private static func gpioName(_ value: String, _ target: inout String) -> String? { text(value, limit: 64, &target) }
}

/// `[light]`.
struct LightConfiguration {
  enum Driver { case none, led, gpio }

  var driver = Driver.none
  /// Names in /sys/class/leds: one LED, or one for each color. Empty for none.
  var led = "", red = "", green = "", blue = ""
  /// Percent.
  var brightness = 100
  var chip = "gpiochip0"
  /// Numbers or names of lines: one, or one for each color. Empty for none.
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
  var chip = "gpiochip0"
  var line = ""
  var isActiveLow = true
  var bias = Bias.pullUp
}
