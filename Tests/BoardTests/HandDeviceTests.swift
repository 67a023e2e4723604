import CFakeGPIO
import Foundation
import Hands
import Runtime
import Simulated
import Testing

@testable import Board

/// Lines of a made-up chip, which stands in libgpiod's place, and files of a made-up PWM chip; the real ones are tried
/// in the virtual machine (board/tests/hands.sh).
@Suite struct HandDeviceTests {
  private let clock = VirtualClock()

  init() { fake_gpio_reset() }

  private func place(_ line: String, isActiveLow: Bool = false, chip: String = "gpiochip0") -> GPIOPlace {
    GPIOPlace(chip: chip, line: line, isActiveLow: isActiveLow)
  }

  // MARK: Outputs

  @Test("an output is what it was asked to be from the first instant, or what it is", arguments: [false, true])
  func opened(isOn: Bool) throws {
    let output = GPIOOutput(place("3"), bias: .asItIs)
    fake_gpio_drive(3, isOn ? 0 : 1)
    try output.open(isOn)
    #expect(try output.isOn() == isOn)
    output.close()
    try output.open(nil)
    #expect(try output.isOn() == isOn)
    #expect(fake_gpio_writes() == 0)
    output.close()
    #expect(fake_gpio_is_taken(3) == 0)
  }

  @Test("it is found by its name alone, on whichever chip has it")
  func named() throws {
    let output = GPIOOutput(place("LINE5", chip: ""), bias: .pullUp)
    try output.open(true)
    #expect(fake_gpio_level(5) == 1 && fake_gpio_flags(5) == 32)
    output.close()
    #expect(throws: Errno.noSuchFile) { try GPIOOutput(place("LINE9", chip: ""), bias: .asItIs).open(false) }
  }

  @Test("one that somebody else has is busy")
  func busy() throws {
    let first = GPIOOutput(place("3"), bias: .asItIs)
    try first.open(true)
    #expect(throws: Errno.busy) { try GPIOOutput(place("3"), bias: .asItIs).open(false) }
    #expect(fake_gpio_level(3) == 1)
    first.close()
    #expect(throws: Errno.noSuchDevice) { try first.set(true) }
  }

  // MARK: What every line promises

  @Test("an output is set and read back, simulated or not", arguments: [false, true])
  func output(isSimulated: Bool) throws {
    let line: any OutputLine = isSimulated ? MemoryOutput() : GPIOOutput(place("1"), bias: .asItIs)
    for _ in 0..<2 {
      try line.open(false)
      for isOn in [true, false, true] {
        try line.set(isOn)
        #expect(try line.isOn() == isOn)
      }
      line.close()
    }
  }

  @Test("an input tells of its edges, and of those that were lost, simulated or not", arguments: [false, true])
  func input(isSimulated: Bool) throws {
    let simulated = MemoryInput(clock: clock)
    let real = GPIOInput(place("7"), bias: .pullUp, edgesPerSecond: 100, loop: try Loop(clock: clock), clock: clock)
    let line: any InputLine = isSimulated ? simulated : real
    let heard = EdgeLog()
    #expect(try !line.start(heard))
    if isSimulated {
      simulated.set(true)
    } else {
      fake_gpio_drive(7, 1)
      fake_gpio_edge(7, 1, clock.monotonic * 1_000_000)
      real.ready(Descriptor(-1), .readable)
    }
    #expect(heard.edges == [true] && heard.missed.isEmpty)
    if isSimulated {
      simulated.losesEdges = true
      simulated.set(false)
    } else {
      fake_gpio_drive(7, 0)
    }
    line.catchUp()
    #expect(heard.edges == [true] && heard.missed == [false])
    line.stop()
  }

  @Test("an edge is one of now where the date was set between it and its reading, by years in either direction")
  func dateSet() {
    let (now, wall, year): (Int64, Int64, Int64) = (5_000_000, 1_800_000_000_000, 31_557_600_000)
    #expect(GPIOInput.monotonic(now - 20, monotonic: now, wall: wall) == now - 20)
    #expect(GPIOInput.monotonic(wall - 20, monotonic: now, wall: wall) == now - 20)
    for years in [-30, 30] as [Int64] {
      #expect(GPIOInput.monotonic(now - 20, monotonic: now, wall: wall + years * year) == now - 20)
      #expect(GPIOInput.monotonic(wall - 20, monotonic: now, wall: wall + years * year) == now)
    }
  }

  // MARK: PWM

  private func chip() throws -> ReadingsTree {
    let tree = ReadingsTree()
    tree.write("/pwmchip0/export", "")
    for (file, text) in [("period", "0\n"), ("duty_cycle", "0\n"), ("enable", "0\n"), ("polarity", "normal\n")] {
      tree.write("/pwmchip0/pwm1/\(file)", text)
    }
    return tree
  }

  private func text(_ tree: ReadingsTree, _ file: String) throws -> String {
    try String(contentsOfFile: tree.root + "/pwmchip0/" + file, encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  @Test("a channel is exported, gets its period, and is set in shares of it")
  func pwm() throws {
    let tree = try chip()
    let output = try SysfsPWM(chip: "pwmchip0", channel: 1, frequency: 50, isInverted: false, root: tree.root)
    try output.open()
    #expect(try text(tree, "export") == "1" && text(tree, "pwm1/period") == "20000000")
    try output.set(0.075)
    #expect(try text(tree, "pwm1/duty_cycle") == "1500000" && text(tree, "pwm1/enable") == "1")
    #expect(try output.share() == 0.075)
    try output.set(7)
    #expect(try output.share() == 1)
    try output.set(0)
    #expect(try output.share() == 0 && text(tree, "pwm1/enable") == "1")
  }

  @Test("one that is turned round is off while its polarity changes")
  func inverted() throws {
    let tree = try chip()
    tree.write("/pwmchip0/pwm1/enable", "1\n")
    let output = try SysfsPWM(chip: "pwmchip0", channel: 1, frequency: 1_000, isInverted: true, root: tree.root)
    try output.open()
    #expect(try text(tree, "pwm1/polarity") == "inversed" && text(tree, "pwm1/enable") == "0")
    #expect(try output.share() == 0)
  }

  @Test("a chip that is not there says so, and a name leads nowhere else")
  func absent() throws {
    let output = try SysfsPWM(chip: "pwmchip7", channel: 0, frequency: 1_000, isInverted: false, root: try chip().root)
    #expect(throws: Errno.noSuchFile) { try output.open() }
    for name in ["", "..", "a/b"] {
      #expect(throws: Errno.invalidArgument) {
        try SysfsPWM(chip: name, channel: 0, frequency: 1_000, isInverted: false)
      }
    }
    for frequency in [0, 1_000_001] {
      #expect(throws: Errno.invalidArgument) {
        try SysfsPWM(chip: "pwmchip0", channel: 0, frequency: frequency, isInverted: false)
      }
    }
  }
}

private final class EdgeLog: InputLineDelegate {
  private(set) var edges: [Bool] = []
  private(set) var missed: [Bool] = []

  func lineChanged(isOn: Bool, at instant: Int64) { edges.append(isOn) }
  func lineMissed(isOn: Bool, at instant: Int64) { missed.append(isOn) }
  func lineFailed(_ reason: Errno) {}
}
