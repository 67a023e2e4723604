import Gateway
import Runtime

/// A call of one of the board's tools by its own agent.
struct BorrowedCall {
  /// The agent's number of the call, and that under which the lender knows it.
  var number: UInt32
  var tag: Int
  /// The result has come, and waits until its picture is on its way: up to `offset`.
  var picture: OutboundBlob?
  var offset = 0
  var result = InlineText<512>()
}

/// The calls that run, or whose picture is being sent: a fixed number of slots.
struct BorrowedCalls: ~Copyable {
  private var slots = Slots<BorrowedCall>(capacity: Budget.borrowedCalls)

  subscript(_ index: Int) -> BorrowedCall? {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: BorrowedCall) -> Int? { slots.add(call) }

  /// The slot of the agent's number.
  func index(of number: UInt32) -> Int? { slots.first { $0.number == number } }

  /// The slot of the lender's number.
  func index(ofTag tag: Int) -> Int? { slots.first { $0.tag == tag } }

  /// A call whose picture is being sent: one that has begun before others.
  var withPicture: Int? { slots.first { $0.picture != nil && $0.offset > 0 } ?? slots.first { $0.picture != nil } }

  /// Any call.
  var first: Int? { slots.first { _ in true } }
}
