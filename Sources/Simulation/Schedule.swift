/// Something that acts when its time comes.
protocol Actor: AnyObject {
  /// Does what was planned as `what`, with the number that was given along.
  func act(_ what: Int, _ number: Int64)
}

/// What happens next, in virtual time: a binary heap. What is planned for the same instant happens in the order in
/// which it was planned, so that a run depends on its seed alone.
struct Schedule {
  /// One plan.
  struct Entry {
    let time: Int64
    fileprivate let serial: UInt64
    let actor: any Actor
    let what: Int
    let number: Int64

    fileprivate func isBefore(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : serial < other.serial
    }
  }

  private var heap: [Entry] = []
  private var serial: UInt64 = 0

  /// The instant of the next plan; `Int64.max` when there is none.
  var nextTime: Int64 { heap.isEmpty ? .max : heap[0].time }

  /// Plans `what` for `actor`, which stays alive until then.
  mutating func add(_ actor: any Actor, _ what: Int, _ number: Int64 = 0, at time: Int64) {
    serial += 1
    heap.append(Entry(time: time, serial: serial, actor: actor, what: what, number: number))
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].isBefore(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  /// Takes the next plan.
  mutating func pop() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return last }
    let first = heap[0]
    heap[0] = last
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[index]) else { return first }
      heap.swapAt(index, child)
      index = child
    }
  }
}
