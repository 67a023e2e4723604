import Runtime

/// The result of a completion.
public enum Completion: Equatable, Sendable {
  /// No word matches.
  case none
  /// The word was completed, with a space after it.
  case complete
  /// The common prefix of several words was inserted.
  case longer
  /// Several words match, without a longer common prefix.
  case ambiguous
}

extension LineEditor {
  /// The part of the current word before the cursor.
  public var stem: UnsafeBufferPointer<UInt8> {
    var start = cursor
    while start > 0, bytes[start - 1] != 0x20 { start -= 1 }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[start..<cursor])
  }

  /// The text before that word.
  public var context: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[..<(cursor - stem.count)])
  }

  /// Completes the word before the cursor with one of `words`.
  public func complete(_ words: borrowing [String]) -> Completion {
    let stem = stem
    var first: Int?
    var matches = 0
    // The length of the common prefix.
    var common = 0
    for index in words.indices where Self.word(words[index], beginsWith: stem) {
      matches += 1
      if let first {
        common = Self.shared(words[first], words[index], atMost: common)
      } else {
        first = index
        common = words[index].utf8.count
      }
    }
    guard let first else { return .none }
    let known = stem.count
    var changed = false
    if common > known {
      let text = words[first].utf8.span
      changed = text.withUnsafeBufferPointer { text in
        insert(UnsafeBufferPointer(rebasing: text[known..<common])) == .changed
      }
    }
    if matches > 1 { return changed ? .longer : .ambiguous }
    var blank: UInt8 = 0x20
    _ = withUnsafeBytes(of: &blank) { insert($0.bindMemory(to: UInt8.self)) }
    return .complete
  }

  /// True when `word` begins with `stem`.
  public static func word(_ word: borrowing String, beginsWith stem: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = word.utf8.span
    guard text.count >= stem.count else { return false }
    for index in 0..<stem.count where text[index] != stem[index] { return false }
    return true
  }

  private static func shared(_ one: borrowing String, _ other: borrowing String, atMost most: Int) -> Int {
    let (one, other) = (one.utf8.span, other.utf8.span)
    let most = min(most, min(one.count, other.count))
    for index in 0..<most where one[index] != other[index] { return index }
    return most
  }
}
