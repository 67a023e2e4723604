import Codec
import Graphics
import Locales
import Runtime

/// Which keys the keyboard on the screen has, row by row.
struct KeyRows {
  /// What is on it.
  enum Layer: Equatable, Sendable { case letters, digits, signs, accents, number, date }

  /// The letters of the alphabet that is shown.
  var letters = KeyLetters.english
  /// The letters of the other alphabet that a key leads to; nil: there is none.
  var other: KeyLetters?
  var layer = Layer.letters
  var isShifted = false
  /// A small letter in UTF-8 whose relatives are offered in the place of the first row; empty: none.
  var held = InlineText<8>()

  /// Rows of the layer.
  var count: Int { layer == .letters ? letters.rows + 1 : 4 }

  /// Goes over the keys of a row.
  func forEach(_ row: Int, _ body: (ScreenKey) -> Void) {
    if row == 0, let relatives = KeyLetters.relatives(of: held.span) { return each(relatives, body) }
    switch layer {
    case .letters: forEachLetter(row, body)
    case .accents: forEachAccent(row, body)
    case .digits: each(Self.pick(row, "1234567890", "@#€_&-+()/", "②*\"':;!?⌫", "ⓐⓔ,␣.⌄⏎").utf8Bytes, body)
    case .signs: each(Self.pick(row, "~`|\\{}[]<>", "£$¥§%^=°²³", "①«»¿¡µ·…⌫", "ⓐⓔ,␣.⌄⏎").utf8Bytes, body)
    case .number: each(Self.pick(row, "123⌫", "456-", "789.", "⌄0,⏎").utf8Bytes, body)
    case .date: each(Self.pick(row, "123⌫", "456-", "789.", "⌄0:⏎").utf8Bytes, body)
    }
  }

  private func forEachLetter(_ row: Int, _ body: (ScreenKey) -> Void) {
    guard row < letters.rows else {
      body(.digits)
      if other != nil { body(.language) }
      if letters.hasAccents { body(.accents) }
      return forEachBelow(body, beginsWithMark: true)
    }
    let isLast = row == letters.rows - 1
    if isLast, letters.shift != .none { body(.shift) }
    each(letters.letters(row, isShifted: isShifted), body)
    if isLast { body(.backspace) }
  }

  private func forEachAccent(_ row: Int, _ body: (ScreenKey) -> Void) {
    guard row < 3 else {
      body(.letters)
      body(.digits)
      each(letters.accents(3), body)
      return forEachBelow(body, beginsWithMark: false)
    }
    if row == 2, letters.shift != .none { body(.shift) }
    each(letters.accents(row), body)
    if row == 2 { body(.backspace) }
  }

  /// The end of the last row: the space bar between its two marks, and the keys that end the entry.
  private func forEachBelow(_ body: (ScreenKey) -> Void, beginsWithMark: Bool) {
    let marks = letters.marks
    let second = Characters.length(marks, 0)
    if beginsWithMark { each(marks.extracting(0..<second), body) }
    body(.character(" "))
    each(marks.extracting(second..<marks.count), body)
    body(.hide)
    body(.enter)
  }

  private static func pick(
    _ row: Int, _ first: StaticString, _ second: StaticString, _ third: StaticString, _ fourth: StaticString
  ) -> StaticString {
    switch row {
    case 0: first
    case 1: second
    case 2: third
    default: fourth
    }
  }

  private func each(_ text: Span<UInt8>, _ body: (ScreenKey) -> Void) {
    var place = 0
    while place < text.count {
      if let scalar = Unicode.Scalar(Characters.scalar(text, place)) {
        let key = ScreenKey(scalar)
        if key != .accents || letters.hasAccents { body(key) }
      }
      place += Characters.length(text, place)
    }
  }

  /// What is written on a key that leads to other keys; empty for the others.
  func label(_ key: ScreenKey) -> InlineText<16> {
    switch key {
    case .letters: return InlineText(cutting: letters.sample)
    case .language: return other.map { InlineText(cutting: $0.sample) } ?? InlineText()
    case .accents:
      let accents = letters.accents(0)
      var end = 0
      for _ in 0..<2 where end < accents.count { end += Characters.length(accents, end) }
      return InlineText(cutting: accents.extracting(0..<end))
    default: return InlineText(cutting: key.word)
    }
  }
}

/// The letters of the keyboard on the screen: those of a language, and those of the Latin alphabet where that has
/// another.
public struct ScreenLetters: Sendable {
  let own: KeyLetters
  let latin: KeyLetters

  /// Those of English.
  public static var english: ScreenLetters { ScreenLetters(.english, nil) }

  /// - Parameters:
  ///   - locale: the language
  ///   - keyboard: the layout of the Latin alphabet, if somebody has said which; otherwise the language's, or English
  public init(_ locale: Locale, _ keyboard: KeyboardLayout?) {
    let letters = KeyLetters(locale)
    latin = keyboard.flatMap { KeyLetters($0.language) } ?? (letters.isLatin ? letters : .english)
    own = letters.isLatin ? latin : letters
  }
}

extension KeyboardLayout {
  /// The language whose letters it has.
  fileprivate var language: StaticString {
    switch self {
    case .us, .uk: "en"
    case .de: "de"
    case .fr: "fr"
    case .es: "es"
    case .it: "it"
    }
  }
}
