import CAllocationCounter
import Hands
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches

@Suite("Allocations of hands")
struct HandAllocationTests {
  /// Without refusals, which are thrown: the test library's observer of throws takes memory for each.
  @Test("calls of every kind and their events allocate nothing after start")
  func calls() throws {
    var made: MemoryInput?
    let bench = try AgentBench(hands: { clock in
      let line = MemoryInput(clock: clock)
      made = line
      let door = settings("door", .gpio) {
        ($0.gpio.direction, $0.gpio.events, $0.gpio.maxEventsPerHour) = (.input, .both, 3_600)
      }
      let heater = settings("heater", .gpio) {
        ($0.callsPerMinute, $0.gpio.direction, $0.gpio.neverWith, $0.gpio.maxOn) = (600, .output, ["fan"], 5_000)
      }
      let fan = settings("fan", .pwm) { $0.callsPerMinute = 600 }
      return [
        HandEntry(heater, .output(MemoryOutput())),
        HandEntry(door, .input(line)), HandEntry(fan, .pwm(MemoryPWM())),
        HandEntry(settings("water", .counter), .counter(MemoryInput(clock: clock))),
      ]
    })
    let line = try #require(made)
    let frames = [
      ("io.heater", #"{"action":"on"}"#), ("io.heater", #"{"action":"pulse","seconds":0.3}"#),
      ("io.heater", #"{"action":"off"}"#), ("io.fan", #"{"percent":40}"#), ("io.fan", #"{"percent":0}"#),
      ("io.door", "{}"), ("io.water", "{}"),
      ("io.heater", "{}"),
    ].enumerated().map { LoopbackGateway.frame(0x81, Array(bench.frame("id-\($0)", $1.0, params: $1.1).utf8)) }
    var allocations: UInt64 = 0
    for round in 0..<4_000 {
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        line.set(round % 2 == 0)
        bench.transport.deliver(bytes)
        bench.runner.runAll()
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if round >= 200 { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded > 500)
    #expect(allocations == 0)
  }
}
