import Codec
import Runtime

/// The kind of a message, from its one key (canvas reference 1.1).
enum MessageKind: UInt8 {
  case surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface

  var key: StaticString {
    switch self {
    case .surfaceUpdate: "surfaceUpdate"
    case .dataModelUpdate: "dataModelUpdate"
    case .beginRendering: "beginRendering"
    case .deleteSurface: "deleteSurface"
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
    var isNew = false
    var members = message.members()
    while let member = members.next() {
      if let kind = MessageKind(member.name) {
        found = kind
        known += 1
      }
      if member.isOfNewVersion { isNew = true }
    }
    if isNew { throw PushError(.newVersion, place) }
    guard let found, known == 1 else {
      var error = PushError(.keys, place)
      error.detail.listKeys(of: message)
      throw error
    }
    self = found
  }
}

extension JSONMember {
  /// True for keys that only v0.9 has: its version, and its messages (canvas reference 1.15).
  fileprivate var isOfNewVersion: Bool {
    if name.equals("createSurface") || name.equals("updateComponents") || name.equals("updateDataModel") { return true }
    guard name.equals("version"), value.kind == .string else { return false }
    let text = value.rawText.withUnsafeBufferPointer { $0 }
    let versions: InlineArray<4, StaticString> = ["\"v0.9", "\"0.9", "\"v0.10", "\"0.10"]
    for index in 0..<versions.count where text.hasPrefix(versions[index]) { return true }
    return false
  }
}

extension InlineText {
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
