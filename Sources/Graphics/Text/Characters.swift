/// Characters of UTF-8 text. What is no UTF-8 counts byte by byte.
public enum Characters {
  /// Bytes of the scalar that begins at a place below `count`.
  public static func length(_ text: Span<UInt8>, _ place: Int) -> Int {
    let first = text[place]
    let wanted = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var length = 1
    while length < wanted, place + length < text.count, text[place + length] & 0xC0 == 0x80 { length += 1 }
    return length
  }

  /// The scalar that begins at a place below `count`; U+FFFD for what is none.
  public static func scalar(_ text: Span<UInt8>, _ place: Int) -> UInt32 {
    let first = UInt32(text[place])
    if first < 0x80 { return first }
    let length = length(text, place)
    guard first >= 0xC0, length == (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) else { return 0xFFFD }
    var value = first & (0xFF >> UInt32(length + 1))
    for next in 1..<length { value = value << 6 | UInt32(text[place + next]) & 0x3F }
    return value
  }

  /// Where the character after a place ends, with the marks that stand on it.
  public static func next(_ text: Span<UInt8>, _ place: Int) -> Int {
    guard place < text.count else { return text.count }
    var end = place + length(text, place)
    while end < text.count {
      let isJoined = scalar(text, start(text, end)) == joiner
      guard isJoined || belongsToPrevious(scalar(text, end)) else { break }
      end += length(text, end)
    }
    return end
  }

  /// Where the character before a place begins.
  public static func previous(_ text: Span<UInt8>, _ place: Int) -> Int {
    var begin = min(place, text.count)
    while begin > 0 {
      begin = start(text, begin)
      guard begin > 0 else { break }
      if belongsToPrevious(scalar(text, begin)) { continue }
      if scalar(text, start(text, begin)) != joiner { break }
    }
    return begin
  }

  /// A place in the text at which a character begins: this one, or the nearest before.
  public static func boundary(_ text: Span<UInt8>, _ place: Int) -> Int {
    var place = min(max(place, 0), text.count)
    while place > 0, place < text.count, text[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }

  /// Scalars before a place.
  public static func count(_ text: Span<UInt8>, before place: Int) -> Int {
    var count = 0
    for index in 0..<min(place, text.count) where text[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Bytes of a scalar.
  public static func length(of scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
  }

  /// Writes a scalar, which the buffer has room for; how many bytes it took.
  @discardableResult
  public static func write(_ scalar: UInt32, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int = 0) -> Int {
    let length = length(of: scalar)
    var rest = scalar
    var place = start + length - 1
    while place > start {
      buffer[place] = UInt8(rest & 0x3F) | 0x80
      rest >>= 6
      place -= 1
    }
    let mark: UInt8 = length == 1 ? 0 : length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
    buffer[start] = UInt8(truncatingIfNeeded: rest) | mark
    return length
  }

  /// Where the scalar before a place begins.
  private static func start(_ text: Span<UInt8>, _ place: Int) -> Int {
    var begin = place - 1
    while begin > 0, place - begin < 4, text[begin] & 0xC0 == 0x80 { begin -= 1 }
    return begin
  }

  /// U+200D makes one of what stands on both sides of it.
  private static let joiner: UInt32 = 0x200D

  /// Marks, variation selectors and skin tones.
  private static func belongsToPrevious(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
      joiner, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0x1F3FB...0x1F3FF:
      true
    default: false
    }
  }
}
