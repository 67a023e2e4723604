import Codec
import Foundation
import Runtime
import Testing

@testable import Benches
@testable import Node

@Suite("Somebody who answers in the gateway's place") struct StandInTests {
  private let bench: DeskBench
  private let standIn: FakeStandIn

  init() throws {
    bench = try DeskBench()
    standIn = FakeStandIn(bench.desk)
  }

  private func advance() { bench.desk.advance(to: bench.clock.monotonic) }

  /// Says something under an id, as a screen does that may say it again.
  private func say(_ text: String, id: String, tag: Int) {
    let bytes = Array(text.utf8)
    for index in 0..<bytes.count { bench.desk.text.bytes[index] = bytes[index] }
    bench.desk.say(bytes.count, InlineText(cutting: id), in: bench.desk.mainSession, bench.listener, tag) { writer in
      writer.string(bytes.span)
    }
  }

  @Test func `Without one, or while it does not answer, a person without a gateway is told why`() throws {
    standIn.answersNow = false
    #expect(!bench.desk.canTalk)
    _ = try bench.chat()
    #expect(bench.listener.heard.last?.hasPrefix("1 NO_OPERATOR") == true)
    bench.desk.standIn = nil
    #expect(!bench.desk.canTalk)
    _ = try bench.chat(tag: 2)
    #expect(bench.listener.heard.last?.hasPrefix("2 NO_OPERATOR") == true)
  }

  @Test func `It gets the message while there is no gateway, and the reply goes to the person`() throws {
    #expect(bench.desk.canTalk && bench.desk.standsIn)
    _ = try bench.chat("Switch the \"lamp\" on\n", tag: 4)
    #expect(standIn.messages == ["Switch the \"lamp\" on\n"])
    #expect(bench.listener.heard.isEmpty)
    #expect(bench.desk.nextDeadline == bench.clock.monotonic)
    advance()
    standIn.say("The lamp")
    standIn.say(" is on.")
    standIn.say("")
    bench.desk.standInWasCut(standIn.runs[0])
    standIn.end()
    standIn.say("late")
    standIn.end()
    #expect(bench.listener.heard.count == 5)
    #expect(bench.listener.heard[0].contains(#""status":"started""#))
    #expect(Array(bench.listener.heard[1...]) == ["4 says The lamp", "4 says  is on.", "4 cut", "4 final"])
  }

  @Test func `A reply before the desk has told of the run tells of it first, once`() throws {
    _ = try bench.chat()
    standIn.say("fast")
    advance()
    #expect(bench.listener.heard.count == 2 && bench.listener.heard[1] == "1 says fast")
  }

  @Test func `The gateway gets what is said while it is there, unless the other answers always`() throws {
    try bench.connect()
    #expect(bench.desk.canTalk && !bench.desk.standsIn)
    #expect(try bench.chat("one") != nil)
    standIn.answersAlways = true
    #expect(bench.desk.standsIn)
    #expect(try bench.chat("two", tag: 2) == nil)
    #expect(standIn.messages == ["two"])
  }

  @Test func `A message that went to the gateway never goes to the other, and not the other way round`() throws {
    try bench.connect()
    say("mine", id: "first", tag: 1)
    #expect(try bench.requests().contains { $0.method == "chat.send" })
    bench.lose()
    say("mine", id: "first", tag: 2)
    #expect(standIn.messages.isEmpty)
    #expect(bench.listener.heard.last?.hasPrefix("2 NO_OPERATOR") == true)
    say("yours", id: "second", tag: 3)
    #expect(standIn.messages == ["yours"])
    try bench.connect()
    _ = try bench.requests()
    say("yours", id: "second", tag: 4)
    #expect(try !bench.requests().contains { $0.method == "chat.send" })
    #expect(bench.listener.heard.last?.hasPrefix("4 RUN_FAILED: the board's own agent has this message") == true)
    // The gateway's own run goes on as before.
    say("mine", id: "first", tag: 5)
    #expect(try bench.requests().contains { $0.method == "chat.send" })
  }

  @Test func `A run of its own is not looked for in the gateway's history`() throws {
    _ = try bench.chat(tag: 1)
    advance()
    try bench.connect()
    #expect(try !bench.requests().contains { $0.method == "chat.history" })
    standIn.say("still here")
    #expect(bench.listener.heard.last == "1 says still here")
    bench.desk.catchUpRuns()
    #expect(try bench.requests().isEmpty)
  }

  @Test func `A stop goes to it and not to the gateway, and ends the run at once`() throws {
    try bench.connect()
    standIn.answersAlways = true
    _ = try bench.chat(tag: 1)
    advance()
    #expect(bench.desk.abort(1, bench.listener, answerTag: 8))
    #expect(standIn.cancelled == standIn.runs)
    #expect(try !bench.requests().contains { $0.method == "chat.abort" })
    #expect(bench.listener.heard.suffix(2) == ["1 aborted", #"8 answer {"ok":true}"#])
    #expect(!bench.desk.abort(1, bench.listener, answerTag: 8))
    standIn.say("late")
    #expect(bench.listener.heard.count == 3)
  }

  @Test func `A run that nobody follows any more is cancelled there`() throws {
    _ = try bench.chat(tag: 1)
    bench.desk.forget(bench.listener, 1)
    #expect(standIn.cancelled == standIn.runs)
    standIn.say("for nobody")
    standIn.end()
    #expect(bench.listener.heard.isEmpty)
  }

  @Test func `A message that it refuses fails with its sentence`() throws {
    standIn.failure = DeskFailure("BUSY", "one at a time")
    _ = try bench.chat(tag: 1)
    #expect(bench.listener.heard == ["1 BUSY: one at a time"])
    standIn.failure = nil
    _ = try bench.chat(tag: 2)
    #expect(standIn.messages.count == 1)
  }

  @Test func `A failure is told as one of the gateway would be`() throws {
    _ = try bench.chat(tag: 1)
    advance()
    bench.desk.standInFailed(standIn.runs[0], DeskFailure("RUN_FAILED", "no model answers"))
    #expect(bench.listener.heard.last == "1 RUN_FAILED: no model answers")
    bench.desk.standInFailed(standIn.runs[0], DeskFailure("RUN_FAILED", "again"))
    #expect(bench.listener.heard.count == 2)
  }

  @Test func `Without a sign for 10 minutes it is stopped; each sign begins that time anew`() throws {
    _ = try bench.chat(tag: 1)
    bench.pass(590_000)
    standIn.say("slow")
    bench.pass(590_000)
    #expect(bench.listener.heard.last == "1 says slow")
    bench.pass(11_000)
    #expect(bench.listener.heard.last?.hasPrefix("1 RUN_FAILED: the board's own agent has said nothing") == true)
    #expect(standIn.cancelled == standIn.runs)
  }

  @Test func `Its calls of tools are steps, with the time that they took; what is open ends with the run`() throws {
    _ = try bench.chat(tag: 1)
    standIn.step("photo", .begun)
    standIn.step("photo", .begun)
    standIn.step("health", .done)
    bench.clock.advance(3_000)
    standIn.step("photo", .failed)
    standIn.end()
    #expect(
      bench.listener.heard.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) } == [
        "1 step photo\u{2026}", "1 step photo\u{2026}", "1 step photo failed (3 s)", "1 step photo failed (3 s)",
        "1 final",
      ])
  }

  @Test func `As many runs as there are slots, and numbers that were never given are nobody's`() throws {
    for tag in 0..<Budget.chatRuns { _ = try bench.chat(tag: tag) }
    #expect(standIn.messages.count == Budget.chatRuns)
    _ = try bench.chat(tag: 99)
    #expect(bench.listener.heard.last?.hasPrefix("99 BUSY") == true)
    for slot in [-1, Budget.chatRuns, 1_000_000, .max, .min] {
      standIn.say("x", StandInRun(slot: slot, serial: 1))
      standIn.end(StandInRun(slot: slot, serial: 1))
    }
    standIn.say("x", StandInRun(slot: 0, serial: 77))
    #expect(!bench.listener.heard.contains { $0.contains("says x") })
  }

  @Test func `The listener may leave, or say something else, at any word`() throws {
    _ = try bench.chat(tag: 1)
    advance()
    bench.listener.onWord = {
      bench.desk.forget(bench.listener, 1)
      _ = try? bench.chat("another", tag: 2)
    }
    standIn.say("word", standIn.runs[0])
    bench.listener.onWord = {}
    standIn.end(standIn.runs[0])
    #expect(standIn.messages == ["hello", "another"])
    standIn.end()
    #expect(bench.listener.heard.last == "2 final")
  }

  @Test func `A message with a photo is refused: it takes photos by itself`() throws {
    let text = Array("look".utf8)
    for index in 0..<4 { bench.desk.text.bytes[index] = text[index] }
    bench.desk.sayWithPhoto(4, InlineText(cutting: "id"), in: bench.desk.mainSession, bench.listener, 1)
    #expect(bench.listener.heard.last?.hasPrefix("1 NO_PHOTO") == true)
  }

  @Test func `A stop of whatever runs in a conversation reaches it, by name as well`() throws {
    let server = NotingServer()
    let node = BenchNode()
    node.desk = bench.desk
    let control = Control(server: server, node: node)
    func send(_ line: String) { line.withBytes { control.lineReceived(Span(_unsafeElements: $0), from: 1) } }
    send(#"{"op":"chat","id":1,"text":"hello"}"#)
    advance()
    #expect(standIn.messages == ["hello"])
    #expect(server.lines.last?.text == #"{"id":1,"type":"started"}"#)
    standIn.say("Hi")
    #expect(server.lines.last?.text == #"{"id":1,"type":"text","text":"Hi"}"#)
    send(#"{"op":"chat-abort","id":2,"run":"nobody"}"#)
    #expect(server.lines.last?.text.contains("NO_OPERATOR") == true)
    send(#"{"op":"chat-abort","id":3}"#)
    #expect(
      server.lines.suffix(2).map(\.text) == [
        #"{"id":1,"type":"end","state":"aborted"}"#, #"{"id":3,"type":"result","result":{}}"#,
      ])
    send(#"{"op":"chat","id":4,"text":"again"}"#)
    advance()
    send(#"{"op":"chat-abort","id":5,"chat":4}"#)
    #expect(standIn.cancelled.count == 2)
  }
}
