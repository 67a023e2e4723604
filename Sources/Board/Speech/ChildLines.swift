import Runtime

/// What a child of this program says, cut into lines, of which those that nobody expects are complaints.
final class ChildLines {
  private let line: FixedBuffer
  private var count = 0
  /// What it complained of last; empty: of nothing.
  private(set) var complaint = InlineText<192>()

  /// Lines of at most so many bytes; of a longer one the beginning.
  init(capacity: Int) { line = FixedBuffer(capacity: capacity) }

  /// Another child speaks from now on.
  func begin() {
    count = 0
    complaint.clear()
  }

  /// Takes what comes, and calls `body` with each line that is complete, gone when that returns.
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

  /// Keeps a line as a complaint, without the word `failed` at its beginning.
  func complain(_ line: UnsafeBufferPointer<UInt8>) {
    complaint = InlineText(cutting: Span(_unsafeElements: line.rest(behind: Self.failed) ?? line))
  }

  /// Stands before the reason for which a child ends by itself.
  static let failed: StaticString = "failed "
}

extension UnsafeBufferPointer<UInt8> {
  /// What stands behind a word at the beginning; nil: it does not stand there.
  func rest(behind word: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard count >= word.utf8CodeUnitCount else { return nil }
    for index in 0..<word.utf8CodeUnitCount where self[index] != word.utf8Start[index] { return nil }
    return UnsafeBufferPointer(rebasing: self[word.utf8CodeUnitCount...])
  }

  /// The number at a place, which goes on behind it and the blank that follows; nil: there is none, or one of more than six digits.
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
