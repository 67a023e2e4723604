import A2UI
import Runtime

/// What a touch did.
public enum TouchResult: Equatable, Sendable {
  /// Nothing that can be seen.
  case nothing
  /// Something looks different: `update`, and a new frame.
  case changed
  /// A button was pressed whose action is for the agent; `DocumentView.tree(_:)` has it.
  case action(Hit)
}

// What widgets do when they are touched. Values go where a component is bound to; a component that is bound to nothing keeps what
// was entered itself.

extension DocumentView {
  /// Does what a tap on something means.
  public func tap(_ hit: Hit, at point: Point) -> TouchResult {
    guard let (layout, index) = place(hit) else { return .nothing }
    let tree = layout.tree
    switch hit.kind {
    case .button: return press(layout, index, hit)
    case .opener: open(layout, index)
    case .closer: close(layout, index)
    case .tab: states.change(hit.id, layout.surface) { $0.tab = hit.part }
    case .checkBox:
      let isOn = !layout.isChecked(index)
      if !tree.set(index, "value", to: isOn) { layout.keep(index, isOn ? 1 : 0) }
    case .option: choose(layout, index, Int(hit.part))
    case .slider: return slide(hit, to: point)
    case .textField, .dateTime: return .nothing
    }
    invalidate()
    return .changed
  }

  /// Moves a slider to where a finger is.
  public func slide(_ hit: Hit, to point: Point) -> TouchResult {
    guard hit.kind == .slider, let (layout, index) = place(hit) else { return .nothing }
    let rect = layout.screenRect(index).offset(offset(hit.surface).x, 0)
    let knob = layout.theme.px(20)
    let room = max(rect.width - knob, 1)
    let share = Double(min(max(point.x - rect.x - knob / 2, 0), room)) / Double(room)
    let value = SliderRange(layout, index).value(at: share)
    if !layout.tree.set(index, "value", to: value) { layout.keep(index, value) }
    invalidate()
    return .changed
  }

  /// Where something that was hit stands now; nil when it is gone.
  private func place(_ hit: Hit) -> (SurfaceLayout, Int)? {
    guard hit.surface < surfaceCount else { return nil }
    let layout = layout(hit.surface)
    guard let index = layout.tree.index(of: hit.id) else { return nil }
    return (layout, index)
  }

  /// A button tells its action, and opens the modal whose entry it is.
  private func press(_ layout: SurfaceLayout, _ index: Int, _ hit: Hit) -> TouchResult {
    var isEntry = false
    var place = index
    while let parent = layout.tree[place].parent {
      if layout.tree[parent].type == .modal, layout.tree[parent].firstChild == place {
        open(layout, parent)
        invalidate()
        isEntry = true
        break
      }
      place = parent
    }
    if layout.tree.hasAction(index) { return .action(hit) }
    return isEntry ? .changed : .nothing
  }

  private func open(_ layout: SurfaceLayout, _ modal: Int) {
    states.change(layout.tree[modal].id, layout.surface) { $0.isOpen = true }
  }

  private func close(_ layout: SurfaceLayout, _ modal: Int) {
    states.change(layout.tree[modal].id, layout.surface) { $0.isOpen = false }
  }

  /// One of several replaces the one before; where so many are chosen as may be, another one is not taken.
  private func choose(_ layout: SurfaceLayout, _ index: Int, _ option: Int) {
    let tree = layout.tree
    let most = tree.number(index, "maxAllowedSelections").map { max(Int($0), 1) } ?? Int.max
    let isOn = !layout.isChosen(index, option)
    if most == 1, !isOn { return }
    if isOn, most > 1, layout.chosenCount(index) >= most { return }
    if tree.select(index, option: option, isOn, replacing: most == 1) { return }
    layout.keepChoice(index, option, isOn, replacing: most == 1)
  }
}
