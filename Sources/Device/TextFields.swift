import Codec

/// Iterates over the fields of a text: lines or words. Consecutive separators count as one, so no field is empty.
struct TextFields: ~Escapable {
  /// The separator of fields.
  enum Separator {
    case lineFeed, blank, zero

    func matches(_ byte: UInt8) -> Bool {
      switch self {
      case .lineFeed: byte == 0x0A
      case .blank: byte == 0x20 || byte == 0x09
      case .zero: byte == 0
      }
    }
  }

  private let text: Span<UInt8>
  private let separator: Separator
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, separatedBy separator: Separator) {
    self.text = text
    self.separator = separator
  }

  /// The next field, or nil after the last one.
  @_lifetime(copy self)
  mutating func next() -> Span<UInt8>? {
    while index < text.count, separator.matches(text[index]) { index += 1 }
    let start = index
    while index < text.count, !separator.matches(text[index]) { index += 1 }
    return start == index ? nil : text.extracting(start..<index)
  }

  /// The field that is `count` fields further on than the next one.
  @_lifetime(copy self)
  mutating func next(skipping count: Int) -> Span<UInt8>? {
    for _ in 0..<count where next() == nil { return nil }
    return next()
  }
}

extension Span where Element == UInt8 {
  func hasPrefix(_ text: Span<UInt8>) -> Bool {
    guard count >= text.count else { return false }
    for index in 0..<text.count where self[index] != text[index] { return false }
    return true
  }

  /// The text after `prefix`, or nil when it does not begin with it.
  @_lifetime(copy self)
  func dropping(_ prefix: StaticString) -> Span<UInt8>? {
    hasPrefix(prefix) ? extracting(prefix.utf8CodeUnitCount...) : nil
  }

  /// The text as an unsigned decimal number of 64 bits, digits only; otherwise nil.
  var unsigned: UInt64? { number(base: 10) }

  /// The text as a hexadecimal number; otherwise nil.
  var hexadecimal: UInt64? { number(base: 16) }

  /// The text as a decimal number with an optional minus sign; otherwise nil.
  var signed: Int64? {
    guard let digits = dropping("-") else { return unsigned.flatMap { Int64(exactly: $0) } }
    return digits.unsigned.flatMap { Int64(exactly: $0) }.map { -$0 }
  }

  private func number(base: UInt64) -> UInt64? {
    guard !isEmpty else { return nil }
    var value: UInt64 = 0
    for index in 0..<count {
      guard let digit = self[index].digit, digit < base else { return nil }
      let (product, isTooLong) = value.multipliedReportingOverflow(by: base)
      let (sum, isTooLarge) = product.addingReportingOverflow(digit)
      if isTooLong || isTooLarge { return nil }
      value = sum
    }
    return value
  }
}

extension UInt8 {
  /// The value of a digit of any base up to 16.
  fileprivate var digit: UInt64? {
    switch self {
    case 0x30...0x39: UInt64(self - 0x30)
    case 0x41...0x46: UInt64(self - 0x41 + 10)
    case 0x61...0x66: UInt64(self - 0x61 + 10)
    default: nil
    }
  }
}
