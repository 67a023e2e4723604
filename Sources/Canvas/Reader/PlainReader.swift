import Codec
import Graphics
import Runtime

/// Makes blocks of text without tags: paragraph by paragraph, as Markdown or as it stands. It stops wherever a turn of
/// the loop is over, and goes on in the next one.
struct PlainReader {
  private let document: ReaderDocument
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isMarkdown: Bool
  private var encoding = EncodingCheck()
  private var block = ReaderDocument.Block()
  /// Where the line begins, and how far its text is looked for or, once that is found, put into the document.
  private var start: Int
  private var place: Int
  private var isPut = false
  /// Nothing but blanks of the line was put.
  private var isIndent = false
  private var (isFenced, isOpen) = (false, false)

  /// Reads a text into a document. The bytes must stay until all are read.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ document: ReaderDocument, isMarkdown: Bool) {
    (self.bytes, self.document, self.isMarkdown) = (bytes, document, isMarkdown)
    block.kind = isMarkdown ? .markdown : .text
    start = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    place = start
  }

  /// Does so much of the work (`Budget.readBytes`). False while there is more.
  mutating func readMore(atMost work: Int) -> Bool {
    var left = work
    guard encoding.isKnown(bytes, atMost: &left) else { return false }
    while left > 0 {
      // What is beyond the document's room is not shown.
      guard start < bytes.count, !document.isCut else {
        document.end()
        return true
      }
      if isPut { putLine(atMost: &left) } else { beginLine(atMost: &left) }
    }
    return false
  }

  /// Looks for the text of a line, and begins a block or a line of one.
  private mutating func beginLine(atMost left: inout Int) {
    while place < bytes.count, bytes[place] != 0x0A, TextReader.isBlank(bytes[place]) {
      guard left > 0 else { return }
      left -= 1
      place += 1
    }
    left -= Budget.readStep
    let isBlank = place == bytes.count || bytes[place] == 0x0A
    if isMarkdown, !isBlank, isFence { isFenced.toggle() }
    if isBlank, !isFenced {
      isOpen = false
      return endLine()
    }
    if !isOpen {
      document.begin(block)
      isOpen = true
    } else {
      document.put(0x0A)
    }
    block.gap = 10
    (place, isPut, isIndent) = (start, true, true)
  }

  private mutating func endLine() {
    start = place + 1
    (place, isPut) = (start, false)
  }

  private mutating func putLine(atMost left: inout Int) {
    while place < bytes.count, bytes[place] != 0x0A {
      guard left > 0 else { return }
      left -= 1
      put(bytes[place])
      place += 1
    }
    endLine()
  }

  private mutating func put(_ byte: UInt8) {
    guard byte >= 0x20 || byte == 0x09 else { return }
    if !isMarkdown, isIndent, byte == 0x20 || byte == 0x09 {
      // What is moved to the right stays there.
      for _ in 0..<(byte == 0x09 ? 4 : 1) {
        document.put(0xC2)
        document.put(0xA0)
      }
      return
    }
    isIndent = false
    if encoding.isLatin { Entities.write(UInt32(byte)) { document.put($0) } } else { document.put(byte) }
  }

  /// The text of the line begins as that before and after code does.
  private var isFence: Bool {
    guard place + 3 <= bytes.count else { return false }
    return bytes[place] == UInt8(ascii: "`") && bytes[place + 1] == UInt8(ascii: "`")
      && bytes[place + 2] == UInt8(ascii: "`")
  }
}

/// Finds out whether a document is in UTF-8, or in an old encoding of one byte a letter.
struct EncodingCheck {
  private(set) var isLatin = false
  private var validator = UTF8Validator()
  private var checked = 0

  /// Looks at more of the bytes, four for one that may be read. False while it is not known.
  mutating func isKnown(_ bytes: UnsafeBufferPointer<UInt8>, atMost left: inout Int) -> Bool {
    guard !isLatin, checked < bytes.count else { return true }
    let rest = bytes.count - checked
    let count = left < rest / 4 ? 4 * left : rest
    isLatin = !validator.accept(bytes.extracting(checked..<checked + count).span)
    checked += count
    left -= count / 4
    if checked == bytes.count, !validator.isComplete { isLatin = true }
    return isLatin || checked == bytes.count
  }
}
