import Canvas
import Runtime

/// Input devices that do what a script says.
public final class ScriptedInput: InputSource {
  private var delegate: (any InputDelegate)?
  /// What it was started with; nil while it is not.
  public private(set) var size: Size?
  public private(set) var rotation = Rotation.none

  /// Nothing is attached.
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

  /// Devices come or go.
  public func attach(hasTouch: Bool, hasKeyboard: Bool = false, hasKeys: Bool = false) {
    delegate?.inputsChanged(hasTouch: hasTouch, hasKeyboard: hasKeyboard, hasKeys: hasKeys)
  }

  /// Something happens at a monotonic instant in milliseconds. Nobody hears it while it is stopped.
  public func play(_ event: InputEvent, at instant: Int64) { delegate?.input(event, at: instant) }

  /// A finger goes down and up at one place, `duration` milliseconds later.
  public func tap(_ place: Point, at instant: Int64, duration: Int64 = 80) {
    play(.pointer(.down, id: 0, place), at: instant)
    play(.pointer(.up, id: 0, place), at: instant + duration)
  }

  /// A key goes down and up.
  public func press(_ key: Key, _ modifiers: Modifiers = [], at instant: Int64) {
    play(.key(key, isDown: true, isRepeat: false, modifiers), at: instant)
    play(.key(key, isDown: false, isRepeat: false, modifiers), at: instant)
  }

  /// A text is typed.
  public func type(_ text: String, at instant: Int64) {
    for scalar in text.unicodeScalars { play(.character(scalar), at: instant) }
  }
}
