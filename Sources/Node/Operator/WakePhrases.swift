import Codec
import Runtime

/// The wake phrases as the gateway has them (gateway reference 9.11): at most 32 of 64 UTF-16 units.
public struct WakePhrases: ~Copyable {
  /// A unit of UTF-16 has at most three bytes of UTF-8.
  private static let phraseBytes = 3 * Budget.wakePhraseUnits

  private let texts = FixedBuffer(capacity: Budget.wakePhrases * WakePhrases.phraseBytes)
  private let lengths = FixedBuffer(capacity: Budget.wakePhrases)
  /// The number of phrases.
  public private(set) var count = 0

  /// An empty list.
  public init() {}

  /// A phrase.
  public subscript(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index * Self.phraseBytes
    return UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(texts.bytes)[start..<(start + Int(lengths.bytes[index]))])
  }

  /// Takes the gateway's list from `{triggers: [...]}`; false when there is none, or it is the same as before. Phrases
  /// that do not fit, and those that are too long, are left out.
  public mutating func read(_ payload: borrowing JSONView) -> Bool {
    guard let triggers = payload.member("triggers"), triggers.kind == .array else { return false }
    var isChanged = false
    var next = 0
    var elements = triggers.elements()
    while let element = elements.next(), next < Budget.wakePhrases {
      guard Self.fits(element) else { continue }
      if next >= count || !element.equals(Span(_unsafeElements: self[next])) {
        isChanged = true
        let start = next * Self.phraseBytes
        let place = UnsafeMutableBufferPointer(rebasing: texts.bytes[start..<(start + Self.phraseBytes)])
        lengths.bytes[next] = UInt8(element.copyString(into: place) ?? 0)
      }
      next += 1
    }
    if next != count { isChanged = true }
    count = next
    return isChanged
  }

  /// Copies another list.
  public mutating func copy(_ other: borrowing WakePhrases) {
    texts.bytes.baseAddress!.update(from: other.texts.bytes.baseAddress!, count: texts.bytes.count)
    lengths.bytes.baseAddress!.update(from: other.lengths.bytes.baseAddress!, count: lengths.bytes.count)
    count = other.count
  }

  /// Takes the board's own phrases, one a line. Those that do not fit or are too long are left out; a checked
  /// configuration has none.
  public mutating func readLines(_ text: Span<UInt8>) {
    count = 0
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: "\n") {
      let length = index - start
      if length > 0, length <= Self.phraseBytes, count < Budget.wakePhrases {
        for offset in 0..<length { texts.bytes[count * Self.phraseBytes + offset] = text[start + offset] }
        lengths.bytes[count] = UInt8(length)
        count += 1
      }
      start = index + 1
    }
  }

  /// True for the same phrases in the same order.
  public func equals(_ other: borrowing WakePhrases) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count {
      let (mine, others) = (self[index], other[index])
      guard mine.count == others.count else { return false }
      for place in 0..<mine.count where mine[place] != others[place] { return false }
    }
    return true
  }

  // MARK: On flash

  /// Writes the list as `decode` reads it: the number of phrases, and for each its length and bytes. Returns the bytes
  /// written.
  /// - Parameter bytes: `Budget.wakeRecordBytes` of them
  public func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    bytes[0] = UInt8(count)
    var end = 1
    for index in 0..<count {
      let phrase = self[index]
      bytes[end] = UInt8(phrase.count)
      for place in 0..<phrase.count { bytes[end + 1 + place] = phrase[place] }
      end += 1 + phrase.count
    }
    return end
  }

  /// Reads a list that `encode` wrote; false, without a change, when it is not valid.
  public mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, Int(first) <= Budget.wakePhrases else { return false }
    var end = 1
    for _ in 0..<first {
      guard end < bytes.count, Int(bytes[end]) <= Self.phraseBytes, end + 1 + Int(bytes[end]) <= bytes.count else {
        return false
      }
      var validator = UTF8Validator()
      let phrase = UnsafeBufferPointer(rebasing: bytes[(end + 1)..<(end + 1 + Int(bytes[end]))])
      guard validator.accept(Span(_unsafeElements: phrase)), validator.isComplete else { return false }
      end += 1 + phrase.count
    }
    guard end == bytes.count else { return false }
    end = 1
    for index in 0..<Int(first) {
      lengths.bytes[index] = bytes[end]
      for place in 0..<Int(bytes[end]) { texts.bytes[index * Self.phraseBytes + place] = bytes[end + 1 + place] }
      end += 1 + Int(bytes[end])
    }
    count = Int(first)
    return true
  }

  /// True when the gateway would accept the whole list.
  static func areValid(_ list: borrowing JSONView) -> Bool {
    guard list.kind == .array else { return false }
    var count = 0
    var elements = list.elements()
    while let element = elements.next() {
      count += 1
      guard count <= Budget.wakePhrases, fits(element) else { return false }
    }
    return true
  }

  /// True for a string of at most 64 UTF-16 units.
  private static func fits(_ phrase: borrowing JSONView) -> Bool {
    var text = InlineArray<192, UInt8>(repeating: 0)
    var buffer = text.mutableSpan
    guard let count = buffer.withUnsafeMutableBufferPointer({ phrase.copyString(into: $0) }) else { return false }
    var units = 0
    for index in 0..<count where text[index] & 0xC0 != 0x80 { units += text[index] >= 0xF0 ? 2 : 1 }
    return units <= Budget.wakePhraseUnits
  }
}
