import Glibc
import Runtime
import Testing

@Suite struct WorkerPoolTests {
  private let loop: Loop

  init() throws { loop = try Loop(clock: SystemClock()) }

  /// Runs what a test wants on a worker, and then on the loop.
  private final class Work: Job {
    let work: () -> Void
    let done: (Work) -> Void

    init(_ work: @escaping () -> Void = {}, then done: @escaping (Work) -> Void = { _ in }) {
      self.work = work
      self.done = done
    }

    override func run() { work() }
    override func finish() { done(self) }
  }

  /// A gate at which a worker waits until the test opens it.
  private final class Gate: @unchecked Sendable {
    private let arrivals = Pipe(nonBlocking: false)
    private let openings = Pipe(nonBlocking: false)
    func pass() {
      arrivals.write("x")
      _ = one(openings)
    }
    func waitForArrival() { _ = one(arrivals) }
    func open() { openings.write("x") }
    private func one(_ pipe: Pipe) -> UInt8 {
      var byte: UInt8 = 0
      precondition(Glibc.read(pipe.output.number, &byte, 1) == 1)
      return byte
    }
  }

  @Test("a job runs on a worker and finishes on the loop's thread")
  func threads() throws {
    let pool = try WorkerPool(loop: loop)
    let here = pthread_self()
    var ranOn = here
    var finishedOn: pthread_t?
    let job = Work({ ranOn = pthread_self() }) { job in
      finishedOn = pthread_self()
      #expect(!job.isPending)
      loop.stop()
    }
    #expect(pool.submit(job))
    #expect(job.isPending)
    try loop.run()
    pool.stop()
    #expect(ranOn != here)
    #expect(finishedOn == here)
  }

  @Test("a pool tells whether a job would begin at once")
  func idle() throws {
    let pool = try WorkerPool(loop: loop, threads: 2)
    let gates = [Gate(), Gate()]
    var left = gates.count
    var seen: [Bool] = [pool.hasIdleWorker]
    for gate in gates {
      let job = Work({ gate.pass() }) { _ in
        left -= 1
        if left == 0 { loop.stop() }
      }
      #expect(pool.submit(job))
      gate.waitForArrival()
      seen.append(pool.hasIdleWorker)
    }
    for gate in gates { gate.open() }
    try loop.run()
    seen.append(pool.hasIdleWorker)
    pool.stop()
    #expect(seen == [true, true, false, true])
  }

  @Test("many jobs run, each once, and each may be submitted again from its own end")
  func many() throws {
    let pool = try WorkerPool(loop: loop)
    var rounds = [Int](repeating: 0, count: Budget.workerQueue)
    var left = 100 * rounds.count
    let jobs = rounds.indices.map { index in
      Work(then: { job in
        rounds[index] += 1
        left -= 1
        if left == 0 { loop.stop() }
        if rounds[index] < 100 { #expect(pool.submit(job)) }
      })
    }
    for job in jobs { #expect(pool.submit(job)) }
    try loop.run()
    pool.stop()
    #expect(rounds.allSatisfy { $0 == 100 })
  }

  @Test("a full queue refuses a job until another one has finished")
  func bound() throws {
    let pool = try WorkerPool(loop: loop, threads: 1, queue: 2)
    let gate = Gate()
    let first = Work({ gate.pass() }) { _ in loop.stop() }
    let second = Work()
    let third = Work(then: { _ in loop.stop() })
    #expect(pool.submit(first))
    #expect(pool.submit(second))
    #expect(!pool.submit(third))
    #expect(!third.isPending)
    gate.waitForArrival()
    #expect(!pool.submit(third), "a job that runs still takes its place in the queue of results")
    gate.open()
    try loop.run()
    #expect(pool.submit(third))
    try loop.run()
    pool.stop()
  }

  @Test("a job that runs for too long is noticed while others come and go, and forgotten when it ends")
  func stuck() throws {
    let pool = try WorkerPool(loop: loop, threads: 2)
    let gate = Gate()
    #expect(!pool.isStuck(for: 0))
    let slow = Work({ gate.pass() }) { _ in self.loop.stop() }
    #expect(pool.submit(slow))
    gate.waitForArrival()
    #expect(pool.submit(Work(then: { _ in self.loop.stop() })))
    try loop.run()
    usleep(30_000)
    #expect(pool.isStuck(for: 20))
    #expect(!pool.isStuck())
    gate.open()
    try loop.run()
    // The thread has taken its result to the loop, and goes on to wait.
    while pool.isStuck(for: 20) { usleep(1_000) }
    pool.stop()
  }

  @Test("a job that is pending is not taken twice")
  func pending() throws {
    let pool = try WorkerPool(loop: loop)
    let gate = Gate()
    var finishes = 0
    let job = Work({ gate.pass() }) { _ in
      finishes += 1
      loop.stop()
    }
    #expect(pool.submit(job))
    #expect(!pool.submit(job))
    gate.waitForArrival()
    #expect(!pool.submit(job))
    gate.open()
    try loop.run()
    pool.stop()
    #expect(finishes == 1)
  }

  @Test("a slow job does not hold up another worker")
  func parallel() throws {
    let pool = try WorkerPool(loop: loop, threads: 2)
    let gate = Gate()
    let slow = Work({ gate.pass() }) { _ in loop.stop() }
    let quick = Work(then: { _ in gate.open() })
    #expect(pool.submit(slow))
    gate.waitForArrival()
    #expect(pool.submit(quick))
    try loop.run()
    pool.stop()
  }

  @Test("stopping waits for the job that runs; nothing finishes afterwards and nothing new is taken")
  func stop() throws {
    let pool = try WorkerPool(loop: loop, threads: 1)
    let gate = Gate()
    var hasEnded = false
    let running = Work({
      gate.pass()
      usleep(20_000)
      hasEnded = true
    }) { _ in Issue.record("a result was told after the stop") }
    #expect(pool.submit(running))
    gate.waitForArrival()
    gate.open()
    pool.stop()
    #expect(hasEnded)
    #expect(!pool.submit(Work()))
    pool.stop()
  }

  @Test("stopping leaves nothing open")
  func descriptors() throws {
    let injector = FaultInjector.record {
      #expect(throws: Never.self) { try WorkerPool(loop: loop).stop() }
    }
    #expect(injector.leaked == [])
  }

  @Test("each refusal of the kernel at the start is reported, and leaves nothing open", arguments: 0..<2)
  func refused(index: Int) {
    var failure: Errno?
    let injector = FaultInjector.fail(index, .noSpace) {
      failure = reason { () throws(Errno) in _ = try WorkerPool(loop: loop) }
    }
    #expect(failure == .noSpace)
    #expect(injector.leaked == [])
  }
}
