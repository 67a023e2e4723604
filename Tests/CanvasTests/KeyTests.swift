import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("Mice and keys")
struct KeyTests {
  @Test("a mouse hovers, presses, drags and turns its wheel, within the canvas")
  func mouse() {
    var device = Device(.mouse)
    device.send(EventType.relative, RelativeCode.x, 10)
    device.send(EventType.relative, RelativeCode.y, -5)
    device.report()
    #expect(device.take() == [.hover(Point(60, 20))])
    device.key(ButtonCode.left, 1)
    device.send(EventType.relative, RelativeCode.x, .max)
    device.send(EventType.relative, RelativeCode.x, .max)
    device.report()
    device.key(ButtonCode.left, 0)
    #expect(
      device.take() == [
        .pointer(.down, id: 0, Point(60, 20)), .pointer(.move, id: 0, Point(99, 20)),
        .pointer(.up, id: 0, Point(99, 20)),
      ])
    device.send(EventType.relative, RelativeCode.wheel, -1)
    device.report()
    #expect(device.take() == [.wheel(Point(99, 20), x: 0, y: -48)])
    device.send(EventType.relative, RelativeCode.wheel, 1000)
    device.report()
    #expect(device.take() == [.wheel(Point(99, 20), x: 0, y: 48 * Budget.inputSteps)])
    device.key(ButtonCode.left, 1)
    device.end()
    #expect(device.take().last == .pointer(.cancel, id: 0, Point(99, 20)))
  }

  @Test("a tablet is where it says")
  func tablet() {
    var device = Device(.tablet)
    device.place((AbsoluteCode.x, 200), (AbsoluteCode.y, 500))
    device.send(EventType.key, ButtonCode.left, 1)
    device.place((AbsoluteCode.x, 0))
    #expect(
      device.take() == [
        .hover(Point(20, 25)), .hover(Point(0, 25)), .pointer(.down, id: 0, Point(0, 25)),
      ])
    device.send(EventType.sync, SyncCode.dropped, 0)
    device.report()
    var state = InputState()
    (state.x, state.y) = (990, 0)
    device.restore(state)
    #expect(device.take() == [.pointer(.move, id: 0, Point(99, 0)), .pointer(.up, id: 0, Point(99, 0))])
  }

  @Test("an encoder and a dial go to the next thing and back, some steps at most")
  func turned() {
    func keys(_ device: inout Device) -> [Key] {
      device.take().compactMap { if case .key(let key, true, false, []) = $0 { key } else { nil } }
    }
    var encoder = Device(.encoder)
    encoder.send(EventType.relative, RelativeCode.dial, 2)
    encoder.report()
    encoder.send(EventType.relative, RelativeCode.dial, -1)
    encoder.report()
    encoder.key(KeyCode.enter, 1, 0)
    #expect(keys(&encoder) == [.next, .next, .previous, .activate])
    encoder.send(EventType.relative, RelativeCode.dial, .min)
    encoder.report()
    #expect(keys(&encoder).count == Int(Budget.inputSteps))
    var dial = Device(.dial)
    for place in [22, 23, 0, 23] as [Int32] { dial.place((AbsoluteCode.x, place)) }
    #expect(keys(&dial) == [.next, .next, .previous])
    dial.place((AbsoluteCode.x, .max))
    #expect(keys(&dial).count <= Int(Budget.inputSteps))
  }

  @Test("a few keys lead to the next thing; four arrows lead where they point")
  func fewKeys() {
    var two = Device(.keys(KeyCode.up, KeyCode.down, KeyCode.enter))
    two.key(KeyCode.down, 1, 2, 0)
    #expect(
      two.take() == [
        .key(.next, isDown: true, isRepeat: false, []), .key(.next, isDown: true, isRepeat: true, []),
        .key(.next, isDown: false, isRepeat: false, []),
      ])
    two.key(KeyCode.enter, 1)
    #expect(two.take() == [.key(.activate, isDown: true, isRepeat: false, [])])
    var four = Device(.keys(KeyCode.up, KeyCode.down, KeyCode.left, KeyCode.right))
    four.key(KeyCode.down, 1)
    #expect(four.take() == [.key(.down, isDown: true, isRepeat: false, [])])
    four.key(116, 1)
    #expect(four.take().isEmpty)
  }

  @Test("special keys have their modifiers, and orders give no characters")
  func modifiers() {
    var device = Device(.keyboard)
    device.key(KeyCode.leftShift, 1)
    device.key(KeyCode.tab, 1)
    device.key(KeyCode.leftShift, 0)
    device.key(KeyCode.space, 1)
    #expect(
      device.take() == [
        .key(.tab, isDown: true, isRepeat: false, .shift), .key(.space, isDown: true, isRepeat: false, []),
        .character(" "),
      ])
    device.key(KeyCode.leftControl, 1)
    device.key(KeyCode.a, 1)
    #expect(device.take().isEmpty)
    device.key(KeyCode.leftAlt, 1)
    device.key(KeyCode.f1 + 2, 1)
    #expect(device.told == [.console(3)])
    _ = device.take()
    device.send(EventType.sync, SyncCode.dropped, 0)
    device.report()
    device.restore(InputState())
    device.key(KeyCode.a, 1, 2)
    #expect(device.text() == "aa")
  }

  @Test("each layout has a character for each of its keys", arguments: KeyboardLayout.allCases)
  func rows(_ layout: KeyboardLayout) {
    let letters = (UInt16(16)...25).map { layout.character($0, isShift: false, isThird: false, isCaps: false) }
    #expect(letters.allSatisfy { $0 != nil })
    let codes = Array(UInt16(2)...13) + Array(16...27) + Array(30...41) + Array(43...53) + [86]
    #expect(codes.count == KeyboardLayout.places)
    for code in codes {
      #expect(layout.character(code, isShift: false, isThird: false, isCaps: false) != nil, "\(layout) \(code)")
      // Left of 1 a French keyboard has nothing to shift.
      if layout != .fr || code != 41 {
        #expect(layout.character(code, isShift: true, isThird: false, isCaps: false) != nil, "\(layout) \(code)")
      }
    }
    #expect(
      layout.character(86, isShift: false, isThird: false, isCaps: false).map { "<\\".unicodeScalars.contains($0) }
        == true)
    #expect(KeyboardLayout(String(decoding: layout.word.bytes, as: UTF8.self).utf8.span) == layout)
  }

  @Test("people of six countries type what their keys say")
  func layouts() {
    func typed(_ layout: KeyboardLayout, _ keys: [(UInt16, UInt16?)]) -> String {
      var device = Device(.keyboard, layout: layout)
      for (code, held) in keys {
        if let held { device.key(held, 1) }
        device.key(code, 1, 0)
        if let held { device.key(held, 0) }
      }
      return device.text()
    }
    let (shift, third) = (KeyCode.leftShift, KeyCode.rightAlt)
    #expect(typed(.us, [(KeyCode.q, shift), (12, nil), (3, shift), (53, shift)]) == "Q-@?")
    #expect(typed(.uk, [(4, shift), (40, shift), (43, nil), (5, third)]) == "£@#€")
    #expect(
      typed(.de, [(21, nil), (44, nil), (26, nil), (12, nil), (16, third), (18, third), (86, third), (50, third)])
        == "zyüß@€|µ")
    #expect(typed(.de, [(8, third), (9, third), (10, third), (11, third), (12, third), (27, third)]) == "{[]}\\~")
    #expect(
      typed(.fr, [(16, nil), (30, nil), (2, nil), (2, shift), (11, third), (18, third), (27, third)]) == "aq&1@€¤")
    #expect(typed(.fr, [(26, nil), (18, nil), (26, shift), (23, nil), (43, shift)]) == "êïµ")
    #expect(
      typed(.es, [(39, nil), (40, nil), (22, nil), (40, shift), (22, nil), (41, third), (40, third), (26, third)])
        == "ñúü\\{[")
    #expect(typed(.it, [(26, nil), (26, third), (39, third), (40, third), (41, nil), (6, third)]) == "è[@#\\€")
    #expect(typed(.us, [(71, nil), (78, nil), (83, nil), (55, nil), (98, nil)]) == "7+.*/")
  }

  @Test("braces of an Italian keyboard need both keys")
  func italianBraces() {
    var device = Device(.keyboard, layout: .it)
    device.key(KeyCode.leftShift, 1)
    device.key(KeyCode.rightAlt, 1)
    device.key(26, 1)
    device.key(27, 1)
    #expect(device.text() == "{}")
  }

  @Test("a dead key waits for its letter; before another it stands by itself")
  func deadKeys() {
    var device = Device(.keyboard, layout: .de)
    device.key(13, 1, 0)
    #expect(device.text() == "")
    device.key(18, 1, 0)
    #expect(device.text() == "é")
    device.key(41, 1, 0)
    device.key(KeyCode.space, 1, 0)
    #expect(device.text() == "^")
    device.key(13, 1, 0)
    device.key(13, 1, 0)
    #expect(device.text() == "´")
    device.key(13, 1, 0)
    device.key(50, 1, 0)
    #expect(device.text() == "´m")
    for dead in DeadKey.allCases { #expect(dead.mark("a") != nil && dead.mark("z") == nil) }
  }

  @Test("Caps Lock is for letters alone")
  func capsLock() {
    var device = Device(.keyboard, layout: .de)
    device.key(KeyCode.capsLock, 1, 0)
    for code in [KeyCode.a, 26, 2, 12] { device.key(code, 1, 0) }
    device.key(KeyCode.leftShift, 1)
    device.key(KeyCode.a, 1, 0)
    #expect(device.text() == "AÜ1ßa")
  }
}
