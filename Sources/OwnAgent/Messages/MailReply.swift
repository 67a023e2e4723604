import Codec
import Runtime

/// Reads the answers of a mail server, of one line or several (RFC 5321 section 4.2), as their bytes arrive. Lines may
/// end in LF alone. Length and number of lines are bounded.
struct MailReplyReader {
  enum Step: Equatable {
    case more
    /// An answer is complete.
    case reply
    /// No answer, or one that does not end.
    case malformed, endless
  }

  /// What a server says that it can (`EHLO`, RFC 5321 section 4.1.1.1).
  struct Extensions {
    /// `AUTH` with PLAIN (RFC 4954 section 4).
    var hasPlain = false
    var hasUTF8 = false
    var has8Bit = false
    /// Largest message in bytes; 0: not told.
    var size: Int = 0
  }

  private let line: UnsafeMutableBufferPointer<UInt8>
  private let sentence: UnsafeMutableBufferPointer<UInt8>
  private var lineCount = 0
  private var bytes = 0
  private var lines = 0
  /// The code of the answer that is being read, or was read last.
  private(set) var code = 0
  private(set) var extensions = Extensions()
  private var sentenceCount = 0
  private let readsExtensions: Bool

  /// A reader of one answer. `line` has `Budget.mailReplyLineBytes`, `sentence` `Budget.mailSentenceBytes`; both
  /// outlive it.
  init(
    line: UnsafeMutableBufferPointer<UInt8>, sentence: UnsafeMutableBufferPointer<UInt8>, readsExtensions: Bool
  ) {
    (self.line, self.sentence, self.readsExtensions) = (line, sentence, readsExtensions)
  }

  /// The first line's text, cleaned: what people read.
  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(sentence).extracting(0..<sentenceCount) }

  /// Takes a byte.
  mutating func take(_ byte: UInt8) -> Step {
    bytes += 1
    guard bytes <= Budget.mailReplyBytes else { return .endless }
    guard byte == 0x0A else {
      if lineCount < line.count { line[lineCount] = byte }
      lineCount = min(lineCount + 1, line.count + 1)
      return .more
    }
    var count = min(lineCount, line.count)
    if count > 0, count == lineCount, line[count - 1] == 0x0D { count -= 1 }
    lineCount = 0
    return endLine(UnsafeBufferPointer(line).extracting(0..<count))
  }

  private mutating func endLine(_ text: UnsafeBufferPointer<UInt8>) -> Step {
    lines += 1
    guard lines <= Budget.mailReplyLines else { return .endless }
    guard text.count >= 3, text[0] >= 0x32, text[0] <= 0x35, text[1].isDigit, text[2].isDigit else { return .malformed }
    let code = Int(text[0] - 48) * 100 + Int(text[1] - 48) * 10 + Int(text[2] - 48)
    guard lines == 1 || code == self.code else { return .malformed }
    self.code = code
    let isLast = text.count == 3 || text[3] == 0x20
    guard isLast || text[3] == UInt8(ascii: "-") else { return .malformed }
    let rest = text.extracting(min(4, text.count)..<text.count)
    if lines == 1 { keep(rest) } else if readsExtensions, code == 250 { readExtension(rest) }
    return isLast ? .reply : .more
  }

  private mutating func keep(_ text: UnsafeBufferPointer<UInt8>) {
    var output = PageOutput()
    output.begin(into: sentence)
    var decoder = PageDecoder(.utf8)
    for byte in text {
      decoder.take(byte)
      while let scalar = decoder.next() { output.put(scalar) }
    }
    output.end()
    sentenceCount = output.count
  }

  private mutating func readExtension(_ text: UnsafeBufferPointer<UInt8>) {
    let words = text.span
    if words.hasPrefix(lowercased: "auth ") || words.hasPrefix(lowercased: "auth=") {
      var start = 5
      while start < text.count {
        var end = start
        while end < text.count, text[end] > 0x20 { end += 1 }
        if StaticWords.contains("plain", text.extracting(start..<end)) { extensions.hasPlain = true }
        start = end + 1
      }
    } else if StaticWords.contains("smtputf8", text) {
      extensions.hasUTF8 = true
    } else if StaticWords.contains("8bitmime", text) {
      extensions.has8Bit = true
    } else if words.hasPrefix(lowercased: "size ") {
      var value = 0
      for byte in text.extracting(5..<text.count) {
        guard byte.isDigit else { break }
        // The largest number that one more digit leaves within 32 bits.
        value = value < 100_000_000 ? value * 10 + Int(byte - 48) : 1_000_000_000
      }
      extensions.size = value
    }
  }
}
