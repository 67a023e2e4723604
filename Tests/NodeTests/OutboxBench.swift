import Gateway
import Runtime
import Simulated
@testable import Agent
@testable import Benches
@testable import Node

/// A store whose power may go in the middle of a write: then the old or the new record is found, as with the real one.
final class CutStore: RecordStore {
  enum Cut { case old, new }

  private let records = MemoryStore()
  /// What the next write leaves behind; nil: it works.
  var cut: Cut?
  var failure: StoreError? {
    get { records.failure }
    set { records.failure = newValue }
  }
  var saves: Int { records.saves }

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? { try records.load(name, into: bytes) }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    if cut != .old { try records.save(name, bytes) }
    if cut != nil { throw .system(.inputOutput) }
  }
}

/// An outbox with everything around it in memory, which can be restarted.
final class OutboxBench {
  let clock = VirtualClock()
  let random: SeededRandom
  private(set) var runner = DeferredRunner()
  let store = CutStore()
  let log = Log(level: .info, output: nil)
  private(set) var channel = FakeChannel()
  private(set) var outbox: Outbox

  init(seed: UInt64 = 1) throws {
    random = SeededRandom(seed: seed)
    outbox = try Outbox(store: store, runner: runner, clock: clock, random: random, log: log)
    outbox.load()
  }

  /// The power goes, and comes back: what no worker has written is gone.
  func restart() throws {
    runner = DeferredRunner()
    channel = FakeChannel()
    outbox = try Outbox(store: store, runner: runner, clock: clock, random: random, log: log)
    outbox.load()
  }

  @discardableResult
  func post(_ text: String, ageLimit: Int64 = 86_400_000) -> Outbox.Post {
    outbox.post("test.event", ageLimit: ageLimit) { writer in
      writer.key("text")
      writer.string(text)
    }
  }

  /// Lets time pass, step by step, with workers that work.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = outbox.nextDeadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      outbox.advance(to: clock.monotonic)
      runner.runAll()
    }
    clock.advance(end - clock.monotonic)
    outbox.advance(to: clock.monotonic)
    runner.runAll()
  }

  func online() { outbox.online(channel) }

  /// The texts of the events sent so far.
  var sent: [String] { channel.asked.map { $0.payload["text"] as? String ?? "?" } }
  var sentIDs: [String] { channel.asked.map { $0.payload["eventId"] as? String ?? "?" } }

  /// Acknowledges everything that comes.
  func acknowledgeAll() { while !channel.waiting.isEmpty { channel.answer() } }
}
