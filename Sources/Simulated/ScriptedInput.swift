import Canvas
import Graphics
import Runtime

/// Simulated input devices, controlled by tests.
public final class ScriptedInput: InputSource {
  private var delegate: (any InputDelegate)?
  /// The size given to `start`; nil while stopped.
  public private(set) var size: Size?
  public private(set) var rotation = Rotation.none

  /// No devices.
  @export(interface)
  public init() {}

  public func start(_ delegate: any InputDelegate, size: Size, rotation: Rotation) {
    self.delegate = delegate
    self.size = size
    self.rotation = rotation
  }

  public func stop() {
    delegate = nil
    size = nil
  }

  /// Attaches or detaches devices.
  public func attach(hasTouch: Bool, hasKeyboard: Bool = false, hasKeys: Bool = false) {
    delegate?.inputsChanged(hasTouch: hasTouch, hasKeyboard: hasKeyboard, hasKeys: hasKeys)
  }

  /// Delivers an event at a monotonic instant in milliseconds, unless stopped.
  public func play(_ event: InputEvent, at instant: Int64) { delegate?.input(event, at: instant) }

  /// A tap of `duration` milliseconds at one place.
  public func tap(_ place: Point, at instant: Int64, duration: Int64 = 80) {
    play(.pointer(.down, id: 0, place), at: instant)
    play(.pointer(.up, id: 0, place), at: instant + duration)
  }

  /// A key is pressed and released.
  public func press(_ key: Key, _ modifiers: Modifiers = [], at instant: Int64) {
    play(.key(key, isDown: true, isRepeat: false, modifiers), at: instant)
    play(.key(key, isDown: false, isRepeat: false, modifiers), at: instant)
  }

  /// A text is typed.
  public func type(_ text: String, at instant: Int64) {
    for scalar in text.unicodeScalars { play(.character(scalar), at: instant) }
  }
}
