/// Holds and releases the board for a person (panic).
public protocol PanicSwitch: AnyObject {
  /// Holds a board that is not held, and releases one that is. `who`: what the person used, for the log.
  func toggle(_ who: StaticString)

  /// Holds a board that is not held. What might happen by accident calls this, because an accident must not release a
  /// board.
  func holdStill(_ who: StaticString)
}
