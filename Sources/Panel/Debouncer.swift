import Runtime

/// Debounces a contact by the timestamps of its edges: a level counts once it has been stable for
/// `Budget.buttonDebounce`. Anything shorter is ignored.
struct Debouncer {
  /// The debounced level.
  private(set) var isPressed = false
  /// When the contact changed to another level, which is not stable yet.
  private(set) var changedAt: Int64?

  /// Sets the initial level.
  mutating func begin(_ isPressed: Bool) {
    self.isPressed = isPressed
    changedAt = nil
  }

  /// Takes an edge. Call `settled` first for the time before it.
  mutating func edge(_ isPressed: Bool, at instant: Int64) { changedAt = isPressed == self.isPressed ? nil : instant }

  /// When the new level becomes stable, if no edge comes before.
  var deadline: Int64? { changedAt.map { $0 + Budget.buttonDebounce } }

  /// The instant of a change that is stable by now; `isPressed` is then the new level.
  mutating func settled(by now: Int64) -> Int64? {
    guard let changedAt, now - changedAt >= Budget.buttonDebounce else { return nil }
    self.changedAt = nil
    isPressed.toggle()
    return changedAt
  }
}
