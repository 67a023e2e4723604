import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches

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

  @Test("after a restart a board that was asked for something before does not say that nothing was asked")
  func restarted() throws {
    let store = MemoryStore()
    let first = try AgentBench(store: store)
    #expect((try status(first)["commands"] as? [String: Any])?["state"] as? String == "silent")
    _ = try first.invoke("1", "device.info")
    #expect((try status(first)["commands"] as? [String: Any])?["state"] as? String == "served")
    let second = try AgentBench(store: store)
    #expect((try status(second)["commands"] as? [String: Any])?["state"] as? String == "served")
    var lines: [String] = []
    second.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(!lines.contains { $0.contains("nothing was asked") })
  }

  @Test("while nobody has approved the board, the command comes with its age and the time until the next look")
  func approval() throws {
    let bench = try AgentBench(connects: false)
    bench.gateway.accept()
    bench.gateway.pump()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","details":{"code":"PAIRING_REQUIRED","requestId":"r-1"}}}"#
    )
    bench.transport.fail(.init(.closedByPeer))
    bench.pass(12_000)
    let waits = try status(bench)
    #expect(waits["approve"] as? String == "openclaw devices approve r-1")
    #expect(waits["approveAge"] as? Int == 12_000 && waits["approveNext"] as? Int == 18_000)
    bench.pass(18_000)
    let asks = try status(bench)
    #expect(asks["approve"] as? String == "openclaw devices approve r-1")
    #expect(asks["approveAge"] as? Int == 30_000 && asks["approveNext"] == nil)
  }

  @Test("what memory it has is told beside what it may have on this board")
  func memory() throws {
    let bench = try AgentBench()
    #expect(try status(bench)["memory"] == nil)
    bench.agent.residentBytes = { 5 << 20 }
    bench.agent.memoryLimitBytes = Budget.serviceMemoryBytes(ofBoard: 436 << 20)
    let memory = try #require(try status(bench)["memory"] as? [String: Any])
    #expect(memory["residentBytes"] as? Int == 5 << 20 && memory["limitBytes"] as? Int == (436 << 20) / 100 * 75)
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
