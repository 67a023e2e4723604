import Gateway
import Graphics
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ScreenPart

/// By what the gateway is known, on the home page.
@Suite("Trust on the home page") struct HomeTrustTests {
  /// What home says of the connection.
  private func sentence(_ vouching: Vouching?) throws -> String {
    let size = Size(800, 600)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    let bench = try AgentBench(
      face: CanvasBench.parts(display: display, painter: ReadingPainter(), size), vouching: vouching)
    let facts = try #require(bench.agent.screen).homeFacts
    return facts.sentence.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test("it says which kind of trust is in force, and until when")
  func kinds() throws {
    // 2027-01-15T08:00:00Z
    let vouched = try sentence(.vouched(until: 1_800_000_000_000))
    #expect(vouched.hasSuffix("; known by authorities, its certificate ends 2027-01-15"))
    #expect(try sentence(.unasked).hasSuffix("; known by pin"))
    #expect(try !sentence(nil).contains("known by"))
  }
}
