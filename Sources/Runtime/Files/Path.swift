/// A file path built in a fixed buffer, null-terminated for the kernel.
public final class Path {
  private let buffer = FixedBuffer(capacity: Budget.pathBytes)
  private var count = 0

  /// An empty path.
  @export(interface)
  public init() {}

  /// A path from a string, for start-up.
  @export(interface)
  public init(_ text: String) throws(Errno) { try append(text) }

  /// The path as the kernel wants it; valid until the next change.
  public var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(buffer.bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
  }

  /// Removes everything beyond the first `count` bytes.
  public func truncate(to count: Int = 0) {
    self.count = min(count, self.count)
    buffer.bytes[self.count] = 0
  }

  /// Bytes, the terminator not counted.
  public var length: Int { count }

  /// Adds bytes; throws `ENAMETOOLONG` when the path would be too long for the kernel.
  public func append(_ text: UnsafeBufferPointer<UInt8>) throws(Errno) {
    guard count + text.count < Budget.pathBytes else { throw Errno(36) }
    guard !text.contains(0) else { throw .invalidArgument }
    for byte in text {
      buffer.bytes[count] = byte
      count += 1
    }
    buffer.bytes[count] = 0
  }

  /// Adds a literal.
  public func append(_ text: StaticString) throws(Errno) { try append(text.bytes) }

  /// Adds a string.
  public func append(_ text: String) throws(Errno) {
    try text.withBytes { (bytes) throws(Errno) in try append(bytes) }
  }

  /// Adds a null-terminated string.
  public func append(cString text: UnsafePointer<CChar>) throws(Errno) {
    var length = 0
    while text[length] != 0 { length += 1 }
    try append(
      UnsafeBufferPointer(
        start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: length))
  }
}
