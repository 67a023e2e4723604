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

  private let slots: UnsafeMutableBufferPointer<Call?>

  init() {
    slots = .allocate(capacity: Budget.controlCalls)
    slots.initialize(repeating: nil)
  }

  deinit { slots.deallocate() }

  var capacity: Int { slots.count }

  subscript(_ index: Int) -> Call? { slots[index] }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: Call) -> Int? {
    for index in 0..<slots.count where slots[index] == nil {
      slots[index] = call
      return index
    }
    return nil
  }

  /// Makes a call follow new lines of the log.
  mutating func follow(_ index: Int, _ level: LogLevel) { slots[index]?.follows = level }

  /// True while a call follows the log.
  var hasFollower: Bool {
    for index in 0..<slots.count where slots[index]?.follows != nil { return true }
    return false
  }

  /// Frees a slot.
  mutating func take(_ index: Int) -> Call? {
    let call = slots[index]
    slots[index] = nil
    return call
  }

  /// The slot of a client's call with this id.
  func index(of client: Int, id: Int64) -> Int? {
    for index in 0..<slots.count {
      if let call = slots[index], call.client == client, call.id == id { return index }
    }
    return nil
  }

  func hasAny(of client: Int) -> Bool {
    for index in 0..<slots.count {
      if let call = slots[index], call.client == client { return true }
    }
    return false
  }
}
