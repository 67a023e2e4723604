import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("The arrow of a mouse")
struct CursorTests {
  private func marks(_ cursor: MouseCursor) -> Int {
    let list = DisplayList()
    cursor.draw(into: list, Theme())
    return list.count
  }

  @Test("it is where a mouse is, and goes when a finger comes or nothing moves for long")
  func follows() {
    var cursor = MouseCursor()
    #expect(marks(cursor) == 0 && cursor.nextDeadline == nil)
    let moved = cursor.take(.hover(Point(10, 10)), at: 0)
    #expect(moved && marks(cursor) == 5)
    let pressed = cursor.take(.pointer(.down, id: 0, Point(10, 10)), at: 10)
    let dragged = cursor.take(.pointer(.move, id: 0, Point(20, 10)), at: 20)
    let typed = cursor.take(.character("a"), at: 30)
    #expect(!pressed && dragged && !typed && cursor.nextDeadline == 20 + Budget.cursorMilliseconds)
    let early = cursor.advance(to: 1000)
    let late = cursor.advance(to: 20 + Budget.cursorMilliseconds)
    #expect(!early && late && marks(cursor) == 0)
    _ = cursor.take(.hover(Point(10, 10)), at: 0)
    let touched = cursor.take(.pointer(.down, id: 0, Point(100, 100)), at: 10)
    #expect(touched && marks(cursor) == 0)
  }
}
