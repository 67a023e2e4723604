import Graphics
import Runtime

/// Translates the raw events of one device into input events: a pure state machine, fed event by event. Output comes
/// when a report (SYN_REPORT) is complete; after lost events it waits until the device's state was read again.
public struct EventDecoder {
  /// What comes out, in order.
  public enum Output: Equatable, Sendable {
    case event(InputEvent)
    /// Ctrl, Alt and a function key: the number of the requested text console.
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

  /// The kind of the device.
  public let kind: InputTraits.Kind
  private var part: Part
  private var isDropping = false
  /// Events were lost: the caller has to read the device's state and call `restore`. Until then there is no output.
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

  /// Decodes one event and passes its outputs to `body`.
  public mutating func feed(_ raw: RawInput, _ emit: (Output, Int64) -> Void) {
    if raw.type == EventType.sync, raw.code == SyncCode.dropped {
      isDropping = true
      return
    }
    if isDropping {
      // The rest of the incomplete report is skipped.
      guard raw.type == EventType.sync, raw.code == SyncCode.report else { return }
      isDropping = false
      needsState = true
      return
    }
    if needsState { return }
    switch part {
    case .slots(var touch):
      touch.feed(raw, emit)
      part = .slots(touch)
    case .contacts(var touch):
      touch.feed(raw, emit)
      part = .contacts(touch)
    case .single(var touch):
      touch.feed(raw, emit)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.feed(raw, emit)
      part = .pointer(mouse)
    case .keyboard(var keyboard):
      keyboard.feed(raw, emit)
      part = .keyboard(keyboard)
    case .keys(let keys): keys.feed(raw, emit)
    case .turned(var turned):
      turned.feed(raw, emit)
      part = .turned(turned)
    case .none: break
    }
  }

  /// Sets the state after lost events; nil when it cannot be read, and then nothing is pressed any more.
  public mutating func restore(_ state: InputState?, at time: Int64, _ emit: (Output, Int64) -> Void) {
    needsState = false
    isDropping = false
    let state = state ?? InputState()
    switch part {
    case .slots(var touch):
      touch.restore(state, time, emit)
      part = .slots(touch)
    case .contacts(var touch):
      touch.cancel(time, emit)
      part = .contacts(touch)
    case .single(var touch):
      touch.cancel(time, emit)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.restore(state, time, emit)
      part = .pointer(mouse)
    case .keyboard(var keyboard):
      keyboard.restore(state)
      part = .keyboard(keyboard)
    case .keys, .turned, .none: break
    }
  }

  /// The device is gone: cancels everything that was pressed.
  public mutating func end(at time: Int64, _ emit: (Output, Int64) -> Void) {
    switch part {
    case .slots(var touch):
      touch.cancel(time, emit)
      part = .slots(touch)
    case .contacts(var touch):
      touch.cancel(time, emit)
      part = .contacts(touch)
    case .single(var touch):
      touch.cancel(time, emit)
      part = .single(touch)
    case .pointer(var mouse):
      mouse.cancel(time, emit)
      part = .pointer(mouse)
    case .keyboard, .keys, .turned, .none: break
    }
  }
}
