import Codec
import Runtime

// Input of people (canvas reference 1.7).

extension InstanceTree {
  /// Writes text to the path of a property.
  /// - Returns: false when it has no path, or there is no room; then the widget keeps the value itself.
  public func set(_ index: Int, _ name: StaticString, to text: Span<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      let copy = store.copied(bytes)
      return put(index, name) { data, node throws(DataLimit) in try data.setText(node, copy) }
    }
  }

  /// Writes a number to the path of a property; false as above.
  public func set(_ index: Int, _ name: StaticString, to number: Double) -> Bool {
    put(index, name) { data, node throws(DataLimit) in data.setNumber(node, number) }
  }

  /// Writes a boolean to the path of a property; false as above.
  public func set(_ index: Int, _ name: StaticString, to bool: Bool) -> Bool {
    put(index, name) { data, node throws(DataLimit) in data.setBool(node, bool) }
  }

  /// Selects or deselects an option of a MultipleChoice; false as above.
  /// - Parameter replacing: deselect all others, as with radio buttons.
  public func select(_ index: Int, option: Int, _ isOn: Bool, replacing: Bool = false) -> Bool {
    guard let wanted = itemText(index, "options", option, "value").map({ store.copied($0) }) else { return false }
    return put(index, "selections") { data, node throws(DataLimit) in
      data[node].kind = .array
      if !replacing {
        var failure: DataLimit?
        self.forEachSelection(index) { text in
          if text.equals(wanted) { return }
          do throws(DataLimit) { try data.appendText(self.store.copied(text), to: node) } catch { failure = error }
        }
        if let failure { throw failure }
      }
      if isOn { try data.appendText(wanted, to: node) }
    }
  }

  /// Creates a value with `fill` and writes it to the path of a property.
  private func put(
    _ index: Int, _ name: StaticString, _ fill: (DataStore, NodeIndex) throws(DataLimit) -> Void
  ) -> Bool {
    guard let surface, let path = path(index, name) else { return false }
    let data = store.data
    guard let value = try? data.take() else { return false }
    let isDone: Bool
    do throws(DataLimit) {
      try fill(data, value)
      let place = try store.place(path, scope(index), surface)
      if isObscured(index) { data[place].isSecret = true }
      if data.replace(place, with: value) { store.touch(Int(surface.slot)) }
      isDone = true
    } catch {
      data.free(value)
      isDone = false
    }
    return isDone
  }

  /// True for a field that shows dots instead of characters.
  public func isObscured(_ index: Int) -> Bool {
    self[index].type == .textField && word(index, "textFieldType", otherwise: TextFieldType.shortText) == .obscured
  }

  /// Marks the value of an obscured field.
  func markSecret(_ index: Int) {
    guard isObscured(index), let node = boundNode(index, "text") else { return }
    store.data[node].isSecret = true
  }

  /// Writes the literals of an instance's properties that also have a path, where that has no value yet (canvas
  /// reference 1.4). The work is subtracted.
  /// - Returns: whether anything was written.
  func writeInitialValues(of index: Int, _ left: inout Int) -> Bool {
    guard let surface, self[index].kind == .component, store.component(self[index].component).hasInitialValues else {
      return false
    }
    let properties = store.properties(self[index].component)
    left -= Budget.a2uiBuiltStep + properties.count
    var hasWritten = false
    var members = JSONView(Span(_unsafeElements: properties)).members()
    while let member = members.next() {
      guard member.value.kind == .object, let literal = member.value.literal else { continue }
      guard let path = store.unescaped(member.value.member("path")) else { continue }
      if store.data.find(path, scope(index)) != nil { continue }
      let isWritten = store.write(literal, at: path, scope(index), surface)
      if isWritten == nil { omissions.record(.initialValue, self[index].component) }
      if isWritten == true { hasWritten = true }
    }
    return hasWritten
  }
}

extension DataStore {
  /// Adds a string to a list.
  func appendText(_ text: Bytes, to list: NodeIndex) throws(DataLimit) {
    let child = try take()
    add(child, to: list)
    try setText(child, text)
  }
}
