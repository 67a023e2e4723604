import Canvas
import Gateway
import Graphics
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ScreenPart

/// What home shows while the gateway waits for somebody to approve what the board can do.
@Suite("Approval on the home page") struct HomeApprovalTests {
  /// Notes what codes are made of.
  private final class NotingCodes: QREncoder {
    var texts: [String] = []
    func encode(_ text: Span<UInt8>, into modules: QRModules) {
      texts.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
  }

  private let codes = NotingCodes()
  private let bench: AgentBench

  init() throws {
    let size = Size(800, 600)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    bench = try AgentBench(
      hello: #""controlUiUrl":"http://gw.lan:18789/","features":{"methods":["node.pluginTools.update"]}"#,
      face: CanvasBench.parts(display: display, painter: ReadingPainter(), codes: codes, size), tools: .all)
  }

  private func answer(accepted: Int) throws {
    let frames = try bench.gateway.take().map { try AgentBench.object($0) }
    let asked = try #require(frames.last { $0["method"] as? String == "node.pluginTools.update" })
    let tools = [String](repeating: "{}", count: accepted).joined(separator: ",")
    bench.gateway.send(
      #"{"type":"res","id":"\#(try #require(asked["id"] as? String))","ok":true,"payload":{"tools":[\#(tools)]}}"#)
    bench.runner.runAll()
    bench.agent.advance()
  }

  @Test("the code leads a phone to the gateway's page, the command stands as text, and both go when it is told")
  func page() throws {
    try answer(accepted: 0)
    let screen = try #require(bench.agent.screen)
    #expect(screen.homeFacts.page == InlineText(cutting: "http://gw.lan:18789/"))
    #expect(screen.homeFacts.command == InlineText(cutting: "openclaw nodes pending"))
    #expect(codes.texts == ["http://gw.lan:18789/"])
    bench.gateway.send(#"{"type":"event","event":"node.pair.resolved","payload":{"requestId":"r","nodeId":"n"}}"#)
    try answer(accepted: 4)
    #expect(screen.homeFacts.page.isEmpty && screen.homeFacts.command.isEmpty)
    #expect(codes.texts.count == 1)
  }

  @Test("a board that nobody has approved shows one sentence and one command, and no code while it knows no page")
  func unapproved() throws {
    let size = Size(480, 320)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    let codes = NotingCodes()
    let bench = try AgentBench(
      connects: false, face: CanvasBench.parts(display: display, painter: ReadingPainter(), codes: codes, size))
    bench.gateway.accept()
    bench.gateway.pump()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","#
        + #""details":{"code":"PAIRING_REQUIRED","requestId":"r-1"}}}"#)
    bench.transport.fail(.init(.closedByPeer))
    bench.pass(1_000)
    let facts = try #require(bench.agent.screen).homeFacts
    #expect(facts.state.isEmpty && facts.page.isEmpty)
    #expect(facts.sentence == InlineText(cutting: "This board waits for approval."))
    #expect(facts.command == InlineText(cutting: "openclaw devices approve r-1"))
    #expect(codes.texts.isEmpty)
  }
}
