/// A short text that lives inside its owner: ids, names, nonces. Never allocates.
public struct InlineText<let capacity: Int>: Sendable {
  private var storage = InlineArray<capacity, UInt8>(repeating: 0)
  /// Bytes in use.
  public private(set) var count = 0

  /// An empty text.
  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// The bytes.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) borrowing get { storage.span.extracting(first: count) }
  }

  /// Replaces the text; false, and empty, when it does not fit.
  @discardableResult
  public mutating func set(_ text: Span<UInt8>) -> Bool {
    count = 0
    guard text.count <= capacity else { return false }
    for index in 0..<text.count { storage[index] = text[index] }
    count = text.count
    return true
  }

  /// Replaces the text by what `write` puts into the buffer; nil from `write` leaves it empty.
  @discardableResult
  public mutating func fill(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    var span = storage.mutableSpan
    let written = span.withUnsafeMutableBufferPointer { write($0) }
    count = written ?? 0
    return written != nil
  }

  /// Makes the text empty.
  public mutating func clear() { count = 0 }

  /// True when both hold the same bytes.
  public func equals(_ other: Span<UInt8>) -> Bool {
    guard other.count == count else { return false }
    for index in 0..<count where other[index] != storage[index] { return false }
    return true
  }

  /// As much of `text` as there is room for, cut at a character's edge.
  public init(cutting text: Span<UInt8>) {
    self.init()
    set(text.extracting(0..<text.characters(in: capacity)))
  }

  /// A literal, cut as above.
  public init(cutting text: StaticString) { self.init(cutting: Span(_unsafeElements: text.bytes)) }

  /// A string, cut as above. For start-up.
  public init(cutting text: String) { self.init(cutting: text.utf8.span) }
}

extension InlineText: Equatable {
  /// Compares bytes, in place. Not by `right.span`: where Embedded Swift 6.3.1 specializes this for a caller in another
  /// module, the span of an argument shows the other argument's memory, or none that is alive, so that "Mic" was "PCM",
  /// and "Mic" not "Mic" (with -O and -Osize alike). Any function that takes a text by value and passes its span on may
  /// be affected.
  public static func == (left: InlineText, right: InlineText) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left.storage[index] != right.storage[index] { return false }
    return true
  }
}
