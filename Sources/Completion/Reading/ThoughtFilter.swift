import Codec

/// Leaves out what a model thinks aloud in its answer: from `<think>` or `<thinking>` to the end tag, wherever the text
/// is cut in pieces. A thought without an end hides the rest. Everything else goes through unchanged, but for white
/// space right after a thought and for end tags without a beginning; and characters go through whole.
public struct ThoughtFilter: Sendable {
  private static let tags: InlineArray<4, StaticString> = ["<think>", "<thinking>", "</think>", "</thinking>"]

  /// Bytes that may be the beginning of a tag.
  private var held = InlineArray<12, UInt8>(repeating: 0)
  private var heldCount = 0
  /// Bytes of a character whose rest has not come.
  private var character = InlineArray<4, UInt8>(repeating: 0)
  private var characterCount = 0
  private var validator = UTF8Validator()
  private var isAfterThought = false
  /// True inside of a thought.
  public private(set) var isHiding: Bool
  /// A thought was left out.
  public private(set) var hasHidden = false

  /// A filter at the start of a text. `startsInThought`: the prompt ends with the beginning of a thought, as the
  /// templates of some models have it, so that the answer has the end tag only.
  public init(startsInThought: Bool = false) { isHiding = startsInThought }

  /// Takes the next bytes, and writes what may be seen of them.
  public mutating func take(_ text: Span<UInt8>, into writer: inout ByteWriter) {
    var index = 0
    while index < text.count {
      let end = text.runEnd(from: index)
      if end > index, heldCount == 0 {
        show(text.extracting(index..<end), &writer)
        index = end
      } else {
        take(text[index], &writer)
        index += 1
      }
    }
  }

  /// The text is over: what was no tag is written, and U+FFFD for a character without its end.
  public mutating func finish(into writer: inout ByteWriter) {
    release(&writer)
    if characterCount > 0 { replace(&writer) }
  }

  private mutating func take(_ byte: UInt8, _ writer: inout ByteWriter) {
    if heldCount > 0 {
      hold(byte)
      switch match() {
      case .beginning: return
      case .whole(let tag):
        isAfterThought = isHiding && tag >= 2
        (heldCount, isHiding, hasHidden) = (0, tag < 2, true)
        return
      case .none:
        heldCount -= 1
        release(&writer)
      }
    }
    if byte == UInt8(ascii: "<") { return hold(byte) }
    show(byte, &writer)
  }

  private mutating func hold(_ byte: UInt8) {
    held[heldCount] = byte
    heldCount += 1
  }

  private enum Match { case none, beginning, whole(Int) }

  /// What the held bytes are: nothing, the beginning of a tag, or a tag.
  private func match() -> Match {
    var isBeginning = false
    for tag in 0..<Self.tags.count {
      let text = Self.tags[tag]
      guard heldCount <= text.utf8CodeUnitCount, text.utf8Bytes.begins(with: held.span.extracting(0..<heldCount))
      else { continue }
      if heldCount == text.utf8CodeUnitCount { return .whole(tag) }
      isBeginning = true
    }
    return isBeginning ? .beginning : .none
  }

  /// The held bytes are text.
  private mutating func release(_ writer: inout ByteWriter) {
    let count = heldCount
    heldCount = 0
    for index in 0..<count { show(held[index], &writer) }
  }

  // MARK: Characters

  private mutating func show(_ run: Span<UInt8>, _ writer: inout ByteWriter) {
    if isHiding { return }
    var index = 0
    while index < run.count, isAfterThought || characterCount > 0 || run[index] >= 0x80 {
      show(run[index], &writer)
      index += 1
    }
    // From here on, ASCII goes through in one piece.
    var end = index
    while end < run.count, run[end] < 0x80 { end += 1 }
    writer.bytes(run.extracting(index..<end))
    for place in end..<run.count { show(run[place], &writer) }
  }

  private mutating func show(_ byte: UInt8, _ writer: inout ByteWriter) {
    if isHiding { return }
    if isAfterThought {
      if byte == 0x20 || byte >= 0x09 && byte <= 0x0D { return }
      isAfterThought = false
    }
    character[characterCount] = byte
    characterCount += 1
    guard validator.accept(character.span.extracting((characterCount - 1)..<characterCount)) else {
      let isAlone = characterCount == 1
      replace(&writer)
      // What does not belong to the character before it may begin another.
      return isAlone ? () : show(byte, &writer)
    }
    guard validator.isComplete else { return }
    writer.bytes(character.span.extracting(0..<characterCount))
    characterCount = 0
  }

  private mutating func replace(_ writer: inout ByteWriter) {
    writer.text("\u{FFFD}" as StaticString)
    (characterCount, validator) = (0, UTF8Validator())
  }
}

extension Span where Element == UInt8 {
  /// The index of the next `<`.
  fileprivate func runEnd(from start: Int) -> Int {
    var index = start
    while index < count, self[index] != UInt8(ascii: "<") { index &+= 1 }
    return index
  }

  fileprivate func begins(with other: Span<UInt8>) -> Bool {
    guard other.count <= count else { return false }
    for index in 0..<other.count where self[index] != other[index] { return false }
    return true
  }
}
