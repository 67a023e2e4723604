import Graphics
import Runtime

/// Dispatches input events on a page: fingers to the picker, the on-screen keyboard or the page, keys to the focus. A
/// state machine without timers: the owner calls `advance` at `nextDeadline`.
public final class PageInput {
  private enum Route: UInt8, Sendable { case page, keyboard, picker, nowhere }

  private let view: DocumentView
  /// Fingers on the page itself.
  public let touch: PageTouch
  /// The receiver of each finger, from down to up.
  private var routes = InlineArray<10, Route>(repeating: .nowhere)

  /// `wall`: what the clock on the wall says, where dates begin that are not set; milliseconds since 1970.
  @export(interface)
  public init(_ view: DocumentView, delegate: any PageTouchDelegate, wall: @escaping () -> Int64 = { 0 }) {
    self.view = view
    touch = PageTouch(view, delegate: delegate)
    view.person.wall = wall
  }

  private var person: Interaction { view.person }

  /// The interface's scale in percent.
  public func fit(scale percent: Int32) { touch.fit(scale: percent) }

  /// When the keyboard on the screen comes up, and the letters on it.
  public func setKeyboard(_ use: ScreenKeyboardUse, _ letters: ScreenLetters) {
    person.keyboardUse = use
    person.keyboard.letters = letters
  }

  /// Devices came or went.
  public func devicesChanged(hasKeyboard: Bool) {
    person.hasKeyboard = hasKeyboard
    guard person.keyboard.isShown, !person.wantsKeyboard else { return }
    view.hideKeyboard()
    touch.delegate.pageChanged()
  }

  /// Handles an input event at a monotonic instant.
  @export(interface)
  public func feed(_ event: InputEvent, at time: Int64) {
    person.now = max(person.now, time)
    switch event {
    case .pointer(let what, let id, let place): pointer(what, id, place, time)
    case .wheel(let place, let x, let y): wheel(place, x, y)
    case .hover: break
    case .key(let key, let isDown, let isRepeat, let modifiers):
      // With these modifiers a key is a shortcut, not text.
      guard isDown, !modifiers.contains(.control), !modifiers.contains(.alt) else { return }
      touch.report(view.key(key, isRepeat: isRepeat, modifiers), time)
    case .character(let scalar): touch.report(view.character(scalar), time)
    }
  }

  // MARK: Fingers

  private func pointer(_ what: InputEvent.Pointer, _ id: Int, _ place: Point, _ time: Int64) {
    guard routes.indices.contains(id) else { return }
    if what == .down { routes[id] = route(place) }
    let route = routes[id]
    if what == .up || what == .cancel { routes[id] = .nowhere }
    switch route {
    case .page: touch.feed(what, id: id, place, at: time)
    case .keyboard: keyboard(what, id, place, time)
    case .picker: picker(what, place, time)
    case .nowhere: break
    }
  }

  private func route(_ place: Point) -> Route {
    guard !person.picker.isOpen else {
      // Only one finger operates the picker.
      for id in 0..<routes.count where routes[id] == .picker { return .nowhere }
      return .picker
    }
    return person.keyboard.frame.contains(place) ? .keyboard : .page
  }

  private func keyboard(_ what: InputEvent.Pointer, _ id: Int, _ place: Point, _ time: Int64) {
    var stroke: KeyStroke?
    switch what {
    case .down: stroke = person.keyboard.down(place, finger: id, at: time)
    case .move: return
    case .up: stroke = person.keyboard.up(place, finger: id, at: time)
    case .cancel: person.keyboard.cancel(finger: id)
    }
    if let stroke { view.take(stroke) }
    touch.delegate.pageChanged()
  }

  private func picker(_ what: InputEvent.Pointer, _ place: Point, _ time: Int64) {
    switch what {
    case .down: _ = person.picker.down(place, at: time)
    case .move: return
    case .up:
      if case .closed(let button) = person.picker.up(place) { view.closePicker(button) }
    case .cancel: person.picker.cancel()
    }
    touch.delegate.pageChanged()
  }

  private func wheel(_ place: Point, _ x: Int32, _ y: Int32) {
    guard !person.picker.isOpen, !person.keyboard.frame.contains(place) else { return }
    touch.wheel(place, x: x, y: y)
  }

  // MARK: Time

  /// When `advance` has to be called.
  public var nextDeadline: Int64? {
    guard let own = person.nextDeadline else { return touch.nextDeadline }
    return touch.nextDeadline.map { min($0, own) } ?? own
  }

  /// Advances time: the caret blinks, what is held repeats.
  @export(interface)
  public func advance(to time: Int64) {
    touch.advance(to: time)
    var hasChanged = person.advance(to: time)
    let (stroke, isNew) = person.keyboard.advance(to: time)
    if let stroke { view.take(stroke) }
    if isNew { hasChanged = true }
    if hasChanged { touch.delegate.pageChanged() }
  }
}
