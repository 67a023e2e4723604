import Runtime
import Testing

@testable import Graphics

@Suite("Damage")
struct DamageTests {
  @Test("what is far apart stays apart, what overlaps becomes one")
  func joins() {
    var damage = Damage(Rect(0, 0, 10, 10))
    damage.add(Rect(100, 100, 10, 10))
    #expect(damage.count == 2)
    damage.add(Rect(105, 100, 10, 10))
    #expect(damage.count == 2)
    #expect(damage[1] == Rect(100, 100, 15, 10))
    damage.add(.empty)
    #expect(damage.count == 2)
    #expect(damage.bounds == Rect(0, 0, 115, 110))
  }

  @Test("more rectangles than it holds become fewer, and cover all of them")
  func isBounded() {
    var damage = Damage()
    for index in 0..<Int32(Budget.damageRects + 5) { damage.add(Rect(index * 50, 0, 10, 10)) }
    #expect(damage.count == Budget.damageRects)
    for index in 0..<Int32(Budget.damageRects + 5) {
      let rect = Rect(index * 50, 0, 10, 10)
      var isCovered = false
      for place in 0..<damage.count where damage[place].contains(rect) { isCovered = true }
      #expect(isCovered)
    }
  }
}
