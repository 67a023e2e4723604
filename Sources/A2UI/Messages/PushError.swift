import Codec
import Runtime

/// Why a whole push was refused. The text says what to send instead.
public struct PushError: WireError, Sendable {
  /// The kind of error.
  public enum Kind: Sendable {
    /// No message at all, or `messages` is not an array.
    case empty, noArray
    /// More bytes or messages than a push may have, or a line that is too long.
    case tooManyBytes, tooManyMessages, lineTooLong
    /// Not JSON.
    case json(JSONError)
    /// JSON, but not an object.
    case noObject
    /// Not exactly one of the keys of v0.8 or of v0.9; `detail` has the keys that were found.
    case keys
    /// Another version than v0.8, v0.9, v0.10 and v1.0; `detail` has it.
    case version
  }

  /// The kind of error.
  public let kind: Kind
  /// The line or the element of `messages`, from 1; 0 for the whole push.
  public let message: Int
  let isLine: Bool
  var detail = InlineText<96>()

  /// The text is not one JSON object a line, so it may be written in another form: an array of all messages is longer
  /// than one may be.
  var isOfForm: Bool {
    switch kind {
    case .json, .noObject, .lineTooLong: true
    default: false
    }
  }

  init(_ kind: Kind, _ place: MessagePlace? = nil) {
    self.kind = kind
    message = place?.number ?? 0
    isLine = place?.isLine ?? true
  }

  public var wire: (code: StaticString, text: StaticString) {
    switch kind {
    case .empty: ("INVALID_REQUEST", "there is no message in it")
    case .noArray: ("INVALID_REQUEST", "messages[] required")
    case .tooManyBytes, .tooManyMessages: ("INVALID_REQUEST", "a push may have ")
    default: ("INVALID_A2UI_JSONL", "")
    }
  }

  public func writeDetail(to writer: inout ByteWriter) {
    if message > 0 { MessagePlace(number: message, isLine: isLine).write(into: &writer) }
    switch kind {
    case .empty, .noArray: break
    case .tooManyBytes:
      writer.decimal(Int64(Budget.a2uiPushBytes))
      writer.text(" bytes")
    case .tooManyMessages:
      writer.decimal(Int64(Budget.a2uiMessages))
      writer.text(" messages")
    case .lineTooLong:
      writer.text("a message may have ")
      writer.decimal(Int64(Budget.a2uiLineBytes))
      writer.text(" bytes")
    case .json(let error): write(error, into: &writer)
    case .noObject: writer.text("expected one object with one message of A2UI")
    case .keys:
      writer.text("expected exactly one of surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface, or of v0.9 ")
      writer.text("createSurface, updateComponents, updateDataModel; found ")
      writer.bytes(detail.span)
    case .version:
      writer.text("A2UI ")
      writer.bytes(detail.span)
      writer.text(" is not supported here, send v0.8, v0.9, v0.10 or v1.0")
    }
  }

  private func write(_ error: JSONError, into writer: inout ByteWriter) {
    writer.text("not JSON: ")
    writer.text(error.kind.sentence)
    guard error.kind != .unexpectedEnd else { return }
    writer.text(" at byte ")
    writer.decimal(error.offset + 1)
  }
}

extension JSONError.Kind {
  fileprivate var sentence: StaticString {
    switch self {
    case .unexpectedByte: "unexpected character"
    case .unexpectedEnd: "it ends in the middle"
    case .tooDeep: "nested too deeply"
    case .invalidNumber: "invalid number"
    case .controlCharacter: "control character in a string"
    case .invalidEscape: "invalid escape"
    case .loneSurrogate: "half a surrogate pair"
    case .invalidUTF8: "invalid UTF-8"
    }
  }
}
