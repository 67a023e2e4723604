import Runtime

/// Columns of a terminal that a character takes: 2 for East Asian wide ones and emoji, 0 for combining marks and format
/// characters (Unicode Standard Annex #11, and the category Mn, Me and Cf), else 1.
public func columns(of character: Unicode.Scalar) -> Int {
  let value = character.value
  if value < 0x300 { return value == 0xAD ? 0 : 1 }
  if isWithin(value, joining) { return 0 }
  return isWithin(value, wide) ? 2 : 1
}

private func isWithin(_ value: UInt32, _ ranges: [(first: UInt32, last: UInt32)]) -> Bool {
  for index in ranges.indices where value >= ranges[index].first && value <= ranges[index].last { return true }
  return false
}

private let joining: [(first: UInt32, last: UInt32)] = [
  (0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05BD), (0x0610, 0x061A), (0x064B, 0x065F), (0x093C, 0x093C),
  (0x0E34, 0x0E3A), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
  (0x20D0, 0x20FF), (0x302A, 0x302D), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
  (0xE0000, 0xE01EF),
]

private let wide: [(first: UInt32, last: UInt32)] = [
  (0x1100, 0x115F), (0x2E80, 0x303E), (0x3041, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4CF),
  (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE6F), (0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x1F300, 0x1F64F),
  (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF), (0x20000, 0x3FFFD),
]

/// Iterates over the characters of a text; invalid UTF-8, controls and bidirectional marks become U+FFFD.
public struct CharacterReader: ~Escapable {
  private let bytes: Span<UInt8>
  /// The index of the next character.
  public private(set) var index = 0

  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  public mutating func next() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let first = bytes[index]
    index += 1
    if first < 0x80 { return first < 0x20 || first == 0x7F ? "\u{FFFD}" : Unicode.Scalar(first) }
    let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
    guard first >= 0xC2, first <= 0xF4, index + count <= bytes.count else { return "\u{FFFD}" }
    var value = UInt32(first & (0x3F >> UInt8(count)))
    for offset in 0..<count {
      let byte = bytes[index + offset]
      if byte & 0xC0 != 0x80 { return "\u{FFFD}" }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = count == 1 ? 0xA0 : count == 2 ? 0x800 : 0x10000
    guard value >= least, let character = Unicode.Scalar(value) else { return "\u{FFFD}" }
    index += count
    return ShownText.isDirection(value) ? "\u{FFFD}" : character
  }
}

/// Writes a character as UTF-8 into a buffer of at least four bytes, and returns how many it took.
func encode(_ character: Unicode.Scalar, into bytes: UnsafeMutablePointer<UInt8>) -> Int {
  let value = character.value
  if value < 0x80 {
    bytes[0] = UInt8(value)
    return 1
  }
  let count = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
  var rest = value
  var index = count - 1
  while index > 0 {
    bytes[index] = UInt8(0x80 | rest & 0x3F)
    rest >>= 6
    index -= 1
  }
  bytes[0] = UInt8(UInt32(0xF00 >> count) & 0xFF | rest)
  return count
}
