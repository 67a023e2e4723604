import Codec
import Runtime

/// A run of the gateway's agent whose reply is followed.
struct ChatRun {
  /// The gateway's id of the run; equal to the idempotency key of its `chat.send`.
  var id = InlineText<64>()
  var session = SessionKey()
  var delegate: (any DeskDelegate)?
  var tag = 0
  /// How often its slot was used before.
  var serial = 0
  var decoder = ChatDecoder()
  /// The person's message, by which this run is found in the history.
  var question = TextDigest()
  /// Another client began it: its message is unknown here.
  var isFollowed = false
  /// The stand-in answers it, and the gateway knows nothing of it.
  var isLocal = false
  /// The agent has called a tool or thought, or its reply has a picture.
  var hasSteps = false
  /// The gateway has confirmed that it runs.
  var isConfirmed = false
  /// When it counts as ended unless it was confirmed again: a monotonic time.
  var deadline: Int64 = 0
}

/// The runs that are followed: a fixed number of slots.
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

  func isActive(_ index: Int) -> Bool { slots[index].delegate != nil }

  /// Takes a slot for a run that has a delegate; nil when all are taken.
  mutating func add(_ run: ChatRun) -> Int? {
    for index in 0..<slots.count where slots[index].delegate == nil {
      let serial = slots[index].serial &+ 1
      slots[index] = run
      slots[index].serial = serial
      return index
    }
    return nil
  }

  /// The active run with this id of the gateway.
  func index(of id: borrowing JSONView) -> Int? {
    for index in 0..<slots.count where isActive(index) && id.equals(slots[index].id.span) { return index }
    return nil
  }

  /// The active run of a delegate's tag.
  func index(of delegate: any DeskDelegate, _ tag: Int) -> Int? {
    for index in 0..<slots.count {
      if let follower = slots[index].delegate, follower === delegate, slots[index].tag == tag { return index }
    }
    return nil
  }

  /// Frees a slot.
  mutating func remove(_ index: Int) { slots[index].delegate = nil }

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

  /// True when a part of the run's text was never received.
  func hasGap(_ index: Int) -> Bool { slots[index].decoder.hasGap }

  /// Frees the slots of runs that the delegate follows and another client began.
  mutating func removeFollowed(by delegate: any DeskDelegate, _ report: (_ tag: Int) -> Void) {
    for index in 0..<slots.count {
      guard let follower = slots[index].delegate, follower === delegate, slots[index].isFollowed else { continue }
      slots[index].delegate = nil
      report(slots[index].tag)
    }
  }

  /// Frees the slots of all runs that the delegate follows, and tells nobody.
  mutating func removeAll(of delegate: any DeskDelegate) {
    for index in 0..<slots.count {
      if let follower = slots[index].delegate, follower === delegate { slots[index].delegate = nil }
    }
  }

  /// What the run does besides is in the history.
  mutating func noteStep(_ index: Int) { slots[index].hasSteps = true }

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
