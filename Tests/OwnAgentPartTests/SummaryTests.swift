import Codec
import Foundation
import Node
import OwnAgent
import Runtime
import Simulated
import Testing

@testable import Benches
@testable import Node
@testable import OwnAgentPart

@Suite("Summaries for the gateway") struct OwnAgentSummaryTests {
  private func summary(_ bench: OwnAgentBench, _ serial: UInt64, _ text: String) {
    bench.send(.summary, OwnAgentBench.number(serial, 8) + Array(text.utf8))
  }

  private func events(_ bench: OwnAgentBench) -> [FakeChannel.Request] { bench.channel.asked("node.event") }

  @Test func `A summary becomes one event, and the agent is told when it is safe`() throws {
    let bench = try OwnAgentBench()
    _ = bench.link.take()
    bench.outbox.online(bench.channel)
    summary(bench, 4, "## Answered\n- **\"x\"**\n")
    #expect(bench.frames().isEmpty && events(bench).isEmpty)
    bench.pass(3_000)
    #expect(bench.frames() == ["handedOver 4"])
    let event = try #require(events(bench).first)
    #expect(events(bench).count == 1 && event.event == "agent.request")
    let message = try #require(event.payload["message"] as? String)
    #expect(message.hasPrefix("For your information; nothing is to be answered or done."))
    #expect(message.hasSuffix("answered at the board.\n\n## Answered\n- **\"x\"**\n"))
    #expect(event.payload["deliver"] as? Bool == false)
    #expect(event.payload["sessionKey"] as? String == "main")
    #expect(event.payload["key"] as? String == "own-agent-abc-4")
  }

  @Test func `The same summary again is answered at once, and posted no more`() throws {
    let bench = try OwnAgentBench()
    bench.outbox.online(bench.channel)
    summary(bench, 1, "one")
    // Again before it is safe, and after.
    summary(bench, 1, "one")
    bench.pass(3_000)
    bench.channel.answer()
    _ = bench.link.take()
    summary(bench, 1, "one")
    #expect(bench.frames() == ["handedOver 1"])
    summary(bench, 2, "two")
    bench.pass(3_000)
    bench.channel.answer()
    #expect(bench.frames() == ["handedOver 2"])
    #expect(events(bench).count == 2)
  }

  @Test func `An agent that has begun anew begins with low numbers, which are taken`() throws {
    let bench = try OwnAgentBench()
    for serial: UInt64 in [9, 1, 2] {
      summary(bench, serial, "text")
      bench.pass(3_000)
    }
    #expect(bench.outbox.count == 3)
  }

  @Test func `While flash has not the number, the event waits, but not for ever, and no other one with it`() throws {
    let bench = try OwnAgentBench()
    _ = bench.link.take()
    bench.outbox.online(bench.channel)
    bench.store.failure = .system(.inputOutput)
    summary(bench, 1, "one")
    _ = bench.outbox.post("other.event", ageLimit: 60_000_000) { _ in }
    bench.pass(Budget.summaryHoldMilliseconds - 1)
    #expect(events(bench).map(\.event) == ["other.event"] && bench.frames().isEmpty)
    bench.channel.answer()
    bench.pass(1)
    #expect(events(bench).map(\.event) == ["other.event", "agent.request"])
    bench.store.failure = nil
    bench.pass(600_000)
    #expect(bench.frames() == ["handedOver 1"])
  }

  @Test func `Events before it are not kept back`() throws {
    let bench = try OwnAgentBench()
    _ = bench.outbox.post("first.event", ageLimit: 60_000_000) { _ in }
    summary(bench, 1, "one")
    bench.outbox.online(bench.channel)
    #expect(events(bench).map(\.event) == ["first.event"])
    bench.channel.answer()
    #expect(events(bench).count == 1)
    bench.pass(3_000)
    #expect(events(bench).map(\.event) == ["first.event", "agent.request"])
  }

  @Test func `The longest summary fits an event, and what does not is cut between characters`() throws {
    let bench = try OwnAgentBench()
    bench.outbox.online(bench.channel)
    summary(bench, 1, String(repeating: "a", count: Budget.handOverBytes - 2))
    bench.pass(3_000)
    let whole = try #require(events(bench).last?.payload["message"] as? String)
    #expect(whole.hasSuffix("aaa") && whole.count > Budget.handOverBytes)
    bench.channel.answer()
    summary(bench, 2, String(repeating: "\u{20AC}\"", count: 4_000))
    bench.pass(3_000)
    let cut = try #require(events(bench).last?.payload["message"] as? String)
    #expect(cut.hasSuffix("\u{2026}") && !cut.contains("\u{FFFD}"))
    #expect(cut.utf8.count > 1_500)
  }

  @Test func `A number on flash that cannot be read is none`() throws {
    for text in ["", "{", #"{"taken":-1}"#, #"{"taken":"x"}"#, "[]"] {
      let bench = try OwnAgentBench(starts: false)
      try text.withBytes { bytes in
        let name: StaticString = "own-agent"
        try bench.store.save(name.path, bytes)
      }
      bench.outbox.start()
      bench.part.start()
      #expect(bench.part.summaries.taken == nil)
    }
  }

  @Test func `What the outbox has on flash, and the record has not, is known after a start`() throws {
    let bench = try OwnAgentBench(starts: false)
    _ = bench.outbox.post("agent.request", ageLimit: 60_000_000, hasID: false) { writer in
      writer.key("key")
      writer.string("own-agent-abc-12")
    }
    bench.part.start()
    bench.outbox.online(bench.channel)
    // Sent at once, because it was posted before anything was held here.
    bench.channel.answer()
    bench.advance()
    bench.pass(3_000)
    _ = bench.link.take()
    summary(bench, 12, "again")
    #expect(bench.frames() == ["handedOver 12"])
    #expect(events(bench).count == 1)
  }
}
