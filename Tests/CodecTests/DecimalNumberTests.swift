import Codec
import Testing

@Suite("A decimal number in a text")
struct DecimalNumberTests {
  @Test(
    "is the double nearest to it",
    arguments: [
      ("0", 0.0), ("-0.5", -0.5), ("+12.25", 12.25), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1.5E-3", 0.0015),
      ("-2e+2", -200), ("0.000598205", 0.000598205), ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
  func number(text: String, expected: Double) {
    #expect(text.utf8.span.decimalNumber == expected)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "-", "+", ".", "-.", "e3", "1e", "1e+", "1 ", " 1", "1.2.3", "--1", "+-1", "0x10", "nan", "inf", "1e999",
      "1,5", "-+1",
    ])
  func none(text: String) {
    #expect(text.utf8.span.decimalNumber == nil)
  }
}
