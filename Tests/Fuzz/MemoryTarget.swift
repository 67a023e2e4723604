import Runtime

@testable import OwnAgent

/// Any bytes as Markdown and as a question: what is read is bounded and clean, the same in pieces as in one, and comes
/// back from what is written of it. A query is words in quotation marks.
func checkMemory(_ bytes: [UInt8]) {
  let whole = memoryRead(bytes, in: [0..<bytes.count]), cut = memoryRead(bytes, in: pieces(bytes))
  expect(
    whole.rows == cut.rows && whole.refused == cut.refused, "\(whole.rows.count) entries, \(cut.rows.count) in pieces")
  let again = memoryRead(whole.markdown(), in: nil)
  expect(again.refused.isEmpty, "its own Markdown is refused")
  expect(again.rows.sorted() == whole.rows.sorted(), "other entries come back")
  checkMemoryQuery(bytes, .any)
  checkMemoryQuery(bytes, .all)
}

private func memoryRead(_ bytes: [UInt8], in pieces: [Range<Int>]?) -> MemoryCatcher {
  let catcher = MemoryCatcher()
  let reader = MarkdownReader(now: 1_795_478_400_000, catcher)
  for piece in pieces ?? [0..<bytes.count] { bytes[piece].withUnsafeBufferPointer { reader.read($0) } }
  reader.finish()
  return catcher
}

/// What a reader reads, and the Markdown of it.
private final class MemoryCatcher: MarkdownDelegate, MarkdownSink {
  struct Row: Comparable {
    let entry: MemoryEntry
    let subject: [UInt8]
    let text: [UInt8]

    private var key: [Int64] {
      [Int64(entry.kind.rawValue), entry.day, entry.time, Int64(entry.speaker.rawValue)]
        + (subject + [0] + text).map { Int64($0) }
    }
    static func < (left: Row, right: Row) -> Bool { left.key.lexicographicallyPrecedes(right.key) }
  }

  var rows: [Row] = []
  var refused: [Int] = []
  private var written: [UInt8] = []

  func markdownRead(_ row: MemoryRow, line: Int) {
    expect(row.text.count <= Budget.memoryEntryBytes && row.subject.count <= Budget.memorySubjectBytes, "too long")
    expect(String(validating: row.text, as: UTF8.self) != nil && !row.text.contains(0), "a text that is not clean")
    expect(String(validating: row.subject, as: UTF8.self) != nil && !row.subject.contains(0x0A), "a subject of lines")
    rows.append(Row(entry: row.entry, subject: Array(row.subject), text: Array(row.text)))
  }
  func markdownRefused(_ reason: MarkdownRefusal, line: Int) { refused.append(line) }
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(MemoryFault) { written += bytes }
  func finish() throws(MemoryFault) {}
  func cancel() {}

  func markdown() -> [UInt8] {
    let writer = MarkdownWriter(self)
    do throws(MemoryFault) {
      for kind in [MemoryKind.fact, .note, .conversation] {
        try writer.begin(kind)
        for row in rows where row.entry.kind == kind {
          row.subject.withUnsafeBufferPointer { subject in
            row.text.withUnsafeBufferPointer { try? writer.add(MemoryRow(row.entry, subject: subject, text: $0)) }
          }
        }
      }
      try writer.finish()
    } catch { expect(false, "\(error)") }
    return written
  }
}

private func checkMemoryQuery(_ bytes: [UInt8], _ matching: MemoryQuery.Matching) {
  var room = [UInt8](repeating: 0, count: Budget.memoryQueryBytes)
  bytes.withUnsafeBufferPointer { bytes in
    room.withUnsafeMutableBufferPointer { room in
      let query = MemoryQuery(bytes, matching: matching, into: room)
      let marks = query.text.filter { $0 == UInt8(ascii: "\"") }.count
      expect(query.words <= Budget.memoryQueryWords && marks == 2 * query.words, "\(query.words) words, \(marks) marks")
      expect(query.text.count <= Budget.memoryQueryBytes && !query.text.contains(0), "a query that is too long")
    }
  }
}
