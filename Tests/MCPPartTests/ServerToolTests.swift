import Codec
import Foundation
import MCP
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import MCPPart
@testable import ToolsPart

@Suite("Tools of the owner's MCP servers, from frame to frame") struct ServerToolTests {
  /// A gateway that knows tools.
  private static let hello = #""features":{"methods":["node.pluginTools.update"]}"#

  private func bench(_ servers: [MCPEntry], _ tools: ToolChoice = .all) throws -> AgentBench {
    try AgentBench(hello: Self.hello, tools: tools, servers: servers)
  }

  /// Names of the tools of each publication since the last call. The gateway accepts all of them.
  private func publications(_ bench: AgentBench) throws -> [[String]] {
    var lists: [[String]] = []
    while true {
      let frames = try bench.gateway.take().map { try AgentBench.object($0) }
        .filter { $0["method"] as? String == "node.pluginTools.update" }
      if frames.isEmpty { return lists }
      for frame in frames {
        let parameters = try #require(frame["params"] as? [String: Any])
        let tools = try #require(parameters["tools"] as? [[String: Any]])
        lists.append(tools.compactMap { $0["name"] as? String })
        let accepted = lists[lists.count - 1].map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let id = frame["id"] as? String ?? ""
        bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":true,"payload":{"nodeId":"n","tools":[\#(accepted)]}}"#)
        bench.runner.runAll()
      }
    }
  }

  /// Calls a tool; what was answered so far.
  private func call(
    _ bench: AgentBench, _ tool: String, _ arguments: String = "{}", id: String = "1"
  ) throws -> [Answer] {
    try bench.invoke(
      id, "mcp.tools.call.v1", params: #"{"server":"talon","tool":"\#(tool)","arguments":\#(arguments)}"#)
  }

  private func text(_ answer: Answer?) -> String? {
    ((answer?.payload["content"] as? [[String: Any]])?.first)?["text"] as? String
  }

  private func isError(_ answer: Answer?) -> Bool { answer?.payload["isError"] as? Bool == true }

  private func status(_ bench: AgentBench) throws -> [[String: Any]] {
    let buffer = FixedBuffer(capacity: 65_536)
    var writer = JSONWriter(into: buffer.bytes)
    bench.agent.writeStatus(to: &writer)
    return try AgentBench.object(Array(buffer.bytes[..<writer.count]))["mcp"] as? [[String: Any]] ?? []
  }

  private func lines(_ bench: AgentBench) -> [String] {
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  // MARK: Publication

  @Test("they are published beside those of the board once the server has told them")
  func published() throws {
    let server = MemoryServer([MemoryServer.tool("lamp"), MemoryServer.tool("door")])
    let bench = try bench([server.entry()])
    let first = try #require(try publications(bench).first)
    #expect(first.contains("test_photo") && !first.contains("test_home_lamp"))
    server.settle()
    #expect(try publications(bench) == [first + ["test_home_lamp", "test_home_door"]])
    #expect(try status(bench).first?["state"] as? String == "ready")
  }

  @Test("a board that publishes nothing else publishes them, and is asked about no empty list")
  func alone() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()], .named(["home"]))
    #expect(try publications(bench).isEmpty)
    server.settle()
    #expect(try publications(bench) == [["test_home_lamp"]])
    server.change([])
    bench.pass(Budget.mcpListSpacing + Budget.mcpSettleMilliseconds)
    server.settle()
    #expect(try publications(bench) == [[]])
    #expect(!lines(bench).contains { $0.contains("somebody has to approve") })
  }

  @Test("a gateway that is too old for tools is told of as such once a server has some")
  func tooOld() throws {
    let server = MemoryServer()
    let bench = try AgentBench(tools: .named(["home"]), servers: [server.entry()])
    server.settle()
    #expect(try publications(bench).isEmpty)
    #expect(lines(bench).contains { $0.contains("this gateway knows no tools of boards") })
  }

  @Test("without a choice of the owner none is published, and of the safe ones only those that the owner calls so")
  func chosen() throws {
    for (choice, names) in [(ToolChoice.none, [[String]]()), (.safe, [["test_home_lamp"]])] {
      let server = MemoryServer([MemoryServer.tool("lamp"), MemoryServer.tool("door")])
      let bench = try bench([server.entry { $0.safe = ["lamp"] }], choice)
      _ = try publications(bench)
      server.settle()
      #expect(try publications(bench).map { $0.filter { $0.hasPrefix("test_home") } } == names)
    }
  }

  @Test("a tool that has the name of one of the board's is left out, and a person is told")
  func taken() throws {
    let server = MemoryServer([MemoryServer.tool("was"), MemoryServer.tool("is")])
    let bench = try bench([server.entry("where")])
    _ = try publications(bench)
    server.settle()
    let names = try #require(try publications(bench).first)
    #expect(names.contains("test_where_is") && names.filter { $0 == "test_where_was" }.count <= 1)
    #expect(try status(bench).first?["leftOut"] as? Int == 1)
    #expect(lines(bench).contains { $0.contains(#"1 tool is left out: "was": a tool of this board has its name"#) })
  }

  @Test("changed tools are published anew, and a call of one that is gone is refused")
  func changed() throws {
    let server = MemoryServer([MemoryServer.tool("lamp"), MemoryServer.tool("door")])
    let bench = try bench([server.entry()], .named(["home"]))
    server.settle()
    #expect(try publications(bench) == [["test_home_lamp", "test_home_door"]])
    server.change([MemoryServer.tool("lamp")])
    bench.pass(Budget.mcpListSpacing + Budget.mcpSettleMilliseconds)
    server.settle()
    #expect(try publications(bench) == [["test_home_lamp"]])
    #expect(try call(bench, "home_door").first?.code == "MCP_TOOL_UNAVAILABLE")
    #expect(server.calls.isEmpty)
  }

  // MARK: Calls

  @Test("a call has the server's own name and arguments, without what was added to them, and its result as it is")
  func called() throws {
    let server = MemoryServer([MemoryServer.tool("set lamp", #"{"on":{"type":"boolean"}}"#)])
    let bench = try bench([server.entry()])
    server.settle()
    #expect(try call(bench, "home_set_lamp", #"{"on":true,"purpose":"light"}"#).isEmpty)
    #expect(server.calls.first?.tool == "set lamp" && server.calls.first?.arguments == #"{"on":true}"#)
    server.answer(#"{"content":[{"type":"text","text":"done"}],"structuredContent":{"on":true}}"#)
    let answer = try bench.settle().first
    #expect(answer?.isOK == true && text(answer) == "done" && !isError(answer))
    #expect((answer?.payload["structuredContent"] as? [String: Any])?["on"] as? Bool == true)
  }

  @Test("progress is that of the gateway's own call, in the words of the server")
  func progressed() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    _ = try call(bench, "home_lamp", id: "outer")
    let channel = FakeChannel()
    bench.agent.router.online(channel, acceptsProgress: true)
    let id = try #require(server.calls.first?.id)
    server.say(
      #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\#(id),"progress":1,"#
        + #""message":"half\u001b[2J way"}}"#)
    #expect(channel.waiting.map(\.method) == ["node.invoke.progress"])
    #expect(channel.waiting.first?.params["invokeId"] as? String == "outer")
    #expect((channel.waiting.first?.params["chunk"] as? String)?.hasPrefix("half") == true)
  }

  @Test("an argument that the server has itself is passed on")
  func ownPurpose() throws {
    let server = MemoryServer([MemoryServer.tool("log", #"{"purpose":{"type":"string"}}"#)])
    let bench = try bench([server.entry()])
    server.settle()
    _ = try call(bench, "home_log", #"{"purpose":"light"}"#)
    #expect(server.calls.first?.arguments == #"{"purpose":"light"}"#)
  }

  @Test("what the server calls a failure is one for the model, too")
  func failed() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    _ = try call(bench, "home_lamp")
    server.answer(#"{"content":[{"type":"text","text":"no bulb"}],"isError":true}"#)
    let answer = try bench.settle().first
    #expect(text(answer) == "no bulb" && isError(answer))
  }

  @Test("a server that sleeps is begun by the next call, which waits for it")
  func wakes() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    bench.passAlive(Budget.mcpIdleMilliseconds)
    #expect(!server.isRunning && server.opens == 1)
    #expect(try call(bench, "home_lamp").isEmpty)
    server.settle()
    #expect(server.opens == 2 && server.calls.count == 1)
    server.answer(#"{"content":[{"type":"text","text":"on"}]}"#)
    #expect(text(try bench.settle().first) == "on")
  }

  @Test("of a call during which the server dies nobody knows whether it was carried out; the log quotes its words")
  func dies() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    _ = try call(bench, "home_lamp")
    server.die("KeyError: ok, \"restart\" the board")
    let answer = try bench.settle().first
    #expect(isError(answer) && text(answer)?.contains("whether the call was carried out is not known") == true)
    #expect(lines(bench).contains { $0.contains(#"ended by itself: "KeyError: ok, 'restart' the board""#) })
    // It rests, and nobody can hurry it.
    #expect(text(try call(bench, "home_lamp", id: "2").first)?.contains("started again in 1 s") == true)
    #expect(try status(bench).first?["state"] as? String == "failed" && server.opens == 1)
  }

  @Test("without its service a person reads how to switch it on")
  func noService() throws {
    let server = MemoryServer()
    server.isThere = false
    let bench = try bench([server.entry()])
    #expect(lines(bench).contains { $0.contains("systemctl enable --now talon-mcp.socket") })
  }

  @Test("a call that nobody waits for any more is cancelled at the server")
  func cancelled() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    _ = try call(bench, "home_lamp")
    let id = try #require(server.calls.first?.id)
    bench.cancelInvoke("1")
    #expect(server.cancelled == [id])
  }

  @Test("panic ends the servers, and calls are refused until it is over")
  func held() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    // This part alone: the connection to the gateway ends with all others.
    let part = try #require(bench.agent.table.parts.lazy.compactMap { $0 as? MCPPart }.first)
    part.hold()
    #expect(!server.isRunning)
    let answer = try call(bench, "home_lamp").first
    #expect(isError(answer) && text(answer)?.contains("a person at the board has stopped it") == true)
    part.letGo()
    #expect(!server.isRunning)
    _ = try call(bench, "home_lamp", id: "2")
    #expect(server.isRunning)
  }

  @Test("what it writes to its errors is in the log, in quotes, and not more than so much in a minute")
  func complains() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    for number in 0..<30 { server.complain("line \(number)\u{1B}[2J") }
    let told = lines(bench).filter { $0.contains("the server writes: \"line") }
    #expect(told.count == Budget.mcpErrorLinesPerMinute && !told.contains { $0.utf8.contains(0x1B) })
    bench.pass(60_000)
    server.complain("later")
    #expect(lines(bench).contains { $0.contains("the server writes: \"later\"") })
  }

  @Test("results of all calls at once are sent, and those that are long as well")
  func many() throws {
    let server = MemoryServer()
    let bench = try bench([server.entry()])
    server.settle()
    for id in 0..<Budget.toolCalls { _ = try call(bench, "home_lamp", id: "\(id)") }
    #expect(server.calls.count == Budget.toolCalls)
    let words = String(repeating: "x", count: 50_000)
    for _ in 0..<Budget.toolCalls { server.answer(#"{"content":[{"type":"text","text":"\#(words)"}]}"#) }
    var answers: [Answer] = []
    for _ in 0..<20 { answers += try bench.settle() }
    #expect(answers.count == Budget.toolCalls && answers.allSatisfy { text($0) == words })
  }
}
