/// Reads "name: value; name: value", as `style` attributes and rules hold it.
public enum CSSDeclarations {
  /// Gives each name and value without blanks around them.
  public static func forEach(
    _ text: UnsafeBufferPointer<UInt8>,
    _ take: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var place = 0
    while place < text.count {
      let start = place
      while place < text.count, text[place] != UInt8(ascii: ";") { place += 1 }
      let end = place
      place += 1
      var colon = start
      while colon < end, text[colon] != UInt8(ascii: ":") { colon += 1 }
      guard colon < end else { continue }
      var value = trimmed(text, colon + 1..<end)
      // "!important" changes nothing here.
      for index in 0..<value.count where value[index] == UInt8(ascii: "!") {
        value = trimmed(value, 0..<index)
        break
      }
      take(trimmed(text, start..<colon), value)
    }
  }

  static func trimmed(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, TextReader.isBlank(text[start]) { start += 1 }
    while end > start, TextReader.isBlank(text[end - 1]) { end -= 1 }
    return text.extracting(start..<end)
  }
}
