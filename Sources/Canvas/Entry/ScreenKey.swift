import Graphics

/// A key of the keyboard on the screen.
enum ScreenKey: Equatable, Sendable {
  case character(Unicode.Scalar)
  case shift, backspace, enter, hide
  /// To letters, digits, more signs, letters with marks, the other alphabet.
  case letters, digits, signs, accents, language

  /// What stands for it in `KeyRows`.
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
    case .shift, .backspace, .enter, .letters, .digits, .signs, .language: 3
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

  /// What is written on it in any alphabet, where it is no character and has no icon.
  var word: StaticString {
    switch self {
    case .digits: "123"
    case .signs: "#+="
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
    case .language: "language"
    case .character(" "): "space"
    case .character: ""
    }
  }
}
