import Foundation
import Gateway
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("Pending work")
struct PendingWorkTests {
  private let bench: AgentBench
  private let channel = FakeChannel()

  init() throws {
    bench = try AgentBench()
    bench.replaceChannel(channel)
  }

  private func action(_ id: String, _ command: String = "system.notify", _ params: String? = nil) -> String {
    let quoted = String(decoding: try! JSONEncoder().encode(params ?? #"{"title":"\#(id)"}"#), as: UTF8.self)
    return #"{"id":"\#(id)","command":"\#(command)","paramsJSON":\#(quoted),"enqueuedAtMs":1}"#
  }

  private func answerPull(_ actions: [String]) {
    channel.answer("node.pending.pull", #"{"nodeId":"n","actions":[\#(actions.joined(separator: ","))]}"#)
  }

  private func answerAck() { channel.answer("node.pending.ack", #"{"ackedIds":[],"remainingCount":0}"#) }

  private var acknowledged: [[String]] {
    channel.asked("node.pending.ack").map { $0.params["ids"] as? [String] ?? [] }
  }

  private var notifications: Int {
    var count = 0
    bench.log.forEachLine { if String(decoding: $0, as: UTF8.self).contains("notify: ") { count += 1 } }
    return count
  }

  @Test("actions are done, answered to nobody, and acknowledged; then the gateway is asked for more")
  func round() throws {
    #expect(channel.asked("node.pending.pull").count == 1)
    answerPull([action("a"), action("b")])
    #expect(notifications == 2)
    #expect(acknowledged == [["a", "b"]])
    #expect(try bench.settle().isEmpty)
    answerAck()
    #expect(channel.asked("node.pending.pull").count == 2)
    answerPull([])
    #expect(channel.asked("node.pending.pull").count == 2)
  }

  @Test("an action is acknowledged once its work has ended")
  func slow() {
    answerPull([action("a", "location.get", "{}"), action("b")])
    #expect(acknowledged == [])
    bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic)
    #expect(acknowledged == [["a", "b"]])
  }

  @Test("an action that takes too long has its end, too")
  func timeout() {
    answerPull([action("a", "location.get", #"{"timeoutMs":60000}"#)])
    bench.passAlive(30_000)
    #expect(acknowledged == [["a"]])
  }

  @Test("an action whose acknowledgement was lost is not done again")
  func again() {
    answerPull([action("a")])
    bench.replaceChannel(channel)
    channel.fail("node.pending.pull", .lost)
    answerPull([action("a")])
    #expect(notifications == 1)
    #expect(acknowledged.last == ["a"])
  }

  @Test("an action that ran when the link was lost is not begun again")
  func interrupted() {
    answerPull([action("a", "location.get", "{}")])
    bench.replaceChannel(channel)
    answerPull([action("a", "location.get", "{}")])
    #expect(acknowledged == [["a"]])
  }

  @Test("what can never be done is acknowledged, so that it does not come for ever")
  func hopeless() {
    answerPull([action("a", "no.such"), action("b", "system.notify", "{"), action("c", "system.notify", "{}")])
    #expect(acknowledged == [["a", "b", "c"]])
  }

  @Test("actions without an id, and answers that make no sense, are ignored")
  func nonsense() {
    for text in [#"{"actions":7}"#, "null", #"{"actions":[1,{},{"id":""},{"id":3},[]]}"#] {
      channel.answer("node.pending.pull", text)
      bench.replaceChannel(channel)
    }
    #expect(acknowledged == [])
  }

  @Test("more actions than one round takes are done in several")
  func rounds() {
    var left = (0..<20).map { "a\($0)" }
    for _ in 0..<5 where !left.isEmpty {
      answerPull(left.map { action($0) })
      left.removeAll { acknowledged.last?.contains($0) ?? false }
      answerAck()
    }
    #expect(acknowledged.map(\.count) == [8, 8, 4])
    #expect(notifications == 20)
  }

  @Test("actions for which there is no room are begun later")
  func busy() {
    for number in 0..<4 { bench.gateway.send(bench.frame("\(number)", "location.get")) }
    answerPull([action("a", "location.get", "{}")])
    #expect(acknowledged == [])
    bench.receiver.feed(AgentBench.epoch("120000.00"), at: bench.clock.monotonic)
    bench.passAlive(5_000)
    answerPull([action("a", "location.get", #"{"maxAgeMs":60000}"#)])
    #expect(acknowledged == [["a"]])
  }

  @Test("a gateway that never runs out of actions is left after 24 rounds")
  func endless() {
    for number in 0..<100 {
      answerPull([action("a\(number)")])
      answerAck()
    }
    #expect(channel.asked("node.pending.pull").count == Budget.pendingRounds)
  }

  @Test("a gateway without the method is asked once, until it is of another release")
  func unknownMethod() {
    channel.fail("node.pending.pull", .refused, code: "INVALID_REQUEST")
    bench.passAlive(600_000)
    #expect(channel.asked("node.pending.pull").count == 1)
    bench.replaceChannel(channel)
    #expect(channel.asked("node.pending.pull").count == 1)
    bench.agent.sessionLost()
    bench.agent.pending.online(channel, release: InlineText(cutting: "2026.8.1"))
    #expect(channel.asked("node.pending.pull").count == 2)
  }

  @Test(
    "a gateway that only failed is asked again with the next connection",
    arguments: [RequestFailure.Kind.refused, .timedOut, .tooLarge])
  func failed(kind: RequestFailure.Kind) {
    channel.fail("node.pending.pull", kind, code: kind == .refused ? "UNAVAILABLE" : "")
    bench.replaceChannel(channel)
    #expect(channel.asked("node.pending.pull").count == 2)
  }
}
