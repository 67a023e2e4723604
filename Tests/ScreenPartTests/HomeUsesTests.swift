import Canvas
import Consent
import Gateway
import Graphics
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

/// A whole agent with a screen, whose file asks about cameras.
@Suite("What was used last, on the home page")
struct HomeUsesTests {
  private let painter = ReadingPainter()
  private let display: MemoryDisplay
  private let bench: AgentBench

  init() throws {
    let size = Size(800, 600)
    display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    var settings = ConsentSettings()
    settings.rules[.camera] = .ask
    bench = try AgentBench(face: CanvasBench.parts(display: display, painter: painter, size), consent: settings)
    // 2026-11-27T09:05:00Z.
    bench.clock.wall = 1_795_770_300_000
  }

  private func settle() throws {
    for _ in 0..<6 {
      _ = try bench.settle()
      if display.isBusy { display.takeFrame() }
    }
  }

  /// The lines that home is told.
  private func lines() throws -> [String] {
    let uses = try #require(bench.agent.screen).homeFacts.uses
    return (0..<uses.count).map { index in
      let line = uses[index]
      return line.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func photo(_ id: String, _ answer: ConsentAnswer, by source: Grant.Source) throws {
    _ = try bench.invoke(id, "camera.snap", params: #"{"maxWidth":64}"#)
    let part = try #require(bench.agent.consent)
    bench.passAlive(Budget.consentArmMilliseconds)
    part.answer(answer, to: try #require(part.question).number, by: source)
    _ = try bench.settle()
  }

  @Test("home says what was used, when, and by whose leave, the newest first, and a person sees it")
  func shown() throws {
    #expect(try lines().isEmpty)
    _ = try bench.invoke("1", "location.get", params: #"{"timeoutMs":100}"#, timeout: 1_000)
    bench.passAlive(61_000)
    try photo("2", .once, by: .button)
    #expect(
      try lines() == [
        "09:06  camera.snap, granted once at the button", "09:05  location.get, allowed by the owner's file",
      ])
    bench.passAlive(60_000)
    try settle()
    #expect(!painter.texts.contains { $0.contains("camera.snap") })
    // Behind a touch.
    let face: CanvasFace = try #require(bench.agent.screen).commands.face
    for what in [InputEvent.Pointer.down, .up] {
      face.input(.pointer(what, id: 0, Point(240, 100)), at: face.clock.monotonic)
    }
    try settle()
    let shown = painter.texts.joined(separator: " ")
    #expect(shown.contains("09:06 camera.snap, granted once at the button"))
    #expect(shown.contains("09:05 location.get, allowed by the owner's file"))
  }

  @Test("like uses are one line with their number, and three lines are all that there is room for")
  func bounded() throws {
    for index in 0..<3 { _ = try bench.invoke("l\(index)", "location.get", params: #"{"timeoutMs":1}"#, timeout: 50) }
    #expect(try lines() == ["09:05  location.get (3), allowed by the owner's file"])
    try photo("1", .once, by: .screen)
    try photo("2", .once, by: .console)
    try photo("3", .minute, by: .button)
    #expect(
      try lines() == [
        "09:05  camera.snap, granted for a time at the button", "09:05  camera.snap, granted once at the console",
        "09:05  camera.snap, granted once at the screen",
      ])
  }

  @Test("without the date they have no time, and without the gateway home says what to do instead")
  func without() throws {
    bench.clock.wall = 0
    _ = try bench.invoke("1", "location.get", params: #"{"timeoutMs":1}"#, timeout: 50)
    #expect(try lines() == ["location.get, allowed by the owner's file"])
    bench.transport.fail(TransportFailure(.broken))
    _ = try bench.settle()
    #expect(try lines().isEmpty)
  }
}
