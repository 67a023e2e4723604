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

  /// Where the character after a place ends, with all that belongs to it: an extended grapheme cluster (UAX #29, 15.0).
  public static func next(_ text: Span<UInt8>, _ place: Int) -> Int {
    guard place < text.count else { return text.count }
    var clusters = ClusterRules()
    _ = clusters.breaks(before: scalar(text, place))
    var end = place + length(text, place)
    while end < text.count, !clusters.breaks(before: scalar(text, end)) { end += length(text, end) }
    return end
  }

  /// Where the character before a place begins.
  public static func previous(_ text: Span<UInt8>, _ place: Int) -> Int {
    let place = min(place, text.count)
    guard place > 0 else { return 0 }
    // Back to where a character begins whatever stands before it, but not beyond any character that people write.
    var begin = start(text, place)
    var left = 64
    while begin > 0, left > 0 {
      let before = start(text, begin)
      if ClusterRules.isSure(scalar(text, before), scalar(text, begin)) { break }
      begin = before
      left -= 1
    }
    while true {
      let end = next(text, begin)
      if end >= place { return begin }
      begin = end
    }
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
}
