import Testing

@testable import Codec

@Suite("Arithmetic on numbers that may be anything")
struct ClampingTests {
  private static let extremes: [Double] = [
    0, -0.0, 0.5, -0.5, 1, -1, 1.5, -1.5, 126.9, 127, 127.5, 128, 254.9, 255, 256, -127.9, -128, -128.9, -129, 32767,
    32768, -32768, -32769,
    2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 4_294_967_295, 4_294_967_296, 0x1p53, 0x1p63, -0x1p63,
    0x1p64,
    1e10, -1e10, 1e38, -1e38, 1e308, -1e308, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]

  /// What a number becomes, worked out in another way.
  private func expected<T: FixedWidthInteger>(_ value: Double, _ type: T.Type) -> T {
    if let exact = T(exactly: value.rounded(.towardZero)) { return exact }
    return value > 0 ? .max : .min
  }

  @Test("what fits is cut off towards zero, what does not becomes the nearest end", arguments: extremes)
  func conversions(value: Double) {
    #expect(Int(clamping: value) == expected(value, Int.self))
    #expect(Int64(clamping: value) == expected(value, Int64.self))
    #expect(Int32(clamping: value) == expected(value, Int32.self))
    #expect(Int16(clamping: value) == expected(value, Int16.self))
    #expect(UInt64(clamping: value) == expected(value, UInt64.self))
    #expect(UInt32(clamping: value) == expected(value, UInt32.self))
    #expect(UInt8(clamping: value) == expected(value, UInt8.self))
    let short = Float(value)
    #expect(Int(clamping: short) == expected(Double(short), Int.self))
    #expect(Int64(clamping: short) == expected(Double(short), Int64.self))
    #expect(Int32(clamping: short) == expected(Double(short), Int32.self))
    #expect(Int16(clamping: short) == expected(Double(short), Int16.self))
    #expect(Int8(clamping: short) == expected(Double(short), Int8.self))
    #expect(UInt8(clamping: short) == expected(Double(short), UInt8.self))
  }

  @Test("what is no number becomes 0")
  func noNumber() {
    #expect(Int(clamping: Double.nan) == 0 && Int(clamping: Float.nan) == 0)
    #expect(Int64(clamping: Double.nan) == 0 && Int64(clamping: Float.nan) == 0)
    #expect(Int32(clamping: Double.nan) == 0 && Int32(clamping: Float.nan) == 0)
    #expect(Int16(clamping: Double.nan) == 0 && Int16(clamping: Float.nan) == 0 && Int8(clamping: Float.nan) == 0)
    #expect(UInt64(clamping: Double.nan) == 0 && UInt32(clamping: Double.nan) == 0)
    #expect(UInt8(clamping: Double.nan) == 0 && UInt8(clamping: Float.nan) == 0)
  }

  @Test("in a range, what is no number counts as the least of what it may be")
  func bounded() {
    #expect(Double.nan.bounded(1, 5) == 1 && Float.nan.bounded(1, 5) == 1)
    #expect(Double.infinity.bounded(1, 5) == 5 && Float.infinity.bounded(1, 5) == 5)
    #expect((-Double.infinity).bounded(1, 5) == 1 && (-Float.infinity).bounded(1, 5) == 1)
    #expect(3.0.bounded(1, 5) == 3 && Float(3).bounded(1, 5) == 3)
  }

  @Test("sums, differences and products stop at the ends of the type")
  func integers() {
    let values: [Int32] = [.min, .min + 1, -65_536, -2, -1, 0, 1, 2, 65_536, .max - 1, .max]
    for a in values {
      for b in values {
        #expect(a.adding(clamping: b) == Int32(clamping: Int64(a) + Int64(b)))
        #expect(a.subtracting(clamping: b) == Int32(clamping: Int64(a) - Int64(b)))
        #expect(a.multiplied(clamping: b) == Int32(clamping: Int64(a) * Int64(b)))
      }
    }
    #expect(
      UInt8(200).adding(clamping: 100) == 255 && UInt8(2).subtracting(clamping: 3) == 0
        && UInt8(16).multiplied(clamping: 16) == 255)
  }
}
