import Codec
import Runtime

/// The choice of entries of an action's context.
struct ContextChoice {
  var fit = ContextFit()
  /// True when values of obscured fields are sent too.
  var sendsObscured = false

  static let entries = Budget.a2uiContextEntries
}

// The context of an action, with values resolved in the button's scope (canvas reference 1.12).

extension InstanceTree {
  /// The `action` of a button, of v0.9 its `event`; nil when it has none with a name.
  func action(_ index: Int) -> Bytes? {
    guard let json = property(index, "action") else { return nil }
    var view = JSONView(Span(_unsafeElements: json))
    if let event = view.member("event"), event.kind == .object { view = event }
    guard view.kind == .object, store.unescaped(view.member("name")) != nil else { return nil }
    return view.rawText.withUnsafeBufferPointer { $0 }
  }

  /// True when an action has a context, which may be empty.
  func hasContext(_ action: Bytes) -> Bool {
    guard let context = JSONView(Span(_unsafeElements: action)).member("context") else { return false }
    return context.kind == .array || context.kind == .object
  }

  /// How many entries would be written.
  func contextCount(_ index: Int, _ action: Bytes, _ choice: ContextChoice) -> Int {
    var count = 0
    forEachEntry(index, action, choice) { _, _, _ in count += 1 }
    return count
  }

  /// Writes the context as an object; `{}` when there is none.
  func writeContext(_ index: Int, _ action: Bytes, _ choice: ContextChoice, into writer: inout JSONWriter) {
    writer.beginObject()
    forEachEntry(index, action, choice) { _, key, value in
      writer.key(Span(_unsafeElements: key))
      self.write(value, self.scope(index), into: &writer)
    }
    if choice.fit.isTruncated {
      writer.key("_truncated")
      writer.bool(true)
    }
    writer.endObject()
  }

  /// Leaves out the longest values until the context has at most `limit` bytes.
  /// - Returns: the key of the first that is left out; empty when none is.
  func shorten(_ index: Int, _ action: Bytes, _ choice: inout ContextChoice, to limit: Int) -> InlineText<64> {
    if entryCount(action) > ContextChoice.entries { choice.fit.hasMore() }
    var fit = choice.fit
    forEachEntry(index, action, choice) { place, key, value in
      var writer = JSONWriter()
      writer.beginObject()
      writer.key(Span(_unsafeElements: key))
      self.write(value, self.scope(index), into: &writer)
      // The opening brace has the length of the comma.
      fit.set(place, length: writer.count)
    }
    fit.fit(into: limit)
    var leftOut = InlineText<64>()
    if let first = fit.firstLeftOut {
      forEachEntry(index, action, choice) { place, key, _ in
        if place == first { leftOut = InlineText(cutting: Span(_unsafeElements: key)) }
      }
    }
    choice.fit = fit
    return leftOut
  }

  /// All entries of the action, including those that are not written.
  private func entryCount(_ action: Bytes) -> Int {
    guard let context = JSONView(Span(_unsafeElements: action)).member("context") else { return 0 }
    var count = 0
    var elements = context.elements()
    while elements.next() != nil { count += 1 }
    var members = context.members()
    while members.next() != nil { count += 1 }
    return count
  }

  private func forEachEntry(
    _ index: Int, _ action: Bytes, _ choice: ContextChoice, _ body: (Int, Bytes, JSONView) -> Void
  ) {
    guard let context = JSONView(Span(_unsafeElements: action)).member("context") else { return }
    var place = 0
    var elements = context.elements()
    while place < ContextChoice.entries, let entry = elements.next() {
      guard let key = store.unescaped(entry.member("key")) else { continue }
      var value = JSONView(StaticString("null").utf8Bytes)
      if let given = entry.member("value") { value = given }
      if isSent(value, place, choice, scope(index)) { body(place, key, value) }
      place += 1
    }
    var members = context.members()
    while place < ContextChoice.entries, let member = members.next() {
      guard let key = store.unescaped(member.name) else { continue }
      if isSent(member.value, place, choice, scope(index)) { body(place, key, member.value) }
      place += 1
    }
  }

  private func isSent(_ value: JSONView, _ place: Int, _ choice: ContextChoice, _ scope: DataScope) -> Bool {
    guard choice.fit.isKept(place) else { return false }
    return choice.sendsObscured || !isObscured(value, scope)
  }

  /// True when a path leads to the value of an obscured field.
  private func isObscured(_ value: JSONView, _ scope: DataScope) -> Bool {
    guard let path = store.unescaped(value.member("path")) else { return false }
    guard let node = store.data.find(path, scope) else { return false }
    return store.data[node].isSecret
  }

  private func write(_ json: JSONView, _ scope: DataScope, into writer: inout JSONWriter) {
    switch value(json, scope) {
    case .absent: writer.null()
    case .text(let text): writer.string(Span(_unsafeElements: text))
    case .number(let number): writer.double(number)
    case .bool(let bool): writer.bool(bool)
    case .node(let node): store.data.write(node, hiding: .obscured, into: &writer)
    case .array(let array):
      writer.beginArray()
      var elements = JSONView(Span(_unsafeElements: array)).elements()
      while let element = elements.next() { write(element, scope, into: &writer) }
      writer.endArray()
    }
  }
}
