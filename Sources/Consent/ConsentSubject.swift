import Codec
import Runtime

/// What exactly a request is about: a command line, a tool with its arguments, a camera. Words of others, each quoted
/// so that nothing else is written the same, for what is asked is what is done.
public struct ConsentSubject: Sendable {
  /// Bytes that have room: nine lines of a small screen.
  public static let capacity = 600

  /// What stands before it: "Command line: ".
  public private(set) var label: StaticString = ""
  private var bytes = InlineArray<600, UInt8>(repeating: 0)
  private var count = 0
  /// Bytes of the words that had no room. Then nobody sees the whole, and it can be allowed only once.
  public private(set) var unshown = 0
  /// The SHA-256 of all that is asked for: a grant that lasts is for the same alone. Empty: for every use.
  public var digest = InlineText<32>()

  /// Nothing.
  public init() {}

  /// Nothing yet, with what stands before it.
  public init(label: StaticString) { self.label = label }

  public var isEmpty: Bool { count == 0 && unshown == 0 }

  /// The words, quoted, without label and note.
  public var text: InlineText<600> {
    var text = InlineText<600>()
    text.set(bytes.span.extracting(0..<count))
    return text
  }

  /// Adds words of the board between those of others: " in ".
  public mutating func add(_ words: StaticString) {
    guard unshown == 0, words.utf8CodeUnitCount <= Self.capacity - count else { return }
    for index in 0..<words.utf8CodeUnitCount { put(words.utf8Start[index]) }
  }

  /// Adds words of others, quoted. `length`: their bytes, of which `beginning` may be only the first.
  public mutating func quote(_ beginning: Span<UInt8>, of length: Int) {
    let room = Self.capacity - count - QuotedText.frame
    // What comes after a gap would seem to follow what stands before it.
    guard unshown == 0, room >= 0 else { return unshown += max(length, 1) }
    let left = beginning.withUnsafeBufferPointer { bytes in
      QuotedText.write(bytes, .exact, most: room) { put($0) }
    }
    unshown = left + length - beginning.count
  }

  private mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Writes label and words, and what is not shown of them: "and 5120 bytes that are not shown, sha256 01234567...".
  public func write(to line: inout LogLine) {
    guard !isEmpty else { return }
    line.add(label)
    // They are quoted already, and have nothing that the line would escape.
    line.add(bytes.span.extracting(0..<count))
    guard unshown > 0 else { return }
    line.add(" and ")
    line.add(unshown)
    line.add(" bytes that are not shown")
    guard !digest.isEmpty else { return }
    var text = InlineText<16>()
    text.fill { Hex.encode(digest.span.extracting(first: 8), into: $0) }
    line.add(", sha256 ")
    line.add(text.span)
  }
}
