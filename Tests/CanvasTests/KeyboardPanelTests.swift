import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("The keyboard on the screen")
struct KeyboardPanelTests {
  private func form(_ more: String = "", _ width: Int32 = 480, _ height: Int32 = 320) throws -> Hands {
    let hands = try Hands(width, height)
    try hands.page.show(
      Page.column("first", "space", "name", "other"), Page.field("first", "f"),
      Page.component("space", #"{"Image":{"url":{"literalString":""},"usageHint":"smallFeature"}}"#),
      Page.field("name", "n", more), Page.field("other", "o"))
    return hands
  }

  @Test("it comes up for a field that is touched, and goes when it is left")
  func comesUp() throws {
    let hands = try form()
    #expect(hands.page.fact("key:a", "type").isEmpty)
    hands.tap("name")
    #expect(hands.page.fact("key:a", "type") == "Key")
    // What is entered into stands above it.
    let field = hands.page.rect("name")
    #expect(field.y >= 0 && field.maxY <= hands.page.view.room.height && hands.page.view.room.height == 320 - 196)
    hands.tapKeys("h", "i", "hide")
    #expect(hands.page.fact("name", "text") == "hi" && hands.page.focus.isEmpty)
    #expect(hands.page.fact("key:a", "type").isEmpty && hands.page.view.scroll <= hands.page.view.limit)
  }

  @Test("no keyboard comes where there is one of plastic, unless it always does; and never when it never does")
  func use() throws {
    let hands = try form()
    hands.input.devicesChanged(hasKeyboard: true)
    hands.tap("name")
    #expect(hands.page.focus == "name" && hands.page.fact("key:a", "type").isEmpty)
    hands.input.setKeyboard(.always, .us)
    hands.tap("name")
    #expect(hands.page.fact("key:a", "type") == "Key")
    hands.input.setKeyboard(.automatic, .us)
    hands.input.devicesChanged(hasKeyboard: true)
    #expect(hands.page.fact("key:a", "type").isEmpty)
    hands.input.devicesChanged(hasKeyboard: false)
    hands.input.setKeyboard(.never, .us)
    hands.tap("name")
    #expect(hands.page.fact("key:a", "type").isEmpty)
  }

  @Test("shift is for one letter, and after a double tap for all")
  func shift() throws {
    let hands = try form()
    hands.tap("name")
    hands.tapKeys("shift", "A", "b")
    hands.tap("key:shift")
    hands.time -= 400
    hands.tap("key:shift")
    hands.tapKeys("C", "D", "shift", "e")
    #expect(hands.page.fact("name", "text") == "AbCDe")
  }

  @Test("digits, signs and letters with marks are on layers of their own")
  func layers() throws {
    let hands = try form()
    hands.tap("name")
    hands.tapKeys("digits", "1", "@", "signs", "²", "letters", "accents", "é", "a", "space", "x", "backspace")
    #expect(hands.page.fact("name", "text") == "1@²éa ")
  }

  @Test("enter goes to the next field, and from the last it is done; in a long text it is a new line")
  func enter() throws {
    let hands = try form()
    hands.tap("first")
    hands.tapKeys("a", "enter")
    #expect(hands.page.focus == "name")
    hands.tapKeys("b", "enter", "c", "enter")
    #expect(hands.page.focus.isEmpty && hands.page.fact("other", "text") == "c")
    let long = try form(#","textFieldType":"longText""#)
    long.tap("name")
    long.tapKeys("a", "enter", "b")
    #expect(long.page.fact("name", "text") == #"a\nb"#)
  }

  @Test("numbers have a pad of their own", arguments: ["number", "date"])
  func pad(_ type: String) throws {
    let hands = try form(#","textFieldType":""# + type + #"""#)
    hands.tap("name")
    #expect(hands.page.fact("key:q", "type").isEmpty)
    hands.tapKeys("4", "2", "-", "0", "backspace")
    #expect(hands.page.fact("name", "text") == "42-")
  }

  @Test("backspace goes on while it is held, and looks pressed")
  func repeats() throws {
    let hands = try form()
    hands.tap("name")
    for _ in 0..<12 { hands.tap("key:a") }
    let place = hands.page.middle("key:backspace")
    hands.down(place)
    #expect(hands.page.fact("name", "text").count == 11)
    var isPressed = false
    hands.page.view.person.keyboard.forEachKey { index, key, _ in
      if key == .backspace { isPressed = hands.page.view.person.keyboard.isPressed(index) }
    }
    #expect(isPressed)
    hands.pass(Budget.keyDelayMilliseconds + 4 * Budget.keyRepeatMilliseconds)
    hands.up(place)
    #expect(hands.page.fact("name", "text").count == 6)
    hands.pass(1000)
    #expect(hands.page.fact("name", "text").count == 6)
  }

  @Test("two fingers type in the order in which they come up; one that leaves its key types nothing")
  func fingers() throws {
    let hands = try form()
    hands.tap("name")
    let (q, p) = (hands.page.middle("key:q"), hands.page.middle("key:p"))
    hands.down(q, id: 0)
    hands.down(p, id: 1)
    hands.up(q, id: 0)
    hands.up(p, id: 1)
    hands.down(q)
    hands.up(p)
    #expect(hands.page.fact("name", "text") == "qp")
  }

  @Test(
    "every layer of every layout has keys that a finger can hit, on every screen",
    arguments: [Size(320, 240), Size(240, 320), Size(480, 320), Size(800, 480), Size(1920, 1080), Size(720, 1280)])
  func places(_ size: Size) {
    let panel = KeyboardPanel()
    let theme = Theme(scale: Theme.scale(for: size, millimeters: nil))
    panel.fit(size, theme)
    for layout in KeyboardLayout.allCases {
      panel.layout = layout
      for layer in [KeyRows.Layer.letters, .digits, .signs, .accents, .number, .date] {
        panel.hide()
        panel.show(layer, isSelecting: false)
        var rects: [Rect] = []
        var characters = 0
        panel.forEachKey { index, key, rect in
          #expect(index == rects.count && panel.frame.contains(rect))
          #expect(rect.width >= size.width / 13 && rect.height >= min(theme.target, size.height / 7))
          for other in rects { #expect(rect.intersection(other).isEmpty) }
          rects.append(rect)
          if case .character = key { characters += 1 }
        }
        #expect(characters >= 12)
      }
    }
  }

  @Test(
    "the letters of a language are on its layout",
    arguments: [
      (KeyboardLayout.us, "qwerty"), (.uk, "qwerty"), (.de, "qwertzuiopüöäß"), (.fr, "azertymwéèà"), (.es, "qwertyñ"),
      (.it, "qwertyèòàùì"),
    ])
  func letters(_ layout: KeyboardLayout, _ letters: String) {
    let panel = KeyboardPanel()
    panel.fit(Size(480, 320), Theme())
    panel.layout = layout
    panel.show(.letters, isSelecting: false)
    var found: Set<Unicode.Scalar> = []
    panel.forEachKey { _, key, _ in if case .character(let scalar) = key { found.insert(scalar) } }
    for letter in letters.unicodeScalars { #expect(found.contains(letter), "\(letter)") }
    let basic = Set("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    #expect(basic.subtracting(found).isEmpty)
  }

  @Test("capitals and small letters belong together")
  func cases() {
    for (small, capital) in zip("azéßøÿœžšαωяёđ".unicodeScalars, "AZÉßØŸŒŽŠΑΩЯЁĐ".unicodeScalars) {
      #expect(LetterCase.capital(small.value) == capital.value, "\(small)")
      #expect(LetterCase.small(capital.value) == small.value, "\(capital)")
    }
    #expect(LetterCase.small(0xD7) == 0xD7 && LetterCase.capital(0xF7) == 0xF7)
  }

  @Test("a few keys operate it: next, previous, press, and away")
  func fewKeys() throws {
    let hands = try form()
    hands.key(.next, .activate)
    #expect(hands.page.focus == "first" && hands.page.fact("key:q", "focus") == "true")
    hands.key(.activate, .next, .activate, .previous, .previous)
    #expect(hands.page.fact("first", "text") == "qw")
    // Around the start is the last key.
    #expect(hands.page.fact("key:enter", "focus") == "true")
    hands.key(.escape)
    #expect(hands.page.focus == "first" && hands.page.fact("key:q", "type").isEmpty)
    hands.key(.next)
    #expect(hands.page.focus == "name")
  }
}
