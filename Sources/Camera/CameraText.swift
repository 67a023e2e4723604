import Runtime

/// A short text kept in place, without a heap object: a camera's id or name, or a word of a request.
public struct CameraText: Sendable {
  private var storage = InlineArray<64, UInt8>(repeating: 0)
  /// Bytes in use, at most `Budget.cameraTextBytes`.
  public private(set) var count = 0

  /// An empty text.
  public init() { precondition(Budget.cameraTextBytes == storage.count) }

  /// The first `Budget.cameraTextBytes` bytes of `text`, cut at a character's edge.
  public init(_ text: Span<UInt8>) {
    self.init()
    var end = min(text.count, storage.count)
    if end < text.count {
      while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    }
    for index in 0..<end { storage[index] = text[index] }
    count = end
  }

  /// A literal, cut as above.
  public init(_ text: StaticString) { self.init(Span(_unsafeElements: text.bytes)) }

  /// The bytes.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(0..<count) }
  }

  /// True when nothing was written.
  public var isEmpty: Bool { count == 0 }
}

extension CameraText: Equatable {
  /// Compares bytes.
  public static func == (left: CameraText, right: CameraText) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left.storage[index] != right.storage[index] { return false }
    return true
  }
}
