import Runtime

/// Character references in HTML, by name and by number (WHATWG HTML, 13.2.5.72 and 13.5).
enum HTMLEntities {
  /// The names that writers use, each with its scalar in hexadecimal.
  private static let table: StaticString = """
    amp 26 lt 3C gt 3E quot 22 apos 27 nbsp A0 iexcl A1 cent A2 pound A3 curren A4 yen A5 brvbar A6 sect A7 uml A8 \
    copy A9 ordf AA laquo AB not AC shy AD reg AE macr AF deg B0 plusmn B1 sup2 B2 sup3 B3 acute B4 micro B5 para B6 \
    middot B7 cedil B8 sup1 B9 ordm BA raquo BB frac14 BC frac12 BD frac34 BE iquest BF Agrave C0 Aacute C1 Acirc C2 \
    Atilde C3 Auml C4 Aring C5 AElig C6 Ccedil C7 Egrave C8 Eacute C9 Ecirc CA Euml CB Igrave CC Iacute CD Icirc CE \
    Iuml CF ETH D0 Ntilde D1 Ograve D2 Oacute D3 Ocirc D4 Otilde D5 Ouml D6 times D7 Oslash D8 Ugrave D9 Uacute DA \
    Ucirc DB Uuml DC Yacute DD THORN DE szlig DF agrave E0 aacute E1 acirc E2 atilde E3 auml E4 aring E5 aelig E6 \
    ccedil E7 egrave E8 eacute E9 ecirc EA euml EB igrave EC iacute ED icirc EE iuml EF eth F0 ntilde F1 ograve F2 \
    oacute F3 ocirc F4 otilde F5 ouml F6 divide F7 oslash F8 ugrave F9 uacute FA ucirc FB uuml FC yacute FD thorn FE \
    yuml FF OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2C6 tilde 2DC Alpha 391 Beta 392 \
    Gamma 393 Delta 394 Theta 398 Lambda 39B Pi 3A0 Sigma 3A3 Phi 3A6 Psi 3A8 Omega 3A9 alpha 3B1 beta 3B2 gamma 3B3 \
    delta 3B4 epsilon 3B5 zeta 3B6 eta 3B7 theta 3B8 lambda 3BB mu 3BC nu 3BD xi 3BE pi 3C0 rho 3C1 sigma 3C3 tau 3C4 \
    phi 3C6 chi 3C7 psi 3C8 omega 3C9 ensp 2002 emsp 2003 thinsp 2009 zwnj 200C zwj 200D lrm 200E rlm 200F ndash 2013 \
    mdash 2014 lsquo 2018 rsquo 2019 sbquo 201A ldquo 201C rdquo 201D bdquo 201E dagger 2020 Dagger 2021 bull 2022 \
    hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203A euro 20AC trade 2122 larr 2190 uarr 2191 \
    rarr 2192 darr 2193 harr 2194 rArr 21D2 hArr 21D4 forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 \
    ni 220B prod 220F sum 2211 minus 2212 lowast 2217 radic 221A infin 221E and 2227 or 2228 cap 2229 cup 222A \
    int 222B sim 223C asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 lceil 2308 rceil 2309 \
    lfloor 230A rfloor 230B loz 25CA spades 2660 clubs 2663 hearts 2665 diams 2666 check 2713 star 2606 starf 2605 \
    phone 260E Tab 9 NewLine A excl 21 num 23 dollar 24 percnt 25 lpar 28 rpar 29 ast 2A plus 2B comma 2C period 2E \
    sol 2F colon 3A semi 3B equals 3D quest 3F commat 40 lsqb 5B lbrack 5B bsol 5C rsqb 5D rbrack 5D Hat 5E lowbar 5F \
    grave 60 lcub 7B lbrace 7B vert 7C verbar 7C rcub 7D rbrace 7D hyphen 2010 dash 2010 numsp 2007 hairsp 200A
    """

  /// The scalar by its name, in the case of the table, or nil.
  static func scalar(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let (bytes, length) = (table.utf8Start, table.utf8CodeUnitCount)
    var index = 0
    while index < length {
      var matched = 0
      while index + matched < length, matched < name.count, bytes[index + matched] == name[matched] { matched += 1 }
      let isFound = matched == name.count && matched > 0 && index + matched < length && bytes[index + matched] == 0x20
      while index < length, bytes[index] != 0x20 { index += 1 }
      index += 1
      var value: UInt32 = 0
      while index < length, bytes[index] != 0x20 {
        value = value << 4 | UInt32(bytes[index] < 0x40 ? bytes[index] - 0x30 : bytes[index] - 0x37)
        index += 1
      }
      if isFound { return value }
      index += 1
    }
    return nil
  }

  /// What a number stands for: browsers take 80 to 9F for windows-1252, and no surrogates.
  static func scalar(number: UInt32) -> UInt32 {
    switch number {
    case 0, 0xD800...0xDFFF, 0x11_0000...: 0xFFFD
    case 0x80...0x9F: Windows1252.scalar(UInt8(number))
    default: number
    }
  }
}

/// Reads one reference, after its ampersand, character by character.
struct EntityReader {
  enum Step: Equatable {
    case more
    /// The character that is meant. `isTaken`: the last one taken belongs to the reference.
    case done(UInt32, isTaken: Bool)
    /// It is none: the ampersand and what was kept stand for themselves, and the last one taken is not among them.
    case literal
  }

  private enum Place { case start, hash, hexStart, decimal, hex, name }

  private var place = Place.start
  private var value: UInt32 = 0
  /// What was taken, for the case that it is no reference.
  private let kept: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// `room` has `Budget.pageEntityBytes`, and outlives the reader.
  init(_ room: UnsafeMutableBufferPointer<UInt8>) { kept = room }

  /// What was taken of a reference that is none.
  subscript(index: Int) -> UInt8 { kept[index] }

  /// A reference begins.
  mutating func begin() { (place, value, count) = (.start, 0, 0) }

  /// Takes the next character. In an attribute, `&copy=` begins the next part of an address.
  mutating func take(_ scalar: UInt32, inAttribute: Bool) -> Step {
    switch place {
    case .start:
      if scalar == 0x23 { return keep(scalar, .hash) }
      return Self.isAlphanumeric(scalar) ? keep(scalar, .name) : .literal
    case .hash:
      if scalar | 0x20 == 0x78 { return keep(scalar, .hexStart) }
      return digit(scalar, base: 10, .decimal) ?? .literal
    case .hexStart: return digit(scalar, base: 16, .hex) ?? .literal
    case .decimal: return digit(scalar, base: 10, .decimal) ?? number(scalar)
    case .hex: return digit(scalar, base: 16, .hex) ?? number(scalar)
    case .name:
      if Self.isAlphanumeric(scalar) { return count < kept.count ? keep(scalar, .name) : .literal }
      return named(scalar, inAttribute: inAttribute)
    }
  }

  /// The text has ended: what the reference means, if it can end here.
  mutating func end() -> Step { take(0, inAttribute: false) }

  private mutating func keep(_ scalar: UInt32, _ place: Place) -> Step {
    guard count < kept.count else { return .literal }
    kept[count] = UInt8(truncatingIfNeeded: scalar)
    count += 1
    self.place = place
    return .more
  }

  private mutating func digit(_ scalar: UInt32, base: UInt32, _ place: Place) -> Step? {
    let digit: UInt32
    switch scalar {
    case 0x30...0x39: digit = scalar - 0x30
    case 0x41...0x46, 0x61...0x66: digit = (scalar | 0x20) - 0x61 + 10
    default: return nil
    }
    guard digit < base else { return nil }
    value = min(value * base + digit, 0x11_0000)
    self.place = place
    return .more
  }

  private func number(_ scalar: UInt32) -> Step { .done(HTMLEntities.scalar(number: value), isTaken: scalar == 0x3B) }

  private func named(_ scalar: UInt32, inAttribute: Bool) -> Step {
    guard let found = HTMLEntities.scalar(UnsafeBufferPointer(kept).extracting(0..<count)) else { return .literal }
    if scalar == 0x3B { return .done(found, isTaken: true) }
    // Only the old names, of Latin-1, stand without a semicolon.
    return found <= 0xFF && !(inAttribute && scalar == 0x3D) ? .done(found, isTaken: false) : .literal
  }

  private static func isAlphanumeric(_ scalar: UInt32) -> Bool {
    (0x30...0x39).contains(scalar) || (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
  }
}
