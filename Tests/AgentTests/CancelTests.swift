import Runtime
import Testing
@testable import Agent
@testable import Benches

/// `node.invoke.cancel` (newer-gateways 2): a command stops its work, is answered once, and leaves slot, worker and
/// device free. Recordings, navigation, push to talk, speech and scripts have such a test beside their own.
@Suite("Cancelled invokes")
struct CancelTests {
  private static func tool(_ name: String) -> (command: String, params: String?) {
    ("mcp.tools.call.v1", #"{"server":"talon","tool":"\#(name)","arguments":{}}"#)
  }

  private static let long: [(command: String, params: String?)] = [
    ("camera.snap", nil), ("camera.snap", #"{"delayMs":10000}"#), ("camera.clip", #"{"durationMs":60000}"#),
    ("camera.list", nil), ("camera.ptz.status", #"{"deviceId":"still"}"#), ("location.get", #"{"timeoutMs":20000}"#),
    ("device.status", nil), ("device.health", nil), tool("photo"), tool("location"), tool("health"),
  ]

  @Test("before its work began, it never begins", arguments: 0..<Self.long.count)
  func early(index: Int) throws {
    let bench = try AgentBench(tools: .all)
    let (command, params) = Self.long[index]
    bench.gateway.send(bench.frame("1", command, params: params, timeout: 120_000))
    #expect(bench.agent.router.count > 0)
    bench.cancelInvoke("1")
    let answers = try bench.settle()
    #expect(answers.map(\.message) == ["UNAVAILABLE: node invoke cancelled"])
    #expect(bench.agent.router.count == 0)
    // Not even the camera was switched on.
    #expect(bench.camera.orders.isEmpty)
    bench.pass(60_000)
    #expect(try bench.settle().isEmpty)
  }

  @Test("the next of its kind is served at once", arguments: ["camera.snap", "camera.list", "device.health"])
  func next(command: String) throws {
    let bench = try AgentBench()
    for _ in 0..<2 * Budget.runningInvokes {
      bench.gateway.send(bench.frame("1", command))
      bench.cancelInvoke("1")
    }
    _ = try bench.settle()
    #expect(try bench.invoke("2", command).map(\.isOK) == [true])
  }

  @Test("while it waits for its turn at the camera, the one before it goes on")
  func waiting() throws {
    let bench = try AgentBench()
    bench.gateway.send(bench.frame("1", "camera.snap"))
    bench.gateway.send(bench.frame("2", "camera.snap"))
    bench.cancelInvoke("2")
    let answers = try bench.settle()
    #expect(answers.first { $0.id == "1" }?.isOK == true)
    #expect(answers.filter { $0.id == "2" }.map(\.message) == ["UNAVAILABLE: node invoke cancelled"])
    #expect(bench.agent.router.count == 0)
  }

  @Test("ids that are over or unknown are of no matter")
  func unknown() throws {
    let bench = try AgentBench()
    #expect(try bench.invoke("1", "device.info").map(\.isOK) == [true])
    bench.cancelInvoke("1")
    bench.cancelInvoke("never")
    #expect(try bench.settle().isEmpty)
  }
}
