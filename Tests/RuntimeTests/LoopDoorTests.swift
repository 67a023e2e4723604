import Glibc
import Testing

@testable import Runtime

/// A worker asks the loop, and waits.
@Suite struct LoopDoorTests {
  private final class Question: LoopCall {
    var asked = 0
    override func answer() { asked += 1 }
  }

  private final class Asking: Job {
    let door: LoopDoor
    let question = Question()
    let ended: () -> Void
    var answers: [Bool] = []

    init(_ door: LoopDoor, ended: @escaping () -> Void) {
      self.door = door
      self.ended = ended
    }

    override func run() { for _ in 0..<3 { answers.append(door.call(question)) } }
    override func finish() { ended() }
  }

  @Test("a call is answered on the loop's thread before it returns")
  func calls() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
    let door = try LoopDoor(loop: loop)
    let job = Asking(door) { loop.stop() }
    #expect(pool.submit(job))
    try loop.run()
    #expect(job.answers == [true, true, true])
    #expect(job.question.asked == 3)
    door.close()
    pool.stop()
  }

  @Test("who waits at a door that is closed is told so")
  func closing() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
    let door = try LoopDoor(loop: loop)
    let job = Asking(door) {}
    #expect(pool.submit(job))
    door.close()
    pool.stop()
    #expect(job.answers.allSatisfy { !$0 })
    #expect(job.question.asked == 0)
  }

  @Test("a call at a door that is closed signals nobody who has its descriptor's number by now")
  func closed() throws {
    let door = try LoopDoor(loop: Loop(clock: SystemClock()))
    door.close()
    // The kernel gives the lowest number that is free.
    let others = try (0..<8).map { _ in try Syscall.eventDescriptor() }
    #expect(!door.call(Question()))
    for other in others {
      var count: UInt64 = 0
      #expect(read(other.number, &count, 8) < 0 && count == 0)
      other.close()
    }
  }
}
