import Codec
import Runtime

/// What was understood of an utterance so far: sentences that are certain, and after them what may still change. Bounded: more than
/// fits is cut at a character's edge, and known to be.
public final class Transcript {
  private let storage = FixedBuffer(capacity: Budget.transcriptBytes)
  private var certain = 0
  /// Bytes.
  public private(set) var count = 0
  /// There was more.
  public private(set) var isCut = false

  /// Nothing yet.
  public init() {}

  /// The text, until it changes.
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage.bytes)[..<count]) }

  /// There is text, and none of it may still change.
  public var isCertain: Bool { count > 0 && count == certain }

  /// Forgets the last guess; true when there is nothing now, but there was a guess.
  public func dropGuess() -> Bool {
    let wasGuess = count > 0 && certain == 0
    count = certain
    return wasGuess
  }

  /// Forgets it.
  public func clear() { (certain, count, isCut) = (0, 0, false) }

  /// A guess at what is being said, in place of the last guess. Empty: none any more.
  public func guess(_ text: Span<UInt8>) { take(text) }

  /// A sentence that is certain, in place of the last guess. An empty one says nothing, and changes nothing.
  public func add(_ text: Span<UInt8>) {
    if text.spaceless.isEmpty { return }
    take(text)
    certain = count
  }

  /// Keeps a part of it alone.
  public func keep(_ range: Range<Int>) {
    let base = storage.bytes.baseAddress!
    base.update(from: base + range.lowerBound, count: range.count)
    (certain, count) = (range.count, range.count)
  }

  private func take(_ text: Span<UInt8>) {
    count = certain
    let text = text.withoutSpace
    guard text.count > 0 else { return }
    if count > 0, count < storage.bytes.count {
      storage.bytes[count] = UInt8(ascii: " ")
      count += 1
    }
    var end = min(text.count, storage.bytes.count - count)
    if end < text.count {
      isCut = true
      while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    }
    for index in 0..<end { storage.bytes[count + index] = text[index] }
    count += end
  }
}
