import Graphics
import Testing

@testable import Canvas

@Suite("Two fingers")
struct TwoFingersTests {
  /// Both fingers go from one place to another; what they did when the first is lifted.
  private func move(_ first: (Point, Point), _ second: (Point, Point)) -> TwoFingerMove? {
    var fingers = TwoFingers(scale: 1)
    _ = fingers.feed(.down, id: 0, first.0)
    _ = fingers.feed(.down, id: 1, second.0)
    _ = fingers.feed(.move, id: 0, first.1)
    _ = fingers.feed(.move, id: 1, second.1)
    return fingers.feed(.up, id: 0, first.1)
  }

  @Test("fingers that move along pan")
  func pan() throws {
    let found = try #require(move((Point(10, 10), Point(60, 20)), (Point(110, 10), Point(160, 20))))
    #expect(found == TwoFingerMove(start: Point(60, 10), end: Point(110, 20), scale: 1, isPinch: false))
  }

  @Test("fingers that move apart or together pinch")
  func pinch() throws {
    let apart = try #require(move((Point(100, 50), Point(50, 50)), (Point(200, 50), Point(250, 50))))
    #expect(apart.isPinch && apart.scale == 2 && apart.start == Point(150, 50) && apart.end == Point(150, 50))
    let together = try #require(move((Point(50, 50), Point(100, 50)), (Point(250, 50), Point(200, 50))))
    #expect(together.isPinch && together.scale == 0.5)
  }

  @Test("fingers that rest, one finger, three fingers and cancelled ones do nothing")
  func nothing() {
    #expect(move((Point(10, 10), Point(12, 11)), (Point(110, 10), Point(111, 12))) == nil)
    var fingers = TwoFingers(scale: 1)
    _ = fingers.feed(.down, id: 3, Point(0, 0))
    #expect(fingers.feed(.up, id: 3, Point(300, 0)) == nil)
    for id in 0..<3 { _ = fingers.feed(.down, id: id, Point(Int32(id) * 50, 0)) }
    for id in 0..<3 { #expect(fingers.feed(.up, id: id, Point(Int32(id) * 50 + 200, 0)) == nil) }
    _ = fingers.feed(.down, id: 0, Point(0, 0))
    _ = fingers.feed(.down, id: 1, Point(100, 0))
    _ = fingers.feed(.cancel, id: 1, Point(100, 0))
    #expect(fingers.feed(.up, id: 0, Point(200, 0)) == nil)
    #expect(fingers.feed(.down, id: 99, Point(0, 0)) == nil)
  }

  @Test("a finger that stays down does not pan with the next one; when all are lifted it begins anew")
  func again() {
    var fingers = TwoFingers(scale: 1)
    _ = fingers.feed(.down, id: 0, Point(0, 0))
    _ = fingers.feed(.down, id: 1, Point(100, 0))
    _ = fingers.feed(.up, id: 1, Point(100, 0))
    _ = fingers.feed(.down, id: 1, Point(100, 0))
    _ = fingers.feed(.move, id: 0, Point(0, 200))
    _ = fingers.feed(.move, id: 1, Point(100, 200))
    #expect(fingers.feed(.up, id: 1, Point(100, 200)) == nil)
    _ = fingers.feed(.up, id: 0, Point(0, 200))
    _ = fingers.feed(.down, id: 0, Point(0, 0))
    _ = fingers.feed(.down, id: 1, Point(100, 0))
    _ = fingers.feed(.move, id: 0, Point(0, 200))
    #expect(fingers.feed(.up, id: 1, Point(100, 200))?.isPinch == false)
  }

  @Test("fingers on one place have no distance to grow from, and extreme places none to trap on")
  func extremes() {
    #expect(move((Point(5, 5), Point(5, 5)), (Point(5, 5), Point(200, 5)))?.scale == nil)
    let far = move((Point(.min, .min), Point(.max, .max)), (Point(.max, .min), Point(.min, .max)))
    #expect(far == nil || far?.scale.isFinite == true)
  }
}
