import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches

@Suite("The talk button: held, and tapped")
struct TalkButtonTapTests {
  private func tap(_ bench: VoiceBench) {
    bench.service.talkButtonPressed()
    bench.service.talkButtonReleased(after: Budget.talkHoldMilliseconds - 1)
  }

  @Test("held, it is push to talk")
  func held() throws {
    let bench = try VoiceBench.connected()
    bench.service.talkButtonPressed()
    #expect(bench.service.loop.phase == .hearing(.hold))
    _ = try bench.openTranscription()
    bench.say(500)
    bench.service.talkButtonReleased(after: Budget.talkHoldMilliseconds)
    #expect(!bench.microphone.isOpen)
    _ = try bench.takeSound()
    bench.understand("lights on")
    #expect((try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("lights on") == true)
  }

  @Test("a tap switches talk mode on, and the next one off")
  func taps() throws {
    let bench = try VoiceBench.connected()
    tap(bench)
    #expect(bench.service.isTalkMode && bench.service.loop.phase == .hearing(.turn))
    tap(bench)
    #expect(!bench.service.isTalkMode && bench.service.loop.phase == .idle && !bench.microphone.isOpen)
  }

  @Test("a tap while the gateway's capture is under way is nothing")
  func busy() throws {
    let bench = try VoiceBench.connected()
    bench.invoke("1", "once")
    tap(bench)
    #expect(bench.service.loop.phase == .hearing(.once) && !bench.service.isTalkMode)
  }

  @Test("where talk is switched off, it does nothing")
  func disabled() throws {
    let bench = try VoiceBench.connected { $0.isEnabled = false }
    tap(bench)
    #expect(bench.service.loop.phase == .idle && !bench.service.isTalkMode && bench.microphone.captures.isEmpty)
  }
}
