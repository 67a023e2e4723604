import Runtime

/// Knows the board's own voice, and what was just said: a transcript that is part of what the board has spoken since it last
/// listened was heard from its own speaker (node-commands 7.2), and the same command again at once is the recogniser's
/// repeat (6.4).
public struct EchoGuard: ~Copyable {
  /// Letters of a transcript, below which it says too little to be told from any other: "yes" is in many replies.
  private static let least = 8

  private let spoken = FixedBuffer(capacity: Budget.echoBytes)
  private var count = 0
  private var last: (sum: WordSum, at: Int64)?

  /// Nothing said yet.
  public init() {}

  /// The board says this; the oldest is forgotten where there is no more room.
  public mutating func speak(_ text: Span<UInt8>) {
    var reader = Letters(text)
    while let letter = reader.next() { if !letter.isPunctuation && !letter.isSpace { add(letter.small) } }
  }

  /// A new turn: what was said before comes from no speaker any more.
  public mutating func forget() { count = 0 }

  /// True when this was heard from the board itself.
  public func isOwnVoice(_ text: Span<UInt8>) -> Bool {
    let wanted = WordSum(text)
    guard wanted.count >= Self.least else { return false }
    // Letters are kept as one byte each, which is enough to look for candidates; ASCII compares exactly.
    let pattern = Letters(text)
    var start = 0
    while start < count {
      if begins(at: start, pattern) { return true }
      start += 1
    }
    return false
  }

  /// True when the same was said a moment ago; remembers it.
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
