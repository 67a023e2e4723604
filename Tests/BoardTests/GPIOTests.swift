import CFakeGPIO
import Panel
import Runtime
import Simulated
import Testing

@testable import Board

/// Lines of a made-up chip, which stands in libgpiod's place; the real one is tried in the virtual machine.
@Suite struct GPIOTests {
  private let clock = VirtualClock()
  private let loop: Loop
  private let log = Log(level: .debug, output: nil)
  private let heard = ButtonLog()

  init() throws {
    loop = try Loop(clock: clock)
    fake_gpio_reset()
  }

  private func place(_ line: String, isActiveLow: Bool = false, chip: String = "gpiochip0") -> GPIOPlace {
    GPIOPlace(chip: chip, line: line, isActiveLow: isActiveLow)
  }

  private func button(_ line: String = "7", bias: GPIOBias = .pullUp) -> GPIOButton {
    GPIOButton(place(line, isActiveLow: true), bias: bias, loop: loop, clock: clock, log: log)
  }

  private func lit() -> [Int] { (0..<8).filter { fake_gpio_level(Int32($0)) == 1 }.map { $0 } }

  private func nanoseconds(_ ago: Int64) -> Int64 { (clock.monotonic - ago) * 1_000_000 }

  // MARK: Light

  @Test func `A light is taken dark, shows, and is left dark`() throws {
    let light = try GPIOLight(.one(place("3", isActiveLow: true)))
    try light.open()
    // GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW
    #expect(fake_gpio_is_taken(3) == 1 && fake_gpio_flags(3) == 4)
    #expect(lit() == [])
    try light.show(LightColor(blue: true))
    #expect(lit() == [3])
    #expect(try !light.play(Signal.panic.pattern))
    light.close()
    #expect(lit() == [] && fake_gpio_is_taken(3) == 0)
  }

  @Test func `Lines of colours are mixed, by number and by name, and only what changes is written`() throws {
    let light = try GPIOLight(.colors(red: place("LINE1"), green: place("2", chip: "fake"), blue: nil))
    try light.open()
    try light.show(LightColor(red: true, green: true))
    #expect(lit() == [1, 2])
    let writes = fake_gpio_writes()
    try light.show(LightColor(green: true))
    #expect(lit() == [2])
    #expect(fake_gpio_writes() == writes + 1)
    try light.show(LightColor(green: true))
    #expect(fake_gpio_writes() == writes + 1)
    // Blue is not there, and has to be seen all the same.
    try light.show(LightColor(blue: true))
    #expect(lit() == [1, 2])
    light.close()
  }

  static let strangers: [(String, String)] = [
    ("gpiochip1", "1"), ("gpiochip0", "8"), ("gpiochip0", "99999999999"), ("gpiochip0", "GPIO17"), ("gpiochip0", ""),
  ]

  @Test(arguments: strangers)
  func `What is not there says so`(chip: String, line: String) throws {
    let light = try GPIOLight(.one(place(line, chip: chip)))
    #expect(throws: Errno.noSuchFile) { try light.open() }
    #expect(throws: Errno.noSuchDevice) { try light.show(LightColor(red: true)) }
    light.close()
  }

  @Test func `A line in use by another program is not taken, and the other lines are released`() throws {
    let owner = try GPIOLight(.one(place("2")))
    try owner.open()
    try owner.show(LightColor(red: true))
    let light = try GPIOLight(.colors(red: place("1"), green: place("2"), blue: place("3")))
    #expect(throws: Errno.busy) { try light.open() }
    #expect((0..<8).filter { fake_gpio_is_taken(Int32($0)) == 1 } == [2])
    #expect(lit() == [2])
    owner.close()
    try light.open()
    light.close()
  }

  @Test func `A light without lines is none`() {
    #expect(throws: Errno.invalidArgument) { try GPIOLight(.colors(red: nil, green: nil, blue: nil)) }
  }

  // MARK: Which line is meant

  static let meanings: [(fake_gpio_board, String, String, String)] = [
    // What the header calls line 17, on each chip that it may be wired to.
    (FAKE_GPIO_PI4, "", "17", "gpiochip0 17"), (FAKE_GPIO_PI4, "", "GPIO17", "gpiochip0 17"),
    (FAKE_GPIO_PI4, "", "pin 11", "gpiochip0 17"), (FAKE_GPIO_PI5, "", "17", "gpiochip0 17"),
    (FAKE_GPIO_PI5_EARLY, "", "17", "gpiochip4 17"), (FAKE_GPIO_PI5_EARLY, "", "gpio17", "gpiochip4 17"),
    (FAKE_GPIO_PI5_EARLY, "", "PIN11", "gpiochip4 17"), (FAKE_GPIO_PI5_EARLY, "", "Pin_11", "gpiochip4 17"),
    (FAKE_GPIO_OTHER, "", "17", "gpiochip0 17"), (FAKE_GPIO_OTHER, "", "pin 11", "gpiochip1 17"),
    // Lines whose names are those of their functions.
    (FAKE_GPIO_PI4, "", "GPIO2", "gpiochip0 2"), (FAKE_GPIO_PI5_EARLY, "", "pin 3", "gpiochip4 2"),
    (FAKE_GPIO_PI5_EARLY, "pinctrl-rp1", "GPIO2", "gpiochip4 2"),
    // Other names, on whichever chip has them.
    (FAKE_GPIO_PI4, "", "EXP3", "gpiochip1 3"), (FAKE_GPIO_OTHER, "", "P5", "gpiochip0 5"),
    (FAKE_GPIO_PLAIN, "", "LINE3", "gpiochip0 3"), (FAKE_GPIO_PLAIN, "", "3", "gpiochip0 3"),
    // The chip that is named counts.
    (FAKE_GPIO_PI5_EARLY, "gpiochip0", "17", "gpiochip0 17"),
    (FAKE_GPIO_OTHER, "1c20800.pinctrl", "17", "gpiochip0 17"),
    (FAKE_GPIO_PI4, "raspberrypi-exp-gpio", "2", "gpiochip1 2"),
    // What is not there.
    (FAKE_GPIO_PI5_EARLY, "gpiochip0", "GPIO17", "none"), (FAKE_GPIO_PI5_EARLY, "gpiochip0", "pin 11", "none"),
    (FAKE_GPIO_PLAIN, "", "pin 3", "none"), (FAKE_GPIO_PLAIN, "", "GPIO3", "none"),
    (FAKE_GPIO_PI4, "", "pin 6", "none"),
    (FAKE_GPIO_PI4, "", "pin 41", "none"), (FAKE_GPIO_PI4, "", "99", "none"), (FAKE_GPIO_PI4, "", "", "none"),
    (FAKE_GPIO_PI4, "", "pin", "none"), (FAKE_GPIO_PI4, "", "GPIO", "none"), (FAKE_GPIO_PI4, "", "GPIO17x", "none"),
    (FAKE_GPIO_PI4, "gpiochip7", "17", "none"),
  ]

  @Test(arguments: meanings)
  func `A line is found by what people call it, on the chip that they mean`(
    board: fake_gpio_board, chip: String, line: String, expected: String
  ) throws {
    fake_gpio_be(board)
    let found = try? place(line, chip: chip).locate()
    #expect(found.map { "\($0.chip) \($0.number)" } ?? "none" == expected)
    // The same line is requested.
    let light = try GPIOLight(.one(place(line, chip: chip)))
    let isOpen = (try? light.open()) != nil
    #expect(isOpen == (found != nil))
    if let found { #expect([0, 1].contains { fake_gpio_taken_of($0) == Int32(found.number) }) }
    light.close()
    #expect(fake_gpio_taken_of(0) == -1 && fake_gpio_taken_of(1) == -1)
  }

  @Test func `All 28 lines of the header are found by number, name and pin`() throws {
    fake_gpio_be(FAKE_GPIO_PI5_EARLY)
    var numbers: [Int] = []
    for pin in 0...45 {
      guard case .line(let number) = GPIOPlace.headerLine("pin \(pin)") else {
        #expect(GPIOPlace.headerLine("pin \(pin)") == .noLine && GPIOPlace.headerLine("BOARD\(pin)") == .noLine)
        continue
      }
      numbers.append(number)
      for name in ["\(number)", "GPIO\(number)", "BCM\(number)", "pin \(pin)", "BOARD\(pin)"] {
        #expect(try place(name, chip: "").locate().number == number)
        #expect(place(name, chip: "").isSameLine(as: place("pin\(pin)", chip: "pinctrl-rp1")))
      }
    }
    #expect(numbers.sorted() == Array(0..<28))
  }

  @Test func `The chip, its label and the line's name are told, and whether it is the header's`() throws {
    fake_gpio_be(FAKE_GPIO_PI5_EARLY)
    #expect(try place("17", chip: "").locate().text == "line 17 of gpiochip4 (pinctrl-rp1), GPIO17")
    #expect(try place("2", chip: "").locate().text == "line 2 of gpiochip4 (pinctrl-rp1)")
    #expect(try place("17", chip: "").locate().isHeader == true)
    #expect(try place("17", chip: "gpiochip0").locate().isHeader == false)
    fake_gpio_be(FAKE_GPIO_OTHER)
    #expect(try place("17", chip: "gpiochip0").locate().isHeader == nil)
  }

  @Test func `Chips that may not be opened are told from lines that are not there`() throws {
    fake_gpio_be(FAKE_GPIO_PI5_EARLY)
    fake_gpio_close_chip(1)
    #expect(throws: Errno.accessDenied) { try place("GPIO17", chip: "").locate() }
    #expect(throws: Errno.accessDenied) { try place("17", chip: "pinctrl-rp1").locate() }
    // The chip that may be opened is not the header's.
    #expect(throws: Errno.accessDenied) { try place("17", chip: "").locate() }
    fake_gpio_be(FAKE_GPIO_PI4)
    fake_gpio_close_chip(1)
    #expect(try place("17", chip: "").locate().number == 17)
  }

  // MARK: Button

  /// What libgpiod calls them (GPIOD_LINE_REQUEST_FLAG_BIAS_...).
  static let resistors: [(GPIOBias, Int32)] = [(.pullUp, 32), (.pullDown, 16), (.none, 8), (.asItIs, 0)]

  @Test(arguments: resistors)
  func `Its resistor is asked for`(bias: GPIOBias, flag: Int32) throws {
    let button = button(bias: bias)
    try button.start(heard)
    #expect(fake_gpio_flags(7) == 4 | flag)
    button.stop()
    #expect(fake_gpio_is_taken(7) == 0)
  }

  @Test func `Edges are reported with the kernel's stamps, of either clock`() throws {
    let button = button()
    try button.start(heard)
    #expect(heard.changes.isEmpty)
    fake_gpio_edge(7, 1, nanoseconds(500))
    fake_gpio_edge(7, 0, (clock.wall - 200) * 1_000_000)
    button.line.ready(Descriptor(-1), .readable)
    #expect(heard.changes == [.init(true, clock.monotonic - 500), .init(false, clock.monotonic - 200)])
    button.stop()
  }

  @Test func `A loop that has waited hears them all`() throws {
    let button = button()
    try button.start(heard)
    for step in 0..<10 { fake_gpio_edge(7, Int32(1 - step % 2), nanoseconds(Int64(100 - step))) }
    heard.onChange = { [loop, heard] in if heard.changes.count == 10 { loop.stop() } }
    try loop.run()
    #expect(heard.changes.map(\.instant) == (0..<10).map { clock.monotonic - 100 + $0 })
    button.stop()
  }

  @Test func `One that is down at the start says so before it returns`() throws {
    fake_gpio_drive(7, 1)
    let button = button()
    try button.start(heard)
    #expect(heard.changes == [.init(true, clock.monotonic)])
    button.stop()
  }

  @Test func `An edge that the kernel has lost is noticed by the level`() throws {
    let button = button()
    try button.start(heard)
    fake_gpio_drive(7, 1)
    fake_gpio_edge(7, 1, nanoseconds(50))
    button.catchUp()
    #expect(heard.changes == [.init(true, clock.monotonic - 50)])
    fake_gpio_drive(7, 0)
    button.catchUp()
    #expect(heard.missed == [.init(false, clock.monotonic)])
    button.catchUp()
    #expect(heard.missed.count == 1 && heard.changes.count == 1)
    button.stop()
  }

  @Test func `One turn of the loop takes so many edges, and a line that never rests is given up`() throws {
    let button = button()
    try button.start(heard)
    func hum(_ count: Int) {
      for step in 0..<count { fake_gpio_edge(7, Int32(step % 2), nanoseconds(0)) }
    }
    hum(Budget.buttonEdgesPerTurn + 1)
    button.line.ready(Descriptor(-1), .readable)
    #expect(heard.changes.count == Budget.buttonEdgesPerTurn)
    clock.advance(1_000)
    while heard.changes.count < Budget.buttonEdgesPerTurn + 1 { button.line.ready(Descriptor(-1), .readable) }
    // A second of its own, in which one edge has been counted.
    hum(Budget.buttonEdgesPerSecond - 1)
    for _ in 0..<4 { button.line.ready(Descriptor(-1), .readable) }
    #expect(heard.failure == nil)
    hum(1)
    button.line.ready(Descriptor(-1), .readable)
    #expect(heard.failure == .inputOutput)
    #expect(fake_gpio_is_taken(7) == 0)
  }

  @Test func `A chip that goes is reported once, and the line is given back`() throws {
    let button = button()
    try button.start(heard)
    fake_gpio_fail(19)
    button.catchUp()
    #expect(heard.failure == .noSuchDevice)
    heard.failure = nil
    button.catchUp()
    #expect(heard.failure == nil)
    fake_gpio_fail(0)
    try button.start(heard)
    button.line.ready(Descriptor(-1), .failed)
    #expect(heard.failure == .noSuchDevice)
  }

  @Test func `A button that is not there can be started later`() throws {
    let button = button()
    fake_gpio_fail(2)
    #expect(throws: Errno.noSuchFile) { try button.start(heard) }
    fake_gpio_fail(0)
    try button.start(heard)
    #expect(fake_gpio_is_taken(7) == 1)
    button.stop()
  }

  // MARK: What every light and button promises

  enum LightKind: CaseIterable { case led, gpio, memory }

  @Test(arguments: LightKind.allCases) func `A light opens, shows, closes and opens again`(kind: LightKind) throws {
    let tree = ReadingsTree()
    let light: any Light
    switch kind {
    case .led:
      for (file, text) in [("max_brightness", "1\n"), ("brightness", "0\n"), ("trigger", "[none] timer pattern\n")] {
        tree.write("/leds/a/\(file)", text)
      }
      for file in ["delay_on", "delay_off", "pattern"] { tree.write("/leds/a/\(file)", "") }
      light = try LEDLight(.one("a"), root: tree.root + "/leds")
    case .gpio: light = try GPIOLight(.one(place("1")))
    case .memory: light = MemoryLight(clock: clock)
    }
    for _ in 0..<2 {
      try light.open()
      for signal in Signal.allCases {
        let pattern = signal.pattern
        if pattern.isSteady {
          try light.show(pattern.steps[0].color)
        } else if try !light.play(pattern) {
          for step in pattern.steps { try light.show(step.color) }
        }
      }
      light.close()
    }
  }

  @Test(arguments: [false, true]) func `A button tells a panel of a press`(isSimulated: Bool) throws {
    let scripted = ScriptedButton(clock: clock)
    let panel = FrontPanel(light: nil, button: isSimulated ? scripted : button(), clock: clock, log: log)
    let person = GestureLog()
    panel.start(person)
    for isPressed in [true, false] {
      if isSimulated {
        scripted.set(isPressed)
      } else {
        fake_gpio_drive(7, isPressed ? 1 : 0)
        fake_gpio_edge(7, isPressed ? 1 : 0, nanoseconds(0))
      }
      clock.advance(100)
      // Edges come by the loop, or are fetched when time is judged.
      panel.advance(to: clock.monotonic)
      if !isSimulated { try turn() }
      panel.advance(to: clock.monotonic)
    }
    #expect(person.gestures == [.acknowledge])
    panel.stop()
  }

  /// One turn of the loop, for which something waits.
  private func turn() throws {
    var turns = 0
    try loop.run {
      turns += 1
      if turns == 2 { loop.stop() }
    }
  }
}

/// What a button has told.
private final class ButtonLog: ButtonDelegate {
  struct Change: Equatable {
    let isPressed: Bool
    let instant: Int64
    init(_ isPressed: Bool, _ instant: Int64) {
      self.isPressed = isPressed
      self.instant = instant
    }
  }

  private(set) var changes: [Change] = []
  private(set) var missed: [Change] = []
  var failure: Errno?
  var onChange: () -> Void = {}

  func buttonChanged(isPressed: Bool, at instant: Int64) {
    changes.append(Change(isPressed, instant))
    onChange()
  }

  func buttonMissed(isPressed: Bool, at instant: Int64) { missed.append(Change(isPressed, instant)) }
  func buttonFailed(_ reason: Errno) { failure = reason }
}

private final class GestureLog: FrontPanelDelegate {
  private(set) var gestures: [Gesture] = []
  func gestured(_ gesture: Gesture) { gestures.append(gesture) }
}
