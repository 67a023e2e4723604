import Codec
import Graphics
import Runtime

/// Makes blocks of text without tags: paragraph by paragraph, as Markdown or as it stands.
enum PlainReader {
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, into document: ReaderDocument, isMarkdown: Bool) {
    var validator = UTF8Validator()
    let isLatin = !validator.accept(bytes.span) || !validator.isComplete
    var block = ReaderDocument.Block()
    block.kind = isMarkdown ? .markdown : .text
    var place = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    var (isFenced, isOpen) = (false, false)
    while place < bytes.count {
      var end = place
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      let isBlank = isBlank(bytes, place..<end)
      if isMarkdown, isFence(bytes, place..<end) { isFenced.toggle() }
      if isBlank, !isFenced {
        isOpen = false
      } else {
        if !isOpen {
          document.begin(block)
          isOpen = true
        } else {
          document.put(0x0A)
        }
        block.gap = 10
        line(bytes, place..<end, document, isMarkdown: isMarkdown, isLatin: isLatin)
      }
      place = end + 1
    }
    document.end()
  }

  private static func line(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ document: ReaderDocument, isMarkdown: Bool,
    isLatin: Bool
  ) {
    var isStart = true
    for place in range {
      let byte = bytes[place]
      guard byte >= 0x20 || byte == 0x09 else { continue }
      if !isMarkdown, isStart, byte == 0x20 || byte == 0x09 {
        // What is moved to the right stays there.
        for _ in 0..<(byte == 0x09 ? 4 : 1) {
          document.put(0xC2)
          document.put(0xA0)
        }
        continue
      }
      isStart = false
      if isLatin { Entities.write(UInt32(byte)) { document.put($0) } } else { document.put(byte) }
    }
  }

  private static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    for place in range where !TextReader.isBlank(bytes[place]) { return false }
    return true
  }

  private static func isFence(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound, TextReader.isBlank(bytes[start]) { start += 1 }
    guard start + 3 <= range.upperBound else { return false }
    return bytes[start] == UInt8(ascii: "`") && bytes[start + 1] == UInt8(ascii: "`")
      && bytes[start + 2] == UInt8(ascii: "`")
  }
}
