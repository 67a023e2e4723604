import Codec
import Runtime

// The store in the result of `canvas.a2ui.dump` (canvas reference 2.11).

extension SurfaceStore {
  /// Writes `{"main":{"surfaceId":"main","root":"r","components":{...},"dataModel":{...}},...}`: components by id, each
  /// with its `weight` if it has one and its `component` as defined. Values of obscured fields, and those whose name
  /// suggests a secret, are `[redacted]`.
  public func writeSurfaces(into writer: inout JSONWriter) {
    writer.beginObject()
    for index in 0..<count {
      let surface = surface(at: index)
      writer.key(id(surface))
      write(surface, into: &writer)
    }
    writer.endObject()
  }

  private func write(_ surface: Surface, into writer: inout JSONWriter) {
    markSecrets(surface)
    let record = records[Int(surface.slot)]
    writer.beginObject()
    writer.key("surfaceId")
    writer.string(id(surface))
    writer.key("root")
    if record.root.isEmpty { writer.null() } else { writer.string(rootId(surface)) }
    writer.key("components")
    writer.beginObject()
    var component = record.first
    while component != .none {
      write(component, into: &writer)
      component = self.component(component).nextInSurface
    }
    writer.endObject()
    writer.key("dataModel")
    if record.model == .none {
      writer.beginObject()
      writer.endObject()
    } else {
      data.write(record.model, hiding: .secrets, into: &writer)
    }
    writer.endObject()
  }

  private func write(_ index: ComponentIndex, into writer: inout JSONWriter) {
    writer.key(Span(_unsafeElements: id(of: index)))
    if component(index).isFlat {
      let definition = JSONView(Span(_unsafeElements: definition(index)))
      return write(definition, hidesText: isObscured(index), into: &writer)
    }
    writer.beginObject()
    let weight = component(index).weight
    if weight > 0 {
      writer.key("weight")
      writer.double(Double(weight))
    }
    writer.key("component")
    let isObscured = isObscured(index)
    write(JSONView(Span(_unsafeElements: definition(index))), hidesText: isObscured, into: &writer)
    writer.endObject()
  }

  /// Copies JSON, without white space and without secrets.
  private func write(_ view: JSONView, hidesText: Bool, into writer: inout JSONWriter) {
    switch view.kind {
    case .object:
      writer.beginObject()
      var members = view.members()
      while let member = members.next() {
        let name = unescaped(member.name) ?? Bytes(start: nil, count: 0)
        writer.key(Span(_unsafeElements: name))
        let isLiteral = name.equals("literalString") || name.equals("literal") || name.equals("literalNumber")
        if hidesText && isLiteral || isSecret(name, member.value) {
          writer.string(SecretName.replacement)
        } else if hidesText && (name.equals("text") || name.equals("value")) && member.value.kind == .string {
          writer.string(SecretName.replacement)
        } else {
          write(member.value, hidesText: hidesText && !name.equals("label"), into: &writer)
        }
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      var elements = view.elements()
      while let element = elements.next() { write(element, hidesText: hidesText, into: &writer) }
      writer.endArray()
    default: writer.raw(view.rawText)
    }
  }

  private func isSecret(_ name: Bytes, _ value: JSONView) -> Bool {
    (value.kind == .string || value.kind == .number) && SecretName.matches(name)
  }

  private func isObscured(_ index: ComponentIndex) -> Bool {
    guard component(index).type == .textField else { return false }
    guard let type = property(index, "textFieldType") else { return false }
    return unescaped(JSONView(Span(_unsafeElements: type)))?.equals("obscured") == true
  }

  /// Marks the values of obscured fields outside templates; those inside are marked when a tree is built.
  private func markSecrets(_ surface: Surface) {
    let record = records[Int(surface.slot)]
    var index = record.first
    while index != .none {
      if isObscured(index) {
        let text = property(index, "text") ?? StaticString("null").asBytes
        let path = unescaped(JSONView(Span(_unsafeElements: text)).member("path"))
        if let path, let node = data.find(path, from: record.model) { data[node].isSecret = true }
      }
      index = component(index).nextInSurface
    }
  }
}
