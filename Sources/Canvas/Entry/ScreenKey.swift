import Graphics

/// A key of the keyboard on the screen.
enum ScreenKey: Equatable, Sendable {
  case character(Unicode.Scalar)
  case shift, backspace, enter, hide
  /// To letters, digits, more signs, letters with marks.
  case letters, digits, signs, accents

  /// What stands for it in the rows of `KeyRows`.
  init(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "⇧": self = .shift
    case "⌫": self = .backspace
    case "⏎": self = .enter
    case "⌄": self = .hide
    case "①": self = .digits
    case "②": self = .signs
    case "ⓐ": self = .letters
    case "ⓔ": self = .accents
    case "␣": self = .character(" ")
    default: self = .character(scalar)
    }
  }

  /// Half widths of a key of a letter.
  var width: Int32 {
    switch self {
    case .shift, .backspace, .enter, .letters, .digits, .signs: 3
    case .character(" "): 6
    default: 2
    }
  }

  /// Gets a share of the remaining width of its row.
  var isWide: Bool { self == .character(" ") }

  /// What is drawn on it, where it is no character.
  var icon: Icon? {
    switch self {
    case .shift: .shift
    case .backspace: .backspace
    case .enter: .check
    case .hide: .keyboardHide
    default: nil
    }
  }

  /// What is written on it, where it is no character and has no icon.
  var word: StaticString {
    switch self {
    case .letters: "ABC"
    case .digits: "123"
    case .signs: "#+="
    case .accents: "áé"
    default: ""
    }
  }

  /// Its name in the layout's dump, where that is not its character.
  var name: StaticString {
    switch self {
    case .shift: "shift"
    case .backspace: "backspace"
    case .enter: "enter"
    case .hide: "hide"
    case .letters: "letters"
    case .digits: "digits"
    case .signs: "signs"
    case .accents: "accents"
    case .character(" "): "space"
    case .character: ""
    }
  }
}

/// Which keys the keyboard on the screen has, row by row.
enum KeyRows {
  /// What is on it.
  enum Layer: Equatable, Sendable { case letters, digits, signs, accents, number, date }

  /// Rows of every layer.
  static let count = 4

  static func row(_ row: Int, _ layer: Layer, _ layout: KeyboardLayout) -> StaticString {
    switch layer {
    case .letters: letters(row, layout)
    case .digits: pick(row, "1234567890", "@#€_&-+()/", "②*\"':;!?⌫", "ⓐⓔ,␣.⌄⏎")
    case .signs: pick(row, "~`|\\{}[]<>", "£$¥§%^=°²³", "①«»¿¡µ·…⌫", "ⓐⓔ,␣.⌄⏎")
    case .accents: pick(row, "áàâäãåæçéè", "êëíìîïñóòô", "⇧öõøœúùûüß⌫", "ⓐ①ýÿ␣.⌄⏎")
    case .number: pick(row, "123⌫", "456-", "789.", "⌄0,⏎")
    case .date: pick(row, "123⌫", "456-", "789.", "⌄0:⏎")
    }
  }

  private static func letters(_ row: Int, _ layout: KeyboardLayout) -> StaticString {
    switch layout {
    case .us, .uk: pick(row, "qwertyuiop", "asdfghjkl", "⇧zxcvbnm⌫", "①ⓔ,␣.⌄⏎")
    case .de: pick(row, "qwertzuiopü", "asdfghjklöä", "⇧yxcvbnmß⌫", "①ⓔ,␣.⌄⏎")
    case .fr: pick(row, "azertyuiop", "qsdfghjklm", "⇧wxcvbnéèà⌫", "①ⓔ'␣.⌄⏎")
    case .es: pick(row, "qwertyuiop", "asdfghjklñ", "⇧zxcvbnm⌫", "①ⓔ,␣.⌄⏎")
    case .it: pick(row, "qwertyuiopè", "asdfghjklòà", "⇧zxcvbnmùì⌫", "①ⓔ'␣.⌄⏎")
    }
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

  /// Goes over the keys of a row.
  static func forEach(_ text: StaticString, _ body: (ScreenKey) -> Void) {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span
    var place = 0
    while place < bytes.count {
      if let scalar = Unicode.Scalar(Characters.scalar(bytes, place)) { body(ScreenKey(scalar)) }
      place += Characters.length(bytes, place)
    }
  }
}
