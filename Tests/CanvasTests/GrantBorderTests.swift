import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// The edge of the screen as it is painted.
@Suite("The border of a grant")
struct GrantBorderTests {
  private let size = Size(480, 320)
  private let theme = Theme()

  /// Pixels from the left edge inwards, in the middle of the screen's height, as 0xRRGGBB.
  private func edge(grant: Bool, border: BorderLevel) throws -> [UInt32] {
    let overlay = OverlayView(flow: TextFlow(measurer: GridMeasurer()))
    overlay.fit(size, theme)
    var facts = OverlayFacts()
    facts.border = border
    if grant {
      facts.grant = GrantFacts()
      facts.grant?.names = InlineText(cutting: "camera")
    }
    _ = overlay.take(facts, at: 0)
    let screen = try GraphicsSupport.Screen(size.width, size.height)
    screen.list.add(.fill(screen.all, radius: 0, .solid(theme.page)))
    overlay.draw(into: screen.list)
    screen.paint()
    let (right, bottom) = (size.width - 1, size.height - 1)
    let (middle, half) = (size.width / 2, size.height / 2)
    var sides: [[UInt32]] = [[], [], [], []]
    for step in Int32(0)..<20 {
      sides[0].append(screen[step, half])
      sides[1].append(screen[right - step, half])
      sides[2].append(screen[middle, step])
      sides[3].append(screen[middle, bottom - step])
    }
    #expect(Set(sides).count == 1)
    return sides[0]
  }

  private static let levels: [BorderLevel] = [.passive, .notify, .active, .interrupt, .urgent]

  @Test("without a grant and without attention there is none")
  func none() throws { #expect(Set(try edge(grant: false, border: .none)).count == 1) }

  @Test("it has another color than each level of attention", arguments: levels)
  func differs(level: BorderLevel) throws {
    let page = try edge(grant: false, border: .none)[0]
    let granted = try edge(grant: true, border: .none)[0]
    let attention = try edge(grant: false, border: level)[0]
    #expect(Set([page, granted, attention]).count == 3)
    // Not merely another shade: a person tells them apart.
    func channels(_ color: UInt32) -> [Int] { [16, 8, 0].map { Int(color >> $0 & 0xFF) } }
    let distance = zip(channels(granted), channels(attention)).map { abs($0 - $1) }.max() ?? 0
    #expect(distance >= 48)
  }

  @Test("attention, which the agent raises, does not cover it", arguments: levels)
  func both(level: BorderLevel) throws {
    let granted = try edge(grant: true, border: .none)
    let width = granted.prefix { $0 == granted[0] }.count
    let attention = try edge(grant: false, border: level)[0]
    let both = try edge(grant: true, border: level)
    #expect(both[0] == attention)
    #expect(both.count { $0 == granted[0] } == width)
  }
}
