import Canvas
import Codec
import Node
import Runtime
import Testing

@testable import Benches
@testable import Node
@testable import ScreenPart

@Suite("Chat on the screen with the board's own agent") struct StandInConversationTests {
  private func bench() throws -> (TalkBench, FakeStandIn) {
    let bench = try TalkBench()
    return (bench, FakeStandIn(bench.desk.desk))
  }

  private func advance(_ bench: TalkBench) { bench.desk.desk.advance(to: bench.desk.clock.monotonic) }

  @Test func `It takes text, and says who answers and why`() throws {
    let (bench, standIn) = try bench()
    bench.press(.chat)
    bench.conversation.update()
    #expect(bench.texts.contains("The board answers by itself: the gateway is away"))
    bench.write("lamp on")
    #expect(standIn.messages == ["lamp on"])
    #expect(bench.messages == ["person sending lamp on"])
    advance(bench)
    standIn.step("light", .begun)
    standIn.say("It is on.")
    standIn.step("light", .done)
    #expect(bench.messages.last == "agent streaming It is on.")
    #expect(bench.messages.contains { $0.hasPrefix("step done") })
    standIn.end()
    #expect(bench.messages.first == "person done lamp on" && bench.messages.last == "agent done It is on.")
  }

  @Test func `Without it, nobody can be reached, and the reason is shown`() throws {
    let (bench, standIn) = try bench()
    standIn.answersNow = false
    bench.press(.chat)
    bench.conversation.update()
    #expect(!bench.texts.contains("answers by itself"))
    bench.write("lamp on")
    #expect(bench.messages.last?.hasPrefix("person failed lamp on") == true)
    #expect(standIn.messages.isEmpty)
  }

  @Test func `A person stops its answer`() throws {
    let (bench, standIn) = try bench()
    bench.press(.chat)
    bench.write("count to a million")
    advance(bench)
    standIn.say("1, 2, 3")
    bench.conversation.chatStop()
    #expect(standIn.cancelled.count == 1)
    #expect(bench.messages.last == "agent stopped 1, 2, 3")
  }

  @Test func `A message that failed there may be sent again, to whoever answers then`() throws {
    let (bench, standIn) = try bench()
    bench.press(.chat)
    bench.write("hello")
    advance(bench)
    bench.desk.desk.standInFailed(standIn.runs[0], DeskFailure("RUN_FAILED", "no model answers"))
    #expect(bench.messages.last == "person failed hello (no model answers)")
    bench.conversation.chatRetry(bench.log.count - 1)
    #expect(standIn.messages == ["hello", "hello"])
  }

  @Test func `What the gateway may have already is not said to it again`() throws {
    let (bench, standIn) = try bench()
    try bench.open()
    bench.write("only once")
    let send = try bench.desk.request("chat.send")
    bench.desk.lose()
    bench.desk.desk.forget(bench.conversation.feed, 1)
    bench.conversation.messageFailed(1, DeskFailure("LOST", "the connection was lost"))
    bench.conversation.chatRetry(bench.log.count - 1)
    #expect(standIn.messages.isEmpty)
    #expect(!send.run.isEmpty)
  }

  @Test func `What was said with it stays below the history that the gateway has when it is back`() throws {
    let (bench, standIn) = try bench()
    bench.press(.chat)
    bench.write("hello board")
    advance(bench)
    standIn.say("Hello.")
    standIn.end()
    try bench.desk.connect()
    try bench.answer("chat.history", TalkBench.history("user old", "assistant Old"))
    #expect(
      bench.messages == ["person done old", "agent done Old", "person done hello board", "agent done Hello."])
    #expect(!bench.texts.contains("answers by itself"))
  }

  @Test func `Where it answers always, the chat says so, and the gateway gets nothing`() throws {
    let (bench, standIn) = try bench()
    try bench.open()
    standIn.answersAlways = true
    bench.conversation.update()
    #expect(bench.texts.contains("The board answers by itself"))
    #expect(!bench.texts.contains("the gateway is away"))
    bench.write("for the board")
    #expect(standIn.messages == ["for the board"])
    #expect(try !bench.desk.requests().contains { $0.method == "chat.send" })
  }
}
