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
  private let slots: UnsafeMutableBufferPointer<BorrowedCall?>

  init() {
    slots = .allocate(capacity: Budget.borrowedCalls)
    slots.initialize(repeating: nil)
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  subscript(_ index: Int) -> BorrowedCall? {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: BorrowedCall) -> Int? {
    for index in 0..<slots.count where slots[index] == nil {
      slots[index] = call
      return index
    }
    return nil
  }

  /// The slot of the agent's number.
  func index(of number: UInt32) -> Int? {
    for index in 0..<slots.count {
      if let call = slots[index], call.number == number { return index }
    }
    return nil
  }

  /// The slot of the lender's number.
  func index(ofTag tag: Int) -> Int? {
    for index in 0..<slots.count {
      if let call = slots[index], call.tag == tag { return index }
    }
    return nil
  }

  /// A call whose picture is being sent: one that has begun before others.
  var withPicture: Int? {
    var found: Int?
    for index in 0..<slots.count {
      guard let call = slots[index], call.picture != nil else { continue }
      if call.offset > 0 { return index }
      found = found ?? index
    }
    return found
  }

  /// Any call.
  var first: Int? {
    for index in 0..<slots.count where slots[index] != nil { return index }
    return nil
  }
}
