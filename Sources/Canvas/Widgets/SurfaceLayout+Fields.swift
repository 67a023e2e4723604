import A2UI
import Codec
import Graphics
import Runtime

/// Where the text of a field stands.
struct FieldPlace {
  /// The field with its border.
  var box: Rect
  /// What the text has for itself.
  var room: Rect
  var lines: FieldLines
  /// From the upper left corner of the room to that of the text, while it is not moved.
  var inset: Int32
}

// Fields into which text is entered: text fields, and the filters of choices.

extension SurfaceLayout {
  func fieldType(_ index: Int) -> TextFieldType {
    tree[index].type == .textField ? tree.word(index, "textFieldType", otherwise: .shortText) : .shortText
  }

  /// What stands in a field, or in a filter: what was entered, or what the document says.
  @_lifetime(immortal)
  func fieldText(_ index: Int) -> Span<UInt8> {
    let tree = tree
    if let text = states.texts.text(tree[index].id, surface), !hasFieldValue(index) { return text }
    switch tree[index].type {
    case .textField: if let text = tree.string(index, "text") { return text }
    case .dateTimeInput: if let text = tree.string(index, "value") { return text }
    default: break
    }
    return _overrideLifetime(UnsafeBufferPointer<UInt8>(start: nil, count: 0).span, copying: ())
  }

  private func hasFieldValue(_ index: Int) -> Bool {
    switch tree[index].type {
    case .textField: tree.hasBoundValue(index, "text")
    case .dateTimeInput: tree.hasBoundValue(index, "value")
    default: false
    }
  }

  func fieldWidths(_ index: Int) -> (Int32, Int32) {
    let tree = tree
    if let expression = tree.string(index, "validationRegexp"), !states.pattern.reads(expression) {
      tree.record(.expression, at: index)
    }
    return (theme.px(120), theme.px(280))
  }

  /// Puts what was entered where the component is bound to, or keeps it.
  func setField(_ index: Int, to text: Span<UInt8>) {
    let isTaken =
      switch tree[index].type {
      case .textField: tree.set(index, "text", to: text)
      case .dateTimeInput: tree.set(index, "value", to: text)
      default: false
      }
    if !isTaken { states.texts.set(tree[index].id, surface, to: text) }
    if tree[index].type == .textField || tree.hasChecks(index) { markEdited(index) }
  }

  /// A person has entered something into it.
  func markEdited(_ index: Int) { states.change(tree[index].id, surface) { $0.wasEdited = true } }

  /// Where the text of a field or a filter stands, when the component has `rect`.
  func field(_ index: Int, _ rect: Rect) -> FieldPlace {
    let isFilter = tree[index].type == .multipleChoice
    let label = fieldLabelHeight(index, rect.width)
    let height = isFilter ? theme.target : fieldHeight(index)
    let box = Rect(rect.x, rect.y + label, rect.width, height)
    let left = isFilter ? theme.px(40) : theme.px(12)
    let room = Rect(box.x + left, box.y, max(box.width - left - theme.px(12), 1), box.height)
    let isLong = fieldType(index) == .longText
    let lines = FieldLines(
      measurer: flow.measurer, font: theme.font(.body), width: room.width, isBroken: isLong)
    let inset = isLong ? theme.px(10) : (height - lines.lineHeight) / 2
    return FieldPlace(box: box, room: room, lines: lines, inset: inset)
  }

  /// Width of a character of a secret.
  var dotStep: Int32 { theme.px(11) }

  /// The message of a check that what a person has entered does not pass; nil while nobody has entered anything.
  @_lifetime(immortal)
  func fault(_ index: Int) -> Span<UInt8>? {
    let tree = tree
    guard tree.hasChecks(index), tree[index].type != .button, state(index).wasEdited else { return nil }
    guard let message = tree.failedCheck(index) else { return nil }
    return _overrideLifetime(message, copying: ())
  }

  /// How high that message is below the input.
  func faultHeight(_ index: Int, _ width: Int32) -> Int32 {
    guard let fault = fault(index), !fault.isEmpty else { return 0 }
    return textHeight(index, fault, theme.font(.caption), width: width) + theme.px(4)
  }

  /// Whether what stands in a field is not as its checks or its `validationRegexp` want it. A field that nobody has
  /// entered anything into is not found fault with.
  func isWrong(_ index: Int) -> Bool {
    let tree = tree
    if fault(index) != nil { return true }
    guard let expression = tree.string(index, "validationRegexp"), !expression.isEmpty else { return false }
    let text = fieldText(index)
    let state = state(index)
    if text.isEmpty, !state.wasEdited { return false }
    var both = FNV1a()
    both.add(text)
    // No byte: what ends the one and begins the other differs.
    both.add(0x100)
    both.add(expression)
    let hash = both.value
    if state.checked == hash { return state.isWrong }
    let isWrong = !states.pattern.accepts(text, expression)
    states.change(tree[index].id, surface) { ($0.checked, $0.isWrong) = (hash, isWrong) }
    return isWrong
  }

  // MARK: Filters

  func isFilterable(_ index: Int) -> Bool { tree.bool(index, "filterable") ?? false }

  /// Whether an option is shown: its label has what stands in the filter.
  func passesFilter(_ index: Int, _ option: Int) -> Bool {
    guard isFilterable(index) else { return true }
    let wanted = fieldText(index)
    guard !wanted.isEmpty else { return true }
    guard let label = optionLabel(index, option) else { return false }
    return LetterCase.contains(label, wanted)
  }
}
