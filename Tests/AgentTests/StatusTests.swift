import Codec
import Foundation
import Runtime
import Testing

@testable import Agent

@Suite("The agent's state for people and programs")
struct StatusTests {
  private func status(_ bench: AgentBench) throws -> [String: Any] {
    let buffer = FixedBuffer(capacity: Budget.controlOutputBytes)
    var writer = JSONWriter(into: buffer.bytes)
    bench.agent.writeStatus(to: &writer)
    let isComplete = writer.isComplete
    #expect(isComplete)
    return try AgentBench.object(Array(buffer.bytes[..<writer.count]))
  }

  @Test("it tells the connection, what commands get through, and what waits")
  func online() throws {
    let bench = try AgentBench()
    let status = try status(bench)
    #expect(status["state"] as? String == "online")
    #expect(status["pid"] as? Int == Int(getpid()))
    #expect((status["commands"] as? [String: Any])?["state"] as? String == "silent")
    #expect((status["outbox"] as? [String: Any])?["waiting"] as? Int == 0)
    #expect(status["console"] == nil)
  }

  @Test("while the node is away nothing is said about commands")
  func away() throws {
    let bench = try AgentBench()
    bench.transport.fail(.init(.broken))
    let status = try status(bench)
    #expect(status["state"] as? String == "waiting")
    #expect(status["commands"] == nil)
    let explanation = try #require(status["explanation"] as? String)
    #expect(!explanation.isEmpty)
  }
}
