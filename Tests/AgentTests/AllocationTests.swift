import CAllocationCounter
import Foundation
import Runtime
import Simulated
import Testing

@Suite("Allocations")
struct AllocationTests {
  @Test("the counter counts: a test that could not fail would prove nothing")
  func counterCounts() {
    tl_count_allocations()
    let buffer = FixedBuffer(capacity: 100)
    #expect(tl_counted_allocations() >= 1)
    withExtendedLifetime(buffer) {}
  }

  @Test("10,000 mixed invokes after start allocate nothing")
  func mixedInvokes() throws {
    let bench = try AgentBench()
    let commands = [
      "device.info", "device.status", "device.health", "camera.list", "camera.snap", "system.notify",
      "location.get", "no.such",
    ]
    let frames = commands.enumerated().map { index, command in
      let params = command == "system.notify" ? #"{"title":"a \u00e9 title","body":"b"}"# : nil
      return LoopbackGateway.frame(
        0x81, Array(bench.frame("id-\(index)", command, params: params).utf8))
    }
    var allocations: UInt64 = 0
    for round in 0..<10_000 {
      let isWarm = round >= 16
      let second = round / frames.count
      let epoch = AgentBench.epoch(
        String(format: "%02d%02d%02d.00", second / 3600, second / 60 % 60, second % 60))
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        bench.transport.deliver(bytes)
        bench.runner.runAll()
        bench.receiver.feed(epoch, at: bench.clock.monotonic)
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if isWarm { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded > 8_000)
    #expect(allocations == 0)
  }
}
