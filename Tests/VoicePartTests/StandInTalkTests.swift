import Codec
import Node
import Runtime
import Talk
import Testing

@testable import Benches
@testable import VoicePart

@Suite("Talking with the board's own agent") struct StandInTalkTests {
  /// A board without a gateway, which hears and speaks by itself.
  private func bench(_ change: (inout TalkSettings) -> Void = { _ in }) throws -> (VoiceBench, FakeStandIn) {
    let bench = try VoiceBench(hasRecognizer: true, hasVoice: true) { settings in
      settings.toneVolume = 0
      change(&settings)
    }
    return (bench, FakeStandIn(bench.desk.desk))
  }

  private func advance(_ bench: VoiceBench) { bench.desk.desk.advance(to: bench.desk.clock.monotonic) }

  private func understand(_ bench: VoiceBench, _ text: String) {
    bench.speech.text = text
    bench.say(600, silence: 2_400)
    bench.speech.finish()
  }

  @Test func `Push to talk: heard here, answered here, and spoken with the board's own voice`() throws {
    let (bench, standIn) = try bench()
    bench.invoke("1", "once")
    understand(bench, "how warm is it")
    #expect(standIn.messages.count == 1)
    #expect(standIn.messages[0].hasSuffix("how warm is it") && standIn.messages[0].contains("short sentences"))
    #expect(bench.outbox.count == 0)
    #expect(bench.service.loop.phase == .sending(.once))
    advance(bench)
    #expect(bench.service.loop.phase == .thinking)
    #expect(bench.answers().first?.contains("queued") == true)
    standIn.say("It is warm. ")
    standIn.end()
    #expect(bench.speech.spoken == ["It is warm."])
    #expect(standIn.cancelled.isEmpty && bench.channel.asked.isEmpty)
  }

  @Test func `A command after a wake phrase is answered here, and not kept for the gateway`() throws {
    let (bench, standIn) = try bench()
    bench.speech.text = "hey board lamp on"
    bench.command("hey board", 600)
    bench.speech.finish()
    #expect(standIn.messages.count == 1 && standIn.messages[0].hasSuffix("lamp on"))
    #expect(bench.outbox.count == 0)
    advance(bench)
    standIn.say("Done.")
    standIn.end()
    #expect(bench.speech.spoken == ["Done."])
  }

  @Test func `Without it such a command waits for the gateway, and no reply is awaited`() throws {
    let (bench, standIn) = try bench()
    standIn.answersNow = false
    bench.speech.text = "hey board lamp on"
    bench.command("hey board", 600)
    bench.speech.finish()
    #expect(standIn.messages.isEmpty && bench.outbox.count == 1)
    #expect(bench.service.loop.phase == .idle)
  }

  @Test func `While it does not answer yet, what was said waits for the gateway, and it never gets it`() throws {
    let (bench, standIn) = try bench()
    standIn.answersNow = false
    bench.invoke("1", "once")
    understand(bench, "for the gateway")
    #expect(bench.outbox.count == 1)
    #expect(bench.answers().first?.contains("offline") == true)
    standIn.answersNow = true
    bench.pass(60_000)
    #expect(standIn.messages.isEmpty)
  }

  @Test func `Talk mode goes on with the person's turn, and a new turn leaves the answer before`() throws {
    let (bench, standIn) = try bench()
    bench.service.setTalkMode(true)
    understand(bench, "tell me a story")
    advance(bench)
    standIn.say("Once upon a time. ")
    #expect(bench.service.loop.phase == .speaking)
    bench.service.press()
    #expect(standIn.cancelled.count == 1)
    bench.say(600)
    bench.speech.text = "stop that"
    bench.service.release()
    bench.speech.finish()
    #expect(standIn.messages.count == 2)
  }

  @Test func `A message that it cannot take is told by the tone of a failure`() throws {
    let (bench, standIn) = try bench()
    standIn.failure = DeskFailure("BUSY", "one at a time")
    bench.invoke("1", "once")
    understand(bench, "hello")
    #expect(bench.answers().first?.contains("not_queued") == true)
    #expect(bench.service.loop.phase == .idle && bench.outbox.count == 0)
  }

  @Test func `An answer that fails ends the turn`() throws {
    let (bench, standIn) = try bench()
    bench.invoke("1", "once")
    understand(bench, "hello")
    advance(bench)
    bench.desk.desk.standInFailed(standIn.runs[0], DeskFailure("RUN_FAILED", "no model answers"))
    #expect(bench.service.loop.phase == .idle)
  }

  @Test func `With a gateway it is not asked, and a gateway's command after a wake phrase has no reply here`() throws {
    let (bench, standIn) = try bench()
    try bench.connect()
    bench.command("hey board", 600)
    try bench.transcribe("hey board lamp on")
    #expect(standIn.messages.isEmpty)
    #expect(bench.channel.asked("node.event").map(\.event) == ["voice.transcript"])
    #expect(bench.service.loop.phase == .idle)
  }
}
