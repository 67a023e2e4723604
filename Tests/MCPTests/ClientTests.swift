import Foundation
import Runtime
import Testing

@testable import MCP

/// A server that behaves.
@Suite("An MCP server that behaves") struct ClientTests {
  @Test("it is begun, greeted, and tells its tools page by page")
  func start() throws {
    let stage = try Stage()
    stage.client.start()
    #expect(stage.link.opens == 1 && stage.link.sent.isEmpty)
    stage.link.delegate?.linkOpened()
    #expect(
      stage.link.sent == [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#
          + #""clientInfo":{"name":"talon","version":"1"}}}"#
      ])
    stage.link.reply(
      #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}"#)
    #expect(
      stage.link.sent.dropFirst() == [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
      ])
    stage.link.reply(#"{"jsonrpc":"2.0","id":2,"result":{"tools":[\#(Stage.tool("a"))],"nextCursor":"p\"2"}}"#)
    #expect(stage.link.sent.last == #"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"p\"2"}}"#)
    #expect(stage.caller.changes == 0)
    stage.link.reply(#"{"jsonrpc":"2.0","id":3,"result":{"tools":[\#(Stage.tool("b.c d"))]}}"#)
    #expect(stage.phase == .ready && stage.caller.changes == 1 && stage.names() == ["home_a", "home_b_c_d"])
  }

  @Test(
    "every revision that is known is spoken, and no other",
    arguments: [
      ("2024-11-05", true), ("2025-03-26", true), ("2025-06-18", true), ("2025-11-25", true), ("2024-10-07", false),
      ("2099-01-01", false), ("", false),
    ])
  func revisions(name: String, isKnown: Bool) throws {
    let stage = try Stage()
    stage.greet(name)
    #expect(stage.phase == (isKnown ? .listing : .resting))
    if !isKnown { #expect(stage.client.session.trouble == .otherRevision && stage.caller.failures == [name]) }
  }

  @Test("a call has its result, its progress, and its arguments on one line")
  func call() throws {
    let stage = try Stage()
    stage.becomeReady()
    _ = stage.link.messages()
    stage.call(7, "{\n \"a\":\r\n \"x\\ny\"}")
    let id = stage.id("tools/call")
    stage.link.reply(
      #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\#(id),"progress":1,"#
        + #""message":"half\n way"}}"#)
    stage.link.reply(#"{"jsonrpc":"2.0","id":\#(id),"result":{"content":[]}}"#)
    #expect(stage.caller.answers == [7: [#"+{"content":[]}"#]] && stage.caller.progress == ["half way"])
    #expect(stage.client.callsUnderWay == 0)
  }

  @Test("an argument that the board has added is left out, wherever it stands, unless the tool has it")
  func added() throws {
    let stage = try Stage()
    let schema = #"{"type":"object","properties":{"why":{"type":"string"}}}"#
    stage.becomeReady(Stage.tool("a") + #",{"name":"b","inputSchema":\#(schema)}"#)
    var sent: [String] = []
    func arguments(_ tool: Int, _ text: String) -> String? {
      stage.call(sent.count, tool: tool, text, added: "why")
      stage.client.cancel(sent.count)
      sent = stage.link.sent
      let line = sent.last { $0.contains("tools/call") }
      return line?.components(separatedBy: #""arguments":"#).last?.components(separatedBy: #","_meta""#).first
    }
    #expect(arguments(0, #"{"why":"x","a":1}"#) == #"{"a":1}"#)
    #expect(arguments(0, #"{"a":{"why":2}, "why" : [1],"b":"c"}"#) == #"{"a":{"why":2},"b":"c"}"#)
    #expect(arguments(0, #"{"why":"x"}"#) == "{}")
    #expect(arguments(1, #"{"why":"x","a":1}"#) == #"{"why":"x","a":1}"#)
  }

  @Test("lines of its standard error are told on one line, and so many in a minute")
  func complaints() throws {
    let stage = try Stage()
    stage.becomeReady()
    for _ in 0..<20 { stage.link.complain("a\u{1B}[2J\tb") }
    #expect(stage.caller.complaints == Array(repeating: "a [2J b", count: Budget.mcpErrorLinesPerMinute))
    #expect(stage.client.counts.errorLines == UInt64(20 - Budget.mcpErrorLinesPerMinute))
    stage.wait(60_000)
    stage.link.complain("c")
    stage.link.complain(" \r")
    #expect(stage.caller.complaints.last == "c")
  }

  @Test("a server that sleeps is begun for a call, which waits for it")
  func wakes() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.wait(Budget.mcpIdleMilliseconds)
    #expect(stage.phase == .asleep && stage.link.closes == 1 && stage.names() == ["home_lamp"])
    stage.call(1)
    #expect(stage.phase == .opening)
    stage.becomeReady()
    let id = stage.id("tools/call")
    stage.link.reply(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    #expect(stage.caller.answers == [1: ["+{}"]] && stage.caller.changes == 1)
  }

  @Test("a call that is cancelled is not answered, and the server is told")
  func cancel() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.call(1)
    let id = stage.id("tools/call")
    stage.client.cancel(1)
    let told = stage.link.messages()
    #expect(told.count == 1 && told[0]["method"] as? String == "notifications/cancelled")
    #expect((told[0]["params"] as? [String: Any])?["requestId"] as? Int == id)
    stage.link.reply(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    #expect(stage.caller.answers.isEmpty && stage.client.counts.strangeAnswers == 1)
  }

  @Test("a ping is answered with its id, and every other request refused")
  func requests() throws {
    let stage = try Stage()
    stage.becomeReady()
    _ = stage.link.messages()
    stage.link.reply(#"{"jsonrpc":"2.0","id":"p\"1","method":"ping"}"#)
    for method in ["sampling/createMessage", "roots/list", "elicitation/create"] {
      stage.link.reply(#"{"jsonrpc":"2.0","id":5,"method":"\#(method)","params":{}}"#)
    }
    #expect(stage.link.sent.first == #"{"jsonrpc":"2.0","id":"p\"1","result":{}}"#)
    let errors = stage.link.messages().compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
    #expect(errors == [-32601, -32601, -32601] && stage.client.counts.refusedRequests == 3)
  }

  @Test("changed tools are asked for when the news has settled, and published when they are others")
  func changes() throws {
    let stage = try Stage()
    stage.becomeReady()
    let news = #"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#
    for tools in [Stage.tool("lamp"), Stage.tool("lamp") + "," + Stage.tool("door")] {
      stage.link.reply(news)
      #expect(stage.id("tools/list") == -1)
      stage.wait(Budget.mcpListSpacing)
      stage.link.reply(#"{"jsonrpc":"2.0","id":\#(stage.id("tools/list")),"result":{"tools":[\#(tools)]}}"#)
    }
    #expect(stage.caller.changes == 2 && stage.names() == ["home_lamp", "home_door"])
  }

  @Test("several messages at once are read, as one revision has them")
  func batch() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.call(1)
    stage.call(2)
    let ids = stage.link.messages().compactMap { $0["method"] as? String == "tools/call" ? $0["id"] as? Int : nil }
    stage.link.reply(#"[{"id":\#(ids[1]),"result":{}},{"id":\#(ids[0]),"error":{"code":1,"message":"no\u001b!"}}]"#)
    #expect(stage.caller.answers[2] == ["+{}"])
    #expect(stage.caller.answers[1] == ["MCP_TOOL_ERROR: the server refused the call: \"no !\""])
  }
}
