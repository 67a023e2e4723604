import Locales
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
    hands.input.setKeyboard(.always, .english)
    hands.tap("name")
    #expect(hands.page.fact("key:a", "type") == "Key")
    hands.input.setKeyboard(.automatic, .english)
    hands.input.devicesChanged(hasKeyboard: true)
    #expect(hands.page.fact("key:a", "type").isEmpty)
    hands.input.devicesChanged(hasKeyboard: false)
    hands.input.setKeyboard(.never, .english)
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
    for letters in Self.all {
      panel.letters = letters
      let rows = max(letters.own.rows, letters.latin.rows) + 1
      for _ in 0..<2 {
        for layer in [KeyRows.Layer.letters, .digits, .signs, .accents, .number, .date] {
          // No key leads to letters that there are not.
          if layer == .accents, !panel.rows.letters.hasAccents { continue }
          panel.hide()
          panel.show(layer, isSelecting: false)
          var rects: [Rect] = []
          var characters = 0
          panel.forEachKey { index, key, rect in
            #expect(index == rects.count && panel.frame.contains(rect))
            let least = min(theme.target, size.height * 6 / 10 / Int32(rows) - 1)
            #expect(rect.width >= size.width / 13 && rect.height >= least, "\(key)")
            for other in rects { #expect(rect.intersection(other).isEmpty) }
            rects.append(rect)
            if case .character = key { characters += 1 }
          }
          #expect(characters >= 12)
        }
        press(.language, panel)
      }
    }
  }

  /// The letters of every language.
  private static var all: [ScreenLetters] {
    var all: [ScreenLetters] = []
    Locale.forEachTag { tag in all.append(ScreenLetters(Locale(tag)!, nil)) }
    return all
  }

  private func press(_ key: ScreenKey, _ panel: KeyboardPanel, at time: Int64 = 0) {
    panel.show(.letters, isSelecting: false)
    var place: Point?
    panel.forEachKey { _, other, rect in if other == key { place = Point(rect.x + 1, rect.y + 1) } }
    guard let place else { return }
    _ = panel.down(place, finger: 0, at: time)
    _ = panel.up(place, finger: 0, at: time)
  }

  private func characters(_ panel: KeyboardPanel) -> Set<Unicode.Scalar> {
    var found: Set<Unicode.Scalar> = []
    panel.forEachKey { _, key, _ in if case .character(let scalar) = key { found.insert(scalar) } }
    return found
  }

  private func string(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func letters(_ tag: String, _ keyboard: KeyboardLayout? = nil) -> ScreenLetters {
    ScreenLetters(Locale(tag.utf8.span)!, keyboard)
  }

  @Test(
    "a language has its letters, and one with another alphabet the Latin ones behind a key",
    arguments: [
      ("en", "qwerty"), ("de", "qwertzuiopüöäß"), ("fr", "azertymwéèà"), ("es", "qwertyñ"), ("it", "qwertyèòàùì"),
      ("pt", "ç"), ("da", "æøå"), ("nb", "æøå"), ("sv", "åäö"), ("fi", "åäö"), ("tr", "ğüşıiöç"), ("hr", "čćđšž"),
      ("el", "αβγδεζηθικλμνξοπρσςτυφχψω"), ("ru", "абвгдежзийклмнопрстуфхцчшщыьэюя"),
      ("uk", "абвгдежзиійклмнопрстуфхцчшщьюяєї"), ("bg", "абвгдежзийклмнопрстуфхцчшщъьюя"),
      ("he", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"), ("ar", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
      ("fa", "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"), ("ur", "ابپتجچدرزسشطعفقکگلمنوہءیے"),
      ("hi", "ौैाीूबहगदजडोे्िुपरकतचटंमनवलसय"), ("th", "กขคงจชดตถทนบปผฝพฟภมยรลวสหอะาำเแไใ"),
      ("ka", "აბგდევზიკლმნოპრსტუფქყცხჯჰწ"), ("hy", "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ"),
    ])
  func alphabet(_ tag: String, _ letters: String) {
    let panel = KeyboardPanel()
    panel.fit(Size(480, 320), Theme())
    panel.letters = self.letters(tag)
    panel.show(.letters, isSelecting: false)
    for letter in letters.unicodeScalars { #expect(characters(panel).contains(letter), "\(letter)") }
    let height = panel.frame
    if !panel.isLatin { press(.language, panel) }
    let basic = Set("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    #expect(basic.subtracting(characters(panel)).isEmpty && panel.frame == height)
    #expect(panel.rows.other == nil || panel.rows.other?.isLatin == false)
  }

  @Test("what the languages of accents need is on their layer of accents, first")
  func accents() {
    let panel = KeyboardPanel()
    panel.fit(Size(480, 320), Theme())
    let wanted = [
      "pl": "ąćęłńóśźż", "cs": "ěščřžýáíéúůďťňó", "sk": "ľščťžýáíéúäôňď", "hu": "áéíóöőúüű", "ro": "ăâîșț",
      "lv": "āčēģīķļņšūž", "lt": "ąčęėįšųūž", "el": "άέήίόύώϊϋ", "ru": "ёъ", "uk": "ґ", "ar": "أإآئ",
    ]
    for (tag, letters) in wanted {
      panel.letters = self.letters(tag)
      panel.show(.accents, isSelecting: false)
      for letter in letters.unicodeScalars { #expect(characters(panel).contains(letter), "\(tag) \(letter)") }
      #expect(letters.hasPrefix(string(panel.rows.label(.accents).span)) || letters.count < 2)
    }
  }

  @Test("shift gives capitals, those of the language, or the letters that are behind others")
  func shifted() {
    let panel = KeyboardPanel()
    panel.fit(Size(480, 320), Theme())
    for (tag, letters) in [
      "tr": "İIĞÜŞÖÇ", "ka": "ჭღთშჟძჩ", "hi": "औऐआईऊभङघधझढञओएअइउफखथछठणषळश", "th": "๐ฎฑธณญฐฤฆฏโฌษศซฉฮฒฬฦ",
      "ur": "ٹڑڈںخغصضظثذژ", "el": "ΑΒΓΣ", "hy": "ԱԲԳՖ", "uk": "ЇІЄ",
    ] {
      panel.letters = self.letters(tag)
      panel.hide()
      press(.shift, panel)
      for letter in letters.unicodeScalars { #expect(characters(panel).contains(letter), "\(tag) \(letter)") }
    }
    panel.letters = letters("he")
    panel.hide()
    panel.show(.letters, isSelecting: false)
    panel.forEachKey { _, key, _ in #expect(key != .shift) }
  }

  @Test("the Latin letters are those of the keyboard that was named, else the language's")
  func latin() {
    #expect(string(letters("de", .fr).own.letters(0)) == "azertyuiop")
    #expect(string(letters("ru", .de).latin.letters(0)) == "qwertzuiopü")
    #expect(string(letters("ru", .de).own.letters(0)) == "йцукенгшщзх")
    #expect(string(letters("ru").latin.letters(0)) == "qwertyuiop")
    // Languages that need an input method have the letters of English.
    for tag in ["ja", "ko", "zh", "vi"] { #expect(letters(tag).own.isLatin) }
  }

  @Test("a letter that is held offers those that look like it, until one is typed")
  func held() throws {
    let hands = try form()
    hands.tap("name")
    func hold(_ key: String) {
      let place = hands.page.middle("key:" + key)
      hands.down(place)
      hands.pass(Budget.longPressMilliseconds)
      hands.up(place)
    }
    hold("e")
    #expect(hands.page.fact("name", "text").isEmpty && hands.page.fact("key:ę", "type") == "Key")
    hands.tapKeys("ę")
    #expect(hands.page.fact("name", "text") == "ę" && hands.page.fact("key:ę", "type").isEmpty)
    hands.tapKeys("shift")
    hold("S")
    hands.tapKeys("Š")
    #expect(hands.page.fact("name", "text") == "ęŠ")
    // One without relatives is typed when the finger comes up.
    hold("q")
    hold("a")
    hands.tapKeys("x")
    #expect(hands.page.fact("name", "text") == "ęŠqx" && hands.page.fact("key:å", "type").isEmpty)
  }

  @Test("capitals and small letters belong together")
  func cases() {
    for (small, capital) in zip("azéßøÿœžšșțαωάίόώяёґđաֆ".unicodeScalars, "AZÉßØŸŒŽŠȘȚΑΩΆΊΌΏЯЁҐĐԱՖ".unicodeScalars) {
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
