import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("Router")
struct RouterTests {
  @Test("the node declares every command and capability that it answers")
  func declared() throws {
    let params = try #require(try AgentBench().connect["params"] as? [String: Any])
    #expect(
      params["commands"] as? [String] == [
        "camera.list", "camera.snap", "camera.clip", "camera.ptz.status", "camera.ptz.control", "location.get",
        "device.info", "device.status", "device.health", "device.permissions", "system.notify",
        "mcp.tools.call.v1",
      ])
    #expect(params["caps"] as? [String] == ["camera", "location", "device", "system", "mcp"])
  }

  @Test("an unknown command is an error, not silence")
  func unknown() throws {
    let answer = try #require(try AgentBench().invoke("1", "camera.explode").first)
    #expect(answer.code == "INVALID_REQUEST")
    #expect(answer.message == "INVALID_REQUEST: unknown command")
  }

  @Test(
    "parameters that are no JSON are an error",
    arguments: ["{", "nul", "{}{}", #"{"a":1,}"#, "\u{1}", #"{"deep":"# + String(repeating: "[", count: 100)])
  func badJSON(params: String) throws {
    let answer = try #require(try AgentBench().invoke("1", "location.get", params: params).first)
    #expect(answer.code == "INVALID_REQUEST")
  }

  @Test(
    "no parameters, null, empty text, white space and {} mean the same",
    arguments: [nil, "", "  ", "{}", "null"])
  func empty(params: String?) throws {
    #expect(try AgentBench().invoke("1", "device.status", params: params).first?.isOK == true)
  }

  @Test("an invoke for another node is answered with an error")
  func otherNode() throws {
    let bench = try AgentBench()
    bench.gateway.send(
      #"{"type":"event","event":"node.invoke.request","payload":{"id":"1","nodeId":"somebody","command":"device.info"}}"#
    )
    #expect(try bench.settle().first?.code == "INVALID_REQUEST")
  }

  @Test("an id too long to keep is answered with its whole id")
  func longID() throws {
    let id = String(repeating: "i", count: 300)
    let answer = try #require(try AgentBench().invoke(id, "device.info").first)
    #expect(answer.id == id)
    #expect(answer.code == "INVALID_REQUEST")
  }

  @Test("more invokes of a kind at once than its row allows: the last ones are answered with node busy")
  func busy() throws {
    let bench = try AgentBench()
    for number in 0..<6 { bench.gateway.send(bench.frame("\(number)", "location.get")) }
    let refused = try bench.settle()
    #expect(refused.map(\.id) == ["4", "5"])
    #expect(refused.allSatisfy { $0.message == "UNAVAILABLE: node busy" })
    bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic)
    let answered = try bench.settle()
    #expect(Set(answered.map(\.id)) == Set((0..<4).map(String.init)))
    #expect(answered.allSatisfy { $0.isOK })
  }

  @Test("what waits for hardware never keeps a reading out")
  func readings() throws {
    let bench = try AgentBench()
    for number in 0..<20 {
      bench.gateway.send(bench.frame("s\(number)", "camera.snap"))
      bench.gateway.send(bench.frame("l\(number)", "location.get"))
    }
    let kept = Budget.snapInvokes + Budget.waitingInvokes + Budget.locationInvokes
    #expect(try bench.takeAnswers().count == 40 - kept)
    bench.gateway.send(bench.frame("read", "device.status"))
    let answers = try bench.settle()
    #expect(answers.contains { $0.id == "read" && $0.isOK })
  }

  @Test("what takes too long is answered before the gateway's deadline, once")
  func deadline() throws {
    let bench = try AgentBench()
    #expect(try bench.invoke("1", "device.info", timeout: 3_000).count == 1)
    bench.gateway.send(bench.frame("2", "camera.snap", timeout: 3_000))
    bench.pass(2_499)
    #expect(try bench.takeAnswers().isEmpty)
    bench.pass(1)
    let answers = try bench.takeAnswers()
    #expect(answers.map(\.message) == ["UNAVAILABLE: node invoke timed out"])
    #expect(try bench.settle().isEmpty)
    #expect(try bench.invoke("3", "camera.snap").first?.isOK == true)
  }

  @Test("when the link is lost, running invokes are dropped and late results go nowhere")
  func lost() throws {
    let bench = try AgentBench()
    bench.gateway.send(bench.frame("1", "camera.snap"))
    bench.gateway.send(bench.frame("2", "location.get"))
    bench.transport.fail(.init(.broken))
    bench.runner.runAll()
    bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic)
    #expect(bench.agent.answers.succeeded == 0)
    #expect(bench.agent.answers.failed == 0)
  }

  @Test("a thousand invokes in one delivery are each answered exactly once, in bounded memory")
  func flood() throws {
    let bench = try AgentBench(capacity: 16 * 1024)
    for number in 0..<1_000 { bench.gateway.send(bench.frame("\(number)", "device.status")) }
    var seen: [String: Int] = [:]
    for _ in 0..<3_000 {
      for answer in try bench.settle() { seen[answer.id, default: 0] += 1 }
      _ = bench.transport.deliverHeld()
      if seen.count == 1_000 { break }
    }
    #expect(seen.count == 1_000)
    #expect(seen.values.allSatisfy { $0 == 1 })
  }
}
