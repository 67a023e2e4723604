import Testing
@testable import Agent
@testable import Benches

@Suite("Time limits of invokes")
struct InvokeTimeTests {
  @Test(
    "an invoke has an answer within an hour, whatever time the gateway allows for it",
    arguments: [
      "9223372036854775807", "9e18", "9223372036854775808", "1e308", "1e400", "3600001", "1", "0.5", "0", "-1",
      "-9223372036854775808",
      "null", "\"60000\"", "[]",
    ])
  func limits(number: String) throws {
    let bench = try AgentBench()
    let frame = bench.frame("i", "camera.snap", timeout: 12_345)
    bench.gateway.send(String(frame.split(separator: "12345").joined(separator: Substring(number))))
    let deadline = try #require(bench.agent.router.nextDeadline)
    #expect((0...3_600_000).contains(deadline - bench.clock.monotonic))
  }
}
