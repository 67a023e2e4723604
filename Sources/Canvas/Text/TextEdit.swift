import Graphics
import Runtime

/// A text that is being edited, and the caret in it: always between two characters. One object is used for all fields,
/// one after the other.
final class TextEdit {
  private let buffer: ReservedBuffer
  private var count = 0
  /// Bytes before the caret.
  private(set) var caret = 0

  /// Reserves its memory; throws when the address space is full.
  init() throws(Errno) { buffer = try ReservedBuffer(capacity: Budget.a2uiStringBytes) }

  /// Takes a text; what is longer than a string of a document is cut.
  func take(_ text: Span<UInt8>, caret: Int) {
    count = Characters.boundary(text, min(text.count, Budget.a2uiStringBytes))
    for index in 0..<count { buffer.bytes[index] = text[index] }
    self.caret = Characters.boundary(span, caret)
  }

  /// The text.
  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { _overrideLifetime(UnsafeBufferPointer(buffer.bytes).extracting(0..<count).span, borrowing: self) }
  }

  /// Overwrites the entered text in memory.
  func clear() {
    for index in 0..<count { buffer.bytes[index] = 0 }
    (count, caret) = (0, 0)
  }

  /// Puts the caret at a place, or before the character that is there.
  func move(to place: Int) { caret = Characters.boundary(span, place) }

  // MARK: Changing

  /// A character at the caret; false when the field is full.
  func insert(_ scalar: UInt32) -> Bool {
    let length = Characters.length(of: scalar)
    guard count + length <= Budget.fieldBytes else { return false }
    move(from: caret, by: length)
    Characters.write(scalar, to: buffer.bytes, at: caret)
    caret += length
    return true
  }

  /// Takes away the character before the caret; false when there is none.
  func backspace() -> Bool {
    let start = Characters.previous(span, caret)
    guard start < caret else { return false }
    move(from: caret, by: start - caret)
    caret = start
    return true
  }

  /// Takes away the character after the caret; false when there is none.
  func delete() -> Bool {
    let end = Characters.next(span, caret)
    guard end > caret else { return false }
    move(from: end, by: caret - end)
    return true
  }

  private func move(from start: Int, by distance: Int) {
    let bytes = buffer.bytes
    if distance > 0 {
      var place = count - 1
      while place >= start {
        bytes[place + distance] = bytes[place]
        place -= 1
      }
    } else {
      for place in start..<max(count, start) { bytes[place + distance] = bytes[place] }
    }
    count += distance
  }
}
