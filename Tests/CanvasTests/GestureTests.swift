import Runtime
import Testing

@testable import Canvas
@testable import Graphics

/// Fingers on a panel, and what they meant.
private struct Hand {
  var gestures: PointerGestures
  private(set) var told: [PointerGesture] = []

  init(scale: Float = 1) { gestures = PointerGestures(scale: scale) }

  mutating func does(_ what: InputEvent.Pointer, _ x: Int32, _ y: Int32, at time: Int64) {
    does(what, 0, x, y, at: time)
  }

  mutating func does(_ what: InputEvent.Pointer, _ id: Int, _ x: Int32, _ y: Int32, at time: Int64) {
    gestures.feed(what, id: id, Point(x, y), at: time) { told.append($0) }
  }

  mutating func waits(until time: Int64) { gestures.advance(to: time) { told.append($0) } }

  mutating func take() -> [PointerGesture] {
    defer { told = [] }
    return told
  }
}

@Suite("Gestures")
struct GestureTests {
  private let slop = Budget.tapSlop

  @Test("down and up at one place is a tap, within its time and its way")
  func tap() {
    var hand = Hand()
    hand.does(.down, 50, 50, at: 0)
    hand.does(.move, 50 + slop, 50, at: 100)
    hand.does(.up, 50 + slop, 50, at: Budget.tapMilliseconds)
    #expect(hand.take() == [.down(Point(50, 50)), .tap(Point(50 + slop, 50))])
    hand.does(.down, 50, 50, at: 1000)
    hand.does(.up, 50, 50, at: 1001 + Budget.tapMilliseconds)
    #expect(hand.take() == [.down(Point(50, 50)), .cancel])
    #expect(hand.gestures.nextDeadline == nil)
  }

  @Test("a tap's way grows with the interface")
  func scale() {
    var hand = Hand(scale: 2)
    hand.does(.down, 50, 50, at: 0)
    hand.does(.up, 50 + 2 * slop, 50, at: 10)
    #expect(hand.take().last == .tap(Point(50 + 2 * slop, 50)))
  }

  @Test("one pixel further is a drag, and no tap")
  func drag() {
    var hand = Hand()
    hand.does(.down, 50, 50, at: 0)
    hand.does(.move, 50 + slop + 1, 50, at: 50)
    hand.does(.move, 50 + slop + 1, 60, at: 100)
    hand.does(.up, 50 + slop + 1, 60, at: 400)
    #expect(
      hand.take() == [
        .down(Point(50, 50)), .notTap, .drag(Point(51 + slop, 50), x: slop + 1, y: 0),
        .drag(Point(51 + slop, 60), x: 0, y: 10), .release(Point(51 + slop, 60), velocityX: 0, velocityY: 0),
      ])
  }

  @Test("a finger that rests is a long press, once and at its time")
  func longPress() {
    var hand = Hand()
    hand.does(.down, 50, 50, at: 100)
    #expect(hand.gestures.nextDeadline == 100 + Budget.longPressMilliseconds)
    hand.waits(until: 99 + Budget.longPressMilliseconds)
    #expect(hand.take() == [.down(Point(50, 50))])
    hand.waits(until: 100 + Budget.longPressMilliseconds)
    hand.waits(until: 5000)
    #expect(hand.take() == [.notTap, .longPress(Point(50, 50))])
    hand.does(.up, 50, 50, at: 5001)
    #expect(hand.take() == [.cancel])
  }

  @Test("letting go in motion has the speed of the last moments, up to a limit")
  func fling() {
    var hand = Hand()
    hand.does(.down, 0, 500, at: 0)
    for step in 1...20 { hand.does(.move, 0, 500 - Int32(step) * 10, at: Int64(step) * 10) }
    hand.does(.up, 0, 300, at: 200)
    guard case .release(_, let x, let y)? = hand.take().last else { return #expect(Bool(false)) }
    #expect(x == 0 && abs(y + 1000) < 60)
    hand.does(.down, 0, 0, at: 1000)
    hand.does(.move, 30_000, 0, at: 1005)
    hand.does(.up, 30_000, 0, at: 1006)
    #expect(hand.take().last == .release(Point(30_000, 0), velocityX: Budget.flingMaximum, velocityY: 0))
    hand.does(.down, 0, 0, at: 2000)
    hand.does(.move, slop + 1, 0, at: 2010)
    hand.does(.up, slop + 1, 0, at: 2010 + 20 * Budget.velocityMilliseconds)
    #expect(hand.take().last == .release(Point(slop + 1, 0), velocityX: 0, velocityY: 0))
  }

  @Test("the speed is that of the samples that are kept")
  func manySamples() {
    var hand = Hand()
    hand.does(.down, 0, 0, at: 0)
    for step in 1...Int32(10 * Budget.velocitySamples) { hand.does(.move, step * 5, 0, at: Int64(step)) }
    hand.does(.up, Int32(50 * Budget.velocitySamples), 0, at: Int64(10 * Budget.velocitySamples))
    guard case .release(_, let x, _)? = hand.take().last else { return #expect(Bool(false)) }
    #expect(abs(x - 5000) < 700)
  }

  @Test("a second finger makes it no tap, and its own way counts for nothing")
  func secondFinger() {
    var hand = Hand()
    hand.does(.down, 0, 50, 50, at: 0)
    hand.does(.down, 1, 90, 50, at: 20)
    hand.does(.move, 1, 10, 10, at: 30)
    hand.does(.up, 0, 50, 50, at: 40)
    hand.does(.up, 1, 10, 10, at: 50)
    #expect(hand.take() == [.down(Point(50, 50)), .notTap, .cancel])
    hand.does(.down, 1, 20, 20, at: 100)
    hand.does(.up, 1, 20, 20, at: 120)
    #expect(hand.take() == [.down(Point(20, 20)), .tap(Point(20, 20))])
  }

  @Test("three fingers that rest are panic; two, four, or three that move are not")
  func panic() {
    func rest(_ count: Int, moving: Int32 = 0) -> [PointerGesture] {
      var hand = Hand()
      for id in 0..<count { hand.does(.down, id, Int32(id) * 40, 0, at: 10) }
      hand.does(.move, 1, 40 + moving, 0, at: 20)
      hand.waits(until: 9 + Budget.panicTouchMilliseconds)
      #expect(!hand.told.contains(.panic))
      hand.waits(until: 10 + Budget.panicTouchMilliseconds)
      return hand.take()
    }
    #expect(rest(Budget.panicFingers).contains(.panic))
    #expect(!rest(Budget.panicFingers - 1).contains(.panic))
    #expect(!rest(Budget.panicFingers + 1).contains(.panic))
    #expect(!rest(Budget.panicFingers, moving: slop + 1).contains(.panic))
  }

  @Test("what is cancelled does nothing, and numbers that are none are passed over")
  func cancelled() {
    var hand = Hand()
    hand.does(.down, 0, 0, at: 0)
    hand.does(.cancel, 0, 0, at: 10)
    hand.does(.up, 0, 0, at: 20)
    #expect(hand.take() == [.down(Point(0, 0)), .cancel])
    hand.does(.down, Budget.touchPoints, 0, 0, at: 30)
    hand.does(.down, -1, 0, 0, at: 30)
    #expect(hand.take().isEmpty && hand.gestures.nextDeadline == nil)
  }

  @Test("content that was let go slows down and stands, at the same place whenever it is asked")
  func kinetic() {
    let scroll = KineticScroll(velocity: -2000, at: 1000, scale: 1)
    #expect(scroll.offset(at: 1000) == 0 && scroll.offset(at: 0) == 0)
    var (before, step) = (Float(0), Float.infinity)
    for time in stride(from: Int64(1033), through: 1000 + scroll.duration, by: 33) {
      let now = scroll.offset(at: time)
      #expect(now < before && abs(now - before) < step)
      (step, before) = (abs(now - before), now)
    }
    #expect(!scroll.isOver(at: 999 + scroll.duration) && scroll.isOver(at: 1000 + scroll.duration))
    #expect(scroll.offset(at: 1000 + scroll.duration) == scroll.offset(at: .max / 2))
    #expect(abs(scroll.offset(at: .max / 2) + 646) < 5)
    #expect(KineticScroll(velocity: 5, at: 0, scale: 1).isOver(at: 0))
  }
}
