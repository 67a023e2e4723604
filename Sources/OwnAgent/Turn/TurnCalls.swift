import Completion
import Runtime

/// A call of a tool that has begun in this turn, and whose result is awaited.
struct TurnCall: Sendable {
  /// By which the model knows the call.
  var id = InlineText<64>()
  /// The tool's place in the book.
  var tool = 0
  /// When it is given up: a monotonic time.
  var deadline: Int64 = 0
}

/// The calls of one answer of the model: a fixed number of slots.
struct TurnCalls: ~Copyable {
  private var slots = InlineArray<8, TurnCall?>(repeating: nil)
  private(set) var count = 0

  init() { precondition(Budget.modelCalls == 8 && Budget.modelCallIDBytes == 64) }

  var isEmpty: Bool { count == 0 }

  subscript(place: Int) -> TurnCall? { slots.indices.contains(place) ? slots[place] : nil }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: TurnCall) -> Int? {
    for place in slots.indices where slots[place] == nil {
      slots[place] = call
      count += 1
      return place
    }
    return nil
  }

  /// Frees a slot and returns what was in it.
  mutating func remove(_ place: Int) -> TurnCall? {
    guard let call = self[place] else { return nil }
    slots[place] = nil
    count -= 1
    return call
  }

  /// A slot whose time is over.
  func overdue(at now: Int64) -> Int? {
    for place in slots.indices {
      if let call = slots[place], call.deadline <= now { return place }
    }
    return nil
  }

  /// Any slot that is taken.
  var any: Int? {
    for place in slots.indices where slots[place] != nil { return place }
    return nil
  }

  var nextDeadline: Int64? {
    var earliest: Int64?
    for place in slots.indices {
      if let call = slots[place] { earliest = min(earliest ?? .max, call.deadline) }
    }
    return earliest
  }
}
