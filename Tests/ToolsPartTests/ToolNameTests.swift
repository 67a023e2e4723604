import Runtime
import Testing
@testable import ToolsPart

@Suite("Names of tools")
struct ToolNameTests {
  private func name(_ board: String, _ tool: String = "photo") -> String {
    let name = ToolName.make(board.utf8.span, tool)
    return name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a name is that of the board and that of the tool, in lower-case letters, digits and single underscores")
  func names() {
    #expect(name("Greenhouse") == "greenhouse_photo")
    #expect(name("Green  house, north!") == "green_house_north_photo")
    #expect(name("3rd floor") == "rd_floor_photo")
  }

  @Test("a board whose name has no letter of ASCII is talon")
  func nameless() {
    #expect(name("") == "talon_photo")
    #expect(name("\u{6E29}\u{5BA4} 7") == "talon_photo")
  }

  @Test("the board's name stands in front of the longest name of a server's tool, and gateways take both")
  func server() {
    let tool = String(repeating: "t", count: Budget.mcpToolNameBytes)
    #expect(name("greenhouse of the north", tool) == "greenhouse_o_" + tool)
    #expect(name("greenhouse of the north", tool).utf8.count <= 64)
  }

  @Test("no name of the board's own tools is longer than 40 bytes")
  func long() {
    for tool in Tool.all {
      let long = name(String(repeating: "ab ", count: 40), tool.name)
      #expect(long.utf8.count <= ToolName.bytes)
      #expect(long.hasSuffix("_\(tool.name)"))
      #expect(!long.contains("__"))
    }
  }
}
