import CUnicode

/// The class of a character for line breaking, in the order of `board/lib/make-unicode.py` (UAX #14, table 1).
enum LineBreakClass: UInt8 {
  case letter, mandatory, carriageReturn, lineFeed, nextLine, space, zeroWidthSpace, wordJoiner, zeroWidthJoiner, glue
  case mark, close, closeParenthesis, exclamation, infix, symbol, quotation, open, nonStarter, bothSides, after, before
  case hyphen, contingent, inseparable, numeric, prefix, postfix, hebrew, ideograph, emojiBase, emojiModifier
  case hangulLV, hangulLVT, hangulL, hangulV, hangulT, regional

  var isLetter: Bool { self == .letter || self == .hebrew }
  var isIdeograph: Bool { self == .ideograph || self == .emojiBase || self == .emojiModifier }
  var isHangul: Bool { rawValue >= Self.hangulLV.rawValue && rawValue <= Self.hangulT.rawValue }
  /// LB4 and LB5.
  var endsLine: Bool { rawValue >= Self.mandatory.rawValue && rawValue <= Self.nextLine.rawValue }
}

/// Where a line may be broken: the rules of Unicode Standard Annex #14 (15.0), told one character at a time. Numbers
/// are kept together by the regular expression of its section 8.2 (example 7); where a prefix or postfix (`$`, `%`)
/// stands before a bracket, no line is broken, whether a number follows or not, for what follows is not known yet.
/// Scripts whose words are told apart by dictionaries (Thai, Lao, Khmer, Burmese) are broken at blanks.
public struct LineBreaker {
  /// The class of the character before, with what stands on it (LB9); nil at the start of a text.
  private var last: LineBreakClass?
  /// Before it and the blanks that follow it.
  private var beforeBlanks: LineBreakClass?
  private var flag = false
  private var isAfterJoiner = false
  /// It is a hyphen that stands after a Hebrew letter (LB21a).
  private var isHebrewHyphen = false
  private var number = Number.none
  /// Regional indicators before it, itself among them, are of an odd number (LB30a).
  private var isOddRegional = false

  private enum Number { case none, open, closed }

  /// At the start of a text.
  public init() {}

  /// Takes the next character.
  /// - Returns: true when a line may end before it.
  public mutating func breaks(before character: UInt32) -> Bool {
    let (kind, flag) = Self.find(character)
    guard let last else {
      take(kind, flag, isAlone: true)
      isAfterJoiner = kind == .zeroWidthJoiner
      return false
    }
    let isMark = kind == .mark || kind == .zeroWidthJoiner
    if isMark, last != .space, last != .zeroWidthSpace, !last.endsLine {
      // LB9. What stands on a letter changes nothing.
      isAfterJoiner = kind == .zeroWidthJoiner
      return false
    }
    // LB10.
    let shown = isMark ? LineBreakClass.letter : kind
    let result = isBreak(last, shown, flag)
    take(shown, flag, isAlone: false)
    isAfterJoiner = kind == .zeroWidthJoiner
    return result
  }

  private static func find(_ character: UInt32) -> (LineBreakClass, Bool) {
    switch character {
    case 0x41...0x5A, 0x61...0x7A: return (.letter, false)
    default:
      let found = tl_unicode(character)
      return (LineBreakClass(rawValue: UInt8(truncatingIfNeeded: found >> 5)) ?? .letter, found >> 4 & 1 == 1)
    }
  }

  private mutating func take(_ kind: LineBreakClass, _ flag: Bool, isAlone: Bool) {
    let kind = isAlone && (kind == .mark || kind == .zeroWidthJoiner) ? LineBreakClass.letter : kind
    isHebrewHyphen = last == .hebrew && (kind == .hyphen || kind == .after)
    switch kind {
    case .numeric: number = .open
    case .symbol, .infix: if number != .open { number = .none }
    case .close, .closeParenthesis: number = number == .open ? .closed : .none
    default: number = .none
    }
    isOddRegional = kind == .regional && !(last == .regional && isOddRegional)
    if kind != .space { beforeBlanks = kind }
    last = kind
    self.flag = flag
    isAfterJoiner = false
  }

  /// The rules from LB4 on, in their order.
  private func isBreak(_ last: LineBreakClass, _ next: LineBreakClass, _ nextFlag: Bool) -> Bool {
    if last == .carriageReturn { return next != .lineFeed }
    if last.endsLine { return true }
    if next.endsLine || next == .space || next == .zeroWidthSpace { return false }
    if beforeBlanks == .zeroWidthSpace { return true }
    if isAfterJoiner || next == .wordJoiner || last == .wordJoiner || last == .glue { return false }
    if next == .glue, last != .space, last != .after, last != .hyphen { return false }
    switch next {
    case .close, .closeParenthesis, .exclamation, .infix, .symbol: return false
    default: break
    }
    if let decided = afterBlanks(last, next) { return decided }
    if next == .quotation || last == .quotation { return false }
    if next == .contingent || last == .contingent { return true }
    if next == .after || next == .hyphen || next == .nonStarter || last == .before { return false }
    if isHebrewHyphen || last == .symbol && next == .hebrew || next == .inseparable { return false }
    return !belongTogether(last, next, nextFlag)
  }

  /// LB14 to LB18.
  private func afterBlanks(_ last: LineBreakClass, _ next: LineBreakClass) -> Bool? {
    switch beforeBlanks {
    case .open: return false
    case .quotation where next == .open: return false
    case .close where next == .nonStarter, .closeParenthesis where next == .nonStarter: return false
    case .bothSides where next == .bothSides: return false
    default: return last == .space ? true : nil
    }
  }

  /// LB23 to LB30b.
  private func belongTogether(_ last: LineBreakClass, _ next: LineBreakClass, _ nextFlag: Bool) -> Bool {
    let isMoney = next == .prefix || next == .postfix
    if last.isLetter, next == .numeric || isMoney || next.isLetter { return true }
    if next.isLetter, last == .numeric || last == .prefix || last == .postfix || last == .infix { return true }
    if last == .prefix, next.isIdeograph || next.isHangul { return true }
    if next == .postfix, last.isIdeograph || last.isHangul { return true }
    if isNumber(last, next) { return true }
    switch last {
    case .hangulL: if next.isHangul, next != .hangulT { return true }
    case .hangulV, .hangulLV: if next == .hangulV || next == .hangulT { return true }
    case .hangulT, .hangulLVT: if next == .hangulT { return true }
    default: break
    }
    if next == .open, !nextFlag, last.isLetter || last == .numeric { return true }
    if last == .closeParenthesis, !flag, next.isLetter || next == .numeric { return true }
    if last == .regional, next == .regional { return isOddRegional }
    return next == .emojiModifier && (last == .emojiBase || last == .ideograph && flag)
  }

  /// LB25.
  private func isNumber(_ last: LineBreakClass, _ next: LineBreakClass) -> Bool {
    switch next {
    case .numeric:
      number == .open || last == .prefix || last == .postfix || last == .hyphen
    case .prefix, .postfix: number != .none
    case .open: last == .prefix || last == .postfix
    default: false
    }
  }
}
