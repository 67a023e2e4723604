import Runtime
import Testing

@testable import Canvas
@testable import Graphics

/// A finger on a panel of which the lower half reacts to taps.
private struct Tapper {
  var gestures = PointerGestures(scale: 1)
  var taps = TripleTap(scale: 1)
  var panics = 0
  var now: Int64 = 0

  mutating func does(_ what: InputEvent.Pointer, _ x: Int32, _ y: Int32, id: Int = 0) {
    var told: [PointerGesture] = []
    gestures.feed(what, id: id, Point(x, y), at: now) { told.append($0) }
    take(told)
  }

  mutating func waits(_ milliseconds: Int64) {
    now += milliseconds
    var told: [PointerGesture] = []
    gestures.advance(to: now) { told.append($0) }
    take(told)
  }

  private mutating func take(_ told: [PointerGesture]) {
    for gesture in told where taps.take(gesture, at: now, isFree: { $0.y < 200 }) { panics += 1 }
  }

  mutating func taps(_ x: Int32 = 100, _ y: Int32 = 100, contact: Int64 = 60, pause: Int64 = 140) {
    does(.down, x, y)
    waits(contact)
    does(.up, x, y)
    waits(pause)
  }
}

@Suite("Three taps")
struct TripleTapTests {
  @Test(
    "three short taps on a free place, at any usual speed", arguments: [(40, 60), (60, 140), (120, 250), (200, 280)])
  func three(contact: Int64, pause: Int64) {
    var finger = Tapper()
    for count in 1...3 {
      #expect(finger.panics == 0, "before tap \(count)")
      finger.taps(100 + Int32(count) * 4, 100, contact: contact, pause: pause)
    }
    #expect(finger.panics == 1)
  }

  @Test("the third one that is lifted decides, and the next three are new ones")
  func again() {
    var finger = Tapper()
    for _ in 0..<6 { finger.taps() }
    #expect(finger.panics == 2)
    var slow = Tapper()
    for _ in 0..<2 { slow.taps() }
    slow.does(.down, 100, 100)
    #expect(slow.panics == 0)
    slow.does(.up, 100, 100)
    #expect(slow.panics == 1)
  }

  @Test("double taps are none, however many")
  func double() {
    var finger = Tapper()
    for _ in 0..<20 {
      finger.taps()
      finger.taps(pause: Budget.panicTapsMilliseconds)
    }
    #expect(finger.panics == 0)
  }

  @Test("they have to be within their time, short, and near each other")
  func limits() {
    var slow = Tapper()
    for _ in 0..<12 { slow.taps(contact: 60, pause: Budget.panicTapsMilliseconds / 2) }
    #expect(slow.panics == 0)
    var long = Tapper()
    for _ in 0..<12 { long.taps(contact: Budget.panicTapMilliseconds + 1, pause: 30) }
    #expect(long.panics == 0)
    var far = Tapper()
    for index in 0..<12 { far.taps(100 + (Budget.panicTapReach + 1) * Int32(index % 2), 100) }
    #expect(far.panics == 0)
    var near = Tapper()
    for index in 0..<3 { near.taps(100 + Budget.panicTapReach * Int32(index % 2), 100) }
    #expect(near.panics == 1)
  }

  @Test("where something reacts none counts, and such a tap between them starts over")
  func busy() {
    var typist = Tapper()
    for index in 0..<60 {
      typist.taps(40 + Int32(index * 37 % 400), 220 + Int32(index * 53 % 90), contact: 45, pause: 70)
    }
    for _ in 0..<10 { typist.taps(100, 240) }
    #expect(typist.panics == 0)
    var mixed = Tapper()
    for _ in 0..<10 {
      mixed.taps()
      mixed.taps()
      mixed.taps(100, 210)
    }
    #expect(mixed.panics == 0)
  }

  @Test("scrolling, long presses and second fingers start over")
  func others() {
    var scrolling = Tapper()
    for _ in 0..<10 {
      scrolling.taps()
      scrolling.taps()
      scrolling.does(.down, 100, 100)
      scrolling.waits(30)
      scrolling.does(.move, 100, 100 - Budget.tapSlop - 1)
      scrolling.does(.up, 100, 60)
      scrolling.waits(100)
    }
    #expect(scrolling.panics == 0)
    var resting = Tapper()
    for _ in 0..<10 {
      resting.taps()
      resting.taps()
      resting.taps(contact: Budget.longPressMilliseconds + 10, pause: 20)
    }
    #expect(resting.panics == 0)
    var two = Tapper()
    for _ in 0..<10 {
      two.taps()
      two.taps()
      two.does(.down, 100, 100)
      two.does(.down, 150, 100, id: 1)
      two.waits(50)
      two.does(.up, 150, 100, id: 1)
      two.does(.up, 100, 100)
      two.waits(100)
    }
    #expect(two.panics == 0)
  }

  @Test("distances grow with the interface")
  func scale() {
    var taps = TripleTap(scale: 2)
    var count = 0
    for index in 0..<3 {
      let place = Point(100 + 2 * Budget.panicTapReach * Int32(index % 2), 100)
      _ = taps.take(.down(place), at: Int64(index) * 200) { _ in true }
      if taps.take(.tap(place), at: Int64(index) * 200 + 50, isFree: { _ in true }) { count += 1 }
    }
    #expect(count == 1)
  }
}
