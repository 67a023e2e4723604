/// A decimal number with as many digits as an exact conversion between decimal and binary can need, and
/// multiplication and division by powers of two. Slow and plain; it serves the few numbers that the quick
/// paths cannot.
///
/// The value is `0.d1 d2 d3 ... * 10^point`. The first digit is not zero, nor is the last.
struct LongDecimal {
  /// More than the 768 significant digits that can decide how a number rounds to a double.
  private static let capacity = 800
  /// The most bits of one shift: nine times as much, plus a carry, still fits 64 bits.
  private static let shiftMax = 60
  /// The most digits by which one shift can lengthen a number: those of 2^60.
  private static let carryDigits = 19

  private var digits = InlineArray<819, UInt8>(repeating: 0)
  private(set) var count = 0
  private(set) var point = 0
  /// True when digits other than zero were left out at the end.
  private var isTruncated = false

  /// An integer times a power of ten.
  init(_ value: UInt64, timesTenTo power: Int) {
    var rest = value
    while rest > 0 {
      count += 1
      rest /= 10
    }
    rest = value
    for index in stride(from: count - 1, through: 0, by: -1) {
      digits[index] = UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    point = count + power
    trim()
  }

  /// An integer times a power of two.
  init(_ value: UInt64, timesTwoTo power: Int) {
    self.init(value, timesTenTo: 0)
    scale(byTwoTo: power)
  }

  /// The digits of a number as it is written, perhaps with a point, times a power of ten.
  /// - Parameter exponent: the power that the text states after its digits.
  init(_ text: Span<UInt8>, exponent: Int) {
    var isFraction = false
    for index in 0..<text.count {
      guard text[index] != UInt8(ascii: ".") else {
        isFraction = true
        continue
      }
      let digit = text[index] & 15
      if count > 0 || digit > 0 {
        append(digit)
        if !isFraction { point += 1 }
      } else if isFraction {
        point -= 1
      }
    }
    point += exponent
    trim()
  }

  /// The digit at a place counted from the first, 0 beyond the last.
  subscript(place: Int) -> UInt8 { place >= 0 && place < count ? digits[place] : 0 }

  /// Multiplies by a power of two, or divides when it is negative.
  mutating func scale(byTwoTo power: Int) {
    var rest = power
    while rest > 0 {
      let bits = min(rest, Self.shiftMax)
      multiply(byTwoTo: bits)
      rest -= bits
    }
    while rest < 0 {
      let bits = min(-rest, Self.shiftMax)
      divide(byTwoTo: bits)
      rest += bits
    }
  }

  /// The nearest integer, of two equally near ones the even one; for values below 2^64.
  var roundedInteger: UInt64 {
    var value: UInt64 = 0
    for place in 0..<max(point, 0) { value = value * 10 + UInt64(self[place]) }
    return roundsUp(at: point) ? value + 1 : value
  }

  /// Keeps this many digits: the nearest such number, of two equally near ones the even one.
  mutating func round(toDigits kept: Int) {
    if roundsUp(at: kept) { roundUp(toDigits: kept) } else { roundDown(toDigits: kept) }
  }

  /// Keeps this many digits and drops the rest.
  mutating func roundDown(toDigits kept: Int) {
    guard kept < count else { return }
    count = max(kept, 0)
    trim()
  }

  /// Keeps this many digits and adds one to the last of them.
  mutating func roundUp(toDigits kept: Int) {
    guard kept < count else { return }
    count = max(kept, 0)
    while count > 0, digits[count - 1] == 9 { count -= 1 }
    if count > 0 {
      digits[count - 1] += 1
    } else {
      digits[0] = 1
      count = 1
      point += 1
    }
  }

  private func roundsUp(at place: Int) -> Bool {
    guard place >= 0, place < count else { return false }
    guard digits[place] == 5, place + 1 == count, !isTruncated else { return digits[place] >= 5 }
    return place > 0 && !digits[place - 1].isMultiple(of: 2)
  }

  private mutating func append(_ digit: UInt8) {
    if count < Self.capacity {
      digits[count] = digit
      count += 1
    } else if digit > 0 {
      isTruncated = true
    }
  }

  /// Drops zeros at the end. Zero has no digits.
  private mutating func trim() {
    while count > 0, digits[count - 1] == 0 { count -= 1 }
    if count == 0 { point = 0 }
  }

  /// Long multiplication from the last digit, written `carryDigits` places further right so that the carry
  /// finds room.
  private mutating func multiply(byTwoTo bits: Int) {
    guard count > 0 else { return }
    var carry: UInt64 = 0
    for place in stride(from: count - 1 + Self.carryDigits, through: 0, by: -1) {
      let digit = place >= Self.carryDigits ? UInt64(digits[place - Self.carryDigits]) : 0
      let sum = digit << UInt64(bits) + carry
      carry = sum / 10
      digits[place] = UInt8(truncatingIfNeeded: sum % 10)
    }
    var zeros = 0
    while digits[zeros] == 0 { zeros += 1 }
    let length = count + Self.carryDigits - zeros
    point += Self.carryDigits - zeros
    count = 0
    for place in zeros..<zeros + length { append(digits[place]) }
    trim()
  }

  /// Long division from the first digit, until nothing remains.
  private mutating func divide(byTwoTo bits: Int) {
    guard count > 0 else { return }
    let shift = UInt64(bits)
    var remainder: UInt64 = 0
    var read = 0
    let length = count
    while remainder >> shift == 0 {
      remainder = remainder * 10 + (read < length ? UInt64(digits[read]) : 0)
      read += 1
    }
    point -= read - 1
    count = 0
    while remainder > 0 || read < length {
      append(UInt8(truncatingIfNeeded: remainder >> shift))
      remainder &= 1 << shift - 1
      remainder = remainder * 10 + (read < length ? UInt64(digits[read]) : 0)
      read += 1
    }
    trim()
  }
}
