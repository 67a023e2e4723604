/// Reads values of CSS and SVG from text, one after the other.
public struct TextReader: ~Escapable {
  let text: Span<UInt8>
  var place = 0

  @_lifetime(copy text)
  public init(_ text: Span<UInt8>) { self.text = text }

  var isAtEnd: Bool { place >= text.count }

  /// The next byte; 0 at the end.
  var next: UInt8 { place < text.count ? text[place] : 0 }

  @inline(__always)
  public static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D && byte != 0x0B }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// ASCII letters in lower case, all else as it is.
  @inline(__always)
  static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  mutating func skipBlanks() { while place < text.count, Self.isBlank(text[place]) { place += 1 } }

  /// Blanks, and one comma among them.
  mutating func skipComma() {
    skipBlanks()
    if next == UInt8(ascii: ",") {
      place += 1
      skipBlanks()
    }
  }

  /// Goes past a byte when it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// Goes past a word in lower case when it comes next in any case.
  mutating func take(_ word: StaticString) -> Bool {
    let bytes = word.utf8CodeUnitCount
    guard place + bytes <= text.count else { return false }
    for index in 0..<bytes where Self.lower(text[place + index]) != word.utf8Start[index] { return false }
    place += bytes
    return true
  }

  /// Goes past letters, digits, '-' and '_'; gives where they are.
  mutating func word() -> Range<Int> {
    let start = place
    while place < text.count {
      let byte = text[place]
      let lower = Self.lower(byte)
      guard lower >= 0x61 && lower <= 0x7A || Self.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte >= 0x80
      else { break }
      place += 1
    }
    return start..<place
  }

  /// Is a range of the text this word, which is in lower case, in any case?
  func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
    let bytes = word.utf8CodeUnitCount
    guard range.count == bytes else { return false }
    for index in 0..<bytes where Self.lower(text[range.lowerBound + index]) != word.utf8Start[index] { return false }
    return true
  }

  /// A number: sign, digits, point, exponent. Nil, and the place stays, when there is none.
  public mutating func number() -> Double? {
    var at = place
    var isNegative = false
    if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
      isNegative = text[at] == UInt8(ascii: "-")
      at += 1
    }
    var mantissa: UInt64 = 0
    var (digits, exponent) = (0, 0)
    func take(_ byte: UInt8, _ step: Int) {
      digits += 1
      if mantissa < 100_000_000_000_000_000 {
        mantissa = mantissa * 10 + UInt64(byte - 0x30)
        exponent += step
      } else {
        exponent += step + 1
      }
    }
    while at < text.count, Self.isDigit(text[at]) {
      take(text[at], 0)
      at += 1
    }
    if at + 1 < text.count, text[at] == UInt8(ascii: "."), Self.isDigit(text[at + 1]) {
      at += 1
      while at < text.count, Self.isDigit(text[at]) {
        take(text[at], -1)
        at += 1
      }
    } else if digits > 0, at < text.count, text[at] == UInt8(ascii: ".") {
      // "5." is no number of CSS, but one of the paths in the wild.
      at += 1
    }
    guard digits > 0 else { return nil }
    exponent += Self.exponent(text, &at)
    place = at
    let value = Self.scaled(Double(mantissa), exponent)
    return isNegative ? -value : value
  }

  private static func exponent(_ text: Span<UInt8>, _ at: inout Int) -> Int {
    guard at + 1 < text.count, lower(text[at]) == UInt8(ascii: "e") else { return 0 }
    var place = at + 1
    let isNegative = text[place] == UInt8(ascii: "-")
    if isNegative || text[place] == UInt8(ascii: "+") { place += 1 }
    guard place < text.count, isDigit(text[place]) else { return 0 }
    var value = 0
    while place < text.count, isDigit(text[place]) {
      value = min(value * 10 + Int(text[place] - 0x30), 9_999)
      place += 1
    }
    at = place
    return isNegative ? -value : value
  }

  private static func scaled(_ mantissa: Double, _ exponent: Int) -> Double {
    guard mantissa != 0 else { return 0 }
    guard exponent >= -340 else { return 0 }
    guard exponent <= 310 else { return 1e308 }
    var (result, power, left) = (mantissa, 10.0, abs(exponent))
    var factor = 1.0
    while left > 0 {
      if left & 1 != 0 { factor *= power }
      power *= power
      left >>= 1
    }
    result = exponent < 0 ? mantissa / factor : mantissa * factor
    return result.isFinite ? result : 1e308
  }
}
