import A2UI
import Codec
import Graphics
import Runtime

/// The result of a touch.
public enum TouchResult: Equatable, Sendable {
  /// No visible change.
  case nothing
  /// Something looks different: `update`, and a new frame.
  case changed
  /// The choice has its maximum number of options.
  case refused
  /// A button was pressed whose action is for the agent, which `DocumentView.instance` has, or a link, whose target
  /// `DocumentView.withLink` hands over.
  case action(Hit)
}

// Actions of widgets when they are touched. Values go to the data that a component is bound to; an unbound component
// keeps its value itself.

extension DocumentView {
  /// Executes a tap on a target.
  public func tap(_ hit: Hit, at point: Point) -> TouchResult {
    guard let (layout, index) = place(hit) else { return .nothing }
    if hit.isText { return beginEntry(hit, at: point) }
    // It has no focus, for keys do not reach it.
    if hit.kind == .link { return .action(hit) }
    // It goes on from here when keys are used; what was entered into is left.
    person.showsRing = false
    setFocus(hit)
    return activate(hit, layout, index, at: point)
  }

  /// Hands over the target of a link that was pressed.
  public func withLink(_ hit: Hit, _ body: (Span<UInt8>) -> Void) {
    guard hit.kind == .link, let (layout, index) = place(hit) else { return }
    layout.withLink(index, Int(hit.part), body)
  }

  /// A tap outside of every target ends text entry.
  public func tapNothing() -> TouchResult {
    guard person.focus != nil else { return .nothing }
    setFocus(nil)
    return .changed
  }

  /// Does what a press means of anything but a field.
  func activate(_ hit: Hit, _ layout: SurfaceLayout, _ index: Int, at point: Point) -> TouchResult {
    let tree = layout.tree
    switch hit.kind {
    case .button: return press(layout, index, hit)
    case .opener: open(layout, index)
    case .closer: close(layout, index)
    case .tab: states.change(hit.id, layout.surface) { $0.tab = hit.part }
    case .checkBox:
      let isOn = !layout.isChecked(index)
      layout.markEdited(index)
      if !tree.set(index, "value", to: isOn) { layout.keep(index, isOn ? 1 : 0) }
    case .option:
      guard choose(layout, index, Int(hit.part)) else {
        person.shake(hit.id, layout.surface)
        return .refused
      }
    case .slider: return slide(hit, to: point)
    case .dateTime: openPicker(layout, index)
    case .textField, .filter, .link: return .nothing
    }
    invalidate()
    return .changed
  }

  /// Moves a slider to where a finger is.
  public func slide(_ hit: Hit, to point: Point) -> TouchResult {
    guard hit.kind == .slider, let (layout, index) = place(hit) else { return .nothing }
    let rect = screenRect(layout, hit.surface, index)
    let knob = layout.theme.px(20)
    let room = max(rect.width - knob, 1)
    let share = Double(min(max(point.x - rect.x - knob / 2, 0), room)) / Double(room)
    let value = SliderRange(layout, index).value(at: share)
    layout.markEdited(index)
    if !layout.tree.set(index, "value", to: value) { layout.keep(index, value) }
    invalidate()
    return .changed
  }

  /// A button tells its action, and opens the modal whose entry it is.
  private func press(_ layout: SurfaceLayout, _ index: Int, _ hit: Hit) -> TouchResult {
    if person.marks.isSending(hit.id, layout.surface) { return .nothing }
    // What its checks do not allow, it does not do.
    if layout.tree.failedCheck(index) != nil { return .refused }
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
    if layout.tree.hasAction(index) || layout.tree.openedAddress(index) != nil { return .action(hit) }
    return isEntry ? .changed : .nothing
  }

  private func open(_ layout: SurfaceLayout, _ modal: Int) {
    states.change(layout.tree[modal].id, layout.surface) { $0.isOpen = true }
    guard !person.isStill else { return }
    person.slidModal = (layout.surface, layout.tree[modal].id)
    person.slide.begin(at: person.now)
  }

  private func close(_ layout: SurfaceLayout, _ modal: Int) {
    states.change(layout.tree[modal].id, layout.surface) { $0.isOpen = false }
  }

  /// A single choice replaces the previous one; false when the maximum number of options is chosen.
  private func choose(_ layout: SurfaceLayout, _ index: Int, _ option: Int) -> Bool {
    let tree = layout.tree
    layout.markEdited(index)
    let most = tree.mostSelections(index)
    let isOn = !layout.isChosen(index, option)
    if most == 1, !isOn { return true }
    if isOn, most > 1, layout.chosenCount(index) >= most { return false }
    if tree.select(index, option: option, isOn, replacing: most == 1) { return true }
    layout.keepChoice(index, option, isOn, replacing: most == 1)
    return true
  }

  /// Sets the pressed target, or none, and where a finger has pressed it. True when that changes the look.
  func press(_ hit: Hit?, at place: Point) -> Bool {
    guard person.pressed != hit else { return false }
    (person.pressed, person.pressedAt) = (hit, place)
    hit == nil || person.isStill ? person.ripple.end() : person.ripple.begin(at: person.now)
    return true
  }

  /// Marks a button whose action is being sent; it cannot be pressed again meanwhile.
  public func beginPress(_ tree: InstanceTree, _ index: Int) {
    person.marks.begin(tree[index].id, tree.surface?.number ?? 0, at: person.now)
  }

  /// What became of presses: see `PressMarks.change`.
  public func changePress(to status: PressStatus, isLast: Bool, at now: Int64) {
    person.marks.change(to: status, isLast: isLast, at: now)
  }
}
