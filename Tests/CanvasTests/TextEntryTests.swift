import CAllocationCounter
import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

@Suite("Entering text")
struct TextEntryTests {
  private func form(_ more: String = "", text: String = "", _ width: Int32 = 480) throws -> Hands {
    let hands = try Hands(width, 320, hasKeyboard: true)
    try hands.page.show(
      Page.column("name", "echo"), Page.field("name", "n", more), Page.echo("echo", "n"),
      data: #"[{"key":"n","valueString":""# + text + #""}]"#)
    return hands
  }

  @Test("what is typed stands where the field is bound to, at once")
  func types() throws {
    let hands = try form()
    hands.tap("name")
    #expect(hands.page.focus == "name" && hands.page.fact("name", "caret") == "0")
    hands.type("Grüße 🎉")
    #expect(hands.page.fact("echo", "text") == "Grüße 🎉" && hands.page.fact("name", "caret") == "7")
  }

  @Test("the caret goes by characters, and they are taken away before and after it")
  func edits() throws {
    let hands = try form(text: "aéz")
    hands.key(.tab)
    #expect(hands.page.fact("name", "caret") == "3")
    hands.key(.left, .backspace)
    #expect(hands.page.fact("name", "text") == "az")
    hands.key(.delete, .delete)
    #expect(hands.page.fact("name", "text") == "a")
    hands.key(.home)
    hands.type("x")
    hands.key(.end)
    hands.type("y")
    #expect(hands.page.fact("name", "text") == "xay")
    hands.key(.home, .left, .backspace)
    #expect(hands.page.fact("name", "text") == "xay" && hands.page.fact("name", "caret") == "0")
  }

  @Test("a letter and the mark on it are one character")
  func marks() throws {
    let hands = try form(text: "ae\u{301}👍🏽")
    hands.key(.tab, .backspace)
    #expect(hands.page.fact("name", "text") == "ae\u{301}")
    hands.key(.backspace)
    #expect(hands.page.fact("name", "text") == "a")
  }

  @Test("a tap puts the caret between the characters nearest to it")
  func taps() throws {
    let hands = try form(text: "abcdef")
    // The text begins 12 pixels inside the field at 12; characters are 7 wide.
    let y = hands.page.rect("name").maxY - 20
    hands.tap(Point(24 + 7 * 2 + 2, y))
    #expect(hands.page.fact("name", "caret") == "2")
    hands.tap(Point(24 + 7 * 4 + 5, y))
    #expect(hands.page.fact("name", "caret") == "5")
    hands.tap(Point(300, y))
    #expect(hands.page.fact("name", "caret") == "6")
  }

  @Test("a text wider than its field moves with the caret")
  func wide() throws {
    let hands = try form(text: String(repeating: "0123456789", count: 12))
    hands.key(.tab)
    #expect(hands.page.view.person.fieldScroll.x > 300)
    // What stands before the field is not drawn.
    #expect(hands.page.texts.contains { $0.count > 40 && $0.count < 80 })
    hands.key(.home)
    #expect(hands.page.view.person.fieldScroll.x == 0)
  }

  @Test("a long text has lines, which keys and taps go along")
  func long() throws {
    let hands = try form(#","textFieldType":"longText""#)
    hands.tap("name")
    hands.type("one")
    hands.key(.enter)
    hands.type("two words")
    #expect(hands.page.fact("name", "text") == #"one\ntwo words"#)
    hands.key(.home)
    #expect(hands.page.fact("name", "caret") == "4")
    hands.key(.up, .end)
    #expect(hands.page.fact("name", "caret") == "3")
    hands.key(.down)
    #expect(hands.page.fact("name", "caret") == "7")
    hands.key(.down)
    #expect(hands.page.focus != "name" || hands.page.fact("name", "caret") == "7")
  }

  @Test("lines break after blanks, or where nothing more fits")
  func breaks() {
    let lines = FieldLines(measurer: GridMeasurer(), font: Font(size: 14), width: 7 * 10, isBroken: true)
    func all(_ text: String) -> [String] {
      var result: [String] = []
      let bytes = Array(text.utf8)
      lines.forEach(bytes.span) { start, end in
        result.append(String(decoding: bytes[start..<end], as: UTF8.self))
        return true
      }
      return result
    }
    #expect(all("some words here") == ["some words ", "here"])
    #expect(all("some  words") == ["some  ", "words"])
    #expect(all("abcdefghijklmno") == ["abcdefghij", "klmno"])
    #expect(all("a\n\nb\n") == ["a", "", "b", ""])
    #expect(all("") == [""])
  }

  @Test("a field takes so many bytes and no more")
  func bound() throws {
    let edit = try TextEdit()
    let text = [UInt8](repeating: 0x61, count: Budget.fieldBytes - 1)
    edit.take(text.span, caret: 5)
    let (wide, last, more) = (edit.insert(0xE9), edit.insert(0x62), edit.insert(0x63))
    #expect(!wide && last && !more)
    #expect(edit.caret == 6)
    let count = edit.span.count
    #expect(count == Budget.fieldBytes)
  }

  @Test("a field that is bound to nothing keeps what was entered, over a push as well")
  func unbound() throws {
    let hands = try Hands(hasKeyboard: true)
    let field = Page.component("name", #"{"TextField":{"label":{"literalString":"L"},"text":{"literalString":"old"}}}"#)
    try hands.page.show(Page.column("name"), field)
    hands.tap("name")
    hands.key(.end)
    hands.type("er")
    #expect(hands.page.fact("name", "text") == "older")
    try hands.page.show(Page.column("name", "more"), field, Page.echo("more", "x"))
    #expect(hands.page.fact("name", "text") == "older" && hands.page.fact("name", "caret") == "5")
    hands.type("!")
    #expect(hands.page.fact("name", "text") == "older!")
  }

  @Test("the texts of so many fields are kept; then the oldest goes")
  func texts() throws {
    let texts = try FieldTexts()
    let word = Array("text".utf8)
    for key in 0...UInt64(Budget.fieldTexts) { texts.set(key, 1, to: word.span) }
    let (first, second) = (texts.text(0, 1) == nil, texts.text(1, 1) == nil)
    #expect(first && !second)
    texts.set(1, 1, to: [UInt8](repeating: 0x61, count: Budget.fieldBytes + 9).span)
    let count = texts.text(1, 1)?.count
    #expect(count == Budget.fieldBytes)
  }

  @Test("focus and caret survive pushes; when the field is gone nothing has the focus")
  func pushes() throws {
    let hands = try form(text: "abc")
    hands.tap("name")
    hands.key(.home, .right)
    try hands.page.push(#"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"n","valueString":"xyz1"}]}}"#)
    #expect(hands.page.focus == "name" && hands.page.fact("name", "caret") == "1")
    try hands.page.push(#"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"n","valueString":""}]}}"#)
    #expect(hands.page.fact("name", "caret") == "0")
    try hands.page.show(Page.column("echo"), Page.echo("echo", "n"))
    #expect(hands.page.focus.isEmpty && hands.input.nextDeadline == nil)
    hands.type("lost")
    #expect(hands.page.fact("echo", "text").isEmpty)
  }

  @Test("of a secret one character can be read, for a while")
  func secret() throws {
    let hands = try form(#","textFieldType":"obscured""#)
    hands.tap("name")
    hands.type("pw")
    #expect(hands.page.texts.contains("w") && !hands.page.texts.contains("p"))
    hands.pass(Budget.secretMilliseconds + 1)
    #expect(!hands.page.texts.contains("w"))
    #expect(hands.page.fact("name", "state") == "obscured")
    #expect(hands.page.fact("name", "text").isEmpty && hands.page.fact("name", "caret").isEmpty)
    hands.key(.backspace)
    #expect(hands.page.fact("echo", "text") == "p" && !hands.page.texts.dropFirst().dropLast().contains("p"))
  }

  @Test("the caret blinks while it has a field, and only its rectangle is painted; after a while it rests")
  func blinks() throws {
    let hands = try form(text: "abc")
    #expect(hands.input.nextDeadline == nil)
    hands.key(.tab)
    let (on, off) = (DisplayList(), DisplayList())
    hands.page.view.draw(into: on)
    let next = try #require(hands.input.nextDeadline)
    #expect(next == hands.time + Budget.caretMilliseconds)
    hands.input.advance(to: next)
    hands.page.view.draw(into: off)
    let damage = DamageFinder().damage(from: on, to: off, Size(480, 320))
    #expect(damage.count == 1 && damage[0].width == 2 && damage[0].height < 24)
    hands.pass(Budget.caretRestMilliseconds + 2 * Budget.caretMilliseconds)
    #expect(hands.input.nextDeadline == nil && hands.page.view.person.isCaretOn)
    hands.tap(Point(400, 300))
    #expect(hands.page.focus.isEmpty && hands.input.nextDeadline == nil)
  }

  @Test("what is not as the expression wants it is marked; nothing is found fault with before it is entered")
  func validation() throws {
    let hands = try form(#","validationRegexp":"^[0-9]{3}$""#)
    #expect(hands.page.fact("name", "invalid").isEmpty)
    hands.tap("name")
    hands.type("12")
    #expect(hands.page.fact("name", "invalid") == "true")
    hands.type("3")
    #expect(hands.page.fact("name", "invalid").isEmpty)
    hands.key(.backspace, .backspace, .backspace)
    #expect(hands.page.fact("name", "invalid") == "true")
  }

  @Test("nothing that is entered takes memory")
  func allocations() throws {
    let hands = try Hands(480, 320)
    let option = #"{"label":{"literalString":"Red"},"value":"r"}"#
    try hands.page.show(
      Page.column("name", "secret", "level", "date", "pick"),
      Page.field("name", "n", #","validationRegexp":"^[a-z]+$""#),
      Page.field("secret", "p", #","textFieldType":"obscured""#),
      Page.component("level", #"{"Slider":{"value":{"path":"v"},"minValue":0,"maxValue":100}}"#),
      Page.component("date", #"{"DateTimeInput":{"value":{"path":"d"}}}"#),
      Page.component(
        "pick", #"{"MultipleChoice":{"selections":{"path":"s"},"filterable":true,"options":["# + option + "]}}"))
    let list = DisplayList()
    let finder = DamageFinder()
    let before = DisplayList()
    let places = [hands.page.middle("name"), Point(100, 300), Point(470, 310)]
    func draw() {
      list.removeAll()
      hands.page.view.draw(into: list)
      _ = finder.damage(from: before, to: list, Size(480, 320))
    }
    func events(_ time: Int64) {
      for index in 0..<places.count {
        hands.input.feed(.pointer(.down, id: 0, places[index]), at: time)
        hands.input.feed(.pointer(.up, id: 0, places[index]), at: time + 50)
        draw()
      }
      var raw: UInt8 = 0
      while let key = Key(rawValue: raw) {
        hands.input.feed(.key(key, isDown: true, isRepeat: false, []), at: time + 100)
        hands.input.feed(.character("x"), at: time + 100)
        draw()
        raw += 1
      }
      for step in 0..<20 { hands.input.advance(to: time + 200 + Int64(step) * 100) }
    }
    // The first time makes what is made once.
    for round in 0..<3 { events(Int64(round) * 10_000) }
    tl_count_allocations()
    events(100_000)
    #expect(tl_counted_allocations() == 0)
  }
}
