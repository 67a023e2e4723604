import Consent
import Runtime
import Simulated
import Testing

@testable import ConsentPart

/// How often the journal of uses is written, and that nothing of it is lost.
@Suite struct JournalKeeperTests {
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let store = MemoryStore()
  private let keeper: JournalKeeper

  init() throws { keeper = try Self.keeper(store, runner, clock) }

  private static func keeper(
    _ store: MemoryStore, _ runner: DeferredRunner, _ clock: VirtualClock
  ) throws -> JournalKeeper {
    let keeper = try JournalKeeper(
      store: store, runner: runner, clock: clock, log: Log(level: .error, output: nil))
    keeper.load()
    return keeper
  }

  private func use(_ number: Int) -> Use {
    Use(
      wall: clock.wall, permissions: [.location], basis: .file, command: InlineText(cutting: "command\(number)"),
      who: InlineText())
  }

  /// Lets time pass as the loop does.
  private func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    runner.runAll()
    while let next = keeper.nextDeadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      keeper.advance(to: clock.monotonic)
      runner.runAll()
    }
    clock.advance(end - clock.monotonic)
  }

  /// The commands that a run after this one finds on flash, the newest first, and how often each was used.
  private func onFlash() throws -> [(command: String, count: UInt32)] {
    let journal = try Self.keeper(store, runner, clock).journal
    return (0..<journal.count).map { back in
      let use = journal.use(back: back)!
      return (use.command.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, use.count)
    }
  }

  @Test func `The first use is on flash at once, and the next ones together when the pause is over`() throws {
    _ = keeper.begin(use(0))
    runner.runAll()
    #expect(store.saves == 1)
    for number in 1...20 { _ = keeper.begin(use(number)) }
    pass(Budget.consentJournalSpacing - 1)
    #expect(store.saves == 1)
    #expect(try onFlash().count == 1)
    pass(1)
    #expect(store.saves == 2)
    #expect(try onFlash().map(\.command) == (0...20).reversed().map { "command\($0)" })
    // What flash has is not written again.
    pass(600_000)
    #expect(store.saves == 2 && keeper.nextDeadline == nil)
  }

  @Test func `A storm of uses is written no more often than flash likes, and at the end nothing is lost`() throws {
    let (uses, step) = (200, Int64(100))
    for number in 0..<uses {
      let entry = keeper.begin(use(number))
      pass(step)
      keeper.end(entry)
    }
    // Each turn writes the page that changed, and the one before it when a page was begun meanwhile.
    let turns = Int(Int64(uses) * step / Budget.consentJournalSpacing) + 1
    let pagesBegun = uses / Budget.consentPageUses
    #expect(store.saves <= turns + pagesBegun)
    #expect(store.saves >= turns - 1)
    keeper.flush()
    runner.runAll()
    #expect(keeper.isSettled)
    #expect(try onFlash().map(\.command) == (0..<uses).reversed().map { "command\($0)" })
  }

  @Test func `Counts of one entry wait for a minute, and not for longer`() throws {
    _ = keeper.begin(use(0))
    runner.runAll()
    for _ in 0..<50 {
      pass(1_000)
      _ = keeper.begin(use(0))
    }
    #expect(store.saves == 1)
    pass(Budget.consentJournalPatience - 50_000 + 1_000)
    #expect(store.saves == 2)
    #expect(try onFlash().map(\.count) == [51])
  }

  @Test func `What changes while a page is being written is written after it`() throws {
    _ = keeper.begin(use(0))
    // The worker has not run yet.
    _ = keeper.begin(use(1))
    pass(Budget.consentJournalSpacing)
    #expect(try onFlash().map(\.command) == ["command1", "command0"])
  }

  @Test func `Flash that fails is tried again, and a flush does not lose what it lacks`() throws {
    store.failure = .system(.inputOutput)
    for number in 0..<3 { _ = keeper.begin(use(number)) }
    pass(60_000)
    #expect(store.saves == 0)
    keeper.flush()
    runner.runAll()
    #expect(!keeper.isSettled)
    store.failure = nil
    pass(Budget.flushRetryMilliseconds)
    #expect(keeper.isSettled)
    #expect(try onFlash().map(\.command) == ["command2", "command1", "command0"])
  }
}
