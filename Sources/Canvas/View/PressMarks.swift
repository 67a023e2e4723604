import Runtime

/// How far the presses of buttons are, each shown on its button: on its way, then done or failed (canvas reference
/// 2.10). Presses are sent in the order in which they were made. Times are monotonic milliseconds.
struct PressMarks {
  /// What a button shows.
  enum Look: Sendable {
    case waiting, done, failed

    /// Its name in the layout dump.
    var word: StaticString {
      switch self {
      case .waiting: "waiting"
      case .done: "done"
      case .failed: "failed"
      }
    }
  }

  private struct Mark: Equatable, Sendable {
    var surface: UInt32
    var id: UInt64
    var status: PressStatus
    /// When it is no longer shown; nil: when something happens.
    var end: Int64?
  }

  private var marks = InlineList<8, Mark>()
  /// The place of the spinner of what waits, of 12, and when it moves.
  private(set) var turn: Int16 = 0
  private var turnAt: Int64?

  /// What a button shows; nil: nothing but itself.
  func look(_ id: UInt64, _ surface: UInt32) -> Look? {
    for index in 0..<marks.count where marks[index].id == id && marks[index].surface == surface {
      switch marks[index].status {
      case .sending, .working: return .waiting
      case .updated: return .done
      case .failed: return .failed
      }
    }
    return nil
  }

  /// Whether a button cannot be pressed: its press has not arrived yet.
  func isSending(_ id: UInt64, _ surface: UInt32) -> Bool {
    for index in 0..<marks.count where marks[index].id == id && marks[index].surface == surface {
      return marks[index].status == .sending
    }
    return false
  }

  /// A button was pressed. Of more than `Budget.busyWidgets` the last are not shown.
  mutating func begin(_ id: UInt64, _ surface: UInt32, at now: Int64) {
    remove { $0.id == id && $0.surface == surface }
    if marks.append(Mark(surface: surface, id: id, status: .sending, end: nil)), turnAt == nil {
      turnAt = now + Budget.spinnerMilliseconds
    }
  }

  /// The oldest press that is being sent has arrived or failed, or all that have arrived led to something new.
  /// `isLast`: the press that was made last was refused.
  mutating func change(to status: PressStatus, isLast: Bool = false, at now: Int64) {
    let old: PressStatus = status == .updated ? .working : .sending
    var isFound = false
    for place in 0..<marks.count {
      let index = isLast ? marks.count - 1 - place : place
      guard marks[index].status == old, !isFound || status == .updated else { continue }
      marks[index].status = status
      marks[index].end = now + Self.lifetime(status)
      isFound = true
    }
  }

  /// Milliseconds that it is shown (canvas reference 2.10).
  private static func lifetime(_ status: PressStatus) -> Int64 {
    switch status {
    case .sending, .working: 30_000
    case .updated: 1_100
    case .failed: 4_500
    }
  }

  private mutating func remove(_ isGone: (Mark) -> Bool) {
    var others = InlineList<8, Mark>()
    for index in 0..<marks.count where !isGone(marks[index]) { others.append(marks[index]) }
    marks = others
  }

  private var isWaiting: Bool {
    for index in 0..<marks.count where marks[index].status == .sending || marks[index].status == .working {
      return true
    }
    return false
  }

  /// When `advance` has to be called; nil: nothing moves.
  var nextDeadline: Int64? {
    var next = turnAt
    for index in 0..<marks.count { next = earliest(next, marks[index].end) }
    return next
  }

  /// Advances time; true when something looks different. `isStill`: no spinner turns.
  mutating func advance(to now: Int64, isStill: Bool) -> Bool {
    let before = marks.count
    remove { ($0.end ?? .max) <= now }
    var hasChanged = marks.count != before
    guard isWaiting, !isStill else {
      turnAt = nil
      return hasChanged
    }
    if let at = turnAt, now >= at {
      turn = (turn + 1) % 12
      turnAt = now + Budget.spinnerMilliseconds
      hasChanged = true
    }
    return hasChanged
  }
}
