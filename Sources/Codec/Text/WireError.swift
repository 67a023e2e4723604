/// Why a command has no result, as callers see it: a code, and a message that begins with the code, a colon
/// and a space (node-commands 3, the Android habit).
public protocol WireError: Error {
  /// The code, and how the text behind it begins.
  var wire: (code: StaticString, text: StaticString) { get }

  /// Adds what varies to the text.
  func writeDetail(to writer: inout ByteWriter)
}

extension WireError {
  /// The wire code.
  public var code: StaticString { wire.code }

  /// Writes the message, `CODE: text`.
  public func writeMessage(to writer: inout ByteWriter) {
    let (code, text) = wire
    writer.text(code)
    writer.text(": ")
    writer.text(text)
    writeDetail(to: &writer)
  }

  /// Nothing varies.
  public func writeDetail(to writer: inout ByteWriter) {}
}
