import CUnicode

/// What is one character for people: the rules of Unicode Standard Annex #29 (15.0) for extended grapheme clusters,
/// told one scalar at a time.
public struct ClusterRules {
  /// In the order of `board/lib/make-unicode.py`.
  enum Kind: UInt8 {
    case other, carriageReturn, lineFeed, control, extend, joiner, regional, prepend, spacing
    case hangulL, hangulV, hangulT, hangulLV, hangulLVT, pictograph

    var isControl: Bool { self == .control || self == .carriageReturn || self == .lineFeed }
  }

  private var last: Kind?
  /// A pictograph, with nothing but marks after it, and then a joiner after them (GB11).
  private var isPictograph = false
  private var isJoinedPictograph = false
  private var isOddRegional = false

  /// At the start of a text.
  public init() {}

  static func kind(_ scalar: UInt32) -> Kind {
    if scalar >= 0x20, scalar < 0x7F { return .other }
    return Kind(rawValue: UInt8(truncatingIfNeeded: tl_unicode(scalar) & 0xF)) ?? .other
  }

  /// Takes the next scalar.
  /// - Returns: true when a character begins with it.
  public mutating func breaks(before scalar: UInt32) -> Bool {
    let kind = Self.kind(scalar)
    defer { take(kind) }
    guard let last else { return true }
    if last == .regional, kind == .regional { return !isOddRegional }
    if isJoinedPictograph, kind == .pictograph { return false }
    return !Self.belong(last, kind)
  }

  private mutating func take(_ kind: Kind) {
    isJoinedPictograph = isPictograph && kind == .joiner
    isPictograph = kind == .pictograph || isPictograph && kind == .extend
    isOddRegional = kind == .regional && !(last == .regional && isOddRegional)
    last = kind
  }

  /// The rules that look at two scalars alone (GB3 to GB9b).
  private static func belong(_ last: Kind, _ next: Kind) -> Bool {
    if last == .carriageReturn, next == .lineFeed { return true }
    if last.isControl || next.isControl { return false }
    switch (last, next) {
    case (.hangulL, .hangulL), (.hangulL, .hangulV), (.hangulL, .hangulLV), (.hangulL, .hangulLVT): return true
    case (.hangulLV, .hangulV), (.hangulLV, .hangulT), (.hangulV, .hangulV), (.hangulV, .hangulT): return true
    case (.hangulLVT, .hangulT), (.hangulT, .hangulT): return true
    default: return next == .extend || next == .joiner || next == .spacing || last == .prepend
    }
  }

  /// A character begins between two scalars, whatever stands before them.
  static func isSure(_ last: UInt32, _ next: UInt32) -> Bool {
    let (last, next) = (kind(last), kind(next))
    if last == .regional && next == .regional || last == .joiner && next == .pictograph { return false }
    return !belong(last, next)
  }
}
