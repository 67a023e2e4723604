import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("A screen that nobody uses")
struct ScreenBlankerTests {
  private func down(_ id: Int) -> InputEvent { .pointer(.down, id: id, Point(1, 1)) }
  private func up(_ id: Int) -> InputEvent { .pointer(.up, id: id, Point(1, 1)) }
  private func key(_ key: Key, _ isDown: Bool) -> InputEvent { .key(key, isDown: isDown, isRepeat: false, []) }

  private func resting() -> ScreenBlanker {
    var blanker = ScreenBlanker(after: 1000, at: 0)
    _ = blanker.advance(to: 1000)
    return blanker
  }

  @Test("it goes dark once its time is over, counted from the last use")
  func goesDark() {
    var blanker = ScreenBlanker(after: 1000, at: 0)
    #expect(blanker.nextDeadline == 1000)
    let used = blanker.take(.hover(Point(1, 1)), at: 600)
    #expect(!used.wakes && !used.isSpent && blanker.nextDeadline == 1600)
    let early = blanker.advance(to: 1599)
    let late = blanker.advance(to: 1600)
    let again = blanker.advance(to: 9000)
    #expect(!early && late && !again && blanker.isBlanked && blanker.nextDeadline == nil)
    let woken = blanker.wake(at: 9500)
    #expect(woken && !blanker.isBlanked && blanker.nextDeadline == 10_500)
  }

  @Test("without a time it never does")
  func never() {
    var blanker = ScreenBlanker(after: nil, at: 0)
    #expect(blanker.nextDeadline == nil)
    let isDark = blanker.advance(to: .max)
    let touch = blanker.take(down(0), at: 5)
    #expect(!isDark && !touch.wakes && !touch.isSpent)
  }

  @Test("the touch that wakes it is spent to its end, with every finger that joins it")
  func touches() {
    var blanker = resting()
    let first = blanker.take(down(0), at: 2000)
    #expect(first.wakes && first.isSpent)
    for event in [down(1), up(0), .pointer(.move, id: 1, Point(5, 5)), .pointer(.cancel, id: 1, Point(5, 5))] {
      let more = blanker.take(event, at: 2050)
      #expect(!more.wakes && more.isSpent)
    }
    for event in [down(0), up(0)] {
      let next = blanker.take(event, at: 2100)
      #expect(!next.isSpent)
    }
  }

  @Test("so is the key, and what it gave in the same report")
  func keys() {
    var blanker = resting()
    let press = blanker.take(key(.enter, true), at: 2000)
    let release = blanker.take(key(.enter, false), at: 2090)
    #expect(press.wakes && press.isSpent && release.isSpent)
    let next = blanker.take(key(.enter, true), at: 2200)
    #expect(!next.isSpent)
    blanker = resting()
    // A step of a knob goes down and up at once, and a letter has no up.
    for event in [key(.next, true), key(.next, false), key(.next, true), key(.next, false), .character("a")] {
      let step = blanker.take(event, at: 3000)
      #expect(step.isSpent)
    }
    let letter = blanker.take(.character("b"), at: 3001)
    let other = blanker.take(key(.next, true), at: 3001)
    #expect(!letter.isSpent && !other.isSpent)
  }
}
