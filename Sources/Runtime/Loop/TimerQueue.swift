/// Gets its timers when they are due.
public protocol TimerHandler: AnyObject {
  /// The timer `id` is due; it is no longer set.
  func timerFired(_ id: TimerID)
}

/// Names one of a handler's own timers.
public struct TimerID: Equatable, Sendable {
  public let number: Int
  public init(_ number: Int) { self.number = number }
}

/// The loop's timers: a fixed table, ordered by a scan. At a few dozen entries a scan costs less than a heap's
/// bookkeeping, and a timer can be moved or cancelled without searching.
public struct TimerQueue: ~Copyable {
  private struct Entry {
    var deadline: Int64
    var handler: (any TimerHandler)?
    var id: TimerID
  }

  private let entries: UnsafeMutableBufferPointer<Entry>

  /// Allocates room for `capacity` timers.
  public init(capacity: Int = Budget.loopTimers) {
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(deadline: .max, handler: nil, id: TimerID(0)))
  }

  deinit {
    entries.deinitialize()
    entries.deallocate()
  }

  /// Sets or moves the timer `id` of `handler` to the monotonic instant `deadline`, in milliseconds.
  /// False when the table is full.
  public mutating func set(_ id: TimerID, of handler: any TimerHandler, at deadline: Int64) -> Bool {
    var free: Int?
    for index in entries.indices {
      guard let holder = entries[index].handler else {
        if free == nil { free = index }
        continue
      }
      if holder === handler, entries[index].id == id {
        entries[index].deadline = deadline
        return true
      }
    }
    guard let free else { return false }
    entries[free] = Entry(deadline: deadline, handler: handler, id: id)
    return true
  }

  /// Cancels a timer; does nothing when it is not set.
  public mutating func cancel(_ id: TimerID, of handler: any TimerHandler) {
    for index in entries.indices where entries[index].handler === handler && entries[index].id == id {
      entries[index].handler = nil
      entries[index].deadline = .max
    }
  }

  /// The earliest instant at which a timer is due.
  public var nextDeadline: Int64? {
    var earliest = Int64.max
    for entry in entries where entry.deadline < earliest { earliest = entry.deadline }
    return earliest == .max ? nil : earliest
  }

  /// Removes and returns the earliest timer that is due at `now`.
  public mutating func popDue(at now: Int64) -> (handler: any TimerHandler, id: TimerID)? {
    var due: Int?
    for index in entries.indices where entries[index].deadline <= now {
      if due == nil || entries[index].deadline < entries[due!].deadline { due = index }
    }
    guard let due, let handler = entries[due].handler else { return nil }
    let id = entries[due].id
    entries[due].handler = nil
    entries[due].deadline = .max
    return (handler, id)
  }
}
