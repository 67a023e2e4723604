/// Builds one line of text in a fixed buffer, without allocation. What does not fit is dropped.
public struct LogLine {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written.
  public private(set) var count = 0

  /// A line at the start of `bytes`, which must outlive it.
  public init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  /// Adds a literal.
  public mutating func add(_ text: StaticString) { add(text.bytes) }

  /// Adds untrusted text, escaped by `ShownText`: it cannot forge a line, control a terminal or reverse the reading
  /// direction.
  @export(interface)
  public mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    ShownText.forEachByte(of: text) { add($0) }
  }

  /// Adds untrusted text.
  public mutating func add(_ text: Span<UInt8>) { text.withUnsafeBufferPointer { add($0) } }

  /// Adds a string. For start-up and error paths: making a string may allocate.
  public mutating func add(_ text: String) { add(text.utf8.span) }

  /// Adds a null-terminated string.
  public mutating func add(cString text: UnsafePointer<CChar>) {
    var count = 0
    while text[count] != 0 { count += 1 }
    text.withMemoryRebound(to: UInt8.self, capacity: count) { add(UnsafeBufferPointer(start: $0, count: count)) }
  }

  /// Adds a path.
  public mutating func add(_ path: Path) {
    add(cString: path.cString)
    withExtendedLifetime(path) {}
  }

  /// Adds a number in decimal.
  public mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var rest = number.magnitude
    var length = 0
    repeat {
      digits[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      length += 1
    } while rest > 0
    if number < 0 { add(UInt8(ascii: "-")) }
    while length > 0 {
      length -= 1
      add(digits[length])
    }
  }

  /// Adds what is wrong with a device, and the next step.
  public mutating func add(_ trouble: DeviceTrouble) { trouble.write { add($0) } }

  /// Adds an errno as text and number.
  public mutating func add(_ reason: Errno) {
    add(reason.text)
    add(" (errno ")
    add(reason.number)
    add(")")
  }

  /// Bytes that still fit.
  var room: Int { bytes.count - count }

  /// Adds a byte of a text that is safe to show.
  mutating func put(_ byte: UInt8) { add(byte) }

  private mutating func add(_ byte: UInt8) {
    if count == bytes.count { return }
    bytes[count] = byte
    count += 1
  }
}
