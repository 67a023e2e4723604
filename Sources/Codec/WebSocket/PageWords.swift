/// The first words of a page that a server sends with a refusal: its text without the tags of HTML and without what
/// stands in `style` and `script`, each run of white space as one space. Reads any bytes.
struct PageWords {
  private enum Place: Equatable {
    /// The line with the size of the first chunk (RFC 9112 section 7.1).
    case chunkSize
    case text, tagStart, tag
    /// In an element whose text is not for people, before its end tag.
    case hidden, hiddenTag
  }

  private var place: Place?
  /// The first three bytes of the tag's name, letters in lower case.
  private var name: UInt32 = 0
  private var nameLength = 0
  private var kept = InlineArray<120, UInt8>(repeating: 0)
  private var length = 0
  private var isSpaceDue = false
  /// Bytes of the body that were read.
  private(set) var received = 0

  /// No more words are kept.
  var isFull: Bool { length == kept.count }

  var words: Span<UInt8> {
    @_lifetime(borrow self)
    get { kept.span.extracting(..<length) }
  }

  mutating func add(_ bytes: Span<UInt8>, isChunked: Bool) {
    received += bytes.count
    if place == nil { place = isChunked ? .chunkSize : .text }
    for index in 0..<bytes.count where !isFull { read(bytes[index]) }
  }

  private mutating func read(_ byte: UInt8) {
    switch place {
    case .chunkSize: if byte == 0x0A { place = .text }
    case .text:
      if byte == UInt8(ascii: "<") { place = .tagStart } else { write(byte) }
    case .tagStart:
      let letter = byte | 0x20
      let isTag =
        letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "!")
      if isTag { return begin(byte) }
      place = .text
      write(UInt8(ascii: "<"))
      read(byte)
    case .tag:
      if byte == UInt8(ascii: ">") { return place = isHidden ? .hidden : .text }
      readName(byte)
    case .hidden: if byte == UInt8(ascii: "<") { place = .hiddenTag }
    case .hiddenTag: if byte == UInt8(ascii: "/") { begin(byte) } else { place = .hidden }
    case nil: return
    }
  }

  private mutating func begin(_ byte: UInt8) {
    place = .tag
    isSpaceDue = true
    name = 0
    nameLength = 0
    readName(byte)
  }

  private mutating func readName(_ byte: UInt8) {
    guard nameLength < 3 else { return }
    name = name << 8 | UInt32(byte | 0x20)
    nameLength += 1
  }

  /// The tag begins `style` or `script`.
  private var isHidden: Bool { name == 0x73_7479 || name == 0x73_6372 }

  private mutating func write(_ byte: UInt8) {
    guard byte > 0x20 else { return isSpaceDue = true }
    if isSpaceDue, length > 0 {
      kept[length] = 0x20
      length += 1
    }
    isSpaceDue = false
    guard !isFull else { return }
    kept[length] = byte
    length += 1
  }
}
