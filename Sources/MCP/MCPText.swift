import Codec
import Runtime

/// Words of a server, for agents and people: they are words of others, and may command neither a terminal nor an eye.
enum MCPText {
  /// Writes words on one line: control characters and white space become a blank, never two in a row, and none at
  /// either end; bidirectional marks are left out.
  static func writeLine(_ text: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    var (place, hasGap, isFirst) = (0, false, true)
    while place < text.count {
      let piece = ShownText.piece(text, at: place)
      switch piece {
      case .direction(_, let length): place += length
      case .control(let length):
        hasGap = true
        place += length
      case .plain(let length):
        if text[place] == 0x20 {
          hasGap = true
        } else {
          if hasGap, !isFirst { writer.byte(0x20) }
          (hasGap, isFirst) = (false, false)
          writer.bytes(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[place..<(place + length)])))
        }
        place += length
      }
    }
  }

  /// Adds text to a string of JSON: line feeds and tabs stay, other control characters and marks become "?".
  static func addLines(_ text: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter) {
    var (start, place) = (0, 0)
    while place < text.count {
      var length = 1
      var isKept = false
      let piece = ShownText.piece(text, at: place)
      switch piece {
      case .plain(let bytes):
        length = bytes
        isKept = true
      case .control(let bytes):
        length = bytes
        isKept = text[place] == 0x0A || text[place] == 0x09
      case .direction(_, let bytes): length = bytes
      }
      if !isKept {
        writer.stringPiece(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[start..<place])))
        // A carriage return is part of a line's end.
        if text[place] != 0x0D { writer.escapedPiece(("?" as StaticString).utf8Bytes) }
        start = place + length
      }
      place += length
    }
    writer.stringPiece(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[min(start, text.count)...])))
  }

  /// The beginning of a string of JSON on one line; empty when it is none.
  static func quoted<let capacity: Int>(_ view: borrowing JSONView) -> InlineText<capacity> {
    var words = InlineText<capacity>()
    words.fill { view.copyBeginning(into: $0) }
    var line = InlineText<capacity>()
    line.fill { room in
      var writer = ByteWriter(into: room)
      words.span.withUnsafeBufferPointer { writeLine($0, to: &writer) }
      // Never longer than it was.
      return writer.count
    }
    return line
  }
}
