import Hands
import Runtime
import Testing
import ToolsPart

@testable import talon

/// `[tool NAME]`.
@Suite struct HandConfigurationTests {
  private func parse(_ text: String) throws -> Configuration { try HandConfiguration.parse(text) }

  private func complaint(_ text: String) -> String? { HandConfiguration.complaint(text) }

  private static let output = "[tool a]\nkind = gpio\nline = gpiochip0:1\ndirection = out\n"
  private static let input = "[tool a]\nkind = gpio\nline = gpiochip0:1\ndirection = in\n"
  private static let pwm = "[tool a]\nkind = pwm\nchip = pwmchip0\n"
  private static let counter = "[tool a]\nkind = counter\nline = gpiochip0:1\n"

  @Test("sections of every kind are read, in any order, and may be published by their names")
  func several() throws {
    let configuration = try parse(
      """
      [tools]
      publish = photo, heater, water
      [tool heater]
      kind = gpio
      about = the frost heater
      line = pinctrl-rp1:GPIO17
      direction = out
      safe = on
      never_with = vent
      min_on = 5
      max_on_per_day = 600
      max_switches_per_day = 7
      calls_per_minute = 10
      [tool vent]
      kind = pwm
      chip = pwmchip0
      channel = 1
      frequency = 50
      min = 2.5
      max = 12.5
      [tool door]
      kind = gpio
      line = DOOR
      direction = in
      active_low = yes
      bias = pull-up
      on_means = open
      events = on
      [tool water]
      kind = counter
      line = /dev/gpiochip1:4
      scale = 0.001
      unit = kWh
      per = h
      window = 300
      """)
    #expect(configuration.hands.map(\.name) == ["heater", "vent", "door", "water"])
    #expect(configuration.hands.map(\.fileLine) == [3, 14, 21, 29])
    let (heater, vent) = (configuration.hands[0], configuration.hands[1])
    #expect(heater.gpio.line.chip == "pinctrl-rp1" && heater.gpio.line.line == "GPIO17" && heater.gpio.safe == .on)
    #expect(heater.gpio.neverWith == ["vent"] && heater.gpio.minOn == 5_000 && heater.gpio.maxOnPerDay == 600_000)
    #expect(heater.gpio.maxSwitchesPerDay == 7 && heater.callsPerMinute == 10 && heater.about == "the frost heater")
    #expect(vent.pwm.channel == 1 && vent.pwm.frequency == 50 && vent.pwm.minimum == 2.5 && vent.pwm.maximum == 12.5)
    let (door, water) = (configuration.hands[2], configuration.hands[3])
    #expect(door.gpio.line.chip.isEmpty && door.gpio.line.line == "DOOR" && door.gpio.line.bias == .pullUp)
    #expect(door.gpio.onWord == "open" && door.gpio.offWord == "off" && door.gpio.events == .on)
    #expect(water.counter.scale == 0.001 && water.counter.period == .hour && water.counter.window == 300_000)
    #expect(configuration.tools.choice == .named(["photo", "heater", "water"]))
  }

  /// What is wrong, and what is said of it, with file and line.
  static let mistakes: [(String, String)] = [
    ("[tool A]", "f:1: [tool A]: a tool's name has a to z, 0 to 9 and _, a letter first, at most 16"),
    ("[tool 1a]", "f:1: [tool 1a]: a tool's name has a to z, 0 to 9 and _, a letter first, at most 16"),
    ("[tool ]", "f:1: [tool]: unknown section; did you mean [tools]?"),
    (
      "[tool abcdefghijklmnopq]",
      "f:1: [tool abcdefghijklmnopq]: a tool's name has a to z, 0 to 9 and _, a letter first, at most 16"
    ),
    ("[tool photo]", "f:1: [tool photo]: photo is a tool of the board already: take another name"),
    ("\(counter)[tool a]", "f:4: [tool a]: appears twice"),
    (
      (0...16).map { "[tool t\($0)]\nkind = counter\nline = a\n" }.joined(),
      "f:49: [tool t16]: there may be at most 16 such sections"
    ),
    ("\n[tool a]\n", "f:2: [tool a] kind: is missing: what is it? Example: kind = gpio"),
    ("[tool a]\nkind = relay", "f:2: [tool a] kind: must be one of gpio, pwm, counter, sensor, serial, program"),
    ("[tool a]\nline = x", "f:2: [tool a] line: the first line of the section must be kind = ..."),
    ("\(counter)color = red", "f:4: [tool a] color: unknown key"),
    ("\(counter)safe = on", "f:4: [tool a] safe: is no key of kind counter"),
    ("\(counter)line = x", "f:4: [tool a] line: appears twice"),
    (
      "[tool a]\nkind = gpio\ndirection = in",
      "f:1: [tool a] line: is missing: which line? gpioinfo tells. Example: line = 17"
    ),
    (
      "[tool a]\nkind = gpio\nline = x",
      "f:1: [tool a] direction: is missing: in for what is read, out for what is switched"
    ),
    (
      "[tool a]\nkind = gpio\nline = pin 6",
      "f:3: [tool a] line: is a pin without a line: ground, a supply, or none of the 40. Example: pin 11, which is line 17"
    ),
    (
      "[tool a]\nkind = gpio\nline = :17",
      "f:3: [tool a] line: must be a line, as 17, GPIO17 or pin 11, or a chip and a line of it, as pinctrl-rp1:17"
    ),
    ("[tool a]\nkind = gpio\ndirection = both", "f:3: [tool a] direction: must be one of in, out"),
    (
      "[tool a]\nkind = gpio\nsafe = off",
      "f:3: [tool a] safe: is a key of outputs: direction = out must stand above it"
    ),
    ("\(output)events = on", "f:5: [tool a] events: is a key of inputs: direction = in must stand above it"),
    ("\(output)safe = maybe", "f:5: [tool a] safe: must be one of off, on, keep"),
    (
      "\(output)never_with = b",
      "f:1: [tool a] never_with: b is no output: it names sections [tool ...] of other outputs"
    ),
    (
      "\(output)never_with = a",
      "f:1: [tool a] never_with: a is no output: it names sections [tool ...] of other outputs"
    ),
    ("\(output)never_with = B", "f:5: [tool a] never_with: B is no name of a section [tool NAME]"),
    ("\(output)never_with = ,", "f:5: [tool a] never_with: must name an output"),
    (
      "\(output)never_with = \((0...8).map { "t\($0)" }.joined(separator: " "))",
      "f:5: [tool a] never_with: must name at most 8 outputs"
    ),
    (
      "\(output)safe = on\nnever_with = b\n[tool b]\nkind = gpio\nline = x\ndirection = out\nsafe = on",
      "f:1: [tool a] never_with: b is on, too, when nobody has switched it (safe)"
    ),
    ("\(output)min_on = 86401", "f:5: [tool a] min_on: must be a whole number from 0 to 86400"),
    ("\(output)max_on = 0", "f:5: [tool a] max_on: must be a whole number from 1 to 86400"),
    ("\(output)min_on = 10\nmax_on = 9", "f:1: [tool a] max_on: is shorter than min_on"),
    ("\(output)min_on = 90", "f:1: [tool a] max_pulse: is shorter than min_on"),
    ("\(output)min_on = 10\nmax_on_per_day = 9", "f:1: [tool a] max_on_per_day: is shorter than min_on"),
    ("\(output)max_on = 9\nsafe = on", "f:1: [tool a] max_on: makes no sense with safe = on: 9 s"),
    ("\(output)calls_per_minute = 0", "f:5: [tool a] calls_per_minute: must be a whole number from 1 to 600"),
    ("\(output)about = \(String(repeating: "x", count: 301))", "f:5: [tool a] about: must have at most 300 bytes"),
    ("\(output)about = a|b", "f:5: [tool a] about: must not contain control characters or |"),
    ("\(input)on_means = \(String(repeating: "x", count: 17))", "f:5: [tool a] on_means: must have at most 16 bytes"),
    ("\(input)debounce = 10001", "f:5: [tool a] debounce: must be a whole number from 0 to 10000"),
    ("\(input)max_events_per_hour = 0", "f:5: [tool a] max_events_per_hour: must be a whole number from 1 to 3600"),
    ("[tool a]\nkind = pwm", "f:1: [tool a] chip: is missing: which one? ls /sys/class/pwm tells"),
    ("[tool a]\nkind = pwm\nchip = ../x", "f:3: [tool a] chip: must be a name below /sys/class/pwm"),
    ("\(pwm)frequency = 1000001", "f:4: [tool a] frequency: must be a whole number from 1 to 1000000"),
    ("\(pwm)min = 101", "f:4: [tool a] min: must be a number from 0 to 100"),
    ("\(pwm)max = ten", "f:4: [tool a] max: must be a number from 0 to 100"),
    ("\(pwm)min = 60\nmax = 50", "f:1: [tool a] min: is more than max"),
    ("\(pwm)min = 20\nsafe = 10", "f:1: [tool a] safe: must be 0, or from min to max"),
    ("\(counter)scale = 0", "f:4: [tool a] scale: must be a number from 0.000001 to 1000000"),
    ("\(counter)scale = 1e", "f:4: [tool a] scale: must be a number from 0.000001 to 1000000"),
    ("\(counter)save = 59", "f:4: [tool a] save: must be a whole number from 60 to 86400"),
    (
      "[tools]\npublish = b\n\(counter)",
      "f:2: [tools] publish: b is no tool; must be none, safe, all, or names: "
        + "\(Tool.all.map(\.name).joined(separator: ", ")), a"
    ),
  ]

  @Test("what is wrong is told with its file, line and key", arguments: mistakes)
  func refused(text: String, says: String) { #expect(complaint(text) == says) }
}
