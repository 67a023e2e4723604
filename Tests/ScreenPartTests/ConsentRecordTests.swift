import Consent
import Graphics
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ConsentPart
@testable import ScreenPart

/// `recording_ends_camera`: a whole agent with a screen and a camera.
@Suite("A recording of the screen, and what was granted for cameras")
struct ConsentRecordTests {
  private func bench(ends: Bool, _ rules: [(Permission, ConsentRule)]) throws -> (AgentBench, MemoryDisplay) {
    let size = Size(480, 320)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    var settings = ConsentSettings()
    for (permission, rule) in rules { settings.rules[permission] = rule }
    settings.recordingEndsCamera = ends
    return (try AgentBench(face: CanvasBench.parts(display: display, size), consent: settings), display)
  }

  private let record = #"{"durationMs":1000,"includeAudio":false}"#

  @Test("with the key, its start ends the grants of every camera and what runs by them, and no other")
  func ends() throws {
    let (bench, _) = try bench(
      ends: true, [(.camera, .ask), (.frontCamera, .ask), (.location, .ask), (.screen, .allow)])
    let part = try #require(bench.agent.consent)
    part.give([.camera, .frontCamera, .location], .minute, by: .screen)
    // A clip by the grant is under way.
    bench.gateway.send(bench.frame("clip", "camera.clip", params: #"{"durationMs":5000,"includeAudio":false}"#))
    bench.gateway.pump()
    #expect(part.running.count == 1 && part.granted == [.camera, .frontCamera, .location])
    let answers = try bench.invoke("record", "screen.record", params: record)
    #expect(part.granted == [.location])
    let clip = try #require(answers.first { $0.id == "clip" })
    #expect(clip.code == "CAMERA_PERMISSION_REQUIRED" && clip.message?.contains("is over, or was taken back") == true)
    // The camera is closed, and the next photo is asked about.
    #expect(!bench.camera.isStreaming)
    #expect(try !bench.invoke("photo", "camera.snap").contains { $0.id == "photo" })
    #expect(part.question?.permissions == [.camera, .frontCamera])
  }

  @Test("a recording that has to be asked for ends them when it is allowed, and not before or after a no")
  func asked() throws {
    let (bench, _) = try bench(ends: true, [(.camera, .ask), (.screen, .ask)])
    let part = try #require(bench.agent.consent)
    part.give([.camera], .minute, by: .screen)
    for answer in [ConsentAnswer.no, .once] {
      if answer == .once { bench.passAlive(ConsentSettings().refusal) }
      part.give([.camera], .minute, by: .screen)
      _ = try bench.invoke("record", "screen.record", params: record)
      #expect(part.granted == [.camera])
      bench.passAlive(Budget.consentArmMilliseconds)
      part.answer(answer, to: try #require(part.question).number, by: .screen)
      #expect(part.granted == (answer == .no ? [.camera] : []))
    }
  }

  @Test("without the key, both go on")
  func goesOn() throws {
    let (bench, _) = try bench(ends: false, [(.camera, .ask), (.screen, .allow)])
    let part = try #require(bench.agent.consent)
    part.give([.camera], .minute, by: .screen)
    _ = try bench.invoke("record", "screen.record", params: record)
    #expect(part.granted == [.camera])
    #expect(try bench.invoke("photo", "camera.snap").contains { $0.id == "photo" && $0.isOK })
  }

  @Test("what the file allows at any time needs no grant, and a clip of it goes on")
  func allowed() throws {
    let (bench, _) = try bench(ends: true, [(.screen, .ask)])
    let part = try #require(bench.agent.consent)
    _ = try bench.invoke("record", "screen.record", params: record)
    bench.passAlive(Budget.consentArmMilliseconds)
    part.answer(.once, to: try #require(part.question).number, by: .screen)
    #expect(try bench.invoke("photo", "camera.snap").contains { $0.id == "photo" && $0.isOK })
  }
}
