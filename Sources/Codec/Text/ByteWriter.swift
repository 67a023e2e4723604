/// Writes into a buffer of fixed size and keeps counting beyond its end, as snprintf does: a pass without a buffer
/// measures, a second pass into a buffer of that length writes. Nothing is ever written outside the buffer.
public struct ByteWriter: ~Copyable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// How many bytes were written or would have been, had there been room.
  public private(set) var count = 0

  /// A writer that only counts.
  public init() {
    buffer = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  /// A writer into `buffer`, from its start. The buffer must outlive the writer.
  public init(into buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  /// True when everything found room.
  public var isComplete: Bool { count <= buffer.count }

  /// Writes one byte.
  public mutating func byte(_ byte: UInt8) {
    if count < buffer.count { buffer[count] = byte }
    count += 1
  }

  /// Writes bytes as they are.
  public mutating func bytes(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { copy($0) }
  }

  /// Writes a literal as it is.
  public mutating func text(_ text: StaticString) {
    bytes(text.utf8Bytes)
  }

  /// Writes a string as it is.
  @export(interface)
  public mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { copy($0) }
  }

  /// Writes an integer in decimal.
  public mutating func decimal(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    decimal(value.magnitude)
  }

  /// Writes an integer in decimal, with zeros before it up to `width` digits.
  public mutating func decimal(_ value: UInt64, width: Int = 1) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var rest = value
    var start = digits.count
    while rest > 0 {
      start -= 1
      digits[start] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    start = min(start, digits.count - min(width, digits.count))
    bytes(digits.span.extracting(start..<digits.count))
  }

  private mutating func copy(_ source: UnsafeBufferPointer<UInt8>) {
    let fitting = min(source.count, buffer.count - min(count, buffer.count))
    if fitting > 0, let from = source.baseAddress, let to = buffer.baseAddress {
      to.advanced(by: count).update(from: from, count: fitting)
    }
    count += source.count
  }
}

extension ByteWriter {
  /// Writes a Unicode scalar in UTF-8.
  mutating func scalar(_ scalar: UInt32) {
    let utf8 = UTF8Scalar(scalar)
    bytes(utf8.bytes)
  }
}
