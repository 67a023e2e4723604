import Runtime

/// A reminder that waits.
struct Reminder: Sendable {
  /// By which a person and the model name it; never used again while the board runs.
  var id: UInt32 = 0
  /// When it is due: milliseconds since 1970.
  var due: Int64 = 0
  /// Milliseconds from one time to the next; 0: once.
  var period: Int64 = 0
  /// It has come at least once, so that the next time is at most one period ahead.
  var hasCome = false
  var text = InlineText<240>()
}

/// Why a reminder cannot be kept.
public enum ReminderRefusal: Error, Equatable, Sendable {
  /// `Budget.agentReminders` wait already.
  case full
  /// Nothing is said, or more than `Budget.agentReminderBytes`.
  case text
  /// It is past, or farther ahead than `Budget.agentReminderMost`.
  case time
  /// The board does not know what time it is.
  case clock
  /// There is none with this number.
  case unknown

  /// What the model reads, and tells the person.
  public var sentence: StaticString {
    switch self {
    case .full: "32 reminders wait already: cancel one first"
    case .text: "a reminder's text has 1 to 240 bytes"
    case .time: "a reminder must be in the future, and within a year"
    case .clock: "this board does not know what time it is, so it cannot keep a reminder"
    case .unknown: "there is no reminder with this number"
    }
  }
}

/// The reminders that wait: a fixed number, in the order in which they are due.
///
/// Times are those of the wall clock, so that a reminder survives a restart and a change of the clock; one that was due
/// while the board was off is told as soon as the board knows what time it is.
public struct ReminderBook: ~Copyable {
  /// Shortest period of a reminder that comes again, in milliseconds.
  public static let periodLeast: Int64 = 60_000

  private let waiting: UnsafeMutableBufferPointer<Reminder>
  public private(set) var count = 0
  private(set) var nextID: UInt32 = 1

  /// No reminders.
  public init() {
    waiting = .allocate(capacity: Budget.agentReminders)
    waiting.initialize(repeating: Reminder())
  }

  deinit {
    waiting.deinitialize()
    waiting.deallocate()
  }

  subscript(index: Int) -> Reminder { waiting[index] }

  /// When the first one is due: milliseconds since 1970; nil when none waits.
  public var nextDue: Int64? { count > 0 ? waiting[0].due : nil }

  /// Adds a reminder and returns its number. `period`: 0 for once.
  public mutating func add(
    _ text: Span<UInt8>, at due: Int64, every period: Int64 = 0, now wall: Int64
  ) throws(ReminderRefusal) -> UInt32 {
    guard BelievableDate.contains(wall) else { throw .clock }
    guard due > wall, due - wall <= Budget.agentReminderMost, period == 0 || period >= Self.periodLeast,
      period <= Budget.agentReminderMost
    else { throw .time }
    guard count < Budget.agentReminders else { throw .full }
    var reminder = Reminder(id: nextID, due: due, period: period)
    guard !text.isEmpty, reminder.text.set(text) else { throw .text }
    reminder.text.makeLine()
    nextID = nextID == .max ? 1 : nextID + 1
    insert(reminder)
    return reminder.id
  }

  /// Removes a reminder.
  public mutating func cancel(_ id: UInt32) throws(ReminderRefusal) {
    for index in 0..<count where waiting[index].id == id { return remove(index) }
    throw .unknown
  }

  /// Removes all of them.
  public mutating func cancelAll() { count = 0 }

  /// The text of one that is due, which is taken out, or waits for its next time. Call it until it is nil.
  public mutating func takeDue(now wall: Int64) -> InlineText<240>? {
    guard BelievableDate.contains(wall) else { return nil }
    bringBack(now: wall)
    guard count > 0, waiting[0].due <= wall else { return nil }
    var reminder = waiting[0]
    remove(0)
    if reminder.period > 0 {
      // Times that passed while the board was off are told once.
      let missed = (wall - reminder.due) / reminder.period
      reminder.due += (missed + 1) * reminder.period
      reminder.hasCome = true
      insert(reminder)
    }
    return reminder.text
  }

  /// A clock that was years ahead for a moment has moved what comes again as far: once it is right, that comes within
  /// one period. What was set meanwhile, and is farther ahead than anything may be, comes now.
  private mutating func bringBack(now wall: Int64) {
    for index in 0..<count {
      var reminder = waiting[index]
      if reminder.hasCome, reminder.due - wall > reminder.period {
        reminder.due -= (reminder.due - wall - 1) / reminder.period * reminder.period
      } else if reminder.due - wall > Budget.agentReminderMost {
        reminder.due = wall
      } else {
        continue
      }
      remove(index)
      insert(reminder)
    }
  }

  /// The number of the next reminder, from a record.
  mutating func begin(at id: UInt32) { nextID = max(id, 1) }

  mutating func insert(_ reminder: Reminder) {
    var place = count
    while place > 0, waiting[place - 1].due > reminder.due {
      waiting[place] = waiting[place - 1]
      place -= 1
    }
    waiting[place] = reminder
    count += 1
  }

  private mutating func remove(_ place: Int) {
    for index in place..<(count - 1) { waiting[index] = waiting[index + 1] }
    count -= 1
  }
}
