import Runtime
import Testing

@Suite struct TimerQueueTests {
  private final class Owner: TimerHandler {
    func timerFired(_ id: TimerID) {}
  }

  /// A queue after a reference: `#expect` copies what it looks at.
  private final class Queue {
    private var queue: TimerQueue
    init(capacity: Int) { queue = TimerQueue(capacity: capacity) }
    var nextDeadline: Int64? { queue.nextDeadline }
    func set(_ number: Int, of handler: any TimerHandler, at deadline: Int64) -> Bool {
      queue.set(TimerID(number), of: handler, at: deadline)
    }
    func cancel(_ number: Int, of handler: any TimerHandler) { queue.cancel(TimerID(number), of: handler) }
    func popDue(at now: Int64) -> (handler: any TimerHandler, id: TimerID)? { queue.popDue(at: now) }
  }

  private let owner = Owner()
  private let other = Owner()

  /// What is due at `now`, in the order in which it is taken.
  private func due(_ queue: Queue, at now: Int64) -> [Int] {
    var numbers: [Int] = []
    while let (_, id) = queue.popDue(at: now) { numbers.append(id.number) }
    return numbers
  }

  @Test("timers come in the order of their deadlines, whatever the order in which they were set")
  func order() {
    var random = Seeded(1)
    let queue = Queue(capacity: 16)
    for number in Array(0..<16).shuffled(using: &random) {
      #expect(queue.set(number, of: owner, at: Int64(number) * 10))
    }
    #expect(queue.nextDeadline == 0)
    #expect(due(queue, at: 79) == Array(0...7))
    #expect(queue.nextDeadline == 80)
    #expect(due(queue, at: 1000) == Array(8...15))
    #expect(queue.nextDeadline == nil)
  }

  @Test("a timer is due at its instant and not before, and comes once")
  func instant() {
    let queue = Queue(capacity: 1)
    #expect(queue.set(1, of: owner, at: 100))
    #expect(due(queue, at: 99) == [])
    #expect(due(queue, at: 100) == [1])
    #expect(due(queue, at: 100) == [])
  }

  @Test("setting a timer again moves it")
  func move() {
    let queue = Queue(capacity: 2)
    _ = queue.set(1, of: owner, at: 100)
    _ = queue.set(2, of: owner, at: 200)
    #expect(queue.set(1, of: owner, at: 300))
    #expect(due(queue, at: 250) == [2])
    #expect(due(queue, at: 300) == [1])
  }

  @Test("a cancelled timer does not come; cancelling what is not set does nothing")
  func cancel() {
    let queue = Queue(capacity: 2)
    _ = queue.set(1, of: owner, at: 100)
    _ = queue.set(2, of: owner, at: 200)
    queue.cancel(1, of: owner)
    queue.cancel(7, of: owner)
    queue.cancel(2, of: other)
    #expect(queue.nextDeadline == 200)
    #expect(due(queue, at: 1000) == [2])
  }

  @Test("one handler has many timers, and one number belongs to each handler on its own")
  func identity() {
    let queue = Queue(capacity: 3)
    _ = queue.set(1, of: owner, at: 10)
    _ = queue.set(2, of: owner, at: 20)
    _ = queue.set(1, of: other, at: 30)
    queue.cancel(1, of: owner)
    #expect(queue.popDue(at: 100)?.handler === owner)
    #expect(queue.popDue(at: 100)?.handler === other)
    #expect(queue.popDue(at: 100) == nil)
  }

  @Test("a full queue refuses a new timer, moves an old one, and has room again after one has come")
  func full() {
    let queue = Queue(capacity: 2)
    #expect(queue.set(1, of: owner, at: 10))
    #expect(queue.set(2, of: owner, at: 20))
    #expect(!queue.set(3, of: owner, at: 5))
    #expect(queue.set(2, of: owner, at: 30))
    #expect(due(queue, at: 10) == [1])
    #expect(queue.set(3, of: owner, at: 5))
  }

  @Test("a handler is let go when its timer has come or is cancelled")
  func ownership() {
    let queue = Queue(capacity: 2)
    weak var first: Owner?
    weak var second: Owner?
    do {
      let owners = [Owner(), Owner()]
      (first, second) = (owners[0], owners[1])
      _ = queue.set(1, of: owners[0], at: 10)
      _ = queue.set(1, of: owners[1], at: 20)
      _ = queue.popDue(at: 10)
      queue.cancel(1, of: owners[1])
    }
    #expect(first == nil)
    #expect(second == nil)
  }
}
