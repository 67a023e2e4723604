import Codec

extension DataStore {
  /// What is hidden when a data model is written.
  enum Hiding {
    /// Values of obscured fields, which are left out.
    case obscured
    /// The same, and everything whose name suggests a secret, replaced by `[redacted]`.
    case secrets
    case nothing
  }

  /// Writes a value as JSON.
  func write(_ node: NodeIndex, hiding: Hiding, into writer: inout JSONWriter) {
    switch self[node].kind {
    case .null: writer.null()
    case .string: writer.string(Span(_unsafeElements: text(node)))
    case .number: writer.double(self[node].number)
    case .bool: writer.bool(self[node].number != 0)
    case .array:
      writer.beginArray()
      writeChildren(of: node, hiding, &writer)
      writer.endArray()
    case .map:
      writer.beginObject()
      writeChildren(of: node, hiding, &writer)
      writer.endObject()
    }
  }

  private func writeChildren(of node: NodeIndex, _ hiding: Hiding, _ writer: inout JSONWriter) {
    let hasKeys = self[node].kind == .map
    var child = self[node].first
    while child != .none {
      let value = child
      child = self[child].next
      if hiding == .obscured, self[value].isSecret { continue }
      if hasKeys { writer.key(Span(_unsafeElements: key(value))) }
      if hiding == .secrets, isHidden(value) {
        writer.string(SecretName.replacement)
      } else {
        write(value, hiding: hiding, into: &writer)
      }
    }
  }

  private func isHidden(_ node: NodeIndex) -> Bool {
    if self[node].isSecret { return true }
    switch self[node].kind {
    case .null, .bool: return false
    default: return SecretName.matches(key(node))
    }
  }
}
