import Codec
import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches

/// Frames as gateways since July 2026 send them (newer-gateways 10), and what the board makes of each.
@Suite("Recorded frames of tools")
struct RecordedFrameTests {
  private let bench: AgentBench
  private var nodeID: String { bench.frame("", "").components(separatedBy: #""nodeId":""#)[1].prefix(64).description }

  init() throws {
    bench = try AgentBench(
      hello: #""server":{"version":"2026.9.4"},"features":{"methods":["health","node.pluginTools.update"]}"#,
      tools: .all)
  }

  /// The ids and lists that were published since the last call.
  private func publications() throws -> [(id: String, tools: [[String: Any]])] {
    try bench.gateway.take().map { try AgentBench.object($0) }
      .filter { $0["method"] as? String == "node.pluginTools.update" }
      .map { frame in
        let tools = (frame["params"] as? [String: Any])?["tools"] as? [[String: Any]]
        return (try #require(frame["id"] as? String), try #require(tools))
      }
  }

  private func answer(_ id: String, _ tools: [[String: Any]]) throws {
    let payload: [String: Any] = ["nodeId": nodeID, "tools": tools]
    let frame: [String: Any] = ["type": "res", "id": id, "ok": true, "payload": payload]
    bench.gateway.send(String(decoding: try JSONSerialization.data(withJSONObject: frame), as: UTF8.self))
    bench.runner.runAll()
  }

  private func status() throws -> [String: Any] {
    let buffer = FixedBuffer(capacity: 65_536)
    var count = 0
    do {
      var writer = JSONWriter(into: buffer.bytes)
      bench.agent.writeStatus(to: &writer)
      count = writer.count
    }
    let object = try AgentBench.object(Array(buffer.bytes[..<count]))
    return try #require(object["tools"] as? [String: Any])
  }

  @Test("an answer without tools before the approval, and one with all after it: the probe is all that is sent")
  func approval() throws {
    let first = try #require(try publications().first)
    try answer(first.id, [])
    #expect(try status()["state"] as? String == "waiting")
    bench.pass(30_000)
    let probe = try #require(try publications().first)
    #expect(
      try JSONSerialization.data(withJSONObject: probe.tools, options: .sortedKeys)
        == JSONSerialization.data(withJSONObject: first.tools, options: .sortedKeys))
    try answer(probe.id, probe.tools)
    #expect(try status()["state"] as? String == "accepted")
    #expect(try status()["accepted"] as? Int == first.tools.count)
    bench.passAlive(300_000)
    #expect(try publications().isEmpty)
  }

  @Test("an answer without the last tool, as the 129th of a node: the others are in effect, and nothing is sent again")
  func dropped() throws {
    let first = try #require(try publications().first)
    try answer(first.id, Array(first.tools.dropLast()))
    #expect(try status()["accepted"] as? Int == first.tools.count - 1)
    bench.passAlive(120_000)
    #expect(try publications().isEmpty)
  }

  @Test("no tool has a name that a gateway's own has, so that none is renamed")
  func names() throws {
    let names = try #require(try publications().first).tools.compactMap { $0["name"] as? String }
    #expect(names.allSatisfy { $0.hasPrefix("test_") && $0.count <= 40 })
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
  }

  private func invoke(_ id: String, _ params: String) {
    let quoted = String(decoding: try! JSONEncoder().encode(params), as: UTF8.self)
    bench.gateway.send(
      """
      {"type":"event","event":"node.invoke.request","payload":{"id":"\(id)","nodeId":"\(nodeID)",\
      "command":"mcp.tools.call.v1","paramsJSON":\(quoted),"timeoutMs":120000,\
      "idempotencyKey":"b4b1c1b6-turn:call_\(id)","sessionKey":"agent:main:main"}}
      """)
  }

  @Test("the call of a photo without arguments is answered with a text and an image")
  func photo() throws {
    invoke("p", #"{"server":"talon","tool":"photo","arguments":{}}"#)
    let answer = try #require(try bench.settle().first)
    let content = try #require(answer.payload["content"] as? [[String: Any]])
    #expect(answer.isOK && content.map { $0["type"] as? String } == ["text", "image"])
    #expect(Set(answer.payload.keys).isSubset(of: ["content", "structuredContent", "isError"]))
  }

  @Test("a call that is cancelled in the middle is answered once, and its photo is not taken")
  func cancelled() throws {
    invoke("p", #"{"server":"talon","tool":"photo","arguments":{"delayMs":10000}}"#)
    bench.gateway.send(
      #"{"type":"event","event":"node.invoke.cancel","payload":{"invokeId":"p","nodeId":"\#(nodeID)"}}"#)
    #expect(try bench.settle().map(\.isOK) == [false])
    #expect(bench.agent.router.count == 0 && bench.camera.captures == 0)
    invoke("q", #"{"server":"talon","tool":"photo","arguments":{}}"#)
    #expect(try bench.settle().map(\.isOK) == [true])
  }
}
