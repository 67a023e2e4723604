// Binary to decimal, exact, without tables and without allocation.

extension LongDecimal {
  /// The value of a finite double, its sign aside.
  init(exactly value: Double) {
    self.init(value.wholeSignificand, timesTwoTo: value.wholeExponent)
  }

  /// The shortest number that reads back as this finite double, its sign aside; of several the nearest (G. L.
  /// Steele and J. L. White, "How to print floating-point numbers accurately", 1990).
  init(shortest value: Double) {
    if let (digits, places) = value.shortDecimal {
      self.init(digits, timesTenTo: -places)
      return
    }
    self.init(exactly: value)
    guard count > 1 else { return }
    let significand = value.wholeSignificand
    let power = value.wholeExponent
    // Halfway to the neighbors. Below a power of two the next double is only half as far away.
    let isPowerOfTwo = value.significandBitPattern == 0 && value.exponentBitPattern > 1
    let below =
      isPowerOfTwo
      ? LongDecimal(4 * significand - 1, timesTwoTo: power - 2)
      : LongDecimal(2 * significand - 1, timesTwoTo: power - 1)
    let above = LongDecimal(2 * significand + 1, timesTwoTo: power - 1)
    // Halfway reads as the even one of the two.
    shorten(between: below, and: above, inclusive: significand.isMultiple(of: 2))
  }

  private mutating func shorten(between below: LongDecimal, and above: LongDecimal, inclusive: Bool) {
    for length in 1..<count {
      var down = self
      down.roundDown(toDigits: length)
      var up = self
      up.roundUp(toDigits: length)
      let downFits = inclusive ? !down.isLess(than: below) : below.isLess(than: down)
      let upFits = inclusive ? !above.isLess(than: up) : up.isLess(than: above)
      guard downFits || upFits else { continue }
      if downFits, upFits { round(toDigits: length) } else { self = downFits ? down : up }
      return
    }
  }

  private func isLess(than other: LongDecimal) -> Bool {
    guard point == other.point else { return point < other.point }
    for place in 0..<max(count, other.count) where self[place] != other[place] {
      return self[place] < other[place]
    }
    return false
  }
}

extension Double {
  /// The number of at most 15 digits that this value was written as, if it was: `digits / 10^places`, its
  /// sign aside. No two such numbers read as the same double, so that none can be shorter. Both parts are
  /// doubles without error, and the division rounds as a reader does.
  fileprivate var shortDecimal: (digits: UInt64, places: Int)? {
    var power = 1.0
    for places in 0...22 {
      guard magnitude * power < 1e15 else { return nil }
      let digits = UInt64(clamping: magnitude * power + 0.5)
      if Double(digits) / power == magnitude { return (digits, places) }
      power *= 10
    }
    return nil
  }

  /// This finite value is `wholeSignificand * 2^wholeExponent` (IEEE 754 section 3.4), its sign aside.
  fileprivate var wholeSignificand: UInt64 { significandBitPattern | (exponentBitPattern > 0 ? 1 << 52 : 0) }
  fileprivate var wholeExponent: Int { Int(max(exponentBitPattern, 1)) - 1075 }
}

extension ByteWriter {
  /// Writes a finite double with the fewest digits that read back as the same double.
  @export(interface)
  public mutating func shortest(_ value: Double) {
    if value.sign == .minus { byte(UInt8(ascii: "-")) }
    let decimal = LongDecimal(shortest: value)
    // Plain up to 21 digits before the point and 6 zeros after it, as ECMAScript writes numbers (ECMA-262
    // section 6.1.6.1.20).
    switch decimal.point {
    case -5...0: fixed(decimal, fractionDigits: decimal.count - decimal.point)
    case 1...21: fixed(decimal, fractionDigits: max(decimal.count - decimal.point, 0))
    default: scientific(decimal)
    }
  }

  /// Writes a finite double rounded to so many digits after the decimal point; of two equally near numbers the even
  /// one.
  @export(interface)
  public mutating func fixed(_ value: Double, fractionDigits: Int) {
    var decimal = LongDecimal(exactly: value)
    decimal.round(toDigits: decimal.point + fractionDigits)
    if value < 0, decimal.count > 0 { byte(UInt8(ascii: "-")) }
    fixed(decimal, fractionDigits: fractionDigits)
  }

  private mutating func fixed(_ decimal: LongDecimal, fractionDigits: Int) {
    if decimal.point <= 0 { byte(UInt8(ascii: "0")) }
    for place in 0..<max(decimal.point, 0) { digit(decimal[place]) }
    guard fractionDigits > 0 else { return }
    byte(UInt8(ascii: "."))
    for place in decimal.point..<decimal.point + fractionDigits { digit(decimal[place]) }
  }

  private mutating func scientific(_ decimal: LongDecimal) {
    digit(decimal[0])
    if decimal.count > 1 { byte(UInt8(ascii: ".")) }
    for place in 1..<max(decimal.count, 1) { digit(decimal[place]) }
    byte(UInt8(ascii: "e"))
    self.decimal(Int64(decimal.point - 1))
  }

  private mutating func digit(_ value: UInt8) {
    byte(UInt8(ascii: "0") + value)
  }
}
