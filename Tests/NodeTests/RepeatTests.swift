import Gateway
import Runtime
import Testing
@testable import Agent
@testable import Benches

@Suite("Repeats by idempotency key")
struct RepeatTests {
  private let bench: RouterBench
  init() throws { bench = try RouterBench() }

  @Test("a repeat after the answer gets the same answer under its own id, and nothing is done again")
  func afterwards() {
    bench.invoke("1")
    bench.succeed()
    bench.invoke("2")
    #expect(bench.take() == ["1: \"done\"", "2: \"done\""])
    #expect(bench.begun.count == 1)
    #expect(bench.router.count == 0)
    #expect(bench.router.repeated == 1)
  }

  @Test("repeats while the first runs wait for it and get its answer, each once")
  func meanwhile() {
    for id in ["1", "2", "3"] { bench.invoke(id) }
    #expect(bench.take() == [])
    bench.succeed()
    #expect(bench.take().sorted() == ["1: \"done\"", "2: \"done\"", "3: \"done\""])
    bench.succeed()
    #expect(bench.take() == [])
    #expect(bench.begun.count == 1)
    #expect(bench.router.count == 0)
  }

  @Test("an error is an answer like any other")
  func errors() {
    bench.invoke("1", timeout: 1_000)
    bench.pass(500)
    bench.invoke("2")
    #expect(
      bench.take() == ["1: UNAVAILABLE: node invoke timed out", "2: UNAVAILABLE: node invoke timed out"])
    #expect(bench.begun.count == 1)
  }

  @Test("another key, no key, an empty key, and another command are no repeats")
  func others() {
    bench.invoke("1")
    bench.invoke("2", key: "other")
    bench.invoke("3", key: nil)
    bench.invoke("4", key: "")
    #expect(bench.begun.count == 4)
  }

  @Test("a command without side effects is done each time")
  func withoutSideEffects() {
    bench.invoke("1", "read")
    bench.invoke("2", "read")
    #expect(bench.begun.count == 2)
  }

  @Test("an answer is remembered for 10 minutes")
  func lifetime() {
    bench.invoke("1")
    bench.succeed()
    bench.pass(599_999)
    bench.invoke("2")
    #expect(bench.begun.count == 1)
    bench.pass(1)
    bench.invoke("3")
    #expect(bench.begun.count == 2)
  }

  @Test("64 answers are remembered; the oldest is forgotten first")
  func bound() {
    for number in 0...Budget.answersRemembered {
      bench.invoke("i", key: "\(number)")
      bench.succeed(number)
      bench.pass(1)
    }
    let count = bench.begun.count
    bench.invoke("last", key: "1")
    #expect(bench.begun.count == count)
    bench.invoke("first", key: "0")
    #expect(bench.begun.count == count + 1)
  }

  @Test("a result too large to keep is answered, and its repeat is done again")
  func tooLarge() {
    let largest = String(repeating: "x", count: Budget.answerBytes - 2)
    bench.invoke("1")
    bench.succeed(0, largest)
    bench.invoke("2")
    #expect(bench.take() == ["1: \"\(largest)\"", "2: \"\(largest)\""])
    bench.invoke("3", key: "other")
    bench.succeed(1, largest + "x")
    bench.invoke("4", key: "other")
    #expect(bench.take() == ["3: \"\(largest)x\""])
    #expect(bench.begun.count == 3)
  }

  @Test("a key longer than 128 bytes is refused, and nothing is done")
  func longKey() {
    bench.invoke("1", key: String(repeating: "k", count: 128))
    bench.invoke("2", key: String(repeating: "k", count: 129))
    #expect(bench.take() == ["2: INVALID_REQUEST: the idempotencyKey is longer than 128 bytes"])
    #expect(bench.begun.count == 1)
    bench.invoke("3", "read", key: String(repeating: "k", count: 129))
    #expect(bench.begun.count == 2)
  }

  @Test("a session's key is whole up to the bytes that a chat's may have; a longer one is refused, and nothing is done")
  func longSession() {
    let longest = String(repeating: "s", count: Budget.sessionKeyBytes)
    bench.invoke("1", "read", session: longest)
    bench.invoke("2", "read", session: "")
    bench.invoke("3", "read", session: longest + "s")
    bench.invoke("4", key: "k", session: String(repeating: "\u{E9}", count: 257))
    bench.invoke("5", "read")
    #expect(bench.sessions == [longest, "", ""])
    #expect(
      bench.take()
        == ["3", "4"].map { "\($0): INVALID_REQUEST: the sessionKey is longer than 512 bytes" })
    // What was refused is not remembered as begun.
    bench.invoke("6", key: "k", session: "main")
    #expect(bench.sessions.last == "main")
  }

  @Test("a repeat over the next connection is answered from memory")
  func reconnect() {
    bench.invoke("1")
    bench.succeed()
    bench.router.cancelAll()
    bench.invoke("2")
    #expect(bench.take() == ["1: \"done\"", "2: \"done\""])
  }

  @Test("what ran when the connection was lost is not done again: the repeat is told so")
  func interrupted() {
    bench.invoke("1")
    bench.invoke("2")
    bench.router.cancelAll()
    #expect(bench.cancelled == bench.begun)
    #expect(bench.router.count == 0)
    bench.invoke("3")
    #expect(
      bench.take() == ["3: UNAVAILABLE: the connection was lost meanwhile; it may have been done"])
    #expect(bench.begun.count == 1)
  }

  @Test("when the first one's time is up, the work goes on for the repeat that waits")
  func handOver() {
    bench.invoke("1", timeout: 2_000)
    bench.invoke("2", timeout: 20_000)
    bench.pass(1_500)
    #expect(bench.take() == ["1: UNAVAILABLE: node invoke timed out"])
    #expect(bench.cancelled.isEmpty)
    bench.succeed()
    #expect(bench.take() == ["2: \"done\""])
  }

  @Test("a repeat whose time is up leaves the work alone")
  func impatientRepeat() {
    bench.invoke("1", timeout: 20_000)
    bench.invoke("2", timeout: 2_000)
    bench.pass(1_500)
    #expect(bench.take() == ["2: UNAVAILABLE: node invoke timed out"])
    bench.succeed()
    #expect(bench.take() == ["1: \"done\""])
    #expect(bench.cancelled.isEmpty)
  }

  @Test("more repeats than there are slots are answered node busy")
  func manyRepeats() {
    let limit = Budget.runningInvokes
    for number in 0..<limit + 2 { bench.invoke("\(number)") }
    #expect(bench.take() == ["\(limit): UNAVAILABLE: node busy", "\(limit + 1): UNAVAILABLE: node busy"])
    bench.succeed()
    #expect(bench.take().count == limit)
  }

  @Test("a blob goes to the first alone; its repeats are told")
  func blob() {
    final class Owner: BlobDelegate {
      func blobRead(upTo count: Int) {}
      func blobReleased() {}
    }
    bench.invoke("1")
    bench.invoke("2")
    let isTaken = [UInt8](repeating: 1, count: 9).withUnsafeBufferPointer { bytes in
      bench.router.succeed(bench.begun[0], blob: bytes, delegate: Owner()) { _ in }
    }
    #expect(isTaken)
    bench.invoke("3")
    let message = "UNAVAILABLE: the answer was sent to another request with this key"
    #expect(bench.take() == ["1: blob", "2: \(message)", "3: \(message)"])
  }

  @Test("what a repeat cannot carry is an error for it alone")
  func noRoom() {
    bench.invoke("1")
    bench.succeed(0, "a long answer")
    bench.replyRoom = 4
    bench.invoke("2")
    #expect(
      bench.take() == [
        "1: \"a long answer\"", "2: PAYLOAD_TOO_LARGE: the result does not fit a message",
      ])
  }
}

@Suite("Cancelling")
struct CancelTests {
  private let bench: RouterBench
  init() throws { bench = try RouterBench() }

  @Test("a cancelled invoke stops its work and is answered once; what comes later goes nowhere")
  func cancel() {
    bench.invoke("1", "read")
    bench.cancelInvoke("1")
    #expect(bench.cancelled == bench.begun)
    bench.succeed()
    bench.cancelInvoke("1")
    bench.pass(60_000)
    #expect(bench.take() == ["1: UNAVAILABLE: node invoke cancelled"])
    #expect(bench.router.count == 0)
  }

  @Test("ids that do not run, and those of another node, are ignored")
  func unknown() {
    bench.invoke("1", "read")
    bench.cancelInvoke("2")
    bench.cancelInvoke("")
    bench.cancelInvoke("1", node: "somebody")
    #expect(bench.take() == [])
    bench.succeed()
    #expect(bench.take() == ["1: \"done\""])
  }

  @Test("work that a repeat waits for goes on when the first is cancelled")
  func withRepeat() {
    bench.invoke("1")
    bench.invoke("2")
    bench.cancelInvoke("1")
    #expect(bench.cancelled.isEmpty)
    bench.cancelInvoke("2")
    #expect(bench.cancelled == bench.begun)
    #expect(
      bench.take() == ["1: UNAVAILABLE: node invoke cancelled", "2: UNAVAILABLE: node invoke cancelled"])
    #expect(bench.router.count == 0)
  }

  @Test("the gateway's event reaches the work through the agent")
  func event() throws {
    let bench = try AgentBench()
    bench.gateway.send(bench.frame("1", "location.get"))
    bench.cancelInvoke("1")
    let answers = try bench.settle()
    #expect(answers.map(\.message) == ["UNAVAILABLE: node invoke cancelled"])
    bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic)
    #expect(try bench.settle().isEmpty)
  }
}

@Suite("Limits of commands")
struct LimitTests {
  @Test("one more than the row's limit is busy, and room comes back with each answer")
  func limit() throws {
    let bench = try RouterBench()
    for number in 1...4 { bench.invoke("\(number)", "read") }
    #expect(bench.take() == ["4: UNAVAILABLE: node busy"])
    bench.succeed(1)
    bench.invoke("5", "read")
    bench.invoke("6", "read")
    #expect(bench.take() == ["2: \"done\"", "6: UNAVAILABLE: node busy"])
  }
}
