import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics

@Suite("The orb of a conversation by voice")
struct OrbTests {
  private let overlay: OverlayView
  private let size = Size(480, 320)

  init() {
    overlay = OverlayView(flow: TextFlow(measurer: GridMeasurer()))
    overlay.fit(size, Theme())
  }

  private func show(_ orb: OrbState, level: UInt8 = 0, at now: Int64 = 0) -> Bool {
    var facts = OverlayFacts()
    (facts.orb, facts.orbLevel) = (orb, level)
    return overlay.take(facts, at: now)
  }

  private var fills: [Rect] {
    let list = DisplayList()
    overlay.draw(into: list)
    var result: [Rect] = []
    for index in 0..<list.count { if case .fill(let rect, _, _) = list[index] { result.append(rect) } }
    return result
  }

  @Test("without a conversation it is not there, and waits for nothing")
  func rests() {
    #expect(fills.isEmpty && overlay.nextDeadline == nil)
    _ = show(.listening)
    _ = show(.none)
    #expect(fills.isEmpty && overlay.nextDeadline == nil)
  }

  @Test("all of it stays in its small frame, which the lights of camera and microphone do not cover")
  func frame() {
    for state in [OrbState.listening, .understanding, .speaking] {
      _ = show(state, level: 4)
      let frame = overlay.orbFrame
      for _ in 0..<16 {
        for rect in fills {
          #expect(rect.x >= frame.x && rect.maxX <= frame.maxX && rect.y >= frame.y && rect.maxY <= frame.maxY)
        }
        _ = overlay.advance(to: overlay.nextDeadline ?? 0)
      }
      #expect(frame.width * frame.height * 100 < size.width * size.height && frame.y >= 28)
    }
  }

  @Test("it is as large as the person is loud, and rests between")
  func level() {
    var widths: [Int32] = []
    for level in 0...4 {
      #expect(show(.listening, level: UInt8(level)))
      widths.append(fills.last!.width)
    }
    #expect(widths == widths.sorted() && Set(widths).count == 5)
    #expect(overlay.nextDeadline == nil && !show(.listening, level: 4))
  }

  @Test("it moves four times a second while it understands, and half as often while it speaks")
  func moves() {
    _ = show(.understanding)
    #expect(overlay.nextDeadline == Budget.orbStepMilliseconds)
    var places: Set<Int32> = []
    for step in 1...8 {
      #expect(overlay.advance(to: Int64(step) * Budget.orbStepMilliseconds))
      places.insert(fills.last!.x * 1000 + fills.last!.y)
    }
    #expect(places.count == 8)
    _ = show(.speaking, at: 10_000)
    #expect(overlay.nextDeadline == 10_000 + 2 * Budget.orbStepMilliseconds)
  }
}
