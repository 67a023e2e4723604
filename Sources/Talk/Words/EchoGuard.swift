import Runtime

/// Detects the board's own voice and repeated transcripts: a transcript that is part of the board's recent speech comes
/// from its own speaker (node-commands 7.2), and the same command again at once is a repetition of the recognizer
/// (6.4).
public struct EchoGuard: ~Copyable {
  /// Fewer letters than this are not compared: "yes" is in many replies.
  private static let least = 8

  private let spoken = FixedBuffer(capacity: Budget.echoBytes)
  private var count = 0
  private var last: (sum: WordSum, at: Int64)?

  /// Nothing spoken yet.
  public init() {}

  /// Adds text that the board speaks; the oldest is dropped when there is no room.
  public mutating func speak(_ text: Span<UInt8>) {
    var reader = Letters(text)
    while let letter = reader.next() { if !letter.isPunctuation && !letter.isSpace { add(letter.small) } }
  }

  /// A new turn: clears the spoken text.
  public mutating func forget() { count = 0 }

  /// True when this is the board's own voice.
  public func isOwnVoice(_ text: Span<UInt8>) -> Bool {
    let wanted = WordSum(text)
    guard wanted.count >= Self.least else { return false }
    // Letters are reduced to one byte each: ASCII is exact, others may collide.
    let pattern = Letters(text)
    var start = 0
    while start < count {
      if begins(at: start, pattern) { return true }
      start += 1
    }
    return false
  }

  /// True when the same text came a moment ago; remembers it.
  public mutating func isRepeat(_ text: Span<UInt8>, at now: Int64) -> Bool {
    let sum = WordSum(text)
    defer { last = (sum, now) }
    guard let last else { return false }
    return last.sum == sum && now - last.at < Budget.repeatMilliseconds
  }

  private func begins(at start: Int, _ pattern: borrowing Letters) -> Bool {
    var letters = copy pattern
    var index = start
    while let letter = letters.next() {
      if letter.isPunctuation || letter.isSpace { continue }
      guard index < count, spoken.bytes[index] == UInt8(truncatingIfNeeded: letter.small) else { return false }
      index += 1
    }
    return true
  }

  private mutating func add(_ letter: UInt32) {
    let capacity = spoken.bytes.count
    if count == capacity {
      let base = spoken.bytes.baseAddress!
      base.update(from: base + capacity / 2, count: capacity - capacity / 2)
      count = capacity - capacity / 2
    }
    spoken.bytes[count] = UInt8(truncatingIfNeeded: letter)
    count += 1
  }
}
