/// Debounces a contact by the timestamps of its edges: a level counts once it has been stable for a while. Anything
/// shorter is ignored.
public struct Debouncer: Sendable {
  private let time: Int64
  /// The debounced level.
  public private(set) var isPressed = false
  /// When the contact changed to another level, which is not stable yet.
  public private(set) var changedAt: Int64?

  /// A contact that is released. `time`: milliseconds for which a level has to be stable.
  public init(_ time: Int64) { self.time = time }

  /// Sets the initial level.
  public mutating func begin(_ isPressed: Bool) {
    self.isPressed = isPressed
    changedAt = nil
  }

  /// Takes an edge. Call `settled` first for the time before it.
  public mutating func edge(_ isPressed: Bool, at instant: Int64) {
    changedAt = isPressed == self.isPressed ? nil : instant
  }

  /// When the new level becomes stable, if no edge comes before.
  public var deadline: Int64? { changedAt.map { $0 + time } }

  /// The instant of a change that is stable by now; `isPressed` is then the new level.
  public mutating func settled(by now: Int64) -> Int64? {
    guard let changedAt, now - changedAt >= time else { return nil }
    self.changedAt = nil
    isPressed.toggle()
    return changedAt
  }
}
