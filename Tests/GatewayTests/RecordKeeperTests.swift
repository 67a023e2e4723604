import Runtime
import Simulated
import Testing

@testable import Gateway

@Suite("A record that could not be written") struct RecordKeeperTests {
  private let bench: Bench
  private var keeper: RecordKeeper { bench.session.keeper }

  init() throws { bench = try Bench() }

  /// Gets online while flash takes nothing that comes after the pin.
  private func goOnlineUnsaved() throws {
    _ = try bench.reachConnect()
    bench.store.failure = .system(.noSpace)
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    keeper.advance(to: bench.clock.monotonic)
  }

  /// Goes to the next attempt to write; answers how long that took.
  private func passToNextWrite() -> Int64? {
    guard let due = keeper.nextDeadline else { return nil }
    let pause = due - bench.clock.monotonic
    bench.clock.advance(pause)
    keeper.advance(to: due)
    bench.runner.runAll()
    keeper.advance(to: due)
    return pause
  }

  private func storedToken() throws -> String {
    let stored = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try stored.load(from: bench.store)
    return String(decoding: stored.token(.node), as: UTF8.self)
  }

  @Test("the node is online all the same, and the token is on flash as soon as flash takes it")
  func retry() throws {
    try goOnlineUnsaved()
    #expect(bench.session.state == .online)
    #expect(bench.lines.contains { $0.contains("could not be written to flash") })
    #expect(try storedToken() == "")
    bench.store.failure = nil
    #expect(passToNextWrite() == 1_000)
    #expect(try storedToken() == "device-token-1")
    #expect(keeper.nextDeadline == nil)
  }

  @Test("it is tried ever less often, at least every ten minutes, and from the start after a success")
  func pauses() throws {
    try goOnlineUnsaved()
    let pauses = (0..<12).map { _ in passToNextWrite() }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map { $0 * 1_000 })
    bench.store.failure = nil
    #expect(passToNextWrite() == 600_000)
    #expect(keeper.nextDeadline == nil)
    bench.store.failure = .system(.inputOutput)
    keeper.save(for: .node, bench.session)
    bench.runner.runAll()
    keeper.advance(to: bench.clock.monotonic)
    #expect(passToNextWrite() == 1_000)
  }

  @Test("a secret that was to be erased is erased once flash takes it, both generations of it")
  func erasure() throws {
    _ = try bench.reachConnect()
    "bootstrap-0".utf8.span.withUnsafeBufferPointer { _ = bench.record.set(.bootstrapToken, $0) }
    bench.store.failure = .system(.noSpace)
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    keeper.advance(to: bench.clock.monotonic)
    #expect(bench.record.secret(.bootstrapToken).isEmpty)
    bench.store.failure = nil
    let saves = bench.store.saves
    _ = passToNextWrite()
    #expect(bench.store.saves == saves + 2)
    #expect(!bench.record.mustErase)
  }

  @Test("with no worker free it is tried again as well")
  func busy() throws {
    try goOnlineUnsaved()
    bench.store.failure = nil
    let others = (0..<Budget.workerQueue).map { _ in Job() }
    for job in others { #expect(bench.runner.submit(job)) }
    keeper.save(for: .node, bench.session)
    bench.runner.runAll()
    #expect(try storedToken() == "")
    keeper.advance(to: bench.clock.monotonic)
    _ = passToNextWrite()
    #expect(try storedToken() == "device-token-1")
  }

  @Test("the end of the program does not wait for the next attempt")
  func flush() throws {
    keeper.flush()
    #expect(keeper.isSettled)
    try goOnlineUnsaved()
    bench.store.failure = nil
    keeper.flush()
    #expect(!keeper.isSettled)
    bench.runner.runAll()
    #expect(keeper.isSettled)
    #expect(try storedToken() == "device-token-1")
  }
}
