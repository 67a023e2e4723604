import Completion
import Runtime
import Testing

@testable import OwnAgent

private func add(_ book: ToolBook, _ json: String) -> ToolBook.Refusal? {
  do throws(ToolBook.Refusal) {
    try book.addBoardTool(json.utf8.span)
    return nil
  } catch { return error }
}

private func tool(_ name: String, _ more: String = "") -> String {
  #"{"name":"\#(name)","description":"d","parameters":{"type":"object"}\#(more)}"#
}

private func place(of name: String, in book: ToolBook) -> Int? { name.withBytes { book.index(of: $0) } }

@Suite struct ToolBookTests {
  @Test func ownToolsAreFitForModels() {
    let book = ToolBook(Array(OwnTool.allCases))
    #expect(book.count == OwnTool.allCases.count)
    #expect(book.tools.list.map(\.name) == OwnTool.allCases.map { "\($0.name)" })
    #expect(book.tools.list.allSatisfy { !$0.description.isEmpty && $0.description.utf8.count <= 300 })
    for (index, tool) in OwnTool.allCases.enumerated() {
      #expect(book.runner(index) == .own(tool))
      #expect(book.effect(index) == tool.effect)
    }
  }

  @Test func aToolOfTheBoardIsFoundByItsName() {
    let book = ToolBook([.remind])
    #expect(add(book, tool("photo")) == nil)
    #expect(add(book, tool("steps", #","effect":0"#)) == nil)
    #expect(place(of: "photo", in: book) == 1)
    #expect(book.runner(1) == .board)
    #expect(book.effect(1) == .acts)
    #expect(book.effect(2) == .recalls)
    #expect(place(of: "nothing", in: book) == nil)
    book.removeBoardTools()
    #expect(book.count == 1)
    #expect(place(of: "photo", in: book) == nil)
    #expect(add(book, tool("photo")) == nil)
  }

  @Test func whatIsNoToolIsRefused() {
    let book = ToolBook([.remind])
    for text in [
      "", "{", "[]", "{}", #"{"name":7,"description":"","parameters":{}}"#, #"{"name":"x","description":""}"#,
      #"{"name":"x","parameters":{}}"#, tool("x", #","more":"\#(String(repeating: "y", count: 2048))""#),
    ] { #expect(add(book, text) == .malformed, "\(text.prefix(40))") }
    for (name, error) in [
      ("", ModelToolError.name), ("a b", .name), (String(repeating: "a", count: 65), .name), ("remind", .twice),
    ] { #expect(add(book, tool(name)) == .unfit(error)) }
    #expect(add(book, #"{"name":"x","description":"","parameters":[]}"#) == .unfit(.notAnObject))
    #expect(book.count == 1)
  }

  @Test func anEffectThatIsNotKnownCountsAsOneThatActs() {
    let book = ToolBook([])
    for (index, effect) in ["9", "-1", "\"x\"", "1e99", "null"].enumerated() {
      #expect(add(book, tool("t\(index)", #","effect":\#(effect)"#)) == nil)
      #expect(book.effect(index) == .acts)
    }
  }

  @Test func onlyWhatTheNodeSaysBringsWordsOfOthers() {
    let book = ToolBook([])
    for (index, more) in ["", #","brings":true"#, #","brings":false"#, #","brings":1"#].enumerated() {
      #expect(add(book, tool("t\(index)", more)) == nil)
    }
    #expect((0..<4).map { book.brings($0) } == [false, true, false, false])
  }

  @Test func thereIsRoomForSoManyAndNoMore() {
    let book = ToolBook([])
    for index in 0..<Budget.agentTools { #expect(add(book, tool("t\(index)")) == nil) }
    #expect(add(book, tool("more")) == .full)
    #expect(book.count == Budget.agentTools)
  }

  @Test func aToolMayBeCalledSoOftenInAMinute() {
    let book = ToolBook([.sendMessage])
    let taken = (0..<5).map { _ in book.takeCall(0, at: 1000) }
    #expect(taken == [true, true, true, false, false])
    let later = [book.takeCall(0, at: 60_999), book.takeCall(0, at: 61_000)]
    #expect(later == [false, true])
  }
}
