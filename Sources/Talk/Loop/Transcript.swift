import Codec
import Runtime

/// The text of an utterance so far: final sentences, followed by a partial one that may still change. Limited in
/// length: it is cut at a character boundary, and `isCut` is set.
public final class Transcript {
  private let storage = FixedBuffer(capacity: Budget.transcriptBytes)
  private var certain = 0
  /// Bytes.
  public private(set) var count = 0
  /// There was more.
  public private(set) var isCut = false

  /// An empty transcript.
  @export(interface)
  public init() {}

  /// The text, valid until it changes.
  public var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage.bytes)[..<count])
  }

  /// True when there is text, all of it final.
  public var isCertain: Bool { count > 0 && count == certain }

  /// Drops the partial text; true when nothing is left, but there was one.
  public func dropGuess() -> Bool {
    let wasGuess = count > 0 && certain == 0
    count = certain
    return wasGuess
  }

  /// Clears it.
  public func clear() { (certain, count, isCut) = (0, 0, false) }

  /// Sets the partial text. Empty: none.
  public func guess(_ text: Span<UInt8>) { take(text) }

  /// Appends a final sentence, which replaces the partial text. An empty one changes nothing.
  public func add(_ text: Span<UInt8>) {
    if text.spaceless.isEmpty { return }
    take(text)
    certain = count
  }

  /// Keeps only a part of it.
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
