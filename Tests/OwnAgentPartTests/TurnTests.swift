import Codec
import Device
import Foundation
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

@Suite("Turns of the board's own agent") struct OwnAgentTurnTests {
  @Test func `A message goes to the agent, and its answer to whoever has spoken`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say("Is it warm?", tag: 3))
    bench.send(.text, number: turn, "It is ")
    bench.send(.step, OwnAgentBench.number(UInt64(turn), 4) + [0] + Array("health".utf8) + [0] + Array("{}".utf8))
    bench.clock.advance(1_500)
    bench.send(.step, OwnAgentBench.number(UInt64(turn), 4) + [1] + Array("health".utf8) + [0])
    bench.send(.text, number: turn, "21 degrees.")
    bench.send(.ended, number: turn, byte: TurnEnd.answered.rawValue)
    let heard = bench.listener.heard
    #expect(heard.first?.hasPrefix(#"3 answer {"runId":""#) == true)
    #expect(
      Array(heard.dropFirst()) == [
        "3 says It is ", "3 step health\u{2026} {}", "3 step health (2 s) {}", "3 says 21 degrees.", "3 final",
      ])
    #expect(!bench.part.isAwaited)
  }

  @Test func `The message arrives as it was written`() throws {
    let bench = try OwnAgentBench.answering()
    _ = try bench.desk.chat("Ein \"Wort\"\nund mehr", tag: 1)
    #expect(bench.frames() == ["say 1 Ein \"Wort\"\nund mehr"])
    #expect(bench.part.isAwaited)
  }

  @Test func `Nothing is sent to the gateway, and the run is told of once it has begun`() throws {
    let bench = try OwnAgentBench.answering()
    _ = try bench.desk.chat("hello", tag: 1)
    // Not from inside: whoever speaks is still about to wait.
    #expect(bench.listener.heard.isEmpty)
    bench.advance()
    #expect(bench.listener.heard.count == 1)
    #expect(try bench.desk.requests().isEmpty)
  }

  @Test func `One message at a time: the second is refused with a sentence`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say(tag: 1))
    #expect(try bench.say(tag: 2) == nil)
    #expect(bench.listener.heard.last?.hasPrefix("2 BUSY: the board's own agent answers another message") == true)
    bench.send(.ended, number: turn, byte: 0)
    #expect(try bench.say(tag: 3) == turn + 1)
  }

  @Test func `A turn that nobody follows is cancelled at once, and whoever speaks then comes next`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say(tag: 1))
    bench.call(7, "photo")
    let count = bench.listener.heard.count
    bench.desk.desk.forget(bench.listener, 1)
    let frames = bench.frames()
    #expect(frames.first == "cancel \(turn)" && frames.last == "result 7 1")
    #expect(bench.lender.cancelled == [bench.lender.begun[0].tag])
    #expect(!bench.part.isAwaited && bench.listener.heard.count == count)
    _ = try bench.desk.chat("something else", tag: 2)
    #expect(bench.frames() == ["say \(turn + 1) something else"])
    bench.advance()
    // What comes of the turn before is for nobody.
    bench.send(.text, number: turn, "old")
    bench.send(.ended, number: turn, byte: 1)
    bench.send(.text, number: turn + 1, "new")
    #expect(bench.listener.heard.last == "2 says new")
    #expect(!bench.listener.heard.contains { $0.contains("old") })
  }

  @Test func `A person stops a turn: the agent and its calls are told, and the run has ended`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say(tag: 1))
    bench.call(7, "photo")
    #expect(bench.desk.desk.abort(1, bench.listener, answerTag: 9))
    #expect(bench.listener.heard.suffix(2) == ["1 aborted", #"9 answer {"ok":true}"#])
    #expect(bench.lender.cancelled == [bench.lender.begun[0].tag])
    let frames = bench.frames()
    #expect(frames.first == "cancel \(turn)" && frames.last == "result 7 1")
    #expect(!bench.part.isAwaited)
    bench.send(.ended, number: turn, byte: 1)
    #expect(bench.listener.heard.last == #"9 answer {"ok":true}"#)
  }

  @Test func `A turn that fails says why, and one that the agent itself has stopped is told as stopped`() throws {
    let bench = try OwnAgentBench.answering()
    var turn = try #require(try bench.say(tag: 1))
    bench.send(.ended, number: turn, "the model at 10.0.0.2 does not answer", byte: TurnEnd.failed.rawValue)
    #expect(bench.listener.heard.last == "1 RUN_FAILED: the model at 10.0.0.2 does not answer")
    turn = try #require(try bench.say(tag: 2))
    bench.send(.ended, number: turn, byte: TurnEnd.cancelled.rawValue)
    #expect(bench.listener.heard.last == "2 aborted")
    turn = try #require(try bench.say(tag: 3))
    bench.send(.ended, number: turn, byte: 77)
    #expect(bench.listener.heard.last?.hasPrefix("3 RUN_FAILED: the board's own agent has no answer") == true)
    #expect(bench.part.turns == 3 && bench.part.failures == 2)
  }

  @Test func `Characters that are cut between frames come whole, and bytes that are no text are replaced`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say(tag: 1))
    let head = OwnAgentBench.number(UInt64(turn), 4)
    let text = Array("gr\u{FC}\u{DF} \u{1F600}!".utf8)
    for byte in text { bench.send(.text, head + [byte]) }
    let said = bench.listener.heard.filter { $0.hasPrefix("1 says ") }.map { $0.dropFirst(7) }.joined()
    #expect(said == "gr\u{FC}\u{DF} \u{1F600}!")
    bench.send(.text, head + [0xE2, 0x82])
    bench.send(.text, head + [0x41, 0xFF, 0xC0])
    bench.send(.text, head + [0xE2])
    bench.send(.ended, head + [0])
    #expect(bench.listener.heard.suffix(3) == ["1 says \u{FFFD}A\u{FFFD}\u{FFFD}", "1 says \u{FFFD}", "1 final"])
  }

  @Test func `A turn that gives no end is given up`() throws {
    let bench = try OwnAgentBench.answering()
    _ = try bench.say(tag: 1)
    bench.pass(Budget.agentTurnMilliseconds + 1)
    #expect(bench.listener.heard.last?.hasPrefix("1 RUN_FAILED") == true)
    #expect(!bench.part.isAwaited)
  }

  @Test func `The loss of the process ends the turn with a sentence, and the next connection answers again`() throws {
    let bench = try OwnAgentBench.answering()
    _ = try bench.say(tag: 1)
    bench.link.lose()
    #expect(bench.listener.heard.last?.hasPrefix("1 RUN_FAILED: the board's own agent was interrupted") == true)
    _ = try bench.desk.chat("again", tag: 2)
    #expect(bench.listener.heard.last?.hasPrefix("2 NO_OPERATOR") == true)
    bench.pass(Budget.standInRetry.lowerBound)
    #expect(try bench.say(tag: 3) != nil)
  }

  @Test func `Panic ends the turn and all calls, and nothing begins until the board is let go`() throws {
    let bench = try OwnAgentBench.answering()
    let turn = try #require(try bench.say(tag: 1))
    bench.call(1, "photo")
    bench.part.hold()
    #expect(bench.listener.heard.last?.contains("held by a person") == true)
    #expect(bench.frames().first == "cancel \(turn)")
    #expect(bench.lender.cancelled.count == 1)
    #expect(!bench.desk.desk.canTalk)
    bench.call(2, "photo")
    #expect(bench.lender.begun.count == 1)
    #expect(bench.frames().last == "result 2 1")
    bench.part.letGo()
    #expect(bench.desk.desk.canTalk)
    #expect(try bench.say(tag: 2) != nil)
  }

  @Test func `The status tells of it, and the report whether its process is there`() throws {
    let bench = try OwnAgentBench.answering()
    bench.send(.state, [2])
    let buffer = FixedBuffer(capacity: 4096)
    func status() throws -> [String: Any] {
      var writer = JSONWriter(into: buffer.bytes)
      writer.beginObject()
      bench.part.writeStatus(to: &writer)
      writer.endObject()
      return try #require(try AgentBench.object(Array(buffer.bytes[..<writer.count]))["ownAgent"] as? [String: Any])
    }
    var found = try status()
    #expect(found["state"] as? String == "waiting" && found["connected"] as? Bool == true)
    #expect(found["answers"] as? Bool == true && found["turns"] as? Int == 0)
    var report = HardwareReport()
    bench.part.report(to: &report)
    #expect(report.services.ownAgent?.state == .ok)
    bench.send(.state, [9])
    bench.link.lose()
    found = try status()
    #expect(found["connected"] as? Bool == false && found["answers"] as? Bool == false)
    bench.part.report(to: &report)
    #expect(report.services.ownAgent?.state == .error)
  }
}
