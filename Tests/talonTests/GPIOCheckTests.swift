import Board
import CFakeGPIO
import Device
import Hands
import Testing

@testable import talon

/// What doctor says of lines, on the chips of each Raspberry Pi and of other boards. The chips stand in libgpiod's
/// place, for each thread its own: they are set in the test itself.
@Suite struct GPIOCheckTests {
  private func light(_ line: String, chip: String = "") -> Configuration {
    var configuration = Configuration()
    configuration.light.driver = .gpio
    (configuration.light.line, configuration.light.chip) = (line, chip)
    return configuration
  }

  private func finding(_ line: String, chip: String = "") -> Finding? {
    GPIOCheck(light(line, chip: chip)).finding(.light)
  }

  static let boards: [(fake_gpio_board, String, String, Finding.Grade, String)] = [
    (FAKE_GPIO_PI4, "", "17", .good, "line 17 of gpiochip0 (pinctrl-bcm2711), GPIO17"),
    (FAKE_GPIO_PI4, "", "pin 11", .good, "line 17 of gpiochip0 (pinctrl-bcm2711), GPIO17"),
    (FAKE_GPIO_PI5, "", "17", .good, "line 17 of gpiochip0 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5, "", "GPIO17", .good, "line 17 of gpiochip0 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5_EARLY, "", "17", .good, "line 17 of gpiochip4 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5_EARLY, "", "pin 11", .good, "line 17 of gpiochip4 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5_EARLY, "pinctrl-rp1", "17", .good, "line 17 of gpiochip4 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5_EARLY, "gpiochip4", "17", .good, "line 17 of gpiochip4 (pinctrl-rp1), GPIO17"),
    (FAKE_GPIO_PI5_EARLY, "gpiochip0", "17", .warning, ", which is not on the header"),
    // A label is meant, and an expander is no header on purpose.
    (FAKE_GPIO_PI4, "raspberrypi-exp-gpio", "2", .good, "line 2 of gpiochip1 (raspberrypi-exp-gpio), EXP2"),
    (FAKE_GPIO_PI4, "", "EXP2", .good, "line 2 of gpiochip1 (raspberrypi-exp-gpio), EXP2"),
    (FAKE_GPIO_PI4, "gpiochip1", "2", .warning, ", which is not on the header"),
    // Another board has no header that is known.
    (FAKE_GPIO_OTHER, "gpiochip0", "17", .good, "line 17 of gpiochip0 (1c20800.pinctrl), P17"),
    (FAKE_GPIO_OTHER, "gpiochip1", "17", .good, "line 17 of gpiochip1 (expander), GPIO17"),
    (FAKE_GPIO_PI4, "", "99", .failure, #"there is no line "99": "#),
    (FAKE_GPIO_PI4, "gpiochip7", "17", .failure, #"there is no line "gpiochip7:17": "#),
    (FAKE_GPIO_PI4, "", "pin 6", .failure, #"there is no line "pin 6": "#),
    (FAKE_GPIO_PI5_EARLY, "gpiochip0", "GPIO17", .failure, #"there is no line "gpiochip0:GPIO17": "#),
  ]

  @Test("a line is named with its chip, and one that is not on the header or not there is told", arguments: boards)
  func lines(board: fake_gpio_board, chip: String, line: String, grade: Finding.Grade, text: String) throws {
    fake_gpio_be(board)
    defer { fake_gpio_reset() }
    let found = try #require(finding(line, chip: chip))
    #expect(found.grade == grade && found.text.contains(text), "\(found.text)")
    #expect(found.remedy.isEmpty == (grade == .good))
    #expect(grade != .warning || found.remedy.contains("remove chip from [light]"))
    // Tools and the button for talking are told of trouble alone.
    var configuration = Configuration()
    configuration.talk.button.driver = .gpio
    (configuration.talk.button.line, configuration.talk.button.chip) = (line, chip)
    for kind in [HandKind.gpio, .counter] {
      var hand = HandSettings(name: "pump")
      hand.kind = kind
      (hand.gpio.line.line, hand.gpio.line.chip) = (line, chip)
      (hand.counter.line.line, hand.counter.line.chip) = (line, chip)
      configuration.hands.append(hand)
    }
    let others = GPIOCheck(configuration).others()
    #expect(others.map { "\($0.subject)" } == (grade == .good ? [] : ["button", "tools", "tools"]))
    for (other, section) in zip(others, ["[talk] button", "[tool pump]", "[tool pump]"]) {
      #expect(other.grade == grade && other.text == "\(section): \(found.text)" && other.remedy.contains(section))
    }
  }

  @Test("a chip that may not be opened is no failure: the agent may have the right")
  func closed() throws {
    fake_gpio_be(FAKE_GPIO_PI4)
    defer { fake_gpio_reset() }
    fake_gpio_close_chip(0)
    fake_gpio_close_chip(1)
    #expect(finding("17") == Finding("light", .unknown, "only the agent may look at its line"))
    var hand = HandSettings(name: "pump")
    (hand.kind, hand.gpio.line.line) = (.gpio, "17")
    var configuration = Configuration()
    configuration.hands = [hand]
    let others = GPIOCheck(configuration).others()
    #expect(others == [Finding("tools", .unknown, "[tool pump]: only the agent may look at its line")])
  }

  @Test("every line of a light of several colors is looked for, and the first that is not there is told")
  func colors() {
    fake_gpio_be(FAKE_GPIO_PI4)
    defer { fake_gpio_reset() }
    var configuration = light("")
    (configuration.light.redLine, configuration.light.blueLine) = ("17", "pin 13")
    let texts = ["line 17 of gpiochip0 (pinctrl-bcm2711), GPIO17", "line 27 of gpiochip0 (pinctrl-bcm2711), GPIO27"]
    #expect(
      GPIOCheck(configuration).finding(.light) == Finding("light", .good, texts.joined(separator: "; ")))
    configuration.light.greenLine = "GPIO99"
    let missing = GPIOCheck(configuration).finding(.light)
    #expect(missing?.grade == .failure && missing?.text.contains(#""GPIO99""#) == true)
  }

  @Test("what is not on lines has no finding")
  func none() {
    fake_gpio_be(FAKE_GPIO_PI4)
    defer { fake_gpio_reset() }
    var configuration = Configuration()
    configuration.light.driver = .led
    configuration.light.led = "ACT"
    var hand = HandSettings(name: "fan")
    hand.kind = .pwm
    configuration.hands = [hand]
    let check = GPIOCheck(configuration)
    #expect(CheckedDevice.allCases.allSatisfy { check.finding($0) == nil && check.places($0).isEmpty })
    #expect(check.others().isEmpty)
  }

  @Test("the button has a finding of its own, with its own section in the remedy")
  func button() {
    fake_gpio_be(FAKE_GPIO_PI5_EARLY)
    defer { fake_gpio_reset() }
    var configuration = Configuration()
    configuration.button.driver = .gpio
    (configuration.button.line, configuration.button.chip) = ("17", "gpiochip0")
    let found = GPIOCheck(configuration).finding(.button)
    #expect(found?.grade == .warning && found?.remedy.contains("[button]") == true)
    #expect(GPIOCheck(configuration).finding(.light) == nil)
  }
}
