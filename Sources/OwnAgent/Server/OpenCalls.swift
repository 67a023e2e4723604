import Completion
import Runtime

/// What the agent waits for at each place of a turn's calls.
struct OpenCalls: ~Copyable {
  enum Wait: Equatable {
    case nothing
    /// The node has this number for it.
    case board(UInt32)
    /// The memory has this ticket for it.
    case memory(UInt32)
    /// A vector of what is looked for, of which so many entries are wanted.
    case vector(limit: Int)
    /// The one page or search that is under way, and one that waits for it.
    case page
    case pageLater(isSearch: Bool)
    case mail
    case telegram
  }

  private var waits = InlineArray<8, Wait>(repeating: .nothing)
  /// The addresses and queries of pages that wait.
  private let texts = FixedBuffer(capacity: 8 * Budget.agentWaitingBytes)
  private var lengths = InlineArray<8, Int>(repeating: 0)
  private var serial: UInt32 = 0

  init() { precondition(Budget.modelCalls == 8) }

  subscript(place: Int) -> Wait {
    get { waits.indices.contains(place) ? waits[place] : .nothing }
    set { if waits.indices.contains(place) { waits[place] = newValue } }
  }

  /// The place that waits for this.
  func place(of wait: Wait) -> Int? {
    for place in waits.indices where waits[place] == wait { return place }
    return nil
  }

  /// The first page or search that waits for the one before it.
  var laterPage: (place: Int, isSearch: Bool)? {
    for place in waits.indices {
      if case .pageLater(let isSearch) = waits[place] { return (place, isSearch) }
    }
    return nil
  }

  /// A number for a call of the node, which no open one has.
  mutating func number() -> UInt32 {
    serial &+= 1
    return serial
  }

  /// Keeps the address or query of a place; false when it is too long.
  mutating func keep(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    guard waits.indices.contains(place), text.count <= Budget.agentWaitingBytes else { return false }
    for index in 0..<text.count { texts.bytes[place * Budget.agentWaitingBytes + index] = text[index] }
    lengths[place] = text.count
    return true
  }

  /// What was kept there.
  func text(at place: Int) -> UnsafeBufferPointer<UInt8> {
    let start = place * Budget.agentWaitingBytes
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(texts.bytes)[start..<(start + lengths[place])])
  }

  mutating func removeAll() { for place in waits.indices { waits[place] = .nothing } }
}
