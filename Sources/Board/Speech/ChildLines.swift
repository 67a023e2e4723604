import Runtime

/// Splits the output of a child process into lines. Lines outside its protocol are diagnostics of libraries
/// ("complaints").
final class ChildLines {
  private let line: FixedBuffer
  private var count = 0
  /// The last diagnostic line; empty: none.
  private(set) var complaint = InlineText<192>()

  /// Lines of at most `capacity` bytes; longer ones are truncated.
  init(capacity: Int) { line = FixedBuffer(capacity: capacity) }

  /// Resets for another child process.
  func begin() {
    count = 0
    complaint.clear()
  }

  /// Adds bytes and calls `body` with each complete line, which is valid during the call.
  func take(_ bytes: Span<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for index in 0..<bytes.count {
      if bytes[index] == UInt8(ascii: "\n") {
        body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(line.bytes)[..<count]))
        count = 0
      } else if count < line.bytes.count {
        line.bytes[count] = bytes[index]
        count += 1
      }
    }
  }

  /// Stores a line as the last diagnostic, without the word `failed` at its beginning.
  func complain(_ line: UnsafeBufferPointer<UInt8>) {
    complaint = InlineText(cutting: Span(_unsafeElements: line.rest(after: Self.failed) ?? line))
  }

  /// The prefix of the reason why a child process gives up.
  static let failed: StaticString = "failed "
}

extension UnsafeBufferPointer<UInt8> {
  /// The rest after a prefix; nil when the line does not have it.
  func rest(after word: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard count >= word.utf8CodeUnitCount else { return nil }
    for index in 0..<word.utf8CodeUnitCount where self[index] != word.utf8Start[index] { return nil }
    return UnsafeBufferPointer(rebasing: self[word.utf8CodeUnitCount...])
  }

  /// The number at `place`, which moves past it and one space; nil when there is none, or it has more than six
  /// digits.
  func number(_ place: inout Int) -> Int? {
    var number = 0
    let start = place
    while place < count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[place] {
      guard place < start + 6 else { return nil }
      number = number * 10 + Int(self[place] & 0x0F)
      place += 1
    }
    guard place > start else { return nil }
    if place < count, self[place] == UInt8(ascii: " ") { place += 1 }
    return number
  }
}
