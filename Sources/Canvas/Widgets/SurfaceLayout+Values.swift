import A2UI
import Runtime

// What widgets show: what the document says, or what was entered where it is bound to nothing. Where the data have a
// value for a widget, it shows that: what it kept was entered before there was one.

extension SurfaceLayout {
  /// Whether a check box is checked.
  func isChecked(_ index: Int) -> Bool {
    let state = state(index)
    return keeps(index, state, "value") ? state.value != 0 : tree.bool(index, "value") ?? false
  }

  /// What stands in a slider, if anything.
  func number(_ index: Int) -> Double? {
    let state = state(index)
    return keeps(index, state, "value") ? state.value : tree.number(index, "value")
  }

  /// Whether a widget shows what was entered, and not what the document says.
  private func keeps(_ index: Int, _ state: WidgetState, _ name: StaticString) -> Bool {
    state.hasValue && !tree.hasBoundValue(index, name)
  }

  /// Keeps a value that was entered.
  func keep(_ index: Int, _ value: Double) {
    states.change(tree[index].id, surface) { ($0.hasValue, $0.value) = (true, value) }
  }

  // MARK: Choices

  /// Whether an option is chosen. Of a choice that is bound to nothing the first 64 options can be.
  func isChosen(_ index: Int, _ option: Int) -> Bool {
    let state = state(index)
    guard keeps(index, state, "selections") else { return tree.isSelected(index, option: option) }
    return option < Budget.unboundOptions && state.options >> UInt64(option) & 1 == 1
  }

  func chosenCount(_ index: Int) -> Int {
    let state = state(index)
    return keeps(index, state, "selections") ? state.options.nonzeroBitCount : tree.selectionCount(index)
  }

  /// Keeps a choice that was made.
  func keepChoice(_ index: Int, _ option: Int, _ isOn: Bool, replacing: Bool) {
    guard option < Budget.unboundOptions else { return }
    var options: UInt64 = 0
    for other in 0..<min(tree.itemCount(index, "options"), Budget.unboundOptions)
    where !replacing && isChosen(index, other) {
      options |= 1 << UInt64(other)
    }
    if isOn { options |= 1 << UInt64(option) } else { options &= ~(1 << UInt64(option)) }
    states.change(tree[index].id, surface) { ($0.hasValue, $0.options) = (true, options) }
  }
}
