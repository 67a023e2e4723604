import CAllocationCounter
import Programs
import RunPart
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches

@Suite("Allocations of runs") struct RunAllocationTests {
  /// Without refusals, which are thrown: the test library's observer of throws takes memory for each.
  @Test("runs, plans, progress and events allocate nothing after start")
  func runs() throws {
    let link = MemoryPrograms()
    (link.isForgetful, link.installed) = (true, ["/usr/bin/df"])
    let bench = try AgentBench(programs: RunBoard(list: ProgramList(["/usr/bin/df"]), links: [link]))
    let parameters = #"{"command":["df","-h"],"sessionKey":"s","runId":"r","env":{"LANG":"C"},"cwd":"/tmp"}"#
    let frames = [
      ("system.run", parameters), ("system.run.prepare", parameters), ("system.which", #"{"bins":["df","x"]}"#),
    ].enumerated().map { LoopbackGateway.frame(0x81, Array(bench.frame("id-\($0)", $1.0, params: $1.1).utf8)) }
    let text = Array("Filesystem \u{e9}\n".utf8)
    var allocations: UInt64 = 0
    for round in 0..<3_000 {
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        bench.transport.deliver(bytes)
        link.write(text)
        link.end(.exited(0))
        bench.runner.runAll()
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if round >= 200 { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded > 2_000)
    #expect(allocations == 0)
  }
}
