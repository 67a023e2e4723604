import Board
import Runtime
import Script
import Testing

@testable import talon

@Suite("What strangers made is worked on in processes of their own") struct ConfinedWiringTests {
  @Test("pictures and drawings that are fetched or pushed")
  func pictures() throws {
    let clock = SystemClock()
    let text = "[gateway]\nurl = wss://a\n[canvas]\nscreen = 320x240\n"
    let configuration = try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
    let wiring = ScreenWiring(
      configuration: configuration.canvas, loop: try Loop(clock: clock), clock: clock,
      log: Log(level: .error, output: nil))
    let parts = try #require(try wiring.parts())
    #expect(parts.fetching.pictures is PictureProcess)
  }

  @Test("scripts of pages")
  func scripts() throws {
    var configuration = CanvasConfiguration()
    let loop = try Loop(clock: SystemClock())
    #expect(try Scripts(configuration, loop: loop) == nil, "without a screen")
    configuration.screen.output = .automatic
    let scripts = try #require(try Scripts(configuration, loop: loop))
    defer { scripts.stop() }
    #expect(try scripts.parts().host is ScriptProcess)
  }
}
