/// Holds and releases the board for a person (panic).
public protocol PanicSwitch: AnyObject {
  /// Holds a board that is not held, and releases one that is. `who`: what the person used, for the log.
  func toggle(_ who: StaticString)
}
