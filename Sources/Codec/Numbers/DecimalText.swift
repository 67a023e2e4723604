/// A number as it is written, `[-]digits[.digits][e[+-]digits]`, taken apart without loss where 64 bits
/// suffice.
struct DecimalText {
  /// Far beyond any number's exponent, and even after one more digit far below the limit of 32 bits.
  private static let exponentMax = 100_000_000

  private(set) var isNegative = false
  /// The leading digits, as many as fit. The value is `mantissa * 10^exponent`, a little more when
  /// `isTruncated`.
  private(set) var mantissa: UInt64 = 0
  /// True when a digit other than zero did not fit.
  private(set) var isTruncated = false
  /// The exponent that stands after the digits.
  private(set) var statedExponent = 0
  /// Where the digits and the point stand, without sign and exponent.
  private(set) var digits = 0..<0
  /// What the position of the decimal point adds to the exponent.
  private var pointExponent = 0
  private var isFull = false

  /// The power of ten that belongs to `mantissa`.
  var exponent: Int { statedExponent + pointExponent }

  /// Takes apart the number that `text` begins with. The text must have been checked: whatever else stands in
  /// it ends the number.
  init(_ text: Span<UInt8>) {
    var index = 0
    if index < text.count, text[index] == UInt8(ascii: "-") {
      isNegative = true
      index += 1
    }
    let start = index
    var isFraction = false
    while index < text.count, text[index].isDigit || text[index] == UInt8(ascii: ".") {
      if text[index] == UInt8(ascii: ".") { isFraction = true } else { append(text[index] & 15, isFraction) }
      index += 1
    }
    digits = start..<index
    guard index < text.count, text[index] | 0x20 == UInt8(ascii: "e") else { return }
    statedExponent = Self.exponent(text.extracting((index + 1)...))
  }

  private mutating func append(_ digit: UInt8, _ isFraction: Bool) {
    let (tenfold, tooLong) = mantissa.multipliedReportingOverflow(by: 10)
    let (sum, tooLarge) = tenfold.addingReportingOverflow(UInt64(digit))
    // Once a digit was left out, so are those after it, even where a zero would fit again.
    if isFull || tooLong || tooLarge {
      isFull = true
      isTruncated = isTruncated || digit > 0
      if !isFraction { pointExponent += 1 }
    } else {
      mantissa = sum
      if isFraction { pointExponent -= 1 }
    }
  }

  private static func exponent(_ text: Span<UInt8>) -> Int {
    var value = 0
    var sign = 1
    for index in 0..<text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "-") { sign = -1 }
      if byte.isDigit { value = min(value * 10 + Int(byte & 15), exponentMax) }
      if index > 0, !byte.isDigit { break }
    }
    return sign * value
  }

  /// The absolute value, when it is a whole number that 64 bits hold.
  var wholeMagnitude: UInt64? {
    guard !isTruncated else { return nil }
    guard mantissa > 0 else { return 0 }
    var value = mantissa
    var scale = exponent
    while scale < 0 {
      guard value % 10 == 0 else { return nil }
      value /= 10
      scale += 1
    }
    while scale > 0 {
      let (tenfold, tooLarge) = value.multipliedReportingOverflow(by: 10)
      guard !tooLarge else { return nil }
      value = tenfold
      scale -= 1
    }
    return value
  }

  /// The value as a signed integer, when it is a whole number in range.
  var int64: Int64? {
    guard let magnitude = wholeMagnitude else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  /// The value as an unsigned integer, when it is a whole number in range.
  var uint64: UInt64? {
    guard let magnitude = wholeMagnitude else { return nil }
    return isNegative && magnitude > 0 ? nil : magnitude
  }
}
