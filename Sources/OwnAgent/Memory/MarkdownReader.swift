import Codec
import Runtime

/// Why an entry of a Markdown file was not taken.
public enum MarkdownRefusal: Equatable, Sendable {
  /// It is longer than `Budget.memoryEntryBytes`.
  case tooLong
  /// It stands under "Conversation", and does not begin with who said it: `**person**`, `**agent**` or `**tool**`.
  case nobody
  /// The memory is full.
  case full

  /// What a person reads after the number of the line.
  public var text: StaticString {
    switch self {
    case .tooLong: "the entry is longer than 8192 bytes: divide it"
    case .nobody: "under \"# Conversation\" an entry begins with who said it: **person**, **agent** or **tool**"
    case .full: "the memory is full"
    }
  }
}

/// Gets what a `MarkdownReader` reads.
protocol MarkdownDelegate: AnyObject {
  /// An entry, valid during the call.
  func markdownRead(_ row: MemoryRow, line: Int)
  /// The entry that begins in this line, counted from 1, is not taken.
  func markdownRefused(_ reason: MarkdownRefusal, line: Int)
}

/// Reads Markdown in pieces of any size: what `MarkdownWriter` wrote, unchanged, and what a person wrote, as far as it
/// says something. There, items of lists and paragraphs are entries; the headings "Facts", "Notes" and "Conversation"
/// say of what kind, a date makes notes of that day, and any other heading is the subject of the facts under it.
final class MarkdownReader {
  private enum Section { case facts, notes, conversation }

  /// What the entry that is being read began as.
  private enum Item { case none, list, paragraph }

  private unowned(unsafe) let delegate: any MarkdownDelegate
  /// The time of entries that have none, and the day of such notes.
  private let now: Int64
  private let line = FixedBuffer(capacity: Budget.memoryLineBytes)
  private var lineBytes = 0
  private var isLongLine = false
  private var number = 1
  private var section = Section.facts
  private var day: Int64?
  private let heading = FixedBuffer(capacity: Budget.memorySubjectBytes)
  private var headingBytes = 0
  private var item = Item.none
  private var itemLine = 0
  private let text = FixedBuffer(capacity: Budget.memoryLineBytes)
  private var textBytes = 0
  private var isLongText = false
  private var blankLines = 0
  private let clean = FixedBuffer(capacity: Budget.memoryEntryBytes)
  private let subject = FixedBuffer(capacity: Budget.memorySubjectBytes)
  private let cleanSubject = FixedBuffer(capacity: Budget.memorySubjectBytes)

  /// A reader that reports to a delegate that outlives it. Entries without a time get this one, in milliseconds since
  /// 1 January 1970.
  init(now: Int64, _ delegate: any MarkdownDelegate) {
    self.now = now
    self.delegate = delegate
  }

  /// Reads the next bytes.
  func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        endLine()
      } else if lineBytes < line.bytes.count {
        line.bytes[lineBytes] = byte
        lineBytes += 1
      } else {
        isLongLine = true
      }
    }
  }

  /// The file has ended.
  func finish() {
    if lineBytes > 0 { endLine() }
    endItem()
  }

  // MARK: Lines

  private func endLine() {
    var count = lineBytes
    if count > 0, line.bytes[count - 1] == 0x0D { count -= 1 }
    take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(line.bytes)[..<count]))
    if isLongLine { isLongText = true }
    lineBytes = 0
    isLongLine = false
    number = number.adding(clamping: 1)
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    if item == .list, let indent = Self.indent(line) { return append(Self.rest(line, indent)) }
    if MemoryText.isBlank(line) { return item == .none ? () : (blankLines = blankLines.adding(clamping: 1)) }
    if let level = Self.level(line) {
      endItem()
      return takeHeading(Self.rest(line, level))
    }
    if Self.isBreak(line) { return endItem() }
    if let marker = Self.marker(line) {
      endItem()
      return begin(.list, Self.rest(line, marker))
    }
    if item != .none, blankLines == 0 { return append(line) }
    endItem()
    begin(.paragraph, line)
  }

  private static func rest(_ line: UnsafeBufferPointer<UInt8>, _ start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: line[min(start, line.count)...])
  }

  /// Bytes of the indentation by which a line belongs to an item.
  private static func indent(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
    if line.count >= 2, line[0] == 0x20, line[1] == 0x20 { return 2 }
    return line.first == 0x09 ? 1 : nil
  }

  /// Where the text of a heading begins; nil when the line is none.
  private static func level(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
    var count = 0
    while count < line.count, line[count] == UInt8(ascii: "#") { count += 1 }
    guard (1...6).contains(count), count == line.count || line[count] == 0x20 || line[count] == 0x09 else { return nil }
    return count
  }

  /// A line of three or more `-`, `*` or `_` alone.
  private static func isBreak(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = line.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "*") || first == UInt8(ascii: "_")
    else { return false }
    var count = 0
    for byte in line {
      if byte == first { count += 1 } else if byte != 0x20, byte != 0x09 { return false }
    }
    return count >= 3
  }

  /// Where the text of an item of a list begins; nil when the line is none.
  private static func marker(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = 0
    while place < line.count, place < 9, line[place].isDigit { place += 1 }
    guard place < line.count else { return nil }
    let byte = line[place]
    let isMarker =
      place > 0
      ? byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")")
      : byte == UInt8(ascii: "-") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+")
    guard isMarker else { return nil }
    if place + 1 == line.count { return place + 1 }
    return line[place + 1] == 0x20 || line[place + 1] == 0x09 ? place + 2 : nil
  }

  private func takeHeading(_ line: UnsafeBufferPointer<UInt8>) {
    let word = Span(_unsafeElements: line).trimmed
    headingBytes = 0
    day = nil
    if Self.isWord(word, "facts") { return section = .facts }
    if Self.isWord(word, "notes") { return section = .notes }
    if Self.isWord(word, "conversation") { return section = .conversation }
    word.withUnsafeBufferPointer { bytes in
      if let day = MarkdownHead.day(bytes) {
        section = .notes
        self.day = day
      } else {
        section = .facts
        headingBytes = MemoryText.clean(bytes, into: heading.bytes, isLine: true).count
      }
    }
  }

  private static func isWord(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    text.count == word.utf8CodeUnitCount && text.hasPrefix(lowercased: word)
  }

  // MARK: Entries

  private func begin(_ item: Item, _ line: UnsafeBufferPointer<UInt8>) {
    self.item = item
    itemLine = number
    blankLines = 0
    textBytes = 0
    isLongText = false
    add(line)
  }

  private func append(_ line: UnsafeBufferPointer<UInt8>) {
    while blankLines >= 0, !isLongText {
      add(0x0A)
      blankLines -= 1
    }
    blankLines = 0
    add(line)
  }

  private func add(_ line: UnsafeBufferPointer<UInt8>) { for byte in line { add(byte) } }

  private func add(_ byte: UInt8) {
    guard textBytes < text.bytes.count else { return isLongText = true }
    text.bytes[textBytes] = byte
    textBytes += 1
  }

  private func endItem() {
    guard item != .none else { return }
    item = .none
    blankLines = 0
    let all = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<textBytes])
    var head = MarkdownHead.read(all, subject: subject.bytes)
    // A note has no subject: what looks like one is text.
    if section == .notes, head.subject != nil { head = MarkdownHead() }
    let (count, isCut) = MemoryText.clean(Self.rest(all, head.start), into: clean.bytes)
    guard !isLongText, !isCut else { return delegate.markdownRefused(.tooLong, line: itemLine) }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(clean.bytes)[..<count])
    guard !MemoryText.isBlank(text) else { return }
    guard let row = row(head, text) else { return delegate.markdownRefused(.nobody, line: itemLine) }
    delegate.markdownRead(row, line: itemLine)
  }

  private func row(_ head: MarkdownHead, _ text: UnsafeBufferPointer<UInt8>) -> MemoryRow? {
    let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    let named = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(subject.bytes)[..<(head.subject ?? 0)])
    let time = head.time ?? now
    switch section {
    case .conversation:
      guard let speaker = MemorySpeaker(word: Span(_unsafeElements: named)) else { return nil }
      return MemoryRow(.conversation(speaker, at: time), subject: nothing, text: text)
    case .notes:
      return MemoryRow(.note(day: day ?? MemoryEntry.day(of: time), at: time), subject: nothing, text: text)
    case .facts:
      let chosen =
        head.subject == nil && head.time == nil
        ? UnsafeBufferPointer(rebasing: UnsafeBufferPointer(heading.bytes)[..<headingBytes]) : named
      let count = MemoryText.clean(chosen, into: cleanSubject.bytes, isLine: true).count
      let subject = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(cleanSubject.bytes)[..<count])
      return MemoryRow(.fact(at: time), subject: subject, text: text)
    }
  }
}
