import Codec

/// Collects the text of a message: a string, an object with `text` or `content`, or an array of such parts, which are
/// separated by a line break. Parts of other kinds (thoughts, tool calls, pictures) are skipped.
public struct MessageText {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes of text.
  public private(set) var count = 0
  /// The text was longer than the buffer; it was cut between characters.
  public private(set) var isCut = false

  /// No text yet. The buffer must outlive it.
  public init(into buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// Reads a message.
  public mutating func read(_ message: borrowing JSONView) {
    if message.kind == .string { return add(message) }
    if let content = message.member("content") { return readContent(content) }
    if let text = message.member("text") { add(text) }
  }

  private mutating func readContent(_ content: borrowing JSONView) {
    if content.kind == .string { return add(content) }
    var parts = content.elements()
    var isFirst = true
    while let part = parts.next() {
      let before = count
      if part.kind == .string {
        separate(isFirst)
        add(part)
      } else if Self.isText(part), let text = part.member("text"), text.kind == .string {
        separate(isFirst)
        add(text)
      }
      if count > before { isFirst = false }
    }
  }

  private static func isText(_ part: borrowing JSONView) -> Bool {
    guard let type = part.member("type") else { return true }
    return type.equals("text") || type.equals("output_text")
  }

  private mutating func separate(_ isFirst: Bool) {
    guard !isFirst, count < buffer.count else { return }
    buffer[count] = UInt8(ascii: "\n")
    count += 1
  }

  /// Adds a string.
  mutating func add(_ text: borrowing JSONView) {
    guard text.kind == .string, !isCut else { return }
    let room = UnsafeMutableBufferPointer(rebasing: buffer[count...])
    if let length = text.copyString(into: room) { return count += length }
    // The text was cut to the room that was left.
    var end = buffer.count
    while end > count, Self.isInsideCharacter(buffer, end) { end -= 1 }
    count = end
    isCut = true
  }

  /// True when a cut at `end` would separate the bytes of a character.
  private static func isInsideCharacter(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ end: Int) -> Bool {
    var start = end - 1
    while start > 0, end - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let lead = bytes[start]
    let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    return start + length > end
  }
}
