import Foundation
import Runtime
import Testing

@testable import Board

/// Lights in a folder of a test's own.
@Suite("A light of the LED class")
struct LEDIndicatorTests {
  private let tree = ReadingsTree()
  private let folder = "/leds/cam::rec"

  private func indicator() throws -> LEDIndicator { try LEDIndicator(name: "cam::rec", root: tree.root + "/leds") }

  private func make(most: String = "255\n", brightness: String = "0\n", trigger: String? = "none [mmc0]\n") {
    tree.write(folder + "/max_brightness", most)
    tree.write(folder + "/brightness", brightness)
    if let trigger { tree.write(folder + "/trigger", trigger) }
  }

  private func read(_ file: String) throws -> String {
    try String(contentsOfFile: tree.root + folder + "/" + file, encoding: .utf8)
  }

  @Test("on is as bright as it gets, taken from its trigger, and off is dark")
  func light() throws {
    make()
    let indicator = try indicator()
    #expect(indicator.light(true))
    #expect(try read("brightness") == "255\n")
    #expect(try read("trigger") == "none\n")
    #expect(indicator.light(true))
    #expect(indicator.light(false))
    #expect(try read("brightness") == "0\n")
  }

  @Test("a kernel without triggers is no obstacle")
  func noTriggers() throws {
    make(most: "1\n", trigger: nil)
    #expect(try indicator().light(true))
    #expect(try read("brightness") == "1\n")
  }

  @Test("a light that is not there does not obey, and does once it is there")
  func missing() throws {
    let indicator = try indicator()
    #expect(!indicator.light(true))
    #expect(!indicator.light(false))
    make()
    #expect(indicator.light(true))
  }

  @Test(
    "one that has no level but dark, or says something else than a number, does not obey",
    arguments: ["0\n", "-1\n", "", "bright\n", "255\n255\n", "1234567890123\n"])
  func level(most: String) throws {
    make(most: most)
    #expect(try !indicator().light(true))
    #expect(try read("brightness") == "0\n")
  }

  @Test("a light that accepts a write and stays dark, or stays on, does not obey")
  func deaf() throws {
    make()
    let brightness = tree.root + folder + "/brightness"
    try FileManager.default.removeItem(atPath: brightness)
    // Takes everything and reads as zeros, which is no number; and as nothing.
    for device in ["/dev/zero", "/dev/null"] {
      try FileManager.default.createSymbolicLink(atPath: brightness, withDestinationPath: device)
      let started = SystemClock().monotonic
      #expect(try !indicator().light(true))
      #expect(try !indicator().light(false))
      #expect(SystemClock().monotonic - started < 1_000)
      try FileManager.default.removeItem(atPath: brightness)
    }
  }

  @Test("one that shines on when told to be dark is looked at as often as the budget says")
  func bound() throws {
    make()
    let brightness = tree.root + folder + "/brightness"
    try FileManager.default.removeItem(atPath: brightness)
    // Who writes 0 here gets the default of 50,000 (proc(5)), so this light obeys when it is told to shine only.
    try FileManager.default.createSymbolicLink(
      atPath: brightness, withDestinationPath: "/proc/self/timerslack_ns")
    let indicator = try indicator()
    #expect(indicator.light(true))
    let started = SystemClock().monotonic
    #expect(!indicator.light(false))
    #expect(SystemClock().monotonic - started >= 5 * Int64(Budget.indicatorReads - 1))
  }

  @Test("its name is a name and no way to elsewhere", arguments: ["", ".", "..", "a/b", "/led0", "../led0", "a\0b"])
  func names(name: String) {
    #expect(throws: Errno.invalidArgument) { try LEDIndicator(name: name) }
  }
}
