import Codec
import Foundation
import Node
import Runtime
import Simulated
import Testing

@testable import Benches
@testable import Node
@testable import OwnAgentPart

/// A store whose power may go at a write: then the old or the new record is found.
private final class PowerStore: RecordStore {
  enum Cut { case old, new }

  private let records = MemoryStore()
  var cut: Cut?

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? { try records.load(name, into: bytes) }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    if cut != .old { try records.save(name, bytes) }
    if cut != nil { throw .system(.inputOutput) }
  }
}

/// A node whose power goes at any write, a process that ends at any write, a link that breaks at any frame, and a
/// gateway.
private final class PowerWorld {
  let desk: DeskBench
  let link = MemoryAgentLink()
  let lender = FakeLender()
  let agent = AwayAgent()
  private let outboxStore = PowerStore()
  private let agentStore = PowerStore()
  private var runner = DeferredRunner()
  private var channel = FakeChannel()
  private var outbox: Outbox
  private var part: OwnAgentPart
  private var random: Dice
  private var isGatewayThere = false
  /// True: events are sent before flash has their number, which must be found.
  private let isUnheld: Bool
  private(set) var (restarts, losses) = (0, 0)
  /// Starts that found an event on flash, and no record of it.
  private(set) var unrecorded = 0
  /// What the gateway has, by the key of each event: it drops repeats.
  private(set) var arrived: [String: String] = [:]
  /// Keys that have arrived, and whose events flash has no more: they must never come back.
  private var gone: Set<String> = []
  private(set) var wrong: [String] = []
  private var checked: [Int] = []

  init(seed: UInt64, isUnheld: Bool = false) throws {
    random = Dice(seed: seed)
    self.isUnheld = isUnheld
    desk = try DeskBench()
    let made = try Self.node(desk, link, lender, outboxStore, agentStore, runner)
    (outbox, part) = (made.0, made.1)
  }

  private static func node(
    _ desk: DeskBench, _ link: MemoryAgentLink, _ lender: FakeLender, _ outboxStore: PowerStore,
    _ agentStore: PowerStore,
    _ runner: DeferredRunner
  ) throws -> (Outbox, OwnAgentPart) {
    let outbox = try Outbox(
      store: outboxStore, runner: runner, clock: desk.clock, random: SeededRandom(seed: 3), log: desk.log)
    var settings = OwnAgentSettings()
    settings.isEnabled = true
    let board = OwnAgentBoard(
      link: link, store: agentStore, name: InlineText(), language: InlineText(), release: InlineText(),
      instance: InlineText(cutting: "abc"), hasCamera: false)
    let part = try OwnAgentPart(
      settings, board, desk: desk.desk, lender: lender, outbox: outbox, runner: runner, clock: desk.clock, log: desk.log
    )
    outbox.start()
    part.start()
    part.advance(to: desk.clock.monotonic)
    return (outbox, part)
  }

  // MARK: Faults

  /// The node's power goes, at a write or between two.
  private func cutNode() throws {
    let cut: PowerStore.Cut? = [.old, .new, nil][random.below(3)]
    (outboxStore.cut, agentStore.cut) = (cut, cut)
    if cut != nil { runner.runAll(atMost: 1) }
    (outboxStore.cut, agentStore.cut) = (nil, nil)
    link.lose()
    runner = DeferredRunner()
    channel = FakeChannel()
    restarts += 1
    (outbox, part) = try Self.node(desk, link, lender, outboxStore, agentStore, runner)
    let recorded = part.summaries.taken.map { "own-agent-abc-\($0)" }
    if let last = waiting.last, last != recorded { unrecorded += 1 }
    check()
    if isGatewayThere { connect() }
  }

  private func connect() {
    part.gatewayCame()
    outbox.online(channel)
  }

  // MARK: One step

  /// The keys of the events that wait.
  private var waiting: [String] {
    (0..<outbox.queue.count).compactMap { index in
      (try? AgentBench.object(Array(outbox.queue.payload(index))))?["key"] as? String
    }
  }

  private func check() {
    // Reading all events after steps that changed none would take most of the time.
    let state = [outbox.count, outbox.isSettled ? 1 : 0, arrived.count, restarts, Int(outbox.counters.delivered)]
    guard state != checked else { return }
    checked = state
    let waiting = waiting
    if Set(waiting).count != waiting.count { wrong.append("an event waits twice: \(waiting)") }
    for key in waiting where gone.contains(key) { wrong.append("\(key) came back") }
    if outbox.counters.dropped > 0 { wrong.append("an event was dropped") }
    if outbox.isSettled { gone.formUnion(Set(arrived.keys).subtracting(waiting)) }
  }

  private func deliver() {
    guard let event = channel.waiting.first, outbox.isOnline else { return }
    if let key = event.payload["key"] as? String, let message = event.payload["message"] as? String {
      if let other = arrived[key], other != message { wrong.append("\(key) has two texts") }
      arrived[key] = message
    }
    // The acknowledgement may be lost with the connection.
    if random.one(in: 10) {
      channel = FakeChannel()
      return outbox.online(channel)
    }
    channel.answer()
  }

  private func listen() {
    for (kind, body) in link.take() {
      agent.hasEnded = false
      let answer = agent.take(kind, body, &random)
      if agent.hasEnded { return loseLink() }
      guard let answer else { continue }
      if random.one(in: 15) {
        link.send(Array(answer.prefix(random.below(answer.count))))
        return loseLink()
      }
      link.send(answer, by: 1 + random.below(400))
    }
  }

  private func loseLink() {
    losses += 1
    link.lose()
  }

  private func step(hasFaults: Bool) throws {
    switch random.below(5) {
    case 0: desk.clock.advance(Int64(random.below(1_500)))
    case 1: runner.runAll(atMost: 1)
    case 2: listen()
    case 3: deliver()
    default: break
    }
    outbox.advance(to: desk.clock.monotonic)
    part.advance(to: desk.clock.monotonic)
    if isUnheld { outbox.release() }
    check()
    guard hasFaults, random.one(in: 12) else { return }
    switch random.below(4) {
    case 0, 1: try cutNode()
    case 2:
      agent.restart()
      loseLink()
    default: loseLink()
    }
  }

  /// The gateway goes, people are answered, and it comes back.
  func outage() throws {
    isGatewayThere = false
    outbox.offline()
    part.gatewayWent()
    for _ in 0..<random.below(4) {
      agent.hasEnded = false
      agent.answer(&random)
      if agent.hasEnded { loseLink() }
    }
    for _ in 0..<random.below(6) { try step(hasFaults: true) }
    isGatewayThere = true
    connect()
    for _ in 0..<random.below(60) { try step(hasFaults: true) }
  }

  /// Nothing fails any more, until all is done.
  func settle() throws {
    agent.isInDanger = false
    for _ in 0..<5_000 where !agent.isEmpty || outbox.count > 0 || !link.isOpen {
      if !link.isOpen { desk.clock.advance(60_000) }
      if !outbox.isOnline { outbox.online(channel) }
      desk.clock.advance(100)
      try step(hasFaults: false)
    }
  }
}

@Suite("Hand-overs to the gateway") struct HandOverPowerTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `After 250 outages with power cuts at every step, each turn has arrived once, and none is lost`(seed: UInt64)
    throws
  {
    let world = try PowerWorld(seed: seed &* 7_919)
    for _ in 0..<250 { try world.outage() }
    try world.settle()
    #expect(world.wrong == [])
    #expect(world.agent.isEmpty)
    #expect(world.restarts > 200 && world.losses > 100 && world.unrecorded > 5)
    let all = world.arrived.values.joined()
    let missing = world.agent.kept.filter { !all.contains("Person: turn-\($0).") }
    #expect(missing == [])
    let twice = world.agent.kept.filter { all.components(separatedBy: "Person: turn-\($0).\n").count > 2 }
    #expect(twice == [])
    #expect(world.agent.kept.count > 200)
  }

  @Test func `An event that is sent before its number is on flash comes twice, and that is found`() throws {
    var found = 0
    for seed: UInt64 in 1...6 where found == 0 {
      let world = try PowerWorld(seed: seed &* 104_729, isUnheld: true)
      for _ in 0..<250 where world.wrong.isEmpty { try world.outage() }
      found += world.wrong.count
    }
    #expect(found > 0)
  }
}
