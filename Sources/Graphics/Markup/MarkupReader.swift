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

  /// What the end of is looked for.
  private enum Search { case none, text, raw, data, comment, instruction, declaration, name, tag }

  public let bytes: UnsafeBufferPointer<UInt8>
  let isHTML: Bool
  public private(set) var place = 0
  /// The search for the end of the piece at `place`, and where it goes on.
  private var search = Search.none
  private var at = 0
  /// The name of the tag, and that of the element whose inside is no markup.
  private var name = 0..<0
  /// In a tag the quote that is open and the last byte that is no blank; in a declaration the brackets that are open.
  private var (quote, last): (UInt8, UInt8) = (0, 0)
  private var depth = 0

  public init(_ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool) {
    self.bytes = bytes
    self.isHTML = isHTML
    // A byte order mark is no text.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { place = 3 }
  }

  /// Nil at the end.
  public mutating func next() -> Piece? {
    var left = Int.max
    return next(atMost: &left)
  }

  /// The same, but looks at so many bytes at most, and subtracts those that it looks at. Nil with none left: the piece
  /// goes on there, and the next call finds its end.
  public mutating func next(atMost left: inout Int) -> Piece? {
    while left > 0 {
      if search == .none {
        guard place < bytes.count else { return nil }
        begin()
      }
      let start = at
      let isFound = look(to: left < bytes.count - at ? at + left : bytes.count)
      left -= min(max(at - start, 1), left)
      if isFound, let piece = end() { return piece }
    }
    return nil
  }

  /// True when all pieces were read.
  public var isAtEnd: Bool { search == .none && place >= bytes.count }

  /// What the piece at `place` is.
  private mutating func begin() {
    (search, at) = (.text, place + 1)
    guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return }
    switch bytes[place + 1] {
    case UInt8(ascii: "!"):
      if starts("<![CDATA[", at: place) {
        (search, at) = (.data, place + 9)
      } else if starts("<!--", at: place) {
        (search, at) = (.comment, place + 4)
      } else {
        (search, at, depth) = (.declaration, place, 0)
      }
    case UInt8(ascii: "?"): (search, at) = (.instruction, place)
    case UInt8(ascii: "/"): (search, at) = (.name, place + 2)
    case let byte where TextReader.lower(byte) >= 0x61 && TextReader.lower(byte) <= 0x7A: search = .name
    default: break
    }
  }

  /// Goes on with the search up to a place. False when the end may be beyond it.
  private mutating func look(to end: Int) -> Bool {
    switch search {
    case .none: return true
    case .text: while at < end, bytes[at] != UInt8(ascii: "<") { at += 1 }
    case .raw: while at < end, !isEndOfRaw { at += 1 }
    case .data: find("]]>", to: end)
    case .comment: find("-->", to: end)
    case .instruction: find(isHTML ? ">" : "?>", to: end)
    case .declaration: if skipDeclaration(to: end) { return true }
    case .name: while at < end, !isEndOfName { at += 1 }
    case .tag: findTagEnd(to: end)
    }
    return at < end || end == bytes.count
  }

  /// The end was found; nil when it is that of nothing that is read, or of a tag's name.
  private mutating func end() -> Piece? {
    let (ended, start) = (search, place)
    search = .none
    switch ended {
    case .none: return nil
    case .text, .raw:
      place = at
      return ended == .text ? .text(start..<at) : .raw(start..<at)
    case .data:
      place = min(at + 3, bytes.count)
      return .raw(start + 9..<at)
    case .comment: place = min(at + 3, bytes.count)
    case .instruction: place = min(at + (isHTML ? 1 : 2), bytes.count)
    case .declaration: place = at
    case .name:
      name = start + (isClosing ? 2 : 1)..<at
      (search, quote, last) = (.tag, 0, bytes[at - 1])
    case .tag: return tag(endingAt: at)
    }
    return nil
  }

  /// The tag at `place` is that of an element's end.
  private var isClosing: Bool { bytes[place + 1] == UInt8(ascii: "/") }

  private mutating func tag(endingAt end: Int) -> Piece? {
    let isClosing = isClosing
    place = min(end + 1, bytes.count)
    if isClosing { return name.isEmpty ? nil : .close(name: name) }
    let isClosed = end > name.upperBound && bytes[end - 1] == UInt8(ascii: "/")
    if isHTML, !isClosed, isWord(name, "script") || isWord(name, "style") || isWord(name, "textarea") {
      // Up to the end tag of the same name, which is left.
      (search, at) = (.raw, place)
    }
    return .open(name: name, attributes: name.upperBound..<(isClosed ? end - 1 : end), isClosed: isClosed)
  }

  // MARK: Places

  private var isEndOfRaw: Bool {
    bytes[at] == UInt8(ascii: "<") && at + 1 + name.count < bytes.count && bytes[at + 1] == UInt8(ascii: "/")
      && isSame(name, at + 2)
  }

  private var isEndOfName: Bool {
    TextReader.isBlank(bytes[at]) || bytes[at] == UInt8(ascii: ">") || bytes[at] == UInt8(ascii: "/")
  }

  /// The '>' of a tag, which may stand in quotes before. A quote begins a value only after '='.
  private mutating func findTagEnd(to end: Int) {
    while at < end {
      let byte = bytes[at]
      if quote != 0 {
        if byte == quote { (quote, last) = (0, byte) }
      } else if byte == UInt8(ascii: ">") {
        return
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), last == UInt8(ascii: "=") {
        quote = byte
      } else if !TextReader.isBlank(byte) {
        last = byte
      }
      at += 1
    }
  }

  /// Goes to the end of a declaration; false when that is beyond the place.
  private mutating func skipDeclaration(to end: Int) -> Bool {
    while at < end {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">"), depth <= 0 { return true }
    }
    return end == bytes.count
  }

  private func starts(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[start + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func find(_ text: StaticString, to end: Int) {
    while at < end, !starts(text, at: at) { at += 1 }
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
