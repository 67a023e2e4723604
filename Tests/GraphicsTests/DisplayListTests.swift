import Runtime
import Testing

@testable import Graphics

@Suite("Display list")
struct DisplayListTests {
  @Test("text that has no room is cut at the end of a character")
  func textIsCut() {
    let list = DisplayList()
    let filler = [UInt8](repeating: 0x61, count: Budget.drawTextBytes - 2)
    _ = list.add(filler.span)
    #expect(!list.isCut)
    let slice = list.add("a\u{20AC}".utf8.span)
    #expect(slice.count == 1)
    #expect(list.isCut)
  }

  @Test("a command that has no room is not drawn, and that is reported")
  func commandsAreBounded() {
    let list = DisplayList()
    for _ in 0..<Budget.drawCommands { list.add(.endClip) }
    #expect(!list.isCut)
    list.add(.fill(Rect(0, 0, 1, 1), radius: 0, .solid(.white)))
    #expect(list.isCut)
    #expect(list.count == Budget.drawCommands)
    list.removeAll()
    #expect(list.count == 0)
    #expect(!list.isCut)
  }
}
