// No sum, difference, product or quotient in this module can stop the program: what is beyond a type's range is at its
// end, and what is divided by zero is 0. Pages are made of what others send (90 rows of 90 long texts), and lengths are
// added and multiplied in hundreds of places. So the operators themselves clamp: those that a module declares for a
// type are preferred to the standard library's, in every expression, compound assignment and closure of it.
// `board/tests/conversions.sh` asks the compiler whether one of the standard library's is left.
//
// They are internal, so that no other module is changed.

extension FixedWidthInteger where Self: SignedInteger {
  /// The end of the type's range on the side of the number's sign. Without a branch.
  @inline(__always)
  fileprivate var end: Self { .max ^ (self &>> Self(truncatingIfNeeded: Self.bitWidth &- 1)) }

  @inline(__always)
  fileprivate func plus(_ other: Self) -> Self {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? other.end : sum
  }

  @inline(__always)
  fileprivate func minus(_ other: Self) -> Self {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? end : difference
  }

  @inline(__always)
  fileprivate func times(_ other: Self) -> Self {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    return isBeyond ? (self ^ other).end : product
  }

  @inline(__always)
  fileprivate func divided(by other: Self) -> Self {
    if other == 0 { return 0 }
    let (quotient, isBeyond) = dividedReportingOverflow(by: other)
    return isBeyond ? .max : quotient
  }

  @inline(__always)
  fileprivate func rest(dividedBy other: Self) -> Self {
    other == 0 ? 0 : remainderReportingOverflow(dividingBy: other).partialValue
  }
}

extension Int32 {
  @inline(__always) static func + (left: Self, right: Self) -> Self { left.plus(right) }
  @inline(__always) static func - (left: Self, right: Self) -> Self { left.minus(right) }
  @inline(__always) static func * (left: Self, right: Self) -> Self { left.times(right) }
  @inline(__always) static func / (left: Self, right: Self) -> Self { left.divided(by: right) }
  @inline(__always) static func % (left: Self, right: Self) -> Self { left.rest(dividedBy: right) }
  @inline(__always) static func += (left: inout Self, right: Self) { left = left.plus(right) }
  @inline(__always) static func -= (left: inout Self, right: Self) { left = left.minus(right) }
  @inline(__always) static func *= (left: inout Self, right: Self) { left = left.times(right) }
  @inline(__always) static func /= (left: inout Self, right: Self) { left = left.divided(by: right) }
  @inline(__always) static func %= (left: inout Self, right: Self) { left = left.rest(dividedBy: right) }
  @inline(__always) static prefix func - (value: Self) -> Self { Self(0).minus(value) }
}

extension Int {
  @inline(__always) static func + (left: Self, right: Self) -> Self { left.plus(right) }
  @inline(__always) static func - (left: Self, right: Self) -> Self { left.minus(right) }
  @inline(__always) static func * (left: Self, right: Self) -> Self { left.times(right) }
  @inline(__always) static func / (left: Self, right: Self) -> Self { left.divided(by: right) }
  @inline(__always) static func % (left: Self, right: Self) -> Self { left.rest(dividedBy: right) }
  @inline(__always) static func += (left: inout Self, right: Self) { left = left.plus(right) }
  @inline(__always) static func -= (left: inout Self, right: Self) { left = left.minus(right) }
  @inline(__always) static func *= (left: inout Self, right: Self) { left = left.times(right) }
  @inline(__always) static func /= (left: inout Self, right: Self) { left = left.divided(by: right) }
  @inline(__always) static func %= (left: inout Self, right: Self) { left = left.rest(dividedBy: right) }
  @inline(__always) static prefix func - (value: Self) -> Self { Self(0).minus(value) }
}

extension Int64 {
  @inline(__always) static func + (left: Self, right: Self) -> Self { left.plus(right) }
  @inline(__always) static func - (left: Self, right: Self) -> Self { left.minus(right) }
  @inline(__always) static func * (left: Self, right: Self) -> Self { left.times(right) }
  @inline(__always) static func / (left: Self, right: Self) -> Self { left.divided(by: right) }
  @inline(__always) static func % (left: Self, right: Self) -> Self { left.rest(dividedBy: right) }
  @inline(__always) static func += (left: inout Self, right: Self) { left = left.plus(right) }
  @inline(__always) static func -= (left: inout Self, right: Self) { left = left.minus(right) }
  @inline(__always) static func *= (left: inout Self, right: Self) { left = left.times(right) }
  @inline(__always) static func /= (left: inout Self, right: Self) { left = left.divided(by: right) }
  @inline(__always) static func %= (left: inout Self, right: Self) { left = left.rest(dividedBy: right) }
  @inline(__always) static prefix func - (value: Self) -> Self { Self(0).minus(value) }
}

extension Int16 {
  @inline(__always) static func + (left: Self, right: Self) -> Self { left.plus(right) }
  @inline(__always) static func - (left: Self, right: Self) -> Self { left.minus(right) }
  @inline(__always) static func * (left: Self, right: Self) -> Self { left.times(right) }
  @inline(__always) static func / (left: Self, right: Self) -> Self { left.divided(by: right) }
  @inline(__always) static func % (left: Self, right: Self) -> Self { left.rest(dividedBy: right) }
  @inline(__always) static func += (left: inout Self, right: Self) { left = left.plus(right) }
  @inline(__always) static func -= (left: inout Self, right: Self) { left = left.minus(right) }
  @inline(__always) static func *= (left: inout Self, right: Self) { left = left.times(right) }
  @inline(__always) static func /= (left: inout Self, right: Self) { left = left.divided(by: right) }
  @inline(__always) static func %= (left: inout Self, right: Self) { left = left.rest(dividedBy: right) }
  @inline(__always) static prefix func - (value: Self) -> Self { Self(0).minus(value) }
}

// The same where an integer becomes one of another type that may be narrower, on boards of 32 bits too.

extension Int16 {
  @inline(__always) init(_ value: Int32) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
}

extension Int32 {
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
  @inline(__always) init(_ value: UInt32) { self.init(clamping: value) }
}

extension Int {
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
  @inline(__always) init(_ value: UInt32) { self.init(clamping: value) }
  @inline(__always) init(_ value: UInt64) { self.init(clamping: value) }
}

extension UInt8 {
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int32) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
}

extension UInt16 {
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int32) { self.init(clamping: value) }
}

extension UInt32 {
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int32) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
}

extension UInt64 {
  @inline(__always) init(_ value: Int) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int32) { self.init(clamping: value) }
  @inline(__always) init(_ value: Int64) { self.init(clamping: value) }
}

/// The distance from zero. The standard library's, which is generic, remains for numbers in floating point.
@inline(__always)
func abs(_ value: Int32) -> Int32 { value < 0 ? -value : value }

/// The distance from zero.
@inline(__always)
func abs(_ value: Int) -> Int { value < 0 ? -value : value }

/// The distance from zero.
@inline(__always)
func abs(_ value: Int64) -> Int64 { value < 0 ? -value : value }
