import Runtime

/// Makes of one device's raw events what a person does: a pure state machine, fed event by event. Nothing is told before the
/// report that an event belongs to is complete, and after events were lost everything waits until the state is read anew.
public struct EventDecoder {
  /// What comes out, in order.
  public enum Output: Equatable, Sendable {
    case event(InputEvent)
    /// Ctrl, Alt and a function key: another text console is asked for, by its number.
    case console(Int)
  }

  private enum Part {
    case slots(SlotTouch)
    case contacts(ContactTouch)
    case single(SingleTouch)
    case pointer(MousePointer)
    case keyboard(Keyboard)
    case keys(FewKeys)
    case turned(Turned)
    case none
  }

  /// What the device is taken for.
  public let kind: InputTraits.Kind
  private var part: Part
  private var isDropping = false
  /// Events were lost: the caller reads the device's state and calls `restore`. Until then nothing is told.
  public private(set) var needsState = false

  /// A device with nothing down. `size` and `rotation` are those of the display.
  public init(
    _ traits: InputTraits, size: Size, rotation: Rotation, calibration: TouchCalibration = .none,
    layout: KeyboardLayout = .us
  ) {
    kind = traits.kind
    let mapping = InputMapping(size: size, rotation: rotation, calibration: calibration)
    part =
      switch kind {
      case .touchSlots: .slots(SlotTouch(traits.touchX, traits.touchY, mapping))
      case .touchContacts: .contacts(ContactTouch(traits.touchX, traits.touchY, mapping))
      case .touchSingle: .single(SingleTouch(traits.x, traits.y, mapping, isNoisy: traits.isNoisy))
      case .pointer: .pointer(MousePointer(mapping, place: (traits.x, traits.y), isPad: false))
      case .touchPad: .pointer(MousePointer(mapping, place: (traits.x, traits.y), isPad: true))
      case .mouse: .pointer(MousePointer(mapping, place: nil, isPad: false))
      case .keyboard: .keyboard(Keyboard(layout))
      case .keys: .keys(FewKeys(hasCross: traits.hasCross))
      case .encoder: .turned(Turned(nil))
      case .dial: .turned(Turned(traits.x))
      case .none: .none
      }
  }

  /// Takes one event, and tells what became of it.
  public mutating func feed(_ raw: RawInput, _ tell: (Output, Int64) -> Void) {
    if raw.type == EventType.sync, raw.code == SyncCode.dropped {
      isDropping = true
      return
    }
    if isDropping {
      // What is left of the report that was cut.
      guard raw.type == EventType.sync, raw.code == SyncCode.report else { return }
      isDropping = false
      needsState = true
      return
    }
    if needsState { return }
    switch part {
    case .slots(var touch):
      touch.feed(raw, tell)
      part = .slots(touch)
    case .contacts(var touch):
      touch.feed(raw, tell)
      part = .contacts(touch)
    case .single(var touch):
      touch.feed(raw, tell)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.feed(raw, tell)
      part = .pointer(mouse)
    case .keyboard(var keyboard):
      keyboard.feed(raw, tell)
      part = .keyboard(keyboard)
    case .keys(let keys): keys.feed(raw, tell)
    case .turned(var turned):
      turned.feed(raw, tell)
      part = .turned(turned)
    case .none: break
    }
  }

  /// The state after events were lost; nil when it cannot be read, and then nothing is down any more.
  public mutating func restore(_ state: InputState?, at time: Int64, _ tell: (Output, Int64) -> Void) {
    needsState = false
    isDropping = false
    let state = state ?? InputState()
    switch part {
    case .slots(var touch):
      touch.restore(state, time, tell)
      part = .slots(touch)
    case .contacts(var touch):
      touch.cancel(time, tell)
      part = .contacts(touch)
    case .single(var touch):
      touch.cancel(time, tell)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.restore(state, time, tell)
      part = .pointer(mouse)
    case .keyboard(var keyboard):
      keyboard.restore(state)
      part = .keyboard(keyboard)
    case .keys, .turned, .none: break
    }
  }

  /// The device is gone: what was down is cancelled.
  public mutating func end(at time: Int64, _ tell: (Output, Int64) -> Void) {
    switch part {
    case .slots(var touch):
      touch.cancel(time, tell)
      part = .slots(touch)
    case .contacts(var touch):
      touch.cancel(time, tell)
      part = .contacts(touch)
    case .single(var touch):
      touch.cancel(time, tell)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.cancel(time, tell)
      part = .pointer(mouse)
    case .keyboard, .keys, .turned, .none: break
    }
  }
}
