import Codec
import Runtime

extension HandOver {
  /// Writes the sealed summary as Markdown: as many of the newest turns as fit `Budget.handOverBytes` once they are a
  /// JSON string, and the number of those before them.
  public func writeSummary(to writer: inout ByteWriter) {
    var first = sealedCount
    while first > 0, measure(from: first - 1) <= Budget.handOverBytes { first -= 1 }
    write(from: first, to: &writer)
  }

  /// The bytes of a summary from this turn on, as a JSON string.
  private func measure(from first: Int) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Budget.handOverBytes) { room in
      var plain = ByteWriter(into: room)
      write(from: first, to: &plain)
      guard plain.isComplete else { return .max }
      var json = JSONWriter()
      json.string(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<plain.count]).span)
      return json.count
    }
  }

  private func write(from first: Int, to writer: inout ByteWriter) {
    writer.text("## Answered by the board while this gateway was away\n")
    let before = UInt64(first) + UInt64(sealedOmitted)
    if before > 0 {
      writer.text("\n")
      writer.decimal(before)
      writer.text(before == 1 ? " turn before these is not listed.\n" : " turns before these are not listed.\n")
    }
    for index in first..<sealedCount { write(self[index], to: &writer) }
  }

  private func write(_ turn: AwayTurn, to writer: inout ByteWriter) {
    writer.text("\n- ")
    if BelievableDate.contains(turn.time) {
      writer.text("**")
      // To the minute.
      writer.bytes(ISO8601(unixMilliseconds: turn.time).text.extracting(0..<16))
      writer.text("Z** ")
    }
    writer.text("Person: ")
    Self.line(turn.question.span, to: &writer)
    writer.text("\n  ")
    switch turn.end {
    case .answered: writer.text("Board: ")
    case .cancelled: writer.text("Cancelled by the person. Board: ")
    case .failed: writer.text("Not answered: ")
    }
    Self.line(turn.answer.span, to: &writer)
    if !turn.deeds.isEmpty {
      writer.text("\n  Used: ")
      Self.line(turn.deeds.span, to: &writer)
    }
    writer.text("\n")
  }

  /// Text as one line that Markdown shows as it is: what a person said must not become a heading, a list or a link in
  /// the gateway's conversation.
  private static func line(_ text: Span<UInt8>, to writer: inout ByteWriter) {
    if text.isEmpty { return writer.text("(nothing)") }
    for index in 0..<text.count {
      switch text[index] {
      case 0..<0x20, 0x7F: writer.byte(0x20)
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: "|"):
        writer.byte(UInt8(ascii: "\\"))
        writer.byte(text[index])
      default: writer.byte(text[index])
      }
    }
  }
}
