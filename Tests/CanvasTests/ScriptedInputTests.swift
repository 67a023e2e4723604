import Canvas
import Graphics
import Runtime
import Simulated
import Testing

private final class Listener: InputDelegate {
  var heard: [(event: InputEvent, instant: Int64)] = []
  var hasTouch = false
  func input(_ event: InputEvent, at instant: Int64) { heard.append((event, instant)) }
  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) { self.hasTouch = hasTouch }
}

@Suite("Scripted input")
struct ScriptedInputTests {
  @Test("is heard in order while it is started")
  func plays() {
    let input = ScriptedInput()
    let listener = Listener()
    input.tap(Point(1, 2), at: 5)
    input.start(listener, size: Size(30, 20), rotation: .half)
    #expect(input.size == Size(30, 20) && input.rotation == .half)
    input.attach(hasTouch: true)
    input.tap(Point(3, 4), at: 10)
    input.press(.enter, at: 200)
    input.type("é!", at: 300)
    input.stop()
    input.type("x", at: 400)
    #expect(listener.hasTouch && input.size == nil)
    #expect(
      listener.heard.map(\.event) == [
        .pointer(.down, id: 0, Point(3, 4)), .pointer(.up, id: 0, Point(3, 4)),
        .key(.enter, isDown: true, isRepeat: false, []), .key(.enter, isDown: false, isRepeat: false, []),
        .character("é"), .character("!"),
      ])
    #expect(listener.heard.map(\.instant) == [10, 90, 200, 200, 300, 300])
  }
}
