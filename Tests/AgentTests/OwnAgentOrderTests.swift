import Foundation
import OwnAgentPart
import Panel
import Runtime
import Simulated
import Testing
import ToolsPart

@testable import Agent
@testable import Benches
@testable import Node

@Suite("The place of the board's own agent") struct OwnAgentOrderTests {
  private let link = MemoryAgentLink()

  private func bench(hasDesk: Bool = true, tools: ToolChoice = .none) throws -> AgentBench {
    try AgentBench(
      tools: tools, ownAgent: link, operatorTransport: hasDesk ? MemoryTransport(capacity: 1 << 20) : nil)
  }

  @Test
  func `It stands after the outbox, the desk and the tools, which it uses from its start on, and before the light`()
    throws
  {
    let parts = try bench().agent.table.parts
    let own = try #require(parts.firstIndex { $0 is OwnAgentPart })
    #expect(try #require(parts.firstIndex { $0 is Outbox }) < own)
    #expect(try #require(parts.firstIndex { $0 is OperatorDesk }) < own)
    #expect(try #require(parts.firstIndex { $0 is ToolsPart }) < own)
    #expect(parts.last is PanelPart)
  }

  @Test func `A board without one has no such part, and without a console connection none is made, which the log says`()
    throws
  {
    let plain = try AgentBench().agent
    #expect(!plain.table.parts.contains { $0 is OwnAgentPart })
    let bench = try bench(hasDesk: false)
    #expect(!bench.agent.table.parts.contains { $0 is OwnAgentPart })
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.contains { $0.contains("needs enabled = yes in [operator]") })
    #expect(link.opened == 0)
  }

  @Test func `It gets all tools, whatever is published to gateways, and is told that the gateway is there`() throws {
    let bench = try bench()
    bench.agent.advance()
    let frames = link.take()
    let names = try frames.filter { $0.kind == .tool }.map { try AgentBench.object($0.body)["name"] as? String }
    #expect(names == ["photo", "location", "health", "notify"])
    #expect(frames.last?.kind == .gateway)
  }

  @Test func `Panic reaches it`() throws {
    let bench = try bench()
    bench.agent.advance()
    let own = try #require(bench.agent.ownAgent)
    bench.agent.sessionLost()
    bench.pass(Budget.standInPatience)
    #expect(own.answersNow)
    bench.agent.holdStill("in a test")
    #expect(!own.answersNow)
    bench.agent.letGo("in a test")
    #expect(own.answersNow)
    bench.agent.stop()
    bench.runner.runAll()
    #expect(!link.isOpen)
  }
}
