/// Checks a JSON text as it arrives, in pieces of any size, and keeps none of it (RFC 8259). Strict: UTF-8,
/// no byte order mark, no lone surrogate, one value and nothing after it but white space.
public struct JSONValidator {
  private var machine: JSONMachine
  private var sink = IgnoringSink()

  /// A validator at the start of a text.
  /// - Parameter depthLimit: how many containers may be nested, 1 to 1024.
  public init(depthLimit: Int) {
    machine = JSONMachine(depthLimit: depthLimit)
  }

  /// Reads the next bytes. After an error every further call throws it again.
  public mutating func feed(_ bytes: Span<UInt8>) throws(JSONError) {
    try machine.feed(bytes, into: &sink)
  }

  /// Ends the text; throws `unexpectedEnd` when a value is missing or half read.
  public mutating func finish() throws(JSONError) {
    try machine.finish()
  }

  /// Checks a whole text.
  @export(interface)
  public static func check(_ text: Span<UInt8>, depthLimit: Int) throws(JSONError) {
    var validator = JSONValidator(depthLimit: depthLimit)
    try validator.feed(text)
    try validator.finish()
  }
}

/// Ignores all events.
private struct IgnoringSink: JSONSink {
  @inline(__always) mutating func value(_ kind: JSONKind) {}
  @inline(__always) mutating func key() {}
  @inline(__always) mutating func text(_ piece: Span<UInt8>) {}
  @inline(__always) mutating func text(_ scalar: UInt32) {}
  @inline(__always) mutating func endText() {}
  @inline(__always) mutating func endContainer() {}
}
