import Testing

@testable import Codec

private func read(_ text: String) -> Double? {
  let bytes = text.bytes
  return JSONView(bytes.span).double
}

private func shortest(_ value: Double) -> String {
  json { $0.double(value) }
}

/// Any finite double is as likely as any other.
private func anyDouble(_ random: inout Seeded) -> Double {
  while true {
    let value = Double(bitPattern: random.next())
    if value.isFinite { return value }
  }
}

@Suite("Numbers")
struct NumberTests {
  @Test("reads what Swift prints for any double, to the bit")
  func readsAnyDouble() {
    var random = Seeded(1)
    for _ in 0..<2000 {
      let value = anyDouble(&random)
      #expect(read(value.description)?.bitPattern == value.bitPattern, "\(value)")
    }
  }

  @Test("rounds decimals of any length as Swift's own reader does")
  func readsAnyDecimal() {
    var random = Seeded(2)
    for _ in 0..<2000 {
      let digits = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        "\(Int.random(in: 0...9, using: &random))"
      }
      let text =
        "\(Int.random(in: 0...9, using: &random)).\(digits.joined())e\(Int.random(in: -345...310, using: &random))"
      let expected = Double(text)!
      #expect(read(text)?.bitPattern == (expected.isFinite ? expected.bitPattern : nil), "\(text)")
    }
  }

  @Test("rounds numbers halfway between two doubles to the even one, and a digit more decides otherwise")
  func halfway() {
    var random = Seeded(3)
    for _ in 0..<300 {
      let value = abs(anyDouble(&random))
      guard value.nextUp.isFinite else { continue }
      // Exact, because a decimal can hold any sum of powers of two.
      let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
      let power = Int(max(value.exponentBitPattern, 1)) - 1076
      let middle = exactText(LongDecimal(2 * significand + 1, timesTwoTo: power))
      let even = significand.isMultiple(of: 2) ? value : value.nextUp
      #expect(read(middle.digits + "e\(middle.exponent)") == even)
      #expect(read(middle.digits + "00001e\(middle.exponent - 5)") == value.nextUp)
    }
  }

  private func exactText(_ decimal: LongDecimal) -> (digits: String, exponent: Int) {
    let digits = (0..<decimal.count).map { "\(decimal[$0])" }.joined()
    return (digits, decimal.point - decimal.count)
  }

  @Test("prints the shortest text that reads back as the same double")
  func printsShortest() {
    var random = Seeded(4)
    for _ in 0..<2000 {
      let value = anyDouble(&random)
      let text = shortest(value)
      #expect(Double(text)?.bitPattern == value.bitPattern, "\(value)")
      #expect(significantDigits(text) == significantDigits(value.description), "\(value)")
    }
  }

  @Test("prints numbers of few decimals as they were written")
  func printsAsWritten() {
    var random = Seeded(5)
    for _ in 0..<1500 {
      let scale = Int.random(in: 0...9, using: &random)
      let whole = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let value = Double("\(whole)e-\(scale)")!
      #expect(Double(shortest(value)) == value)
      #expect(significantDigits(shortest(value)) == significantDigits(value.description))
    }
  }

  private func significantDigits(_ text: String) -> String {
    let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
    return String(digits.reversed().drop { $0 == "0" }.reversed())
  }

  @Test(
    "prints every notation",
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (100, "100"), (0.1, "0.1"), (0.000001, "0.000001"),
      (1e-7, "1e-7"), (1.5e-7, "1.5e-7"),
      (123456789012345683968, "123456789012345680000"), (1e21, "1e21"),
      (1.7976931348623157e308, "1.7976931348623157e308"),
      (.leastNonzeroMagnitude, "5e-324"), (2.2250738585072014e-308, "2.2250738585072014e-308"),
      (9007199254740992, "9007199254740992"), (0.3, "0.3"),
      (10 * .leastNonzeroMagnitude, "5e-323"), (9.5367431640625e-7, "9.5367431640625e-7"),
      (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func notation(_ value: Double, _ text: String) {
    #expect(shortest(value) == text)
  }

  @Test(
    "prints a fixed number of decimals, ties to even, and no negative zero",
    arguments: [
      (1.005, 2, "1.00"), (0.125, 2, "0.12"), (0.375, 2, "0.38"), (2.5, 0, "2"), (3.5, 0, "4"), (0.5, 0, "0"),
      (1.5, 0, "2"),
      (9.999, 2, "10.00"), (0.999, 0, "1"), (0.04, 1, "0.0"), (0.06, 1, "0.1"), (-0.001, 2, "0.00"),
      (-0.006, 2, "-0.01"), (0, 3, "0.000"),
      (48.1173, 7, "48.1173000"), (1e22, 1, "10000000000000000000000.0"), (1e-300, 3, "0.000"),
      (123.456, 1, "123.5"), (.nan, 2, "null"),
    ] as [(Double, Int, String)])
  func fixed(_ value: Double, _ digits: Int, _ text: String) {
    #expect(json { $0.decimal(value, fractionDigits: digits) } == text)
  }

  @Test("reads the edges of a double's range")
  func doubleEdges() {
    #expect(read("1.7976931348623157e308") == Double.greatestFiniteMagnitude)
    #expect(read("1.7976931348623158079e308") == Double.greatestFiniteMagnitude)
    #expect(read("1.797693134862315808e308") == nil)
    #expect(read("1e999999999999999999999") == nil)
    #expect(read("4.9406564584124654e-324") == Double.leastNonzeroMagnitude)
    #expect(read("2.4703282292062327208e-324") == 0)
    #expect(read("2.4703282292062327209e-324") == Double.leastNonzeroMagnitude)
    #expect(read("1e-999999999999999999999") == 0)
    #expect(read("0e999999999999999999999") == 0)
    #expect(read("-0")?.sign == .minus)
    #expect(read("2.2250738585072011e-308") == Double("2.2250738585072011e-308"))
    #expect(read("1" + String(repeating: "0", count: 1000) + "e-1000") == 1)
    #expect(read("0." + String(repeating: "0", count: 1000) + "1e1001") == 1)
    #expect(read("9007199254740993" + String(repeating: "0", count: 900) + "1e-901") == 9_007_199_254_740_994)
  }

  @Test(
    "reads whole numbers exactly, however they are written",
    arguments: [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e3", 1000), ("-25e-1", nil), ("250e-1", 25), ("1.50e1", 15),
      ("1.5", nil), ("0.0e-99", 0),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
      ("-9223372036854775809", nil),
      ("922337203685477580.7e1", .max), ("9223372036854775807.0", .max),
      ("9223372036854775807.00000000000000000000000", .max),
      ("9223372036854775807.00000000000000000000001", nil), ("1e18", 1_000_000_000_000_000_000),
      ("1e19", nil), ("1e-1", nil),
      ("10000000000000000000000000000e-28", 1), ("1e99999999999999999999", nil),
      ("0e99999999999999999999", 0), ("-1e0", -1),
    ] as [(String, Int64?)])
  func int64(_ text: String, _ value: Int64?) {
    let bytes = text.bytes
    #expect(DecimalText(bytes.span).int64 == value)
  }

  @Test(
    "reads whole numbers up to 64 bits without sign",
    arguments: [
      ("18446744073709551615", .max), ("18446744073709551616", nil), ("18446744073709551615.0", .max),
      ("1844674407370955161.5e1", .max),
      ("-1", nil), ("-0", 0), ("184467440737095516150e-1", .max), ("184467440737095516151e-1", nil),
    ] as [(String, UInt64?)])
  func uint64(_ text: String, _ value: UInt64?) {
    let bytes = text.bytes
    #expect(DecimalText(bytes.span).uint64 == value)
  }

  @Test(
    "a whole number of JSON is at most 2^53",
    arguments: [
      ("9007199254740992", 1 << 53), ("9007199254740993", 1 << 53), ("-9007199254740991", 1 - (1 << 53)),
      ("-9007199254740993", -1 << 53),
      ("9223372036854775807", 1 << 53), ("-9223372036854775808", -1 << 53), ("1e15", 1_000_000_000_000_000),
      ("1e18", 1 << 53), ("1e99", nil),
    ] as [(String, Int64?)])
  func interoperable(_ text: String, _ value: Int64?) {
    let bytes = text.bytes
    #expect(JSONView(bytes.span).int64 == value)
    #expect(JSONView(bytes.span).uint64 == value.flatMap { UInt64(exactly: $0) })
    #expect((JSONView("18446744073709551615".bytes.span).uint64) == 1 << 53)
  }
}
