import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("Outbox")
struct OutboxTests {
  private let bench: OutboxBench
  init() throws { bench = try OutboxBench() }

  // MARK: Delivery

  @Test("events wait while the gateway is away, and go out in order, one at a time")
  func order() {
    for text in ["a", "b", "c"] { bench.post(text) }
    #expect(bench.sent == [])
    bench.online()
    #expect(bench.sent == ["a"])
    bench.channel.answer()
    #expect(bench.sent == ["a", "b"])
    bench.acknowledgeAll()
    #expect(bench.sent == ["a", "b", "c"])
    #expect(bench.outbox.count == 0)
    #expect(bench.outbox.counters.delivered == 3)
  }

  @Test("an event is a node.event with its payload as text, an id of its own, and 8 s of patience")
  func shape() {
    bench.online()
    bench.post("a \"quoted\" é")
    let request = bench.channel.asked[0]
    #expect(request.method == "node.event")
    #expect(Set(request.params.keys) == ["event", "payloadJSON"])
    #expect(request.event == "test.event")
    #expect(request.payload["text"] as? String == "a \"quoted\" é")
    #expect((request.payload["eventId"] as? String)?.count == 32)
    #expect(request.timeout == 8_000)
  }

  @Test("an event whose gateways know no id gets none")
  func noID() {
    bench.online()
    _ = bench.outbox.post("agent.request", ageLimit: 60_000, hasID: false) { writer in
      writer.key("message")
      writer.string("do")
    }
    #expect(bench.channel.asked[0].payload as? [String: String] == ["message": "do"])
  }

  @Test("ids differ, after a restart too")
  func ids() throws {
    for _ in 0..<10 { bench.post("x") }
    bench.pass(10_000)
    try bench.restart()
    for _ in 0..<10 { bench.post("x") }
    bench.online()
    bench.acknowledgeAll()
    #expect(Set(bench.sentIDs).count == 20)
  }

  @Test(
    "an event that is not acknowledged is sent again with the same id",
    arguments: [
      RequestFailure.Kind.timedOut, .lost, .tooLarge,
    ])
  func again(kind: RequestFailure.Kind) {
    bench.online()
    bench.post("a")
    bench.post("b")
    bench.channel.fail("node.event", kind)
    #expect(bench.sent == ["a"])
    bench.pass(5_000)
    #expect(bench.sent == ["a", "a"])
    #expect(Set(bench.sentIDs).count == 1)
    bench.acknowledgeAll()
    #expect(bench.sent == ["a", "a", "b"])
  }

  @Test("a gateway that cannot is asked ever more slowly, up to 5 minutes, and at once after reconnecting")
  func timeout() {
    bench.online()
    bench.post("a")
    var pauses: [Int64] = []
    for _ in 0..<9 {
      let count = bench.sent.count
      let start = bench.clock.monotonic
      bench.channel.fail("node.event", .refused, code: "UNAVAILABLE")
      while bench.sent.count == count { bench.pass(1_000) }
      pauses.append((bench.clock.monotonic - start) / 1000)
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
    bench.channel.fail("node.event", .lost)
    bench.outbox.offline()
    let count = bench.sent.count
    bench.online()
    #expect(bench.sent.count == count + 1)
  }

  @Test("a name that the gateway does not accept holds up no other, keeps its order, and is told once")
  func byName() {
    func post(_ event: StaticString, _ text: String) {
      _ = bench.outbox.post(event, ageLimit: 86_400_000) { writer in
        writer.key("text")
        writer.string(text)
      }
    }
    bench.online()
    for number in 1...3 {
      post("test.broken", "broken \(number)")
      post("test.event", "good \(number)")
    }
    for _ in 0..<5 {
      while let asked = bench.channel.asked.last, !bench.channel.waiting.isEmpty {
        if asked.event == "test.broken" {
          bench.channel.fail("node.event", .refused, code: "SOMETHING_NEW")
        } else {
          bench.channel.answer()
        }
      }
      bench.pass(100_000)
    }
    #expect(bench.sent.filter { $0.hasPrefix("good") } == ["good 1", "good 2", "good 3"])
    #expect(Set(bench.sent.filter { $0.hasPrefix("broken") }) == ["broken 1"])
    #expect(bench.outbox.count == 3)
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.filter { $0.contains("does not accept test.broken now: SOMETHING_NEW") }.count == 1)
    bench.pass(300_000)
    bench.acknowledgeAll()
    #expect(bench.sent.suffix(3) == ["broken 1", "broken 2", "broken 3"])
  }

  @Test("an event that the gateway refuses for good is dropped, counted and logged; the next one follows")
  func refused() {
    bench.online()
    bench.post("a")
    bench.post("b")
    bench.channel.fail("node.event", .refused, code: "INVALID_REQUEST")
    #expect(bench.sent == ["a", "b"])
    #expect(bench.outbox.counters.refused == 1)
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines == ["<4>outbox: an event was dropped, test.event: the gateway does not take it"])
  }

  @Test("what was on its way when the link was lost is sent again; a late answer to the first sending counts nothing")
  func lost() {
    bench.online()
    bench.post("a")
    bench.outbox.offline()
    bench.online()
    #expect(bench.sent == ["a", "a"])
    bench.channel.answer()
    #expect(bench.outbox.count == 1)
    bench.channel.answer()
    #expect(bench.outbox.count == 0)
    #expect(bench.outbox.counters.delivered == 1)
  }

  @Test("a link without room is tried again")
  func noRoom() {
    bench.channel.hasRoom = false
    bench.online()
    bench.post("a")
    #expect(bench.sent == [])
    bench.channel.hasRoom = true
    bench.pass(1_000)
    #expect(bench.sent == ["a"])
  }

  @Test("a link without room is waited for, also when an event that was refused is due again")
  func noRoomAgain() throws {
    bench.online()
    bench.post("a")
    bench.channel.fail("node.event", .refused, code: "SOMETHING_NEW")
    bench.channel.hasRoom = false
    for _ in 0..<20 {
      bench.pass(1_000)
      #expect(try #require(bench.outbox.nextDeadline) > bench.clock.monotonic)
    }
    bench.channel.hasRoom = true
    bench.pass(1_000)
    #expect(bench.sent == ["a", "a"])
  }

  // MARK: Bounds

  @Test("the 65th event pushes out the oldest, which is counted")
  func count() {
    for number in 0..<(Budget.outboxEvents + 2) { bench.post("\(number)") }
    #expect(bench.outbox.counters.droppedByCount == 2)
    bench.online()
    bench.acknowledgeAll()
    #expect(bench.sent == (2..<(Budget.outboxEvents + 2)).map(String.init))
  }

  @Test("more bytes than the outbox takes push out the oldest, which are counted")
  func bytes() {
    let text = String(repeating: "x", count: 3_000)
    for number in 0..<12 { bench.post("\(number)" + text) }
    let dropped = bench.outbox.counters.droppedByBytes
    #expect(dropped == UInt64(12 - bench.outbox.count))
    #expect(bench.outbox.count == Budget.outboxBytes / 3_060)
    bench.online()
    bench.acknowledgeAll()
    #expect(bench.sent.first?.hasPrefix("\(dropped)x") == true)
  }

  @Test("the event on its way is not the one that is pushed out")
  func inFlight() {
    bench.online()
    for number in 0...Budget.outboxEvents { bench.post("\(number)") }
    #expect(bench.outbox.counters.droppedByCount == 1)
    bench.acknowledgeAll()
    #expect(bench.sent.prefix(2) == ["0", "2"])
    #expect(bench.outbox.counters.delivered == UInt64(Budget.outboxEvents))
  }

  @Test("the largest event that is taken can be sent, however it is escaped; a larger one is refused")
  func size() {
    bench.online()
    let overhead = #"test.event{"eventId":"","text":""}"#.utf8.count + 32
    let most = (Budget.outboxEventBytes - overhead) / 2
    #expect(bench.post(String(repeating: "\"", count: most)) == .accepted(1))
    #expect(bench.sent.count == 1)
    #expect(bench.post(String(repeating: "\"", count: most + 1)) == .tooLarge)
    #expect(bench.outbox.count == 1)
  }

  @Test("an event that became too old is dropped and counted, each by its own limit")
  func age() {
    bench.post("old", ageLimit: 60_000)
    bench.post("young", ageLimit: 120_000)
    bench.pass(59_999)
    #expect(bench.outbox.count == 2)
    bench.pass(1)
    #expect(bench.outbox.counters.droppedByAge == 1)
    bench.online()
    #expect(bench.sent == ["young"])
  }

  @Test("jumps of the wall clock change nothing")
  func wallClock() {
    bench.post("a", ageLimit: 60_000)
    for jump in [Int64(-1_767_225_600_000), 4_000_000_000_000, -4_000_000_000_000] {
      bench.clock.wall += jump
      bench.pass(10_000)
      #expect(bench.outbox.count == 1)
    }
  }

  // MARK: Flash

  @Test("what was posted offline is on flash 2 s later, in one write, and survives a restart in order")
  func stored() throws {
    for text in ["a", "b", "c"] { bench.post(text) }
    #expect(bench.outbox.durableSequence == 0)
    bench.pass(1_999)
    #expect(bench.store.saves == 0)
    bench.pass(1)
    #expect(bench.store.saves == 1)
    #expect(bench.outbox.durableSequence == 3)
    try bench.restart()
    #expect(bench.outbox.durableSequence == 3)
    bench.online()
    bench.acknowledgeAll()
    #expect(bench.sent == ["a", "b", "c"])
    bench.pass(2_000)
    try bench.restart()
    #expect(bench.outbox.count == 0)
  }

  @Test("an event that is acknowledged at once is never written")
  func unwritten() {
    bench.online()
    for text in ["a", "b"] {
      bench.post(text)
      bench.channel.answer()
      #expect(bench.outbox.isSettled)
      bench.pass(10_000)
    }
    #expect(bench.store.saves == 0)
    #expect(bench.outbox.durableSequence == 2)
  }

  @Test("nothing is written while nothing changes, but the ages once an hour")
  func wear() throws {
    bench.post("a", ageLimit: 10 * 3_600_000)
    bench.pass(2_000)
    bench.pass(3_599_999)
    #expect(bench.store.saves == 1)
    bench.pass(1)
    #expect(bench.store.saves == 2)
    bench.pass(3_600_000 * 4)
    #expect(bench.store.saves == 6)
    try bench.restart()
    // Of 10 hours, 5 and the 2 s before the first write have passed.
    bench.pass(5 * 3_600_000 - 2_001)
    #expect(bench.outbox.count == 1)
    bench.pass(1)
    #expect(bench.outbox.counters.droppedByAge == 1)
  }

  @Test("an event posted while the record is written is written next")
  func duringWrite() throws {
    bench.post("a")
    bench.clock.advance(2_000)
    bench.outbox.advance(to: bench.clock.monotonic)
    bench.post("b")
    bench.runner.runAll()
    #expect(bench.outbox.durableSequence == 1)
    bench.pass(2_000)
    #expect(bench.outbox.durableSequence == 2)
    try bench.restart()
    #expect(bench.outbox.count == 2)
  }

  @Test("an event acknowledged while the record is written is taken off flash next")
  func removedDuringWrite() throws {
    bench.online()
    bench.post("a")
    bench.clock.advance(2_000)
    bench.outbox.advance(to: bench.clock.monotonic)
    bench.channel.answer()
    bench.runner.runAll()
    #expect(!bench.outbox.isSettled)
    bench.pass(2_000)
    #expect(bench.outbox.isSettled)
    #expect(bench.store.saves == 2)
    try bench.restart()
    #expect(bench.outbox.count == 0)
  }

  @Test("flash that cannot be written is tried again, logged once, and never stops delivery")
  func fullFlash() {
    bench.store.failure = .system(.noSpace)
    bench.post("a")
    bench.pass(120_000)
    #expect(bench.outbox.durableSequence == 0)
    #expect(bench.outbox.counters.failedWrites == 4)
    var lines = 0
    bench.log.forEachLine { _ in lines += 1 }
    #expect(lines == 1)
    bench.store.failure = nil
    bench.pass(30_000)
    #expect(bench.outbox.durableSequence == 1)
    bench.online()
    #expect(bench.sent == ["a"])
  }

  @Test("no worker free: the write comes later")
  func busyWorkers() {
    var jobs: [Job] = []
    for _ in 0..<Budget.workerQueue {
      jobs.append(Job())
      _ = bench.runner.submit(jobs.last!)
    }
    bench.post("a")
    bench.clock.advance(2_000)
    bench.outbox.advance(to: bench.clock.monotonic)
    bench.runner.runAll()
    #expect(bench.store.saves == 0)
    bench.pass(2_000)
    #expect(bench.store.saves == 1)
  }

  @Test("flush writes at once")
  func flush() {
    bench.post("a")
    bench.outbox.flush()
    bench.runner.runAll()
    #expect(bench.outbox.durableSequence == 1)
    bench.outbox.flush()
    bench.runner.runAll()
    #expect(bench.store.saves == 1)
  }

  @Test("a record of rubbish is no event and no crash; what is whole in it is kept", arguments: 1...40)
  func rubbish(seed: UInt64) throws {
    bench.post("a")
    bench.post("b")
    bench.outbox.flush()
    bench.runner.runAll()
    let random = SeededRandom(seed: seed)
    let buffer = FixedBuffer(capacity: Budget.outboxRecordBytes)
    let name = ("outbox" as StaticString).path
    let count = try #require(try bench.store.load(name, into: buffer.bytes)).count
    for _ in 0..<(seed % 5) {
      buffer.bytes[Int(random.next() % UInt64(count))] = UInt8(truncatingIfNeeded: random.next())
    }
    let length = seed % 2 == 0 ? count : Int(random.next() % UInt64(count))
    try bench.store.save(name, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<length]))
    try bench.restart()
    #expect(bench.outbox.count <= 2)
    bench.online()
    bench.acknowledgeAll()
    bench.pass(10_000)
    #expect(bench.outbox.isSettled)
  }

  @Test("a record that cannot be read costs its events, and nothing more")
  func unreadable() throws {
    let rubbish = [UInt8](repeating: 0, count: Budget.outboxRecordBytes + 1)
    try rubbish.withUnsafeBufferPointer { try bench.store.save(("outbox" as StaticString).path, $0) }
    try bench.restart()
    #expect(bench.outbox.count == 0)
    bench.post("a")
    bench.pass(2_000)
    try bench.restart()
    #expect(bench.outbox.count == 1)
  }
}
