import Codec
import Runtime

extension Locale {
  /// Bytes of the longest number in ASCII: 309 digits before the point, and `mostDecimals` behind it.
  private static let numberBytes = 340
  /// Digits behind the point at most.
  public static let mostDecimals = 20

  /// Writes a number with the locale's marks; what is no number or infinite as JavaScript names it.
  /// - Parameters:
  ///   - decimals: digits behind the point; nil: as many as it needs, at most three
  ///   - isGrouped: with marks between groups of digits
  public func write(_ value: Double, decimals: Int? = nil, isGrouped: Bool = true, into writer: inout ByteWriter) {
    guard value.isFinite else { return writer.text(value.isNaN ? "NaN" : value < 0 ? "-∞" : "∞") }
    var digits = InlineText<340>()
    digits.fill { buffer in
      var plain = ByteWriter(into: buffer)
      plain.fixed(value, fractionDigits: decimals.map { min(max($0, 0), Self.mostDecimals) } ?? 3)
      return min(plain.count, buffer.count)
    }
    let text = digits.span
    var point = text.count
    for index in 0..<text.count where text[index] == UInt8(ascii: ".") { point = index }
    var end = text.count
    if decimals == nil, point < end {
      while text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      if end == point + 1 { end = point }
    }
    for index in 0..<end {
      let byte = text[index]
      if index == point {
        writer.bytes(Span(_unsafeElements: part(.marks, 0)))
        continue
      }
      if isGrouped, isGroup(at: index, before: point, text) { writer.bytes(Span(_unsafeElements: part(.marks, 1))) }
      writer.byte(byte)
    }
  }

  /// True where a group of digits begins that is not the first.
  private func isGroup(at index: Int, before point: Int, _ text: Span<UInt8>) -> Bool {
    guard index > 0, text[index - 1] != UInt8(ascii: "-") else { return false }
    let left = point - index
    guard left >= 3 else { return false }
    let digits = part(.marks, 2)
    let size = digits.count == 1 && digits[0] == UInt8(ascii: "2") ? 2 : 3
    return (left - 3) % size == 0
  }

  /// Writes an amount of money: "$1,234.50", "1.234,50 €".
  /// - Parameters:
  ///   - code: of ISO 4217
  ///   - decimals: digits behind the point; nil: as many as the currency has
  public func write(
    _ value: Double, currency code: Span<UInt8>, decimals: Int? = nil, isGrouped: Bool = true,
    into writer: inout ByteWriter
  ) {
    let pattern = column(.currency)
    let digits = decimals ?? (Currency.hasNoDecimals(code) ? 0 : 2)
    var (index, isWritten) = (0, false)
    if value < 0 { writer.byte(UInt8(ascii: "-")) }
    while index < pattern.count {
      let byte = pattern[index]
      // The sign of any currency, U+00A4.
      if byte == 0xC2, index + 1 < pattern.count, pattern[index + 1] == 0xA4 {
        let symbol = Currency.symbol(code)
        // "$5", but "CHF 5".
        if isWritten, isLetter(symbol[0]), pattern[index - 1] == UInt8(ascii: "0") { writer.text("\u{A0}") }
        writer.bytes(symbol)
        if !isWritten, isLetter(symbol[symbol.count - 1]), index + 2 < pattern.count,
          pattern[index + 2] == UInt8(ascii: "#")
        {
          writer.text("\u{A0}")
        }
        index += 2
      } else if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "0") {
        write(abs(value), decimals: digits, isGrouped: isGrouped, into: &writer)
        isWritten = true
        while index < pattern.count, Self.isOfNumber(pattern[index]) { index += 1 }
      } else {
        writer.byte(byte)
        index += 1
      }
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "#") || byte == UInt8(ascii: "0") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".")
  }

  private func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}

/// Signs of currencies that are understood everywhere; others are written by their code.
private enum Currency {
  private static let codes: StaticString = "USDEURGBPJPYCNYINRKRWRUBUAHTRYILSVNDNGNPHP"

  private static func sign(_ place: Int) -> StaticString {
    switch place {
    case 0: "$"
    case 1: "€"
    case 2: "£"
    case 3, 4: "¥"
    case 5: "₹"
    case 6: "₩"
    case 7: "₽"
    case 8: "₴"
    case 9: "₺"
    case 10: "₪"
    case 11: "₫"
    case 12: "₦"
    default: "₱"
    }
  }

  /// At least a byte.
  @_lifetime(copy code)
  static func symbol(_ code: Span<UInt8>) -> Span<UInt8> {
    let known = codes.utf8Bytes
    for place in 0..<known.count / 3 where code.count == 3 {
      let start = 3 * place
      guard known[start] == code[0], known[start + 1] == code[1], known[start + 2] == code[2] else { continue }
      return _overrideLifetime(sign(place).utf8Bytes, copying: code)
    }
    return code.isEmpty ? _overrideLifetime(("¤" as StaticString).utf8Bytes, copying: code) : code
  }

  /// True for those that are not divided (ISO 4217, minor unit 0).
  static func hasNoDecimals(_ code: Span<UInt8>) -> Bool {
    let codes: InlineArray<6, StaticString> = ["JPY", "KRW", "VND", "CLP", "ISK", "UGX"]
    for index in 0..<codes.count where code.isEqual(to: codes[index]) { return true }
    return false
  }
}
