import Glibc
import Testing

@testable import Runtime

/// A worker asks the loop, and waits.
@Suite struct LoopBridgeTests {
  private final class Question: LoopCall {
    var asked = 0
    override func answer() { asked += 1 }
  }

  private final class Asking: Job {
    let bridge: LoopBridge
    let question = Question()
    let ended: () -> Void
    var answers: [Bool] = []

    init(_ bridge: LoopBridge, ended: @escaping () -> Void) {
      self.bridge = bridge
      self.ended = ended
    }

    override func run() { for _ in 0..<3 { answers.append(bridge.call(question)) } }
    override func finish() { ended() }
  }

  @Test("a call is answered on the loop's thread before it returns")
  func calls() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
    let bridge = try LoopBridge(loop: loop)
    let job = Asking(bridge) { loop.stop() }
    #expect(pool.submit(job))
    try loop.run()
    #expect(job.answers == [true, true, true])
    #expect(job.question.asked == 3)
    bridge.close()
    pool.stop()
  }

  @Test("a call that waits while the bridge is closed ends with an error")
  func closing() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
    let bridge = try LoopBridge(loop: loop)
    let job = Asking(bridge) {}
    #expect(pool.submit(job))
    bridge.close()
    pool.stop()
    #expect(job.answers.allSatisfy { !$0 })
    #expect(job.question.asked == 0)
  }

  @Test("a call on a closed bridge signals no other owner of its descriptor's number")
  func closed() throws {
    let bridge = try LoopBridge(loop: Loop(clock: SystemClock()))
    bridge.close()
    // The kernel gives the lowest number that is free.
    let others = try (0..<8).map { _ in try Syscall.eventDescriptor() }
    #expect(!bridge.call(Question()))
    for other in others {
      var count: UInt64 = 0
      #expect(read(other.number, &count, 8) < 0 && count == 0)
      other.close()
    }
  }
}
