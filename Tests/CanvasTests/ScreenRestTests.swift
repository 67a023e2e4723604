import Runtime
import Testing

@testable import Canvas

@Suite("A screen that nobody uses")
struct ScreenRestTests {
  private func down(_ id: Int) -> InputEvent { .pointer(.down, id: id, Point(1, 1)) }
  private func up(_ id: Int) -> InputEvent { .pointer(.up, id: id, Point(1, 1)) }
  private func key(_ key: Key, _ isDown: Bool) -> InputEvent { .key(key, isDown: isDown, isRepeat: false, []) }

  private func resting() -> ScreenRest {
    var rest = ScreenRest(after: 1000, at: 0)
    _ = rest.advance(to: 1000)
    return rest
  }

  @Test("it goes dark once its time is over, counted from the last use")
  func goesDark() {
    var rest = ScreenRest(after: 1000, at: 0)
    #expect(rest.nextDeadline == 1000)
    let used = rest.take(.hover(Point(1, 1)), at: 600)
    #expect(!used.wakes && !used.isSpent && rest.nextDeadline == 1600)
    let early = rest.advance(to: 1599)
    let late = rest.advance(to: 1600)
    let again = rest.advance(to: 9000)
    #expect(!early && late && !again && rest.isResting && rest.nextDeadline == nil)
    let woken = rest.wake(at: 9500)
    #expect(woken && !rest.isResting && rest.nextDeadline == 10_500)
  }

  @Test("without a time it never does")
  func never() {
    var rest = ScreenRest(after: nil, at: 0)
    #expect(rest.nextDeadline == nil)
    let isDark = rest.advance(to: .max)
    let touch = rest.take(down(0), at: 5)
    #expect(!isDark && !touch.wakes && !touch.isSpent)
  }

  @Test("the touch that wakes it is spent to its end, with every finger that joins it")
  func touches() {
    var rest = resting()
    let first = rest.take(down(0), at: 2000)
    #expect(first.wakes && first.isSpent)
    for event in [down(1), up(0), .pointer(.move, id: 1, Point(5, 5)), .pointer(.cancel, id: 1, Point(5, 5))] {
      let more = rest.take(event, at: 2050)
      #expect(!more.wakes && more.isSpent)
    }
    for event in [down(0), up(0)] {
      let next = rest.take(event, at: 2100)
      #expect(!next.isSpent)
    }
  }

  @Test("so is the key, and what it gave in the same report")
  func keys() {
    var rest = resting()
    let press = rest.take(key(.enter, true), at: 2000)
    let release = rest.take(key(.enter, false), at: 2090)
    #expect(press.wakes && press.isSpent && release.isSpent)
    let next = rest.take(key(.enter, true), at: 2200)
    #expect(!next.isSpent)
    rest = resting()
    // A step of a knob goes down and up at once, and a letter has no up.
    for event in [key(.next, true), key(.next, false), key(.next, true), key(.next, false), .character("a")] {
      let step = rest.take(event, at: 3000)
      #expect(step.isSpent)
    }
    let letter = rest.take(.character("b"), at: 3001)
    let other = rest.take(key(.next, true), at: 3001)
    #expect(!letter.isSpent && !other.isSpent)
  }
}
