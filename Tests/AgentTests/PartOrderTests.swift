import SensePart
import Testing

@testable import Agent
@testable import Benches
@testable import Node

@Suite("The order of the parts")
struct PartOrderTests {
  @Test func `Position and motion advance before the router, and the light after all others`() throws {
    let parts = try AgentBench(motion: StillSensor()).agent.table.parts
    let router = try #require(parts.firstIndex { $0 is Router })
    let location = try #require(parts.firstIndex { $0 is LocationPart })
    let motion = try #require(parts.firstIndex { $0 is MotionPart })
    #expect(location < router)
    #expect(motion < router)
    #expect(parts.last is PanelPart)
  }

  @Test func `A position that is not found by the deadline of its invoke fails with its own error`() throws {
    let bench = try AgentBench()
    bench.gateway.send(
      bench.frame(
        "1", "location.get", params: #"{"timeoutMs":10000}"#, timeout: 10_000 + Int(Router.transportReserve)))
    bench.clock.advance(10_000)
    bench.agent.advance()
    #expect(try bench.settle().first?.code == "LOCATION_TIMEOUT")
  }
}
