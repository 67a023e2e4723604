// No sum, difference, product or quotient in this module can stop the program: what is beyond a type's range is at its
// end, and what is divided by zero is 0. Pages are made of what others send (90 rows of 90 long texts), and lengths are
// added and multiplied in hundreds of places. So the operators themselves clamp: those that a module declares for a
// type are preferred to the standard library's, in every expression, compound assignment and closure of it.
// `board/tests/conversions.sh` asks the compiler whether one of the standard library's is left.
//
// They are internal, so that no other module is changed; and transparent, so that builds without optimisation have them
// where they are used, too.

extension Int32 {
  /// The end of the range on the side of the number's sign. Without a branch.
  @_transparent private var end: Self { .max ^ (self &>> Self(truncatingIfNeeded: Self.bitWidth &- 1)) }

  @_transparent static func + (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? right.end : sum
  }

  @_transparent static func - (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? left.end : difference
  }

  @_transparent static func * (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? (left ^ right).end : product
  }

  @_transparent static func / (left: Self, right: Self) -> Self {
    if right == 0 { return 0 }
    let (quotient, isBeyond) = left.dividedReportingOverflow(by: right)
    return isBeyond ? .max : quotient
  }

  @_transparent static func % (left: Self, right: Self) -> Self {
    right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  @_transparent static func += (left: inout Self, right: Self) { left = left + right }
  @_transparent static func -= (left: inout Self, right: Self) { left = left - right }
  @_transparent static func *= (left: inout Self, right: Self) { left = left * right }
  @_transparent static func /= (left: inout Self, right: Self) { left = left / right }
  @_transparent static func %= (left: inout Self, right: Self) { left = left % right }
  @_transparent static prefix func - (value: Self) -> Self { 0 - value }
}

extension Int {
  /// The end of the range on the side of the number's sign. Without a branch.
  @_transparent private var end: Self { .max ^ (self &>> Self(truncatingIfNeeded: Self.bitWidth &- 1)) }

  @_transparent static func + (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? right.end : sum
  }

  @_transparent static func - (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? left.end : difference
  }

  @_transparent static func * (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? (left ^ right).end : product
  }

  @_transparent static func / (left: Self, right: Self) -> Self {
    if right == 0 { return 0 }
    let (quotient, isBeyond) = left.dividedReportingOverflow(by: right)
    return isBeyond ? .max : quotient
  }

  @_transparent static func % (left: Self, right: Self) -> Self {
    right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  @_transparent static func += (left: inout Self, right: Self) { left = left + right }
  @_transparent static func -= (left: inout Self, right: Self) { left = left - right }
  @_transparent static func *= (left: inout Self, right: Self) { left = left * right }
  @_transparent static func /= (left: inout Self, right: Self) { left = left / right }
  @_transparent static func %= (left: inout Self, right: Self) { left = left % right }
  @_transparent static prefix func - (value: Self) -> Self { 0 - value }
}

extension Int64 {
  /// The end of the range on the side of the number's sign. Without a branch.
  @_transparent private var end: Self { .max ^ (self &>> Self(truncatingIfNeeded: Self.bitWidth &- 1)) }

  @_transparent static func + (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? right.end : sum
  }

  @_transparent static func - (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? left.end : difference
  }

  @_transparent static func * (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? (left ^ right).end : product
  }

  @_transparent static func / (left: Self, right: Self) -> Self {
    if right == 0 { return 0 }
    let (quotient, isBeyond) = left.dividedReportingOverflow(by: right)
    return isBeyond ? .max : quotient
  }

  @_transparent static func % (left: Self, right: Self) -> Self {
    right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  @_transparent static func += (left: inout Self, right: Self) { left = left + right }
  @_transparent static func -= (left: inout Self, right: Self) { left = left - right }
  @_transparent static func *= (left: inout Self, right: Self) { left = left * right }
  @_transparent static func /= (left: inout Self, right: Self) { left = left / right }
  @_transparent static func %= (left: inout Self, right: Self) { left = left % right }
  @_transparent static prefix func - (value: Self) -> Self { 0 - value }
}

extension Int16 {
  /// The end of the range on the side of the number's sign. Without a branch.
  @_transparent private var end: Self { .max ^ (self &>> Self(truncatingIfNeeded: Self.bitWidth &- 1)) }

  @_transparent static func + (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? right.end : sum
  }

  @_transparent static func - (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? left.end : difference
  }

  @_transparent static func * (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? (left ^ right).end : product
  }

  @_transparent static func / (left: Self, right: Self) -> Self {
    if right == 0 { return 0 }
    let (quotient, isBeyond) = left.dividedReportingOverflow(by: right)
    return isBeyond ? .max : quotient
  }

  @_transparent static func % (left: Self, right: Self) -> Self {
    right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  @_transparent static func += (left: inout Self, right: Self) { left = left + right }
  @_transparent static func -= (left: inout Self, right: Self) { left = left - right }
  @_transparent static func *= (left: inout Self, right: Self) { left = left * right }
  @_transparent static func /= (left: inout Self, right: Self) { left = left / right }
  @_transparent static func %= (left: inout Self, right: Self) { left = left % right }
  @_transparent static prefix func - (value: Self) -> Self { 0 - value }
}

// The same where an integer becomes one of another type that may be narrower, on boards of 32 bits too.

extension Int16 {
  @_transparent init(_ value: Int32) { self.init(clamping: value) }
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
}

extension Int32 {
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
  @_transparent init(_ value: UInt32) { self.init(clamping: value) }
}

extension Int {
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
  @_transparent init(_ value: UInt32) { self.init(clamping: value) }
  @_transparent init(_ value: UInt64) { self.init(clamping: value) }
}

extension UInt8 {
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int32) { self.init(clamping: value) }
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
}

extension UInt16 {
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int32) { self.init(clamping: value) }
}

extension UInt32 {
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int32) { self.init(clamping: value) }
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
}

extension UInt64 {
  @_transparent init(_ value: Int) { self.init(clamping: value) }
  @_transparent init(_ value: Int32) { self.init(clamping: value) }
  @_transparent init(_ value: Int64) { self.init(clamping: value) }
}

/// The distance from zero. The standard library's, which is generic, remains for numbers in floating point.
@_transparent
func abs(_ value: Int32) -> Int32 { value < 0 ? -value : value }

/// The distance from zero.
@_transparent
func abs(_ value: Int) -> Int { value < 0 ? -value : value }

/// The distance from zero.
@_transparent
func abs(_ value: Int64) -> Int64 { value < 0 ? -value : value }
