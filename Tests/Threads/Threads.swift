import Glibc
import Runtime

/// What threads share in Talon, worked as hard as it goes, for the thread sanitizer (board/threads): jobs and their
/// results through the pool of workers, a thread that asks the loop and waits, and both of them stopped in the middle.
/// With the argument `race` it has a race of its own, which the sanitizer has to see.
@main struct Threads {
  static func main() throws {
    if CommandLine.arguments.contains("race") { return try race() }
    try work()
    for _ in 0..<200 { try stop() }
    print("done")
  }

  /// Eight jobs on four threads, again and again, while another thread asks the loop.
  static func work() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 4, queue: 8)
    let asking = try WorkerPool(loop: loop, threads: 1, queue: 1)
    let bridge = try LoopBridge(loop: loop)
    var left = 9
    let jobs = (0..<8).map { _ in
      Filling(rounds: 3_000, pool) {
        left -= 1
        if left == 0 { loop.stop() }
      }
    }
    let asker = Asking(bridge, times: 5_000) {
      left -= 1
      if left == 0 { loop.stop() }
    }
    for job in jobs { precondition(pool.submit(job)) }
    precondition(asking.submit(asker))
    try loop.run()
    bridge.close()
    asking.stop()
    pool.stop()
    precondition(asker.answers == 5_000 && jobs.allSatisfy { $0.rounds == 0 })
  }

  /// A pool that is stopped while its jobs run, and a door that is closed while somebody asks.
  static func stop() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 3, queue: 8)
    let bridge = try LoopBridge(loop: loop)
    let jobs = (0..<7).map { _ in Filling(rounds: 1, pool) {} }
    let asker = Asking(bridge, times: 1_000) {}
    precondition(pool.submit(asker))
    for job in jobs { precondition(pool.submit(job)) }
    _ = pool.isStuck()
    bridge.close()
    pool.stop()
  }

  /// Two threads write one number, and nothing orders them.
  static func race() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 2, queue: 2)
    let shared = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    shared.initialize(to: 0)
    let jobs = (0..<2).map { _ in Racing(shared) }
    for job in jobs { precondition(pool.submit(job)) }
    usleep(100_000)
    pool.stop()
  }
}

/// Writes memory of its own on a worker, reads it on the loop, and goes again.
final class Filling: Job {
  private(set) var rounds: Int
  private let pool: WorkerPool
  private let done: () -> Void
  private let memory = FixedBuffer(capacity: 256)
  private var value: UInt8 = 0

  init(rounds: Int, _ pool: WorkerPool, done: @escaping () -> Void) {
    self.rounds = rounds
    self.pool = pool
    self.done = done
  }

  override func run() {
    for index in 0..<256 { memory.bytes[index] = value }
  }

  override func finish() {
    for index in 0..<256 { precondition(memory.bytes[index] == value) }
    value &+= 1
    rounds -= 1
    _ = pool.isStuck()
    if rounds == 0 { done() } else { precondition(pool.submit(self)) }
  }
}

/// Asks the loop, which counts.
final class Asking: Job {
  private final class Question: LoopCall {
    var asked = 0
    override func answer() { asked += 1 }
  }

  private let bridge: LoopBridge
  private let times: Int
  private let done: () -> Void
  private let question = Question()
  private(set) var answers = 0

  init(_ bridge: LoopBridge, times: Int, done: @escaping () -> Void) {
    self.bridge = bridge
    self.times = times
    self.done = done
  }

  override func run() {
    for round in 1...times {
      guard bridge.call(question) else { return }
      precondition(question.asked == round)
      answers += 1
    }
  }

  override func finish() { done() }
}

/// Writes what another one writes.
final class Racing: Job {
  private let shared: UnsafeMutablePointer<Int>

  init(_ shared: UnsafeMutablePointer<Int>) { self.shared = shared }

  override func run() {
    for _ in 0..<100 {
      shared.pointee &+= 1
      // Long enough for the other to begin: what follows the other's end is in order.
      usleep(1_000)
    }
  }
}
