import Runtime

/// Makes presses of a contact's edges by their time stamps: a level counts once it has held for `Budget.buttonDebounce`, from the
/// edge that brought it on. What is shorter never was.
struct Debouncer {
  /// The level that counts.
  private(set) var isPressed = false
  /// When the contact came to another level, which does not count yet.
  private(set) var changedAt: Int64?

  /// A level that is given and no change.
  mutating func begin(_ isPressed: Bool) {
    self.isPressed = isPressed
    changedAt = nil
  }

  /// An edge. What was settled before it has been asked for.
  mutating func edge(_ isPressed: Bool, at instant: Int64) { changedAt = isPressed == self.isPressed ? nil : instant }

  /// When the new level counts, if no edge comes before.
  var deadline: Int64? { changedAt.map { $0 + Budget.buttonDebounce } }

  /// The instant of the change that counts by now; then `isPressed` is what it became.
  mutating func settled(by now: Int64) -> Int64? {
    guard let changedAt, now - changedAt >= Budget.buttonDebounce else { return nil }
    self.changedAt = nil
    isPressed.toggle()
    return changedAt
  }
}
