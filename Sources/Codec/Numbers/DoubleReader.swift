// Decimal to binary: the double nearest to what is written, of two equally near ones the even one (IEEE 754
// section 4.3.1).

extension DecimalText {
  /// The nearest double of the number in `text`, from which this was made; nil when it is beyond the largest
  /// one.
  @export(interface)
  func double(in text: Span<UInt8>) -> Double? {
    let magnitude = quickDouble ?? exactDouble(text.extracting(digits))
    guard magnitude.isFinite else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Where both the digits and the power of ten are doubles without error, one operation rounds once (W. D.
  /// Clinger, "How to read floating point numbers accurately", 1990).
  private var quickDouble: Double? {
    guard !isTruncated, mantissa <= 1 << 53, (-22...22).contains(exponent) else { return nil }
    var power = 1.0
    for _ in 0..<abs(exponent) { power *= 10 }
    return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }

  private func exactDouble(_ digits: Span<UInt8>) -> Double {
    guard mantissa > 0 else { return 0 }
    let value = LongDecimal(digits, exponent: statedExponent)
    // Below half of the smallest double, and beyond the largest, without any arithmetic.
    guard value.point > -330 else { return 0 }
    guard value.point < 330 else { return .infinity }
    return value.nearestDouble()
  }
}

extension LongDecimal {
  /// The nearest double of a number that is not zero.
  consuming func nearestDouble() -> Double {
    var exponent = 0
    // Into [1/2, 1). Three bits a digit never overshoot; near the end go bit by bit.
    while point > 0 {
      let bits = point > 1 ? min(3 * (point - 1), 60) : 1
      scale(byTwoTo: -bits)
      exponent += bits
    }
    while point < 0 || self[0] < 5 {
      let bits = point < 0 ? min(-3 * point, 60) : 1
      scale(byTwoTo: bits)
      exponent -= bits
    }
    // One digit before the binary point, as IEEE 754 counts; below the normal range fewer digits stay.
    exponent -= 1
    let lowest = -1022
    scale(byTwoTo: min(exponent - lowest, 0) + 53)
    exponent = max(exponent, lowest)
    let significand = roundedInteger
    return Double(sign: .plus, exponent: exponent - 52, significand: Double(significand))
  }
}
