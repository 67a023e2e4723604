import Codec
import Foundation
import Graphics
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import Canvas
@testable import ScreenPart

/// A whole agent with a screen, on which a person touches what the agent has drawn.
@Suite("What people do on a drawing")
struct DrawingPressTests {
  private let bench: AgentBench
  private let screen: Screen

  init() throws {
    let size = Size(480, 320)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    bench = try AgentBench(face: CanvasBench.parts(display: display, size))
    screen = try #require(bench.agent.screen)
  }

  private func draw(_ element: String) throws {
    _ = try bench.invoke("d", "canvas.draw", params: #"{"op":"draw","elements":[\#(element)]}"#)
    bench.runner.runAll()
  }

  private func feed(_ what: InputEvent.Pointer, _ x: Int32, _ y: Int32) {
    screen.commands.face.input(.pointer(what, id: 0, Point(x, y)), at: bench.clock.monotonic)
    bench.clock.advance(50)
  }

  /// What the agent was told, one `agent.request` after the other.
  private func told() throws -> [[String: Any]] {
    bench.pass(100)
    return try bench.gateway.take().map { try AgentBench.object($0) }.compactMap { frame in
      let params = frame["params"] as? [String: Any]
      guard params?["event"] as? String == "agent.request" else { return nil }
      let text = params?["payloadJSON"] as? String
      return try text.map { try AgentBench.object(Array($0.utf8)) } ?? params?["payload"] as? [String: Any]
    }
  }

  @Test("a tap on an interactive element is told to the agent like a press")
  func taps() throws {
    try draw(#"{"id":"map","type":"interactive","bounds":{"x":0,"y":0,"width":200,"height":200}}"#)
    feed(.down, 120, 80)
    feed(.up, 120, 80)
    let request = try #require(try told().first)
    let message = try #require(request["message"] as? String)
    #expect(message.hasPrefix("CANVAS_A2UI action=tap session="))
    #expect(message.contains(" surface=drawing component=map "))
    #expect(message.contains(#"ctx={"x":120.0,"y":80.0}"#))
    #expect(request["attachments"] == nil)
  }

  @Test("a sketch is told with its picture")
  func sketches() throws {
    try draw(#"{"id":"paper","type":"sketch","bounds":{"x":0,"y":0,"width":480,"height":320}}"#)
    feed(.down, 50, 50)
    feed(.move, 250, 90)
    feed(.up, 250, 90)
    #expect(try told().isEmpty)
    let send = try #require(screen.commands.drawing).sketchButtons(Rect(0, 0, 480, 320)).send
    feed(.down, send.x + 4, send.y + 4)
    feed(.up, send.x + 4, send.y + 4)
    let request = try #require(try told().first)
    #expect((request["message"] as? String)?.contains(#"ctx={"width":480,"height":320}"#) == true)
    let attachment = try #require((request["attachments"] as? [[String: String]])?.first)
    #expect(attachment["type"] == "image" && attachment["mimeType"] == "image/png")
    let png = try #require(Data(base64Encoded: attachment["content"] ?? ""))
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 19_000)
  }
}
