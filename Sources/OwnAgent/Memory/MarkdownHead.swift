import Codec
import Runtime

/// What stands before the text of an entry in Markdown: `**subject** (2026-11-24T08:00:00.000Z): `, with the speaker in
/// the place of a subject where it is conversation. A person may leave the time away, or both.
struct MarkdownHead {
  /// Where the text begins in the line.
  var start = 0
  /// Bytes of the subject in the buffer that `read` was given; nil when there is none.
  var subject: Int?
  /// Milliseconds since 1 January 1970; nil when there is none.
  var time: Int64?

  /// Reads the head of `line`; one without subject and time when it has none. The subject goes into `output`, without
  /// its escapes; one that does not fit is none.
  static func read(
    _ line: UnsafeBufferPointer<UInt8>, subject output: UnsafeMutableBufferPointer<UInt8>
  ) -> MarkdownHead {
    var head = MarkdownHead()
    var place = 0
    if let (end, count) = bold(line, output) {
      place = end
      head.subject = count
    }
    var timed = place
    if timed > 0, timed < line.count, line[timed] == 0x20 { timed += 1 }
    if let time = time(line, timed) {
      head.time = time
      place = timed + ISO8601.length + 2
    }
    guard head.subject != nil || head.time != nil else { return MarkdownHead() }
    if place < line.count, line[place] == UInt8(ascii: ":") {
      place += 1
    } else {
      // A colon inside of the stars, as people write it.
      guard head.time == nil, let count = head.subject, count > 1, output[count - 1] == UInt8(ascii: ":") else {
        return MarkdownHead()
      }
      head.subject = count - 1
    }
    if place < line.count, line[place] == 0x20 { place += 1 }
    head.start = place
    return head
  }

  /// The text between two pairs of stars at the start, and where it ends.
  private static func bold(
    _ line: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> (end: Int, count: Int)? {
    let star = UInt8(ascii: "*")
    guard line.count > 4, line[0] == star, line[1] == star else { return nil }
    var (place, count) = (2, 0)
    while place + 1 < line.count {
      var byte = line[place]
      if byte == star, line[place + 1] == star { return count > 0 ? (place + 2, count) : nil }
      if byte == UInt8(ascii: "\\") {
        place += 1
        byte = line[place]
      }
      guard count < output.count else { return nil }
      output[count] = byte
      count += 1
      place += 1
    }
    return nil
  }

  /// An instant in parentheses.
  private static func time(_ line: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int64? {
    let end = start + ISO8601.length + 1
    guard end < line.count, line[start] == UInt8(ascii: "("), line[end] == UInt8(ascii: ")") else { return nil }
    return ISO8601.unixMilliseconds(in: Span(_unsafeElements: line).extracting((start + 1)..<end))
  }

  /// The day of a heading `2026-11-24`, in days since 1 January 1970.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let year = number(text, 0, 4),
      let month = number(text, 5, 2), let day = number(text, 8, 2)
    else { return nil }
    return CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day))?.daysSinceEpoch
  }

  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
    var value = 0
    for index in start..<(start + count) {
      guard text[index].isDigit else { return nil }
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return value
  }
}
