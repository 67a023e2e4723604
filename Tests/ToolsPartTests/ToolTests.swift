import Codec
import Consent
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ToolsPart

@Suite("Tools of the agent")
struct ToolTests {
  /// A gateway that knows tools.
  private static let hello = #""features":{"methods":["node.pluginTools.update"]}"#

  private func bench(_ tools: ToolChoice = .all, hello: String? = Self.hello) throws -> AgentBench {
    try AgentBench(hello: hello, tools: tools)
  }

  /// The publications since the last call, with the ids to answer.
  private func publications(_ bench: AgentBench) throws -> [(id: String, tools: [[String: Any]])] {
    try bench.gateway.take().map { try AgentBench.object($0) }
      .filter { $0["method"] as? String == "node.pluginTools.update" }
      .map { frame in
        let params = try #require(frame["params"] as? [String: Any])
        #expect(params.keys.sorted() == ["tools"])
        return (try #require(frame["id"] as? String), try #require(params["tools"] as? [[String: Any]]))
      }
  }

  private func answer(_ bench: AgentBench, _ id: String, accepted: Int) {
    let tools = [String](repeating: "{}", count: accepted).joined(separator: ",")
    bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":true,"payload":{"nodeId":"n","tools":[\#(tools)]}}"#)
    bench.runner.runAll()
  }

  private func call(
    _ bench: AgentBench, _ tool: String, _ arguments: String = "{}", id: String = "1"
  ) throws -> Answer {
    let answers = try bench.invoke(
      id, "mcp.tools.call.v1", params: #"{"server":"talon","tool":"\#(tool)","arguments":\#(arguments)}"#)
    return try #require(answers.first { $0.id == id })
  }

  private func text(_ answer: Answer) -> String? {
    ((answer.payload["content"] as? [[String: Any]])?.first)?["text"] as? String
  }

  private func state(_ bench: AgentBench) throws -> [String: Any]? {
    let buffer = FixedBuffer(capacity: 65_536)
    var writer = JSONWriter(into: buffer.bytes)
    bench.agent.writeStatus(to: &writer)
    return try AgentBench.object(Array(buffer.bytes[..<writer.count]))["tools"] as? [String: Any]
  }

  // MARK: Publication

  @Test("what the owner switched on, and this board can do, is declared and published")
  func published() throws {
    let bench = try bench()
    #expect((bench.connect["params"] as? [String: Any])?["caps"].map { "\($0)".contains("mcp") } == true)
    let publication = try #require(try publications(bench).first)
    // No screen and no motion sensor.
    let names = ["test_photo", "test_location", "test_health", "test_notify"]
    #expect(publication.tools.map { $0["name"] as? String } == names)
    for tool in publication.tools {
      #expect(tool["pluginId"] as? String == "node-mcp")
      #expect(tool["command"] as? String == "mcp.tools.call.v1")
      #expect((tool["mcp"] as? [String: String])?["server"] == "talon")
      #expect((tool["parameters"] as? [String: Any])?["type"] as? String == "object")
      let description = try #require(tool["description"] as? String)
      #expect(description.hasSuffix(" The board: the greenhouse \"north\""))
      #expect(description.utf16.count <= 1024)
    }
  }

  @Test("where [node] commands takes the calls away, nothing is published that could not be called")
  func withoutCalls() throws {
    let bench = try AgentBench(hello: Self.hello, tools: .all, commands: .without(["mcp.tools.call.v1"]))
    #expect(try publications(bench).isEmpty && state(bench) == nil)
  }

  @Test("a tool that people are asked about has an argument for what it is for, which they read")
  func purpose() throws {
    func withPurpose(_ permissions: [Permission]) throws -> [String] {
      var consent = ConsentSettings()
      for permission in permissions { consent.rules[permission] = .ask }
      let bench = try AgentBench(hello: Self.hello, tools: .all, consent: consent)
      return try #require(try publications(bench).first).tools.filter { tool in
        let schema = tool["parameters"] as? [String: Any]
        return (schema?["properties"] as? [String: Any])?["purpose"] != nil
      }.compactMap { $0["name"] as? String }
    }
    #expect(try withPurpose([]).isEmpty)
    #expect(try withPurpose([.camera]) == ["test_photo"])
    #expect(try withPurpose([.tools]) == ["test_photo", "test_location", "test_health", "test_notify"])
  }

  @Test("safe tools do not see and do not say where the board is; named ones are those that were named")
  func chosen() throws {
    let safe = try #require(try publications(try bench(.safe)).first)
    #expect(safe.tools.map { $0["name"] as? String } == ["test_health", "test_notify"])
    let named = try #require(try publications(try bench(.named(["photo"]))).first)
    #expect(named.tools.map { $0["name"] as? String } == ["test_photo"])
  }

  @Test("without tools the family is declared and nothing is published, and the status says nothing of them")
  func none() throws {
    let bench = try bench(.none)
    #expect((bench.connect["params"] as? [String: Any])?["caps"].map { "\($0)".contains("mcp") } == true)
    #expect(try publications(bench).isEmpty)
    #expect(try state(bench) == nil)
  }

  @Test("a gateway that does not announce the method is not asked")
  func unsupported() throws {
    let bench = try bench(hello: nil)
    #expect(try publications(bench).isEmpty)
    #expect(try state(bench)?["state"] as? String == "unsupported")
  }

  @Test("the gateway is asked every 30 s until tools are in effect, and then no more")
  func approval() throws {
    let bench = try bench()
    answer(bench, try #require(try publications(bench).first).id, accepted: 0)
    #expect(try state(bench)?["state"] as? String == "waiting")
    bench.pass(29_000)
    #expect(try publications(bench).isEmpty)
    bench.pass(2_000)
    answer(bench, try #require(try publications(bench).first).id, accepted: 4)
    #expect(try state(bench)?["state"] as? String == "accepted")
    #expect(try state(bench)?["accepted"] as? Int == 4)
    bench.passAlive(120_000)
    #expect(try publications(bench).isEmpty)
  }

  private static let decided =
    #"{"type":"event","event":"node.pair.resolved","payload":{"requestId":"r","nodeId":"n","decision":"approved","ts":1}}"#

  @Test("a gateway that tells of the approval is asked at once, and light and state change without a poll")
  func decided() throws {
    let bench = try bench()
    answer(bench, try #require(try publications(bench).first).id, accepted: 0)
    #expect(bench.agent.signals[.awaitingApproval])
    bench.gateway.send(Self.decided)
    answer(bench, try #require(try publications(bench).first).id, accepted: 4)
    #expect(bench.agent.signals[.connected] && !bench.agent.signals[.awaitingApproval])
    #expect(try state(bench)?["state"] as? String == "accepted")
    // What is in effect is not published twice.
    bench.gateway.send(Self.decided)
    bench.passAlive(120_000)
    #expect(try publications(bench).isEmpty)
  }

  @Test("an approval that comes while the gateway is asked counts, and a flood of events asks once at a time")
  func decidedMeanwhile() throws {
    let bench = try bench()
    let first = try #require(try publications(bench).first)
    for _ in 0..<100 { bench.gateway.send(Self.decided) }
    #expect(try publications(bench).isEmpty)
    answer(bench, first.id, accepted: 0)
    let second = try publications(bench)
    #expect(second.count == 1)
    answer(bench, second[0].id, accepted: 0)
    #expect(try publications(bench).isEmpty)
    bench.pass(31_000)
    #expect(try publications(bench).count == 1, "the poll stays")
  }

  @Test("a list that the gateway refuses is not sent again on that connection; a busy gateway is asked again")
  func refused() throws {
    let bench = try bench()
    let first = try #require(try publications(bench).first)
    bench.gateway.send(
      #"{"type":"res","id":"\#(first.id)","ok":false,"error":{"code":"UNAVAILABLE","message":"later"}}"#)
    bench.pass(300)
    let second = try #require(try publications(bench).first)
    bench.gateway.send(
      #"{"type":"res","id":"\#(second.id)","ok":false,"error":{"code":"INVALID_REQUEST","message":"bad tools"}}"#)
    bench.passAlive(120_000)
    #expect(try publications(bench).isEmpty)
    #expect(try state(bench)?["state"] as? String == "refused")
  }

  // MARK: Calls

  @Test("a photo comes back as a sentence and an image that the model sees")
  func photo() throws {
    let bench = try bench()
    let answer = try call(bench, "photo", #"{"maxWidth":64}"#)
    #expect(answer.isOK)
    let content = try #require(answer.payload["content"] as? [[String: Any]])
    #expect(content.map { $0["type"] as? String } == ["text", "image"])
    #expect(content[1]["mimeType"] as? String == "image/jpeg")
    let base64 = try #require(content[1]["data"] as? String)
    let picture = try #require(Data(base64Encoded: base64))
    #expect(Array(picture.prefix(2)) == [0xFF, 0xD8])
    #expect(answer.payload["isError"] == nil)
  }

  @Test("facts come back as a sentence and an object")
  func facts() throws {
    let bench = try bench()
    let answer = try call(bench, "health")
    #expect(answer.isOK && text(answer) == "The health of this board.")
    #expect((answer.payload["structuredContent"] as? [String: Any])?["memory"] != nil)
  }

  @Test("what fails is a result, with the sentence that a person would read")
  func failure() throws {
    let bench = try bench()
    bench.camera.failure = .busy
    let answer = try call(bench, "photo")
    #expect(answer.isOK && answer.payload["isError"] as? Bool == true)
    #expect(text(answer)?.isEmpty == false)
    #expect(try state(bench)?["failures"] as? Int == 1)
    #expect(try state(bench)?["lastFailure"] as? String == text(answer))
  }

  @Test("a tool that is not published, another server, and a call without a tool are refused")
  func unknown() throws {
    let bench = try bench(.safe)
    #expect(try call(bench, "photo").code == "MCP_TOOL_UNAVAILABLE")
    #expect(try call(bench, "nothing", id: "2").code == "MCP_TOOL_UNAVAILABLE")
    let other = try bench.invoke(
      "3", "mcp.tools.call.v1", params: #"{"server":"other","tool":"health","arguments":{}}"#)
    #expect(other.first?.code == "MCP_TOOL_UNAVAILABLE")
    #expect(try bench.invoke("4", "mcp.tools.call.v1", params: "{}").first?.code == "MCP_TOOL_UNAVAILABLE")
  }

  @Test("a call that takes too long is told as such, and its command is stopped")
  func slow() throws {
    let bench = try bench()
    #expect(
      try bench.invoke(
        "1", "mcp.tools.call.v1", params: #"{"server":"talon","tool":"location","arguments":{}}"#, timeout: 3_000
      ).isEmpty)
    bench.pass(3_000)
    let answer = try #require(try bench.settle().first)
    #expect(answer.isOK && answer.payload["isError"] as? Bool == true)
    #expect(bench.agent.router.count == 0)
  }

  @Test("a call that the gateway cancels stops its command, and is answered once")
  func cancelled() throws {
    let bench = try bench()
    #expect(
      try bench.invoke(
        "1", "mcp.tools.call.v1", params: #"{"server":"talon","tool":"location","arguments":{}}"#
      ).isEmpty)
    #expect(bench.agent.router.count == 2)
    bench.cancelInvoke("1")
    #expect(try bench.settle().map(\.isOK) == [false])
    #expect(bench.agent.router.count == 0)
    bench.pass(60_000)
    #expect(try bench.settle().isEmpty)
  }

  @Test("a repeat with the same key is answered with the first one, which is done once")
  func repeats() throws {
    let bench = try bench()
    let params = #"{"server":"talon","tool":"location","arguments":{"timeoutMs":5000}}"#
    bench.gateway.send(bench.frame("1", "mcp.tools.call.v1", params: params, key: "turn:1"))
    bench.gateway.send(bench.frame("2", "mcp.tools.call.v1", params: params, key: "turn:1"))
    #expect(try bench.settle().isEmpty)
    // Two calls, and one command.
    #expect(bench.agent.router.count == 3)
    bench.pass(6_000)
    #expect(try bench.settle().map(\.id).sorted() == ["1", "2"])
    bench.gateway.send(bench.frame("3", "mcp.tools.call.v1", params: params, key: "turn:1"))
    #expect(try bench.settle().map(\.id) == ["3"])
    #expect(bench.agent.router.count == 0)
  }

  @Test("calls of several sessions run beside each other, each for as long as the gateway allows")
  func parallel() throws {
    let bench = try bench()
    let params = #"{"server":"talon","tool":"location","arguments":{"timeoutMs":60000}}"#
    for id in ["a", "b"] {
      #expect(try bench.invoke(id, "mcp.tools.call.v1", params: params, timeout: 120_000).isEmpty)
    }
    #expect(try call(bench, "health", id: "c").isOK)
    bench.passAlive(50_000)
    #expect(try bench.settle().isEmpty && bench.agent.router.count == 4)
    bench.cancelInvoke("a")
    #expect(try bench.settle().map(\.id) == ["a"])
    bench.passAlive(20_000)
    #expect(try bench.settle().map(\.id) == ["b"])
  }

  @Test("one more call than may run is told to try again; a lost connection frees all")
  func busy() throws {
    let bench = try bench()
    for number in 0..<Budget.toolCalls {
      #expect(
        try bench.invoke(
          "\(number)", "mcp.tools.call.v1", params: #"{"server":"talon","tool":"location","arguments":{}}"#
        ).isEmpty)
    }
    #expect(try call(bench, "location", id: "more").message == "UNAVAILABLE: node busy")
    bench.agent.sessionLost()
    #expect(bench.agent.router.count == 0)
  }

  @Test("a person who holds the board ends what runs")
  func held() throws {
    let bench = try bench()
    #expect(
      try bench.invoke(
        "1", "mcp.tools.call.v1", params: #"{"server":"talon","tool":"location","arguments":{}}"#
      ).isEmpty)
    bench.agent.table.hold()
    #expect(bench.agent.router.count == 0)
  }

  @Test("the light asks for a person for as long as the agent says, and no longer than ten minutes")
  func light() throws {
    let bench = try AgentBench(panelLight: MemoryLight(clock: VirtualClock()), hello: Self.hello, tools: .all)
    #expect(try call(bench, "light", #"{"seconds":601}"#).payload["isError"] as? Bool == true)
    #expect(try call(bench, "light", #"{"seconds":0}"#, id: "2").payload["isError"] as? Bool == true)
    #expect(!bench.agent.panel.isAsking)
    #expect(try call(bench, "light", #"{"seconds":600}"#, id: "3").payload["isError"] == nil)
    #expect(bench.agent.panel.isAsking)
    bench.agent.acknowledge()
    #expect(!bench.agent.panel.isAsking)
    #expect(try call(bench, "light", #"{"seconds":2}"#, id: "4").payload["isError"] == nil)
    bench.pass(2_000)
    #expect(!bench.agent.panel.isAsking)
  }

  @Test("all descriptions together are below 13 KB")
  func size() throws {
    let bytes = Tool.all.reduce(0) { $0 + $1.description.utf8.count + $1.parameters.utf8.count + 300 }
    #expect(bytes + Tool.all.count * Budget.toolAboutBytes < 13_000)
    for tool in Tool.all {
      let json = Data(tool.parameters.utf8)
      let schema = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      #expect(schema["type"] as? String == "object" && schema["properties"] is [String: Any])
    }
  }
}
