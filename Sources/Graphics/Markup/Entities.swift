import Runtime

/// Characters that documents write as names or numbers.
public enum Entities {
  /// Reads the entity at a place that holds '&': gives its character and moves after it. Nil for what is none; the
  /// place stays.
  public static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, end: Int) -> UInt32? {
    var at = place + 1
    guard at < end else { return nil }
    if bytes[at] == UInt8(ascii: "#") { return number(bytes, &place, end) }
    let start = at
    while at < end, at - start < 10, isLetter(bytes[at]) { at += 1 }
    guard at > start, let character = named(bytes, start..<at) else { return nil }
    place = at < end && bytes[at] == UInt8(ascii: ";") ? at + 1 : at
    return character
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ end: Int) -> UInt32? {
    var at = place + 2
    let isHex = at < end && TextReader.lower(bytes[at]) == UInt8(ascii: "x")
    if isHex { at += 1 }
    let start = at
    var value: UInt32 = 0
    while at < end, let digit = digit(bytes[at], isHex) {
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
      at += 1
    }
    guard at > start else { return nil }
    place = at < end && bytes[at] == UInt8(ascii: ";") ? at + 1 : at
    let isNone = value == 0 || value > 0x10_FFFF || value >= 0xD800 && value < 0xE000
    return isNone ? 0xFFFD : value
  }

  private static func digit(_ byte: UInt8, _ isHex: Bool) -> UInt32? {
    switch TextReader.lower(byte) {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x61...0x66: isHex ? UInt32(TextReader.lower(byte) - 0x61 + 10) : nil
    default: nil
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    let lower = TextReader.lower(byte)
    return lower >= 0x61 && lower <= 0x7A || TextReader.isDigit(byte)
  }

  /// The names of XML, Latin 1, and those that texts use most.
  private static func named(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> UInt32? {
    let latin = latinNames.bytes
    var (place, character) = (0, UInt32(160))
    while place < latin.count {
      if isWord(bytes, name, latin, place) { return character }
      while latin[place] != 0x20 { place += 1 }
      place += 1
      character += 1
    }
    let others = otherNames.bytes
    place = 0
    while place < others.count {
      let isSame = isWord(bytes, name, others, place)
      while others[place] != 0x20 { place += 1 }
      var value: UInt32 = 0
      for index in place + 1..<place + 5 { value = value << 4 | (digit(others[index], true) ?? 0) }
      if isSame { return value }
      place += 6
    }
    return nil
  }

  /// Is the name the word of a table at a place?
  private static func isWord(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>, _ table: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Bool {
    guard place + name.count < table.count, table[place + name.count] == 0x20 else { return false }
    for index in 0..<name.count where table[place + index] != bytes[name.lowerBound + index] { return false }
    return true
  }

  /// From U+00A0 on.
  private static let latinNames: StaticString = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml \

    """

  private static let otherNames: StaticString = """
    lt 003c gt 003e amp 0026 quot 0022 apos 0027 hellip 2026 mdash 2014 ndash 2013 lsquo 2018 rsquo 2019 ldquo 201c \
    rdquo 201d sbquo 201a bdquo 201e bull 2022 euro 20ac trade 2122 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 \
    check 2713 minus 2212 ne 2260 le 2264 ge 2265 asymp 2248 infin 221e ensp 2002 emsp 2003 thinsp 2009 zwnj 200c \
    zwj 200d lsaquo 2039 rsaquo 203a dagger 2020 permil 2030 prime 2032 alpha 03b1 beta 03b2 gamma 03b3 delta 03b4 \
    mu 03bc pi 03c0 sigma 03c3 omega 03c9 Delta 0394 Omega 03a9 hearts 2665 star 2606 starf 2605 sum 2211 radic 221a \

    """

  /// The bytes of a character in UTF-8.
  public static func write(_ character: UInt32, _ take: (UInt8) -> Void) {
    switch character {
    case 0..<0x80: take(UInt8(character))
    case 0x80..<0x800:
      take(UInt8(0xC0 | character >> 6))
      take(UInt8(0x80 | character & 63))
    case 0x800..<0x1_0000:
      take(UInt8(0xE0 | character >> 12))
      take(UInt8(0x80 | character >> 6 & 63))
      take(UInt8(0x80 | character & 63))
    default:
      take(UInt8(0xF0 | character >> 18 & 7))
      take(UInt8(0x80 | character >> 12 & 63))
      take(UInt8(0x80 | character >> 6 & 63))
      take(UInt8(0x80 | character & 63))
    }
  }
}
