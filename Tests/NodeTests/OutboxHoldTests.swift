import Codec
import Runtime
import Testing

@testable import Benches
@testable import Node

@Suite("Events that wait for their owner") struct OutboxHoldTests {
  private let bench: OutboxBench

  init() throws { bench = try OutboxBench() }

  private func post(_ text: String, isHeld: Bool) -> UInt64 {
    let posted = bench.outbox.post("test.event", ageLimit: 60_000_000, isHeld: isHeld) { writer in
      writer.key("text")
      writer.string(text)
    }
    guard case .accepted(let number) = posted else { return 0 }
    return number
  }

  @Test func `What is held is not sent, nor what comes after it, until it is released`() {
    bench.online()
    bench.post("one")
    bench.acknowledgeAll()
    _ = post("two", isHeld: true)
    bench.post("three")
    bench.pass(5_000)
    #expect(bench.sent == ["one"])
    #expect(bench.outbox.durableSequence == 3)
    bench.outbox.release()
    bench.acknowledgeAll()
    #expect(bench.sent == ["one", "two", "three"])
  }

  @Test func `What is held stays so over connections, and one that was loaded can be held`() throws {
    _ = post("two", isHeld: true)
    bench.online()
    bench.outbox.offline()
    bench.online()
    #expect(bench.sent.isEmpty)
    bench.pass(3_000)
    try bench.restart()
    bench.outbox.hold(1)
    bench.online()
    #expect(bench.sent.isEmpty)
    bench.outbox.release()
    #expect(bench.sent == ["two"])
  }

  @Test func `The last event of a name is found by its payload`() {
    _ = post("one", isHeld: false)
    let second = post("two", isHeld: false)
    _ = bench.outbox.post("other.event", ageLimit: 60_000_000) { _ in }
    func find(_ name: StaticString, _ text: StaticString) -> UInt64? {
      bench.outbox.last(name) { payload in payload.member("text")?.equals(text) == true }
    }
    #expect(find("test.event", "two") == second && find("test.event", "one") == 1)
    #expect(find("test.event", "three") == nil && find("other.event", "one") == nil)
  }
}
