/// The error of a command as the caller gets it: a code, and a message that begins with the code, a colon and a space.
/// For the agent the gateway itself puts the code first, so the message is sent to it without (`withoutCode`).
public protocol WireError: Error {
  /// The code, and how the text after it begins.
  var wire: (code: StaticString, text: StaticString) { get }

  /// Adds the variable part of the text.
  func writeDetail(to writer: inout ByteWriter)
}

extension WireError {
  /// The wire code.
  public var code: StaticString { wire.code }

  /// Writes the message, `CODE: text`.
  public func writeMessage(to writer: inout ByteWriter) {
    writer.text(wire.code)
    writer.text(": ")
    writeSentence(to: &writer)
  }

  /// Writes the message without the code.
  public func writeSentence(to writer: inout ByteWriter) {
    writer.text(wire.text)
    writeDetail(to: &writer)
  }

  /// No variable part.
  public func writeDetail(to writer: inout ByteWriter) {}
}

extension Span where Element == UInt8 {
  /// A message without a leading code and colon, for use beside a `code` member. Gateways put that before the message
  /// (gateway reference 9.3), so that an agent would read the code twice.
  @_lifetime(copy self)
  public func withoutCode(_ code: StaticString) -> Span<UInt8> {
    let name = code.utf8Bytes
    guard count > name.count + 2, self[name.count] == UInt8(ascii: ":"), self[name.count + 1] == 0x20 else {
      return self
    }
    for index in 0..<name.count where self[index] != name[index] { return self }
    return extracting((name.count + 2)...)
  }
}
