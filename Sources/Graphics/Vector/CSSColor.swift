import Codec
import Runtime

/// A color as CSS writes it (CSS Color level 4): hex of 3, 4, 6 and 8 digits, `rgb()`, `rgba()`, `hsl()`, `hsla()` in
/// their old and new forms, the 148 names, `transparent`, `currentcolor`.
public enum CSSColor {
  /// Nil for what is no color. `current` stands for `currentcolor`.
  public static func parse(_ text: Span<UInt8>, current: Color = .black) -> Color? {
    var reader = TextReader(text)
    reader.skipBlanks()
    guard let color = read(&reader, current: current) else { return nil }
    reader.skipBlanks()
    return reader.isAtEnd ? color : nil
  }

  /// A color that other things may follow.
  static func read(_ reader: inout TextReader, current: Color) -> Color? {
    if reader.take(UInt8(ascii: "#")) { return hex(&reader) }
    let word = reader.word()
    guard reader.next == UInt8(ascii: "(") else {
      if reader.isWord(word, "currentcolor") { return current }
      if reader.isWord(word, "transparent") { return .clear }
      return named(reader.text.extracting(word))
    }
    reader.place += 1
    if reader.isWord(word, "rgb") || reader.isWord(word, "rgba") { return function(&reader, isHue: false) }
    if reader.isWord(word, "hsl") || reader.isWord(word, "hsla") { return function(&reader, isHue: true) }
    return nil
  }

  // MARK: Hex

  private static func hex(_ reader: inout TextReader) -> Color? {
    let word = reader.word()
    var value: UInt32 = 0
    guard word.count <= 8 else { return nil }
    for place in word {
      guard let digit = digit(reader.text[place]) else { return nil }
      value = value << 4 | digit
    }
    switch word.count {
    case 3: return Color(wide(value))
    case 4: return Color(argb: wide(value >> 4) | (value & 15) * 17 << 24)
    case 6: return Color(value)
    case 8: return Color(argb: value >> 8 | value << 24)
    default: return nil
    }
  }

  /// Three hex digits, each twice.
  private static func wide(_ value: UInt32) -> UInt32 {
    (value >> 8 & 15) * 17 << 16 | (value >> 4 & 15) * 17 << 8 | (value & 15) * 17
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch TextReader.lower(byte) {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x61...0x66: UInt32(TextReader.lower(byte) - 0x61 + 10)
    default: nil
    }
  }

  // MARK: Functions

  private enum Unit { case number, percent, degrees }

  /// Three parts and an opacity, after the parenthesis: "1, 2, 3, 0.5", "1 2 3 / 50%".
  private static func function(_ reader: inout TextReader, isHue: Bool) -> Color? {
    reader.skipBlanks()
    guard let first = part(&reader, isAngle: isHue) else { return nil }
    reader.skipBlanks()
    let isOld = reader.take(UInt8(ascii: ","))
    reader.skipBlanks()
    guard let second = part(&reader, isAngle: false) else { return nil }
    reader.skipBlanks()
    if isOld, !reader.take(UInt8(ascii: ",")) { return nil }
    reader.skipBlanks()
    guard let third = part(&reader, isAngle: false) else { return nil }
    reader.skipBlanks()
    var alpha = 1.0
    if reader.take(isOld ? UInt8(ascii: ",") : UInt8(ascii: "/")) {
      reader.skipBlanks()
      guard let part = part(&reader, isAngle: false) else { return nil }
      alpha = part.unit == .percent ? part.value / 100 : part.value
      reader.skipBlanks()
    }
    guard reader.take(UInt8(ascii: ")")) else { return nil }
    alpha = min(max(alpha, 0), 1)
    if isHue {
      guard first.unit != .percent, second.unit == .percent || !isOld, third.unit == .percent || !isOld else {
        return nil
      }
      return hsl(first.value, second.value / 100, third.value / 100, alpha)
    }
    guard first.unit != .degrees else { return nil }
    guard !isOld || first.unit == second.unit && second.unit == third.unit else { return nil }
    return Color(argb: byte(alpha) << 24 | level(first) << 16 | level(second) << 8 | level(third))
  }

  private static func part(_ reader: inout TextReader, isAngle: Bool) -> (value: Double, unit: Unit)? {
    if reader.take("none") { return (0, .number) }
    guard let value = reader.number(), value.isFinite else { return nil }
    if reader.take(UInt8(ascii: "%")) { return (value, .percent) }
    guard isAngle else { return (value, .number) }
    if reader.take("deg") { return (value, .degrees) }
    if reader.take("grad") { return (value * 0.9, .degrees) }
    if reader.take("rad") { return (value * 180 / Trigonometry.pi, .degrees) }
    if reader.take("turn") { return (value * 360, .degrees) }
    return (value, .degrees)
  }

  private static func level(_ part: (value: Double, unit: Unit)) -> UInt32 {
    byte((part.unit == .percent ? part.value / 100 : part.value / 255))
  }

  /// 0...1 as 0...255, what is beyond at the ends.
  private static func byte(_ share: Double) -> UInt32 { UInt32(clamping: share.bounded(0, 1) * 255 + 0.5) }

  /// CSS Color level 4, section 7.1.
  private static func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double, _ alpha: Double) -> Color {
    let (saturation, lightness) = (min(max(saturation, 0), 1), min(max(lightness, 0), 1))
    var hue = hue.truncatingRemainder(dividingBy: 360)
    if hue < 0 { hue += 360 }
    func part(_ shift: Double) -> UInt32 {
      let place = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
      let reach = saturation * min(lightness, 1 - lightness)
      return byte(lightness - reach * max(-1, min(min(place - 3, 9 - place), 1)))
    }
    return Color(argb: byte(alpha) << 24 | part(0) << 16 | part(8) << 8 | part(4))
  }

  // MARK: Names

  private static func named(_ text: Span<UInt8>) -> Color? {
    let table = names.bytes
    var place = 0
    // Each entry is a name, a blank and six digits, and another blank.
    while place < table.count {
      var (end, isSame) = (place, true)
      while table[end] != 0x20 {
        let index = end - place
        if index >= text.count || TextReader.lower(text[index]) != table[end] { isSame = false }
        end += 1
      }
      guard isSame, end - place == text.count else {
        place = end + 8
        continue
      }
      var value: UInt32 = 0
      for index in end + 1..<end + 7 { value = value << 4 | (digit(table[index]) ?? 0) }
      return Color(value)
    }
    return nil
  }
}

extension Color {
  /// As a 2D context gives colors back (HTML, "serialization of a color").
  func write(to writer: inout ByteWriter) {
    if alpha == 255 {
      writer.byte(UInt8(ascii: "#"))
      for shift in stride(from: UInt32(20), through: 0, by: -4) {
        let digit = UInt8(argb >> shift & 15)
        writer.byte(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
      return
    }
    writer.text("rgba(")
    for shift in stride(from: UInt32(16), through: 0, by: -8) {
      writer.decimal(Int64(argb >> shift & 255))
      writer.text(", ")
    }
    // Two digits when they mean this very opacity, else three.
    let hundredths = (UInt32(alpha) * 100 + 127) / 255
    let isExact = (hundredths * 255 + 50) / 100 == UInt32(alpha)
    writer.fraction(Int64(isExact ? hundredths * 10 : (UInt32(alpha) * 1000 + 127) / 255))
    writer.byte(UInt8(ascii: ")"))
  }
}

extension ByteWriter {
  /// Thousandths as a decimal number without zeros at its end.
  mutating func fraction(_ thousandths: Int64) {
    if thousandths < 0 { byte(UInt8(ascii: "-")) }
    let whole = thousandths.magnitude
    decimal(whole / 1000, width: 1)
    var (rest, unit) = (whole % 1000, UInt64(100))
    if rest > 0 { byte(UInt8(ascii: ".")) }
    while rest > 0 {
      byte(0x30 + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    }
  }
}
