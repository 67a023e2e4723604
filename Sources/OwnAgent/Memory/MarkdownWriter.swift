import Codec
import Runtime

/// Takes Markdown, piece by piece, on a worker.
public protocol MarkdownSink: AnyObject {
  /// Takes the next bytes.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(MemoryFault)
  /// That was all: it is to be on flash when this returns.
  func finish() throws(MemoryFault)
  /// There will be no more; what was written is of no use.
  func cancel()
}

/// Writes a memory as Markdown. Every entry is an item of a list, and its further lines are indented by two spaces, so
/// that no line of a text can be taken for a heading or another entry:
///
///     # Facts
///
///     - **garden gate** (2026-11-24T08:00:00.000Z): the key is under the third pot
///
///     # Notes
///
///     ## 2026-11-24
///
///     - (2026-11-24T21:10:00.000Z): watered the tomatoes
///       and the beans
///
///     # Conversation
///
///     - **person** (2026-11-24T21:12:00.000Z): good night
final class MarkdownWriter {
  private let sink: any MarkdownSink
  private let piece = FixedBuffer(capacity: Budget.memoryPieceBytes)
  private var used = 0
  private var day: Int64?
  /// Entries written.
  private(set) var count = 0

  init(_ sink: any MarkdownSink) { self.sink = sink }

  /// Begins the section of a kind.
  func begin(_ kind: MemoryKind) throws(MemoryFault) {
    day = nil
    switch kind {
    case .fact: try text("# Facts\n\n")
    case .note: try text("\n# Notes\n")
    case .conversation: try text("\n# Conversation\n\n")
    }
  }

  /// Writes an entry of the section that has begun.
  func add(_ row: MemoryRow) throws(MemoryFault) {
    if row.entry.kind == .note, row.entry.day != day { try begin(day: row.entry.day) }
    try text("- ")
    if row.entry.kind == .conversation {
      try text("**")
      try text(row.entry.speaker.word)
      try text("** ")
    } else if !row.subject.isEmpty {
      try subject(row.subject)
    }
    try byte(UInt8(ascii: "("))
    try time(row.entry.time)
    try text("): ")
    for byte in row.text {
      try self.byte(byte)
      if byte == 0x0A { try text("  ") }
    }
    try byte(0x0A)
    count += 1
  }

  /// Hands on what is left.
  func finish() throws(MemoryFault) {
    try flush()
    try sink.finish()
  }

  private func begin(day: Int64) throws(MemoryFault) {
    self.day = day
    try text("\n## ")
    let (milliseconds, overflows) = day.multipliedReportingOverflow(by: MemoryEntry.dayMilliseconds)
    let instant = ISO8601(unixMilliseconds: overflows ? 0 : milliseconds)
    for index in 0..<10 { try byte(instant.text[index]) }
    try text("\n\n")
  }

  private func subject(_ bytes: UnsafeBufferPointer<UInt8>) throws(MemoryFault) {
    try text("**")
    for byte in bytes {
      if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\\") { try self.byte(UInt8(ascii: "\\")) }
      try self.byte(byte)
    }
    try text("** ")
  }

  private func time(_ time: Int64) throws(MemoryFault) {
    let instant = ISO8601(unixMilliseconds: time)
    for index in 0..<ISO8601.length { try byte(instant.text[index]) }
  }

  private func text(_ text: StaticString) throws(MemoryFault) { for byte in text.bytes { try self.byte(byte) } }

  private func byte(_ byte: UInt8) throws(MemoryFault) {
    if used == piece.bytes.count { try flush() }
    piece.bytes[used] = byte
    used += 1
  }

  private func flush() throws(MemoryFault) {
    guard used > 0 else { return }
    let filled = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece.bytes)[..<used])
    used = 0
    try sink.write(filled)
  }
}
