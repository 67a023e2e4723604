import Testing

@testable import Node

@Suite("Which commands are declared")
struct CommandChoiceTests {
  @Test(
    "all, names, or all but names",
    arguments: [
      ("all", CommandChoice.all), ("camera.snap", .only(["camera.snap"])), ("-camera.snap", .without(["camera.snap"])),
      ("camera.snap, device.info  mcp.tools.call.v1", .only(["camera.snap", "device.info", "mcp.tools.call.v1"])),
      ("-io.pump_1", .without(["io.pump_1"])), ("-a.b,-c.d", .without(["a.b", "c.d"])),
    ])
  func choices(text: String, expected: CommandChoice) {
    #expect(CommandChoice(text) == expected)
  }

  @Test("anything else is refused", arguments: ["", " ", ",", "-", "a -b", "a;b", ".a", "-.a", "--a", "a/b", "ä"])
  func refused(text: String) {
    #expect(CommandChoice(text) == nil)
  }

  @Test("what is left out is not declared, and the rest is")
  func inclusion() throws {
    let only = try #require(CommandChoice("camera.snap"))
    let without = try #require(CommandChoice("-camera.snap"))
    for name in ["camera.snap", "camera.clip"] {
      #expect(only.includes(name, publishes: false) == (name == "camera.snap"))
      #expect(without.includes(name, publishes: false) != (name == "camera.snap"))
      #expect(CommandChoice.all.includes(name, publishes: false))
    }
    // Tools are chosen in [tools].
    for publishes in [false, true] {
      #expect(only.includes("mcp.tools.call.v1", publishes: publishes) == publishes)
      #expect(without.includes("mcp.tools.call.v1", publishes: publishes))
    }
  }
}
