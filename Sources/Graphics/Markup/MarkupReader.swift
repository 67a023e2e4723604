/// Cuts a document of tags into pieces: XML, and HTML as it is found in the wild. Nothing is an error: what is no tag
/// is text. Declarations, comments and instructions are passed over; entities stay as they are written.
public struct MarkupReader {
  public enum Piece {
    case open(name: Range<Int>, attributes: Range<Int>, isClosed: Bool)
    case close(name: Range<Int>)
    /// With entities.
    case text(Range<Int>)
    /// As it stands: CDATA, and the inside of HTML's `script` and `style`.
    case raw(Range<Int>)
  }

  public let bytes: UnsafeBufferPointer<UInt8>
  let isHTML: Bool
  public private(set) var place = 0
  /// The element whose inside is no markup.
  private var rawName: Range<Int>?

  public init(_ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool) {
    self.bytes = bytes
    self.isHTML = isHTML
    // A byte order mark is no text.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { place = 3 }
  }

  /// Nil at the end.
  public mutating func next() -> Piece? {
    if let name = rawName { return raw(name) }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return text() }
      switch bytes[place + 1] {
      case UInt8(ascii: "!"):
        if starts("<![CDATA[", at: place) {
          let start = place + 9
          let end = find("]]>", from: start)
          place = min(end + 3, bytes.count)
          return .raw(start..<end)
        }
        skipDeclaration()
      case UInt8(ascii: "?"): place = min(find(isHTML ? ">" : "?>", from: place) + (isHTML ? 1 : 2), bytes.count)
      case UInt8(ascii: "/"):
        let name = self.name(from: place + 2)
        place = tagEnd(from: name.upperBound) + 1
        place = min(place, bytes.count)
        if !name.isEmpty { return .close(name: name) }
      case let byte where TextReader.lower(byte) >= 0x61 && TextReader.lower(byte) <= 0x7A: return open()
      default: return text()
      }
    }
    return nil
  }

  private mutating func open() -> Piece {
    let name = self.name(from: place + 1)
    let end = tagEnd(from: name.upperBound)
    var last = end
    let isClosed = last > name.upperBound && last <= bytes.count && bytes[last - 1] == UInt8(ascii: "/")
    if isClosed { last -= 1 }
    place = min(end + 1, bytes.count)
    if isHTML, !isClosed, isWord(name, "script") || isWord(name, "style") || isWord(name, "textarea") { rawName = name }
    return .open(name: name, attributes: name.upperBound..<last, isClosed: isClosed)
  }

  /// Up to the end tag of the same name, which is left.
  private mutating func raw(_ name: Range<Int>) -> Piece {
    rawName = nil
    let start = place
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<"), place + 1 + name.count < bytes.count,
        bytes[place + 1] == UInt8(ascii: "/"), isSame(name, place + 2)
      {
        break
      }
      place += 1
    }
    return .raw(start..<place)
  }

  private mutating func text() -> Piece {
    let start = place
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    return .text(start..<place)
  }

  // MARK: Places

  private func name(from start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if TextReader.isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      end += 1
    }
    return start..<end
  }

  /// The '>' of a tag, which may stand in quotes before.
  private func tagEnd(from start: Int) -> Int {
    var (at, quote) = (start, UInt8(0))
    while at < bytes.count {
      let byte = bytes[at]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return at
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), isValueStart(at) {
        quote = byte
      }
      at += 1
    }
    return bytes.count
  }

  /// A quote begins a value only after '='.
  private func isValueStart(_ at: Int) -> Bool {
    var before = at - 1
    while before > 0, TextReader.isBlank(bytes[before]) { before -= 1 }
    return before > 0 && bytes[before] == UInt8(ascii: "=")
  }

  private mutating func skipDeclaration() {
    if starts("<!--", at: place) {
      place = min(find("-->", from: place + 4) + 3, bytes.count)
      return
    }
    var depth = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">"), depth <= 0 { return }
    }
  }

  private func starts(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[start + index] != text.utf8Start[index] { return false }
    return true
  }

  private func find(_ text: StaticString, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      if starts(text, at: at) { return at }
      at += 1
    }
    return bytes.count
  }

  /// Is a range of the document this word, which is in lower case, in any case?
  public func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where TextReader.lower(bytes[range.lowerBound + index]) != word.utf8Start[index] {
      return false
    }
    return true
  }

  private func isSame(_ range: Range<Int>, _ start: Int) -> Bool {
    guard start + range.count <= bytes.count else { return false }
    for index in 0..<range.count
    where TextReader.lower(bytes[range.lowerBound + index]) != TextReader.lower(bytes[start + index]) { return false }
    return true
  }
}

/// The attributes of a tag, one after the other.
public struct MarkupAttributes {
  let bytes: UnsafeBufferPointer<UInt8>
  private var place: Int
  private let end: Int

  public init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    (place, end) = (range.lowerBound, range.upperBound)
  }

  /// A name and a value, which is empty when there is none; nil at the end.
  public mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
    while place < end, TextReader.isBlank(bytes[place]) || bytes[place] == UInt8(ascii: "/") { place += 1 }
    guard place < end else { return nil }
    let start = place
    place += 1
    while place < end, !TextReader.isBlank(bytes[place]), bytes[place] != UInt8(ascii: "=") { place += 1 }
    let name = start..<place
    skipBlanks()
    guard place < end, bytes[place] == UInt8(ascii: "=") else { return (name, place..<place) }
    place += 1
    skipBlanks()
    guard place < end else { return (name, end..<end) }
    let quote = bytes[place]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let first = place + 1
      place = first
      while place < end, bytes[place] != quote { place += 1 }
      let value = first..<place
      place = min(place + 1, end)
      return (name, value)
    }
    let first = place
    while place < end, !TextReader.isBlank(bytes[place]) { place += 1 }
    return (name, first..<place)
  }

  private mutating func skipBlanks() { while place < end, TextReader.isBlank(bytes[place]) { place += 1 } }
}
