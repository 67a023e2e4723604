import Simulated
import Testing

@testable import Runtime

@Suite("Records that are kept on flash")
struct KeptTests {
  /// Two records, of which flash lacks some.
  private final class Owner: RecordDelegate {
    var missing: [UInt8] = []
    var ends: [Bool] = []

    func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
      guard let value = missing.first else { return nil }
      bytes[0] = value
      return RecordOrder((value == 1 ? "one" : "two" as StaticString).bytes, 1, writes: value == 3 ? 2 : 1)
    }

    func recordKept(_ failure: StoreError?) {
      ends.append(failure == nil)
      if failure == nil { missing.removeFirst() }
    }
  }

  private let delegate = Owner()
  private let clock = ManualClock()
  private let store = MemoryStore()
  private let runner = DeferredRunner()
  private let log = Log(level: .debug, output: nil)
  private let memory = FixedBuffer(capacity: 1)
  private let kept: Kept

  init() {
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log, "records", "two records",
      pauses: 1_000...2_000)
    kept.delegate = delegate
  }

  private func change(_ values: UInt8..., waits: Bool = false) {
    delegate.missing += values
    kept.changed(waits: waits)
  }

  private func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    kept.advance(to: clock.monotonic)
    runner.runAll()
  }

  @Test("all that flash lacks is written, one record after the other")
  func all() {
    change(1, 2)
    #expect(kept.isWriting && !kept.isSettled)
    runner.runAll()
    #expect(delegate.ends == [true, true])
    #expect(kept.isSettled && kept.nextDeadline == nil)
  }

  @Test("what flash refuses is tried again, ever less often, and from the first pause after a success")
  func pauses() {
    store.failure = .system(.noSpace)
    change(1)
    runner.runAll()
    var pauses: [Int64] = []
    for _ in 0..<3 {
      let pause = (kept.nextDeadline ?? 0) - clock.monotonic
      pauses.append(pause)
      pass(pause)
    }
    #expect(pauses == [1_000, 2_000, 2_000])
    #expect(kept.failures == 4)
    store.failure = nil
    pass(2_000)
    #expect(kept.isSettled && kept.failures == 0)
  }

  /// What the log tells of failures.
  private var told: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines.filter { $0.contains("could not be written to flash") }
  }

  @Test("each reason is told once, however often it comes, also where every second write succeeds")
  func telling() {
    for round in 0..<40 {
      store.failure = [.system(.noSpace), nil, .system(.inputOutput), .tooLarge][round % 4]
      change(1)
      runner.runAll()
      pass(2_000)
    }
    #expect(
      told.map { String($0.dropFirst(3)) } == [
        "records: two records could not be written to flash: no space left on device (errno 28); it is tried again",
        "records: two records could not be written to flash: input/output error (errno 5); it is tried again",
        "records: two records could not be written to flash: it is too large; it is tried again",
      ])
  }

  @Test("a reason is told again when none was seen for half an hour, and every number of errno(3) has a place")
  func tellingAgain() {
    var told = ToldFailures()
    for number in [Int32.min, -1, 0, 1, 63, 64, 133, 1_000, .max] { _ = told.mustTell(.system(Errno(number)), at: 0) }
    var now: Int64 = 0
    #expect(told.mustTell(.system(.readOnlyFileSystem), at: now) == true)
    for _ in 0..<10 {
      now += Budget.recordQuietMilliseconds - 1
      #expect(told.mustTell(.system(.readOnlyFileSystem), at: now) == false)
    }
    now += Budget.recordQuietMilliseconds
    #expect(told.mustTell(.system(.readOnlyFileSystem), at: now) == true)
  }

  @Test("a queue of jobs that is full is no failure of flash, and is not told")
  func busyQueue() {
    for _ in 0..<Budget.workerQueue { #expect(runner.submit(Job())) }
    change(1)
    #expect(delegate.ends == [false] && told.isEmpty)
  }

  @Test("a change is written at once, or after the pause where it may wait")
  func urgency() {
    store.failure = .system(.noSpace)
    change(1)
    runner.runAll()
    change(2, waits: true)
    #expect(!kept.isWriting)
    change()
    #expect(kept.isWriting)
  }

  @Test("a record that erases is written twice, so that the generation before has nothing of it")
  func twice() {
    change(3)
    runner.runAll()
    #expect(store.saves == 2)
  }

  @Test("without a free worker it is tried again")
  func busy() {
    let others = (0..<Budget.workerQueue).map { _ in Job() }
    for job in others { #expect(runner.submit(job)) }
    change(1)
    #expect(delegate.ends == [false])
    runner.runAll()
    pass(1_000)
    #expect(delegate.ends == [false, true])
  }

  @Test("a record that is larger than its memory is refused")
  func tooLarge() {
    final class Large: RecordDelegate {
      var failure: StoreError?
      func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
        RecordOrder(("large" as StaticString).bytes, bytes.count + 1)
      }
      func recordKept(_ failure: StoreError?) { self.failure = failure }
    }
    let large = Large()
    kept.delegate = large
    kept.changed()
    runner.runAll()
    #expect(large.failure == .tooLarge)
    kept.delegate = nil
  }

  @Test("at the end it is tried again often, and not for ever")
  func flush() {
    store.failure = .system(.noSpace)
    change(1)
    runner.runAll()
    kept.flush()
    runner.runAll()
    #expect(kept.nextDeadline == clock.monotonic + Budget.flushRetryMilliseconds)
    let end = clock.monotonic + Budget.flushMilliseconds
    while clock.monotonic < end {
      #expect(!kept.isSettled)
      pass(Budget.flushRetryMilliseconds)
    }
    #expect(kept.isSettled && kept.nextDeadline == nil)
  }
}
