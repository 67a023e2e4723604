import Codec
import Runtime

/// Why a call of a tool cannot be carried out, in words that the model gets as its result.
public enum CallRefusal: Error, Equatable, Sendable {
  /// It names no tool.
  case noName
  /// The name is longer than any tool's.
  case nameTooLong
  /// The arguments are no JSON.
  case notJSON(JSONError)
  /// The arguments are JSON, but no object.
  case notAnObject
  /// More than `Budget.modelArgumentBytes` of arguments.
  case tooLong

  /// Writes the sentence.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .noName: writer.text("the call names no tool")
    case .nameTooLong:
      bounded("the call names a tool that does not exist: names have at most ", Budget.modelToolNameBytes, &writer)
    case .notAnObject: writer.text("the arguments are not a JSON object")
    case .tooLong: bounded("the arguments have more than ", Budget.modelArgumentBytes, &writer)
    case .notJSON(let error):
      writer.text("the arguments are not JSON: ")
      writer.text(Self.text(error.kind))
      writer.text(" at byte ")
      writer.decimal(Int64(clamping: error.offset))
    }
  }

  private func bounded(_ text: StaticString, _ bytes: Int, _ writer: inout ByteWriter) {
    writer.text(text)
    writer.decimal(Int64(clamping: bytes))
    writer.text(" bytes")
  }

  private static func text(_ kind: JSONError.Kind) -> StaticString {
    switch kind {
    case .unexpectedByte: "something unexpected"
    case .unexpectedEnd: "the text ends in the middle,"
    case .tooDeep: "more than 64 levels"
    case .invalidNumber: "a wrong number"
    case .controlCharacter: "a control character without escape in a string"
    case .invalidEscape: "a wrong escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .invalidUTF8: "bytes that are not UTF-8"
    }
  }
}
