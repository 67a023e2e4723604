import Graphics
import Runtime

/// Which character a key gives: the small tables of six countries, for boards without the tables of a desktop.
public enum KeyboardLayout: UInt8, Sendable, CaseIterable {
  case us, uk, de, fr, es, it

  /// The word of the configuration: "us", "uk", "de", "fr", "es", "it".
  public init?(_ word: Span<UInt8>) {
    for layout in Self.allCases where ScreenChoice.Output.equals(word, layout.word) {
      self = layout
      return
    }
    return nil
  }

  /// The word of the configuration.
  public var word: StaticString {
    switch self {
    case .us: "us"
    case .uk: "uk"
    case .de: "de"
    case .fr: "fr"
    case .es: "es"
    case .it: "it"
    }
  }

  /// One character for each key in the order of `place`, a space for none. What stands for a dead key is in `DeadKey`.
  private var levels: (plain: StaticString, shift: StaticString, third: StaticString, fourth: StaticString) {
    switch self {
    case .us:
      (
        "1234567890-=qwertyuiop[]asdfghjkl;'`\\zxcvbnm,./\\",
        "!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"~|ZXCVBNM<>?|", "", ""
      )
    case .uk:
      (
        "1234567890-=qwertyuiop[]asdfghjkl;'`#zxcvbnm,./\\",
        "!\"£$%^&*()_+QWERTYUIOP{}ASDFGHJKL:@¬~ZXCVBNM<>?|",
        "   €          é   úíó   á          ¦", ""
      )
    case .de:
      (
        "1234567890ßˊqwertzuiopü+asdfghjklöäˆ#yxcvbnm,.-<",
        "!\"§$%&/()=?ˋQWERTZUIOPÜ*ASDFGHJKLÖÄ°'YXCVBNM;:_>",
        " ²³   {[]}\\ @ €        ~                   µ   |", ""
      )
    case .fr:
      (
        "&é\"'(-è_çà)=azertyuiopˆ$qsdfghjklmù²*wxcvbn,;:!<",
        "1234567890°+AZERTYUIOP¨£QSDFGHJKLM% µWXCVBN?./§>",
        " ~#{[|`\\^@]}  €        ¤", ""
      )
    case .es:
      (
        "1234567890'¡qwertyuiopˋ+asdfghjklñˊºçzxcvbnm,.-<",
        "!\"·$%&/()=?¿QWERTYUIOPˆ*ASDFGHJKLÑ¨ªÇZXCVBNM;:_>",
        "|@#~€¬        €       []          {\\}", ""
      )
    case .it:
      (
        "1234567890'ìqwertyuiopè+asdfghjklòà\\ùzxcvbnm,.-<",
        "!\"£$%&/()=?^QWERTYUIOPé*ASDFGHJKLç°|§ZXCVBNM;:_>",
        "    €         €       []         @#", "                      {}"
      )
    }
  }

  /// True when the right Alt key chooses a third character.
  var hasThirdLevel: Bool { levels.third.utf8CodeUnitCount > 0 }

  /// Keys that give characters: two rows from 1 and Q, one from A, the ones left of 1 and left of Enter, one from Z,
  /// and the one that some boards have left of it.
  static let places = 48

  private static func place(_ code: UInt16) -> Int? {
    switch code {
    case 2...13: Int(code) - 2
    case 16...27: Int(code) - 16 + 12
    case 30...40: Int(code) - 30 + 24
    case 41: 35
    case 43: 36
    case 44...53: Int(code) - 44 + 37
    case 86: 47
    default: nil
    }
  }

  /// The character of a key, nil when it has none. `isThird` is the right Alt key's.
  func character(_ code: UInt16, isShift: Bool, isThird: Bool, isCaps: Bool) -> Unicode.Scalar? {
    guard let place = Self.place(code) else { return Self.keypad(code) }
    let levels = levels
    if isThird { return Self.scalar(isShift ? levels.fourth : levels.third, place) }
    let plain = Self.scalar(levels.plain, place)
    let shifted = Self.scalar(levels.shift, place)
    // Caps Lock is for letters alone.
    let isLetter =
      plain.map { small in shifted.map { $0.value &+ 0x20 == small.value && Self.isSmall(small) } ?? false } ?? false
    return isShift != (isCaps && isLetter) ? shifted : plain
  }

  private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x61 && scalar.value <= 0x7A || scalar.value >= 0xE0 && scalar.value <= 0xFE
  }

  /// The keypad, as with Num Lock: this program has no light to show it by.
  private static func keypad(_ code: UInt16) -> Unicode.Scalar? {
    let rows: StaticString = "789-456+1230."
    switch code {
    case 71...83: return Unicode.Scalar(rows.utf8Start[Int(code) - 71])
    case 55: return "*"
    case 98: return "/"
    default: return nil
    }
  }

  /// The character at a place of a row; nil for none.
  static func scalar(_ row: StaticString, _ place: Int) -> Unicode.Scalar? {
    var (index, seen) = (0, 0)
    let bytes = row.bytes
    while index < bytes.count {
      let first = UInt32(bytes[index])
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : 3
      if seen == place {
        var value = length == 1 ? first : first & (0xFF >> UInt32(length + 1))
        for next in 1..<max(length, 1) { value = value << 6 | UInt32(bytes[index + next]) & 0x3F }
        return value == 0x20 ? nil : Unicode.Scalar(value)
      }
      seen += 1
      index += length
    }
    return nil
  }
}

/// A key that waits for a letter to put its mark on.
enum DeadKey: UInt8, CaseIterable {
  case acute, grave, circumflex, diaeresis, tilde

  /// What stands for it in the tables.
  init?(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "ˊ": self = .acute
    case "ˋ": self = .grave
    case "ˆ": self = .circumflex
    case "¨": self = .diaeresis
    case "˜": self = .tilde
    default: return nil
    }
  }

  /// The mark by itself.
  var alone: Unicode.Scalar {
    switch self {
    case .acute: "´"
    case .grave: "`"
    case .circumflex: "^"
    case .diaeresis: "¨"
    case .tilde: "~"
    }
  }

  /// Letters, and what they become.
  private var pairs: (letters: StaticString, marked: StaticString) {
    switch self {
    case .acute: ("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
    case .grave: ("aeiouAEIOU", "àèìòùÀÈÌÒÙ")
    case .circumflex: ("aeiouAEIOU", "âêîôûÂÊÎÔÛ")
    case .diaeresis: ("aeiouyAEIOU", "äëïöüÿÄËÏÖÜ")
    case .tilde: ("anoANO", "ãñõÃÑÕ")
    }
  }

  /// The letter with the mark; nil when there is none such.
  func mark(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    let (letters, marked) = pairs
    for place in 0..<letters.utf8CodeUnitCount where UInt32(letters.utf8Start[place]) == letter.value {
      return KeyboardLayout.scalar(marked, place)
    }
    return nil
  }
}
