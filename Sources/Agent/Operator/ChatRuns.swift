import Codec
import Runtime

/// A reply of the gateway's agent that somebody listens to.
struct ChatRun {
  /// The gateway calls it so; equal to the idempotency key of its `chat.send`.
  var id = InlineText<64>()
  var session = InlineText<512>()
  var listener: (any DeskListener)?
  var tag = 0
  /// How often its slot was used before.
  var serial = 0
  var decoder = ChatDecoder()
  /// What the person said: it tells this run's turn in the history.
  var question = TextDigest()
  /// Somebody else began it: nobody here knows what was asked.
  var isFollowed = false
  /// The gateway has confirmed that it runs.
  var isConfirmed = false
  /// When nobody believes any more that it goes on: a monotonic instant.
  var deadline: Int64 = 0
}

/// The runs that are listened to: a fixed number of slots.
struct ChatRuns: ~Copyable {
  private let slots: UnsafeMutableBufferPointer<ChatRun>

  init() {
    slots = .allocate(capacity: Budget.chatRuns)
    slots.initialize(repeating: ChatRun())
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  var capacity: Int { slots.count }

  subscript(_ index: Int) -> ChatRun {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  func isActive(_ index: Int) -> Bool { slots[index].listener != nil }

  /// Takes a slot for a run that has a listener; nil when all are taken.
  mutating func add(_ run: ChatRun) -> Int? {
    for index in 0..<slots.count where slots[index].listener == nil {
      let serial = slots[index].serial &+ 1
      slots[index] = run
      slots[index].serial = serial
      return index
    }
    return nil
  }

  /// The active run that the gateway calls so.
  func index(of id: borrowing JSONView) -> Int? {
    for index in 0..<slots.count where isActive(index) && id.equals(slots[index].id.span) { return index }
    return nil
  }

  /// The active run that a listener calls so.
  func index(of listener: any DeskListener, _ tag: Int) -> Int? {
    for index in 0..<slots.count {
      if let owner = slots[index].listener, owner === listener, slots[index].tag == tag { return index }
    }
    return nil
  }

  /// Frees a slot.
  mutating func remove(_ index: Int) { slots[index].listener = nil }

  /// Reads an event's payload with the decoder of its run.
  mutating func read(
    _ index: Int, _ payload: borrowing JSONView, _ buffer: UnsafeMutableBufferPointer<UInt8>,
    _ piece: inout ChatDecoder.Piece
  ) -> ChatDecoder.Step { slots[index].decoder.read(payload, buffer, &piece) }

  /// Reads a message of the history with the decoder of its run.
  mutating func readSnapshot(
    _ index: Int, _ message: borrowing JSONView, _ buffer: UnsafeMutableBufferPointer<UInt8>,
    _ piece: inout ChatDecoder.Piece
  ) { slots[index].decoder.readSnapshot(message, buffer, &piece) }

  /// Part of what a run said was never here.
  func hasGap(_ index: Int) -> Bool { slots[index].decoder.hasGap }

  /// Frees the slots of those that a listener follows and somebody else began.
  mutating func removeFollowed(by listener: any DeskListener, _ tell: (_ tag: Int) -> Void) {
    for index in 0..<slots.count {
      guard let owner = slots[index].listener, owner === listener, slots[index].isFollowed else { continue }
      slots[index].listener = nil
      tell(slots[index].tag)
    }
  }

  mutating func confirm(_ index: Int, until deadline: Int64) {
    slots[index].isConfirmed = true
    slots[index].deadline = deadline
  }

  var nextDeadline: Int64? {
    var earliest = Int64.max
    for index in 0..<slots.count where isActive(index) { earliest = min(earliest, slots[index].deadline) }
    return earliest == .max ? nil : earliest
  }
}
