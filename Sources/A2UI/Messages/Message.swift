import Codec
import Runtime

/// The version that a message says it is of. One that says none is of v0.8 or v0.9, by its key.
enum MessageVersion: UInt8 {
  case v0_8, v0_9, v0_10, v1_0

  private var text: StaticString {
    switch self {
    case .v0_8: "0.8"
    case .v0_9: "0.9"
    case .v0_10: "0.10"
    case .v1_0: "1.0"
    }
  }

  /// The version of `v0.9`, `0.9.1` or the number 1.0; nil for any other.
  init?(_ json: JSONView) {
    var text = json.rawText.withUnsafeBufferPointer { $0 }
    if json.kind == .string { text = text.between(1..<text.count - 1) }
    if text.count > 0, text[0] | 0x20 == UInt8(ascii: "v") { text = text.dropping(1) }
    var raw: UInt8 = 0
    while let version = MessageVersion(rawValue: raw) {
      raw += 1
      guard text.hasPrefix(version.text) else { continue }
      let end = version.text.utf8CodeUnitCount
      // v0.91 would be another one.
      if end < text.count, text[end].isDigit { continue }
      self = version
      return
    }
    return nil
  }

  /// The version of a message, if it says one that is known.
  init?(of message: JSONView) {
    guard let version = message.member("version"), let known = MessageVersion(version) else { return nil }
    self = known
  }
}

/// The kind of a message, from its one key (canvas reference 1.1, 1.15). The first four are of v0.8; v0.9, v0.10 and
/// v1.0 have the next three, and delete in the same way. Of the last four two ask for functions, which are not called
/// here, and two answer.
enum MessageKind: UInt8 {
  case surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface
  case createSurface, updateComponents, updateDataModel
  case callFunction, callRendererFunction, agentFunctionResponse, actionResponse

  var key: StaticString {
    switch self {
    case .surfaceUpdate: "surfaceUpdate"
    case .dataModelUpdate: "dataModelUpdate"
    case .beginRendering: "beginRendering"
    case .deleteSurface: "deleteSurface"
    case .createSurface: "createSurface"
    case .updateComponents: "updateComponents"
    case .updateDataModel: "updateDataModel"
    case .callFunction: "callFunction"
    case .callRendererFunction: "callRendererFunction"
    case .agentFunctionResponse: "agentFunctionResponse"
    case .actionResponse: "actionResponse"
    }
  }

  /// The message is read, and does nothing here.
  var isUnused: Bool { rawValue >= MessageKind.callFunction.rawValue }

  /// What is told of a message that does nothing here.
  var unusedSentence: StaticString {
    switch self {
    case .agentFunctionResponse, .actionResponse: " answers what was not asked, ignored here"
    default: " asks for a function, ignored here"
    }
  }

  init?(_ key: JSONView) {
    var raw: UInt8 = 0
    while let kind = MessageKind(rawValue: raw) {
      if key.equals(kind.key) {
        self = kind
        return
      }
      raw += 1
    }
    return nil
  }

  /// What stands in an object around messages, as in `{"messages":[...]}`; nil for a message.
  static func wrapped(_ json: JSONView) -> UnsafeBufferPointer<UInt8>? {
    var found: UnsafeBufferPointer<UInt8>?
    var members = json.members()
    while let member = members.next() {
      if MessageKind(member.name) != nil { return nil }
      let isWrapper =
        member.name.equals("messages") || member.name.equals("a2ui") || member.name.equals("a2uiMessages")
        || member.name.equals("a2ui_messages")
      guard isWrapper, member.value.kind == .array || member.value.kind == .object else { continue }
      found = member.value.rawText.withUnsafeBufferPointer { $0 }
    }
    return found
  }

  /// The kind of a message.
  init(of message: JSONView, at place: MessagePlace) throws(PushError) {
    guard message.kind == .object else { throw PushError(.noObject, place) }
    var found: MessageKind?
    var known = 0
    var members = message.members()
    while let member = members.next() {
      if let kind = MessageKind(member.name) {
        found = kind
        known += 1
      }
      if member.isOfOtherVersion {
        var error = PushError(.version, place)
        error.detail.set(cutting: member.value)
        throw error
      }
    }
    guard let found, known == 1 else {
      var error = PushError(.keys, place)
      error.detail.listKeys(of: message)
      throw error
    }
    self = found
  }
}

extension JSONMember {
  /// True for a version that is not known (canvas reference 1.15). Versions that are no text are passed over, as other
  /// members are.
  fileprivate var isOfOtherVersion: Bool {
    name.equals("version") && value.kind == .string && MessageVersion(value) == nil
  }
}

extension InlineText {
  /// The text of a JSON string, as much as fits, with its escapes.
  fileprivate mutating func set(cutting string: JSONView) {
    let raw = string.rawText.withUnsafeBufferPointer { $0 }
    self = InlineText(cutting: Span(_unsafeElements: raw.between(1..<raw.count - 1)))
  }

  /// The names of an object's members, as many as fit.
  fileprivate mutating func listKeys(of object: JSONView) {
    fill { buffer in
      var writer = ByteWriter(into: buffer)
      var members = object.members()
      while let member = members.next(), writer.count < buffer.count {
        if writer.count > 0 { writer.text(", ") }
        let name = member.name.rawText.withUnsafeBufferPointer { $0 }
        writer.bytes(Span(_unsafeElements: name.between(1..<name.count - 1).cut(to: 32)))
      }
      if writer.count == 0 { writer.text("none") }
      return Bytes(buffer).prefix(min(writer.count, buffer.count)).cut(to: buffer.count - 4).count
    }
  }
}
