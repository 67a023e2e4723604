import Runtime

/// The invokes that run: a fixed number of slots.
struct InvokeTable: ~Copyable {
  struct Slot {
    var isTaken = false
    var generation = 0
    var id = InlineText<128>()
    var command = 0
    var deadline: Int64 = 0
  }

  private let slots: UnsafeMutableBufferPointer<Slot>
  /// Invokes that run.
  private(set) var count = 0

  init() {
    precondition(Budget.invokeIdBytes == 128)
    slots = .allocate(capacity: Budget.runningInvokes)
    slots.initialize(repeating: Slot())
  }

  deinit { slots.deallocate() }

  var isFull: Bool { count == slots.count }

  /// Takes a slot; nil when all are taken.
  mutating func add(id: InlineText<128>, command: Int, deadline: Int64) -> InvokeToken? {
    guard let index = index(where: { !$0.isTaken }) else { return nil }
    // Wraps long before the token's number could overflow a 32-bit Int.
    let generation = (slots[index].generation + 1) & 0xF_FFFF
    slots[index] = Slot(
      isTaken: true, generation: generation, id: id, command: command, deadline: deadline)
    count += 1
    return token(index)
  }

  /// The slot of a token; nil when its invoke was answered already.
  subscript(_ token: InvokeToken) -> Slot? {
    let slot = slots[token.number % slots.count]
    return slot.isTaken && slot.generation == token.number / slots.count ? slot : nil
  }

  /// Frees the slot of a token that is still running.
  mutating func remove(_ token: InvokeToken) {
    slots[token.number % slots.count].isTaken = false
    count -= 1
  }

  /// The earliest deadline of all.
  var nextDeadline: Int64? {
    var earliest: Int64?
    for slot in slots where slot.isTaken { earliest = min(earliest ?? .max, slot.deadline) }
    return earliest
  }

  /// An invoke whose time is up.
  func due(at now: Int64) -> InvokeToken? {
    guard let index = index(where: { $0.isTaken && $0.deadline <= now }) else { return nil }
    return token(index)
  }

  /// Any invoke that runs.
  var first: InvokeToken? {
    guard let index = index(where: { $0.isTaken }) else { return nil }
    return token(index)
  }

  /// A loop, not the library's generic search: that allocates in builds without optimisation, and the
  /// count of allocations should hold in every build.
  private func index(where matches: (borrowing Slot) -> Bool) -> Int? {
    for index in 0..<slots.count where matches(slots[index]) { return index }
    return nil
  }

  private func token(_ index: Int) -> InvokeToken {
    InvokeToken(slots[index].generation * slots.count + index)
  }
}
