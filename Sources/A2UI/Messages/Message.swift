import Codec
import Runtime

/// The kind of a message, from its one key (canvas reference 1.1, 1.15). The first four are of v0.8; v0.9 has the
/// last three, and deletes in the same way.
enum MessageKind: UInt8 {
  case surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface
  case createSurface, updateComponents, updateDataModel

  var key: StaticString {
    switch self {
    case .surfaceUpdate: "surfaceUpdate"
    case .dataModelUpdate: "dataModelUpdate"
    case .beginRendering: "beginRendering"
    case .deleteSurface: "deleteSurface"
    case .createSurface: "createSurface"
    case .updateComponents: "updateComponents"
    case .updateDataModel: "updateDataModel"
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
      if member.isOfNewVersion {
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
  /// True for a version that is neither v0.8 nor v0.9 (canvas reference 1.15). Versions that are no text are passed
  /// over, as other members are.
  fileprivate var isOfNewVersion: Bool {
    guard name.equals("version"), value.kind == .string else { return false }
    let text = value.rawText.withUnsafeBufferPointer { $0 }
    let known: InlineArray<4, StaticString> = ["\"v0.8", "\"0.8", "\"v0.9", "\"0.9"]
    for index in 0..<known.count where text.hasPrefix(known[index]) {
      // v0.91 would be another one.
      let next = text[known[index].utf8CodeUnitCount]
      if !next.isDigit { return false }
    }
    return true
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
