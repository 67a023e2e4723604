extension Span<UInt8> {
  /// The number that the text is: `[+-]digits[.digits][e[+-]digits]`, where there need be digits on one side of the
  /// point only. The nearest double; nil for anything else, and for what is beyond the largest one.
  public var decimalNumber: Double? {
    let start = !isEmpty && self[0] == UInt8(ascii: "+") ? 1 : 0
    let text = extracting(start...)
    var index = !text.isEmpty && text[0] == UInt8(ascii: "-") && start == 0 ? 1 : 0
    let whole = text.digits(from: index)
    index += whole
    if index < text.count, text[index] == UInt8(ascii: ".") {
      let fraction = text.digits(from: index + 1)
      guard whole + fraction > 0 else { return nil }
      index += 1 + fraction
    } else if whole == 0 {
      return nil
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
      let exponent = text.digits(from: index)
      guard exponent > 0 else { return nil }
      index += exponent
    }
    guard index == text.count else { return nil }
    return DecimalText(text).double(in: text)
  }

  /// The number of consecutive digits.
  private func digits(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isDigit { index += 1 }
    return index - start
  }
}
