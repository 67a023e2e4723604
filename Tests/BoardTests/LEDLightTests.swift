import CLinux
import Foundation
import Panel
import Runtime
import Testing

@testable import Board

/// Lights in a folder of a test's own, whose files keep what is written. What the kernel makes of it is tried in the
/// virtual machine.
@Suite struct LEDLightTests {
  private let tree = ReadingsTree()
  private let green = LightColor(green: true)
  private let yellow = LightColor(red: true, green: true)
  private let code = LightPattern([
    .init(LightColor(red: true), 250), .init(.dark, 250), .init(LightColor(red: true), 250), .init(.dark, 1500),
  ])
  private let even = LightPattern([.init(LightColor(red: true), 125), .init(.dark, 125)])

  private func make(
    _ name: String, most: String = "255\n", triggers: String? = "none timer [mmc0] pattern\n",
    isMulticolor: Bool = false
  ) {
    let folder = "/leds/\(name)"
    tree.write(folder + "/max_brightness", most)
    tree.write(folder + "/brightness", "77\n")
    for file in ["delay_on", "delay_off", "pattern"] { tree.write(folder + "/" + file, "") }
    if let triggers { tree.write(folder + "/trigger", triggers) }
    guard isMulticolor else { return }
    tree.write(folder + "/multi_index", "green white red blue\n")
    tree.write(folder + "/multi_intensity", "0 0 0 0\n")
  }

  private func read(_ name: String, _ file: String) -> String {
    (try? String(contentsOfFile: tree.root + "/leds/\(name)/\(file)", encoding: .utf8)) ?? "nothing"
  }

  private func remove(_ name: String, _ file: String) {
    try? FileManager.default.removeItem(atPath: tree.root + "/leds/\(name)/\(file)")
  }

  private func light(_ names: LEDLight.Names, brightness: Int = 100, isInverted: Bool = false) throws -> LEDLight {
    try LEDLight(names, brightness: brightness, isInverted: isInverted, root: tree.root + "/leds")
  }

  @Test func `It is taken from its trigger, dark, and gets it back`() throws {
    make("a")
    let light = try light(.one("a"))
    try light.open()
    #expect(read("a", "trigger") == "none")
    #expect(read("a", "brightness") == "0\n")
    try light.show(green)
    #expect(read("a", "brightness") == "255\n")
    light.close()
    #expect(read("a", "brightness") == "0\n")
    #expect(read("a", "trigger") == "mmc0")
  }

  @Test(arguments: ["[none] timer", "none [timer] pattern", "none timer [pattern]", "none", "", "[", "a]"])
  func `A trigger that a run before has left is not put back`(triggers: String) throws {
    make("a", triggers: triggers + "\n")
    let light = try light(.one("a"))
    try light.open()
    light.close()
    #expect(read("a", "trigger") == "none")
  }

  @Test func `The list of triggers may be longer than it is read`() throws {
    make("a", triggers: String(repeating: "cpu ", count: Budget.ledTriggersBytes / 4) + "[late]\n")
    let light = try light(.one("a"))
    try light.open()
    light.close()
    #expect(read("a", "trigger") == "none")
  }

  @Test(arguments: [(1, 2, "1\n"), (50, 255, "127\n"), (100, 1, "1\n"), (30, 1, "1\n")])
  func `Brightness is a part of the highest level, and never dark`(percent: Int, most: Int, level: String) throws {
    make("a", most: "\(most)\n")
    let light = try light(.one("a"), brightness: percent)
    try light.open()
    try light.show(green)
    #expect(read("a", "brightness") == level)
  }

  @Test func `Even blinking is left to the timer, codes to the pattern`() throws {
    make("a")
    let light = try light(.one("a"), brightness: 50)
    try light.open()
    #expect(try light.play(even))
    #expect(read("a", "trigger") == "timer")
    #expect(read("a", "brightness") == "127\n")
    #expect(read("a", "delay_on") == "125" && read("a", "delay_off") == "125")
    #expect(try light.play(code))
    #expect(read("a", "trigger") == "pattern")
    #expect(read("a", "pattern") == "127 250 127 0 0 250 0 0 127 250 127 0 0 1500 0 0 ")
    try light.show(green)
    #expect(read("a", "trigger") == "none")
    #expect(read("a", "brightness") == "127\n")
  }

  @Test func `Without a timer the pattern does it, and without both it is done step by step`() throws {
    make("a")
    remove("a", "delay_on")
    try FileManager.default.createDirectory(atPath: tree.root + "/leds/a/delay_on", withIntermediateDirectories: true)
    let light = try light(.one("a"))
    try light.open()
    // A folder cannot be written to: an error of the device, not a missing trigger.
    #expect(throws: Errno(21)) { _ = try light.play(even) }

    make("b", triggers: nil)
    let bare = try self.light(.one("b"))
    try bare.open()
    #expect(try !bare.play(even))
    #expect(try !bare.play(code))
    try bare.show(green)
    #expect(read("b", "brightness") == "255\n")
    bare.close()
    #expect(read("b", "brightness") == "0\n")
  }

  @Test func `A trigger that the kernel does not have is asked for once`() throws {
    make("a")
    // Of the words for the trigger each second one is "none".
    let kernel = RefusingKernel { file, number in file == "trigger" && number % 2 == 0 ? 22 : 0 }
    let light = try light(.one("a"))
    try light.open()
    try kernel.during { () throws in
      #expect(try !light.play(even))
      #expect(try !light.play(code))
      #expect(kernel.writes["trigger"] == 4)
      #expect(try !light.play(even))
      #expect(kernel.writes["trigger"] == 4)
    }
    try light.show(green)
    #expect(read("a", "brightness") == "255\n")
  }

  @Test func `Files that udev gives away late are waited for, and not for ever`() throws {
    make("a")
    let late = RefusingKernel { file, number in file == "delay_on" && number < 3 ? 13 : 0 }
    let light = try light(.one("a"))
    try light.open()
    try late.during { () throws in #expect(try light.play(even)) }
    #expect(late.writes["delay_on"] == 4)

    let closed = RefusingKernel { file, _ in file == "pattern" ? 13 : 0 }
    try light.show(.dark)
    try closed.during { () throws in
      let started = SystemClock().monotonic
      #expect(try !light.play(code))
      #expect(SystemClock().monotonic - started >= 5 * Int64(Budget.ledTriggerTries))
      #expect(try !light.play(code))
      #expect(closed.writes["pattern"] == Budget.ledTriggerTries)
    }
    #expect(read("a", "trigger") == "none")
  }

  @Test func `One that shines at level 0 is turned round, in patterns as well`() throws {
    make("a")
    let light = try light(.one("a"), isInverted: true)
    try light.open()
    #expect(read("a", "brightness") == "255\n")
    try light.show(green)
    #expect(read("a", "brightness") == "0\n")
    #expect(try light.play(even))
    #expect(read("a", "pattern") == "0 125 0 0 255 125 255 0 ")
    light.close()
    #expect(read("a", "brightness") == "255\n")
  }

  @Test func `What is shown already is not written again`() throws {
    make("a")
    let light = try light(.one("a"))
    try light.open()
    try light.show(green)
    tree.write("/leds/a/brightness", "untouched")
    try light.show(yellow)
    #expect(read("a", "brightness") == "untouched")
  }

  // MARK: Colors

  @Test func `Three LEDs are mixed, and the kernel blinks one alone`() throws {
    for name in ["r", "g", "b"] { make(name) }
    let light = try light(.colors(red: "r", green: "g", blue: "b"))
    try light.open()
    try light.show(yellow)
    #expect(["r", "g", "b"].map { read($0, "brightness") } == ["255\n", "255\n", "0\n"])
    #expect(try light.play(code))
    #expect(read("r", "trigger") == "pattern")
    #expect(["g", "b"].map { read($0, "brightness") } == ["0\n", "0\n"])
    #expect(try !light.play(LightPattern([.init(yellow, 100), .init(.dark, 100)])))
    #expect(try !light.play(LightPattern([.init(yellow, 100), .init(green, 100)])))
  }

  @Test func `A colour that is not there is shown by all that are`() throws {
    for name in ["r", "g"] { make(name) }
    let light = try light(.colors(red: "r", green: "g", blue: nil))
    try light.open()
    try light.show(LightColor(blue: true))
    #expect(["r", "g"].map { read($0, "brightness") } == ["255\n", "255\n"])
    try light.show(LightColor(green: true, blue: true))
    #expect(["r", "g"].map { read($0, "brightness") } == ["0\n", "255\n"])
  }

  @Test func `An LED of several colours has them set in its own order`() throws {
    make("a", isMulticolor: true)
    let light = try light(.one("a"))
    try light.open()
    try light.show(yellow)
    #expect(read("a", "multi_intensity") == "255 0 255 0\n")
    #expect(read("a", "brightness") == "255\n")
    #expect(try light.play(code))
    #expect(read("a", "multi_intensity") == "0 0 255 0\n")
    #expect(read("a", "trigger") == "pattern")
  }

  @Test func `More colours than an LED can have are refused`() throws {
    make("a", isMulticolor: true)
    tree.write("/leds/a/multi_index", String(repeating: "red ", count: Budget.ledColors) + "\n")
    try light(.one("a")).open()
    tree.write("/leds/a/multi_index", String(repeating: "red ", count: Budget.ledColors + 1) + "\n")
    #expect(throws: Errno.notSupported) { try light(.one("a")).open() }
  }

  // MARK: Faults

  @Test func `One that is not there says so, leaves the others as they were, and works once it is there`() throws {
    make("r")
    let light = try light(.colors(red: "r", green: "g", blue: nil))
    #expect(throws: Errno.noSuchFile) { try light.open() }
    #expect(read("r", "trigger") == "mmc0")
    make("g")
    tree.write("/leds/r/trigger", "none [mmc0]\n")
    try light.open()
    try light.show(green)
    #expect(read("g", "brightness") == "255\n")
  }

  @Test(arguments: ["0\n", "-1\n", "", "bright\n"]) func `One without a level is refused`(most: String) throws {
    make("a", most: most)
    #expect(throws: Errno.invalidArgument) { try light(.one("a")).open() }
  }

  @Test(arguments: ["", ".", "..", "a/b", "../led0", "a\0b"]) func `Its name is a name`(name: String) {
    #expect(throws: Errno.invalidArgument) { try LEDLight(.one(name)) }
    #expect(throws: Errno.invalidArgument) { try LEDLight(.colors(red: nil, green: nil, blue: nil)) }
  }
}

/// Refuses to write to certain files, as the kernel does.
private final class RefusingKernel {
  private let reason: (String, Int) -> Int32
  /// How often each file was to be written.
  private(set) var writes: [String: Int] = [:]

  /// - Parameter reason: of the name of a file and the number of the write to it; 0 lets it pass.
  init(_ reason: @escaping (String, Int) -> Int32) { self.reason = reason }

  func during(_ body: () throws -> Void) throws {
    let context = Unmanaged.passUnretained(self).toOpaque()
    tl_interpose_thread(
      { context, call, argument in
        Unmanaged<RefusingKernel>.fromOpaque(context!).takeUnretainedValue().judge(call, argument)
      }, context)
    defer { tl_interpose_thread(nil, nil) }
    try body()
  }

  private func judge(_ call: Int32, _ argument: Int64) -> Int32 {
    guard call == Int32(TL_CALL_write.rawValue),
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(argument)")
    else { return 0 }
    let name = String(path.split(separator: "/").last ?? "")
    writes[name, default: 0] += 1
    return reason(name, writes[name]! - 1)
  }
}
