/// Why a command has no result, as callers see it: a code, and a message that begins with the code, a colon and a space, in logs as in
/// what an agent reads. There the gateway writes the code before what it is sent, which goes without (`withoutCode`).
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
    writer.text(wire.code)
    writer.text(": ")
    writeSentence(to: &writer)
  }

  /// Writes the message without the code, for where that stands already.
  public func writeSentence(to writer: inout ByteWriter) {
    writer.text(wire.text)
    writeDetail(to: &writer)
  }

  /// Nothing varies.
  public func writeDetail(to writer: inout ByteWriter) {}
}

extension Span where Element == UInt8 {
  /// A message without the code and the colon that it may begin with: beside a `code` of its own. Gateways write that before the
  /// message (gateway reference 9.3, what the operator sees), so that an agent would read it twice.
  @_lifetime(copy self)
  public func withoutCode(_ code: StaticString) -> Span<UInt8> {
    let name = code.utf8Bytes
    guard count > name.count + 2, self[name.count] == UInt8(ascii: ":"), self[name.count + 1] == 0x20 else { return self }
    for index in 0..<name.count where self[index] != name[index] { return self }
    return extracting((name.count + 2)...)
  }
}
