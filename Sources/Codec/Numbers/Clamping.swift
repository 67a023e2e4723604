/// Arithmetic that is defined for every argument. Numbers from the wire, from files and from scripts may be anything:
/// Swift's own conversions from floating point trap where the result does not fit, and so does `+`. These functions
/// clamp to the range of the type instead. `board/tests/conversions.sh` refuses any other conversion from floating
/// point.

extension Double {
  /// Clamped to a range; NaN becomes the lower end (`min` and `max` would pass it on).
  @inlinable @inline(__always)
  public func bounded(_ low: Double, _ high: Double) -> Double { self > low ? (self < high ? self : high) : low }
}

extension Float {
  /// Clamped to a range; NaN becomes the lower end (`min` and `max` would pass it on).
  @inlinable @inline(__always)
  public func bounded(_ low: Float, _ high: Float) -> Float { self > low ? (self < high ? self : high) : low }
}

// The range is compared in floating point: the first number that is too large is a power of two, and so exact.

extension Int64 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > -0x1p63, value < 0x1p63 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }

  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    if value > -0x1p63, value < 0x1p63 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }
}

extension UInt64 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > 0, value < 0x1p64 { self.init(value) } else { self = value > 0 ? .max : 0 }
  }
}

extension Int32 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > -0x1p31, value < 0x1p31 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }

  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    if value > -0x1p31, value < 0x1p31 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }
}

extension UInt32 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > 0, value < 0x1p32 { self.init(value) } else { self = value > 0 ? .max : 0 }
  }
}

extension Int {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN. 32 bits wide on small boards.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    #if _pointerBitWidth(_64)
      self.init(truncatingIfNeeded: Int64(clamping: value))
    #else
      self.init(truncatingIfNeeded: Int32(clamping: value))
    #endif
  }

  /// Rounded towards zero; clamped to the type's range, 0 for NaN. 32 bits wide on small boards.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    #if _pointerBitWidth(_64)
      self.init(truncatingIfNeeded: Int64(clamping: value))
    #else
      self.init(truncatingIfNeeded: Int32(clamping: value))
    #endif
  }
}

extension Int16 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > -0x1p15, value < 0x1p15 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }

  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    if value > -0x1p15, value < 0x1p15 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }
}

extension Int8 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    if value > -0x1p7, value < 0x1p7 { self.init(value) } else { self = value > 0 ? .max : value < 0 ? .min : 0 }
  }
}

extension UInt8 {
  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Double) {
    if value > 0, value < 0x1p8 { self.init(value) } else { self = value > 0 ? .max : 0 }
  }

  /// Rounded towards zero; clamped to the type's range, 0 for NaN.
  @inlinable @inline(__always)
  public init(clamping value: Float) {
    if value > 0, value < 0x1p8 { self.init(value) } else { self = value > 0 ? .max : 0 }
  }
}

extension FixedWidthInteger {
  /// The sum, clamped to the type's range.
  @inlinable @inline(__always)
  public func adding(clamping other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the type's range.
  @inlinable @inline(__always)
  public func subtracting(clamping other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product, clamped to the type's range.
  @inlinable @inline(__always)
  public func multiplied(clamping other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
