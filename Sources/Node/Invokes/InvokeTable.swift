import Runtime

/// Running invokes, and repeats that wait for one of them: a fixed number of slots.
struct InvokeTable: ~Copyable {
  /// Who gets the answer of an invoke.
  enum Caller { case gateway, program, tool }

  struct Slot {
    var isTaken = false
    var generation = 0
    /// The id to answer, and the deadline.
    var id = InlineText<128>()
    var deadline: Int64 = 0
    var command = 0
    /// Progress messages sent for this id.
    var progress: Int64 = 0
    /// The entry of the memory that will hold its answer.
    var memory: AnswerMemory.Place?
    /// Of a repeat: the slot whose work it waits for.
    var leader: Int?
    /// The gateway, a program on this board, or a tool whose call needs the command.
    var caller = Caller.gateway
    /// Its number among the pending actions: it has no caller to answer.
    var action: Int?
    /// The call of the board's own agent that it is for: it does not end with a connection.
    var lent: LentCall?
    /// Its work has not begun: it may not, or waits for a person.
    var waits = false
  }

  private let slots: UnsafeMutableBufferPointer<Slot>
  /// Slots in use.
  private(set) var count = 0

  init() {
    precondition(Budget.invokeIdBytes == 128)
    slots = .allocate(capacity: Budget.invokeSlots)
    slots.initialize(repeating: Slot())
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  /// True when there is a slot for one more of the gateway's.
  var hasRoom: Bool {
    var count = 0
    for slot in slots where slot.isTaken && slot.caller != .tool { count += 1 }
    return count < Budget.runningInvokes && self.count < slots.count
  }

  /// Takes a slot for `slot`; nil when all are taken that its caller may have.
  mutating func add(_ slot: Slot) -> InvokeToken? {
    guard slot.caller == .tool || hasRoom, let index = index(where: { !$0.isTaken }) else { return nil }
    // Wraps long before the token's number could overflow a 32-bit Int.
    let generation = (slots[index].generation + 1) & 0xF_FFFF
    slots[index] = slot
    slots[index].isTaken = true
    slots[index].generation = generation
    count += 1
    return token(index)
  }

  /// The slot of a token; nil when its invoke was already answered.
  subscript(_ token: InvokeToken) -> Slot? {
    let slot = slots[token.number % slots.count]
    return slot.isTaken && slot.generation == token.number / slots.count ? slot : nil
  }

  /// Whether the work of a token waits for a person; nothing happens when it was answered meanwhile.
  mutating func wait(_ token: InvokeToken, _ waits: Bool) {
    if self[token] != nil { slots[token.number % slots.count].waits = waits }
  }

  /// Frees the slot of a token that is still running.
  mutating func remove(_ token: InvokeToken) {
    slots[token.number % slots.count].isTaken = false
    count -= 1
  }

  /// Sets the entry of the memory for the answer of a running token.
  mutating func remember(_ token: InvokeToken, at place: AnswerMemory.Place) {
    slots[token.number % slots.count].memory = place
  }

  /// Counts a progress message of a running token.
  mutating func countProgress(_ token: InvokeToken) { slots[token.number % slots.count].progress += 1 }

  /// Running invokes of a command; repeats do no work of their own and do not count.
  func count(of command: Int) -> Int {
    var count = 0
    for slot in slots where slot.isTaken && slot.leader == nil && slot.command == command { count += 1 }
    return count
  }

  /// The earliest deadline.
  var nextDeadline: Int64? {
    var earliest: Int64?
    for slot in slots where slot.isTaken { earliest = min(earliest ?? .max, slot.deadline) }
    return earliest
  }

  /// An invoke whose deadline has passed.
  func due(at now: Int64) -> InvokeToken? {
    index(where: { $0.isTaken && $0.deadline <= now }).map { token($0) }
  }

  /// Any running invoke.
  var first: InvokeToken? { index(where: { $0.isTaken }).map { token($0) } }

  /// Any running invoke of a program on this board.
  var firstOfProgram: InvokeToken? { index(where: { $0.isTaken && $0.caller == .program }).map { token($0) } }

  /// Any running invoke that ends with the connection to the gateway.
  var firstOfGateway: InvokeToken? {
    index(where: { $0.isTaken && $0.caller != .program && $0.lent == nil }).map { token($0) }
  }

  /// The gateway's invoke with this id.
  func find(id: InlineText<128>) -> InvokeToken? {
    index(where: { $0.isTaken && $0.action == nil && $0.caller == .gateway && $0.id == id }).map { token($0) }
  }

  /// The command that a tool began under this id.
  func find(tool id: InlineText<128>) -> InvokeToken? {
    index(where: { $0.isTaken && $0.caller == .tool && $0.id == id }).map { token($0) }
  }

  /// The slot of the work whose answer will be kept at `memory`.
  func leader(memory: AnswerMemory.Place) -> Int? {
    index(where: { $0.isTaken && $0.leader == nil && $0.memory == memory })
  }

  // MARK: Repeats

  /// A repeat that waits for the work of `token`.
  func follower(of token: InvokeToken) -> InvokeToken? {
    let leader = token.number % slots.count
    return index(where: { $0.isTaken && $0.leader == leader }).map { self.token($0) }
  }

  /// Lets a repeat take over: the work of `token` continues for the caller of `follower`, whose slot is freed.
  mutating func handOver(_ token: InvokeToken, to follower: InvokeToken) {
    let successor = slots[follower.number % slots.count]
    let index = token.number % slots.count
    slots[index].id = successor.id
    slots[index].deadline = successor.deadline
    slots[index].progress = 0
    remove(follower)
  }

  /// A loop instead of the library's generic search, which allocates in builds without optimization: the count of
  /// allocations must hold in every build.
  private func index(where matches: (borrowing Slot) -> Bool) -> Int? {
    for index in 0..<slots.count where matches(slots[index]) { return index }
    return nil
  }

  func token(_ index: Int) -> InvokeToken {
    InvokeToken(slots[index].generation * slots.count + index)
  }
}
