import Runtime

/// Running calls of local programs: a fixed number of slots.
struct ControlCalls: ~Copyable {
  struct Call {
    var client = 0
    /// The client's id for the call.
    var id: Int64 = 0
    /// The least level of new log lines that the client follows.
    var follows: LogLevel?
  }

  private var slots = Slots<Call>(capacity: Budget.controlCalls)

  var capacity: Int { slots.indices.count }

  subscript(_ index: Int) -> Call? { slots[index] }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: Call) -> Int? { slots.add(call) }

  /// Makes a call follow new lines of the log.
  mutating func follow(_ index: Int, _ level: LogLevel) { slots[index]?.follows = level }

  /// True while a call follows the log.
  var hasFollower: Bool { slots.first { $0.follows != nil } != nil }

  /// Frees a slot.
  mutating func take(_ index: Int) -> Call? { slots.take(index) }

  /// The slot of a client's call with this id.
  func index(of client: Int, id: Int64) -> Int? { slots.first { $0.client == client && $0.id == id } }

  func hasAny(of client: Int) -> Bool { slots.first { $0.client == client } != nil }
}
