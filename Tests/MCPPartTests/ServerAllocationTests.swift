import CAllocationCounter
import MCP
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches

@Suite("Allocations of calls of MCP servers") struct ServerAllocationTests {
  @Test("a call, its way to the server and its result allocate nothing after start")
  func calls() throws {
    let server = MemoryServer()
    let bench = try AgentBench(tools: .all, servers: [server.entry()])
    server.settle()
    server.prompt = Array(#"{"content":[{"type":"text","text":"done"}],"structuredContent":{"on":true}}"#.utf8)
    let parameters = #"{"server":"talon","tool":"home_lamp","arguments":{"on":true,"purpose":"light"}}"#
    let frame = LoopbackGateway.frame(0x81, Array(bench.frame("id", "mcp.tools.call.v1", params: parameters).utf8))
    var allocations: UInt64 = 0
    for round in 0..<2_000 {
      frame.withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        bench.transport.deliver(bytes)
        server.deliver()
        bench.runner.runAll()
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if round >= 200 { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded > 1_500)
    #expect(allocations == 0)
  }
}
