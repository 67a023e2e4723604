import Codec

/// Parses what the kernel's drivers of sensors say in files.
public enum SensorTexts {
  /// The text without line feeds, blanks and zero bytes at its end.
  @_lifetime(copy text)
  public static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
    var end = text.count
    while end > 0, text[end - 1] <= 0x20 { end -= 1 }
    return text.extracting(0..<end)
  }

  /// A value or a scale: a decimal number. A driver may write its unit after it (sysfs-bus-iio: "0.001 dB"), which is
  /// left out. Nil for anything else.
  public static func number(_ text: Span<UInt8>) -> Double? {
    var end = 0
    while end < text.count, text[end] > 0x20 { end += 1 }
    guard let value = text.extracting(0..<end).decimalNumber, value.isFinite else { return nil }
    return value
  }

  /// What a thermometer of the 1-Wire bus answered.
  public enum OneWire: Equatable {
    /// Thousandths of a degree Celsius.
    case value(Double)
    /// The bytes do not match their checksum: noise on the line.
    case badChecksum
    /// It has just got power, and has measured nothing yet.
    case powerOn
    /// Another text than w1_therm writes.
    case unreadable
  }

  /// The file `w1_slave` (kernel document w1/slaves/w1_therm): the nine bytes of the scratchpad with "crc=75 YES", and
  /// again with "t=23125".
  public static func oneWire(_ text: Span<UInt8>) -> OneWire {
    var bytes = InlineArray<9, UInt8>(repeating: 0)
    for index in 0..<9 {
      guard 3 * index + 2 < text.count, let high = hex(text[3 * index]), let low = hex(text[3 * index + 1]),
        text[3 * index + 2] == 0x20
      else { return .unreadable }
      bytes[index] = high << 4 | low
    }
    guard find("crc=", in: text) != nil else { return .unreadable }
    guard find(" YES\n", in: text) != nil else { return .badChecksum }
    guard let start = find("t=", in: text), let value = number(text.extracting((start + 2)...)) else {
      return .unreadable
    }
    // A bus without pull-up, or shorted to ground, reads as zeros, whose checksum is right.
    var isZero = true
    for index in 0..<9 where bytes[index] != 0 { isZero = false }
    if isZero { return .badChecksum }
    // DS18B20 datasheet, figure 9: 85 degrees and a reserved byte of 0Ch after power-on, which a conversion replaces.
    if value == 85_000, bytes[6] == 0x0C { return .powerOn }
    return .value(value)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 97...102: byte - 87
    default: nil
    }
  }

  private static func find(_ word: StaticString, in text: Span<UInt8>) -> Int? {
    let count = word.utf8CodeUnitCount
    guard text.count >= count else { return nil }
    next: for start in 0...(text.count - count) {
      for index in 0..<count where text[start + index] != word.utf8Start[index] { continue next }
      return start
    }
    return nil
  }
}
