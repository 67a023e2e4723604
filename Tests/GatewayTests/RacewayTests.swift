import Runtime
import Simulated
import Testing

@testable import Gateway

/// Attempts at several addresses that overlap, over transports in memory.
@Suite("Happy Eyeballs between the addresses of a gateway (RFC 8305)")
struct RacewayTests {
  private final class Racer: RacewayDelegate {
    let clock = VirtualClock()
    let raceway: Raceway
    var transports: [MemoryTransport] = []
    var missed: [String] = []
    var failed = 0
    var won: String?
    /// What is done when an address fails.
    var whenMissed: () -> Void = {}

    init(overlaps: Bool = true) {
      let first = MemoryTransport()
      transports = [first]
      raceway = Raceway(transport: first, clock: clock)
      raceway.delegate = self
      guard overlaps else { return }
      raceway.moreTransports = { [unowned self] in
        transports.append(MemoryTransport())
        return transports[transports.count - 1]
      }
    }

    func raceMissed(_ url: GatewayURL, _ failure: TransportFailure) {
      missed.append(url.host)
      whenMissed()
    }
    func raceFailed(_ failure: TransportFailure) { failed += 1 }
    func raceWon(_ url: GatewayURL, certificate: PeerCertificate?) { won = url.host }
    func raceReceived(_ bytes: Span<UInt8>) -> Int { bytes.count }
    func raceWritable() {}

    func open(_ hosts: [String], isPreferred: Bool = false) throws {
      raceway.open(try hosts.map { try GatewayURL("wss://\($0)") }, isPreferred: isPreferred)
    }

    /// The hosts that are being tried.
    var trying: [String] { transports.filter(\.isOpen).compactMap { $0.url?.host }.sorted() }

    func pass(_ milliseconds: Int64) {
      let end = clock.monotonic + milliseconds
      while let next = raceway.deadline, next <= end {
        clock.advance(max(next - clock.monotonic, 0))
        raceway.advance(to: clock.monotonic)
      }
      clock.advance(end - clock.monotonic)
    }

    func transport(of host: String) throws -> MemoryTransport {
      try #require(transports.first { $0.isOpen && $0.url?.host == host })
    }
  }

  private let names = ["a", "b", "c", "d", "e", "f"]

  @Test("an attempt begins a moment after the one before, and none is given up meanwhile")
  func overlap() throws {
    let racer = Racer()
    try racer.open(names)
    for count in 1...6 {
      #expect(racer.trying == Array(names.prefix(count)))
      racer.pass(Raceway.attemptDelay)
    }
    #expect(racer.trying == names)
  }

  @Test("five dead addresses delay the sixth for less than three seconds, in any order")
  func bar() throws {
    for good in names {
      let racer = Racer()
      try racer.open(names, isPreferred: true)
      let begin = racer.clock.monotonic
      while !racer.trying.contains(good) { racer.pass(50) }
      #expect(racer.clock.monotonic - begin < 3_000)
      try racer.transport(of: good).secure(leaf: Bench.leaf)
      #expect(racer.won == good && racer.trying == [good])
    }
  }

  @Test("an attempt that fails makes place for the next one at once")
  func failures() throws {
    let racer = Racer()
    try racer.open(["a", "b", "c"])
    try racer.transport(of: "a").fail(.init(.connect))
    #expect(racer.trying == ["b"] && racer.missed == ["a"] && racer.failed == 0)
    racer.pass(Raceway.attemptDelay)
    #expect(racer.trying == ["b", "c"])
    try racer.transport(of: "c").fail(.init(.tls))
    #expect(racer.failed == 0)
    try racer.transport(of: "b").fail(.init(.tls))
    #expect(racer.missed == ["a", "c", "b"] && racer.failed == 1)
  }

  @Test("the address that worked last has a head start")
  func headStart() throws {
    let racer = Racer()
    try racer.open(["a", "b"], isPreferred: true)
    racer.pass(Raceway.headStart - 1)
    #expect(racer.trying == ["a"])
    racer.pass(1)
    #expect(racer.trying == ["a", "b"])
  }

  @Test("without more transports the addresses are tried one after the other")
  func oneByOne() throws {
    let racer = Racer(overlaps: false)
    try racer.open(["a", "b"])
    racer.pass(60_000)
    #expect(racer.trying == ["a"])
    try racer.transport(of: "a").fail(.init(.connect))
    #expect(racer.trying == ["b"])
    try racer.transport(of: "b").fail(.init(.connect))
    #expect(racer.failed == 1)
  }

  @Test("an address that is found meanwhile takes part")
  func found() throws {
    let racer = Racer()
    try racer.open(["a"])
    racer.raceway.add(try GatewayURL("wss://found"))
    racer.pass(0)
    #expect(racer.trying == ["a", "found"])
    try racer.transport(of: "a").fail(.init(.connect))
    #expect(racer.failed == 0)
    try racer.transport(of: "found").secure(leaf: Bench.leaf)
    #expect(racer.won == "found")
  }

  @Test("the connection that won is the one that ends, and the transports of the others are freed")
  func afterwards() throws {
    let racer = Racer()
    try racer.open(names)
    racer.pass(2_000)
    let winner = try racer.transport(of: "d")
    winner.secure(leaf: Bench.leaf)
    #expect(racer.raceway.transport === winner)
    racer.pass(2_000)
    #expect(racer.raceway.deadline == nil)
    winner.fail(.init(.broken))
    #expect(racer.failed == 1 && racer.missed.isEmpty)
    let made = racer.transports.count
    try racer.open(["a", "b"])
    racer.pass(1_000)
    #expect(racer.trying == ["a", "b"] && racer.transports.count == made)
  }

  @Test("there are never more attempts at once than there is room for")
  func bound() throws {
    let racer = Racer()
    try racer.open((0..<20).map { "h\($0)" })
    racer.pass(60_000)
    #expect(racer.trying.count == Budget.connectionLanes)
    try racer.transport(of: "h3").fail(.init(.connect))
    #expect(racer.trying.contains("h\(Budget.connectionLanes)"))
  }

  @Test("any order of failures, successes and new races ends each race once and leaves no attempt behind")
  func anyOrder() throws {
    var state: UInt64 = 9
    func random(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    for _ in 0..<300 {
      let racer = Racer(overlaps: random(4) > 0)
      if random(5) == 0 { racer.whenMissed = { [unowned racer] in racer.raceway.close() } }
      let hosts = Array(names.prefix(1 + random(6)))
      try racer.open(hosts, isPreferred: random(2) == 0)
      for _ in 0..<30 where racer.won == nil && racer.failed == 0 {
        let open = racer.transports.filter(\.isOpen)
        if open.isEmpty { break }
        switch random(4) {
        case 0: open[random(open.count)].fail(.init(.connect))
        case 1 where random(6) == 0: open[random(open.count)].secure(leaf: Bench.leaf)
        default: racer.pass(Int64(random(400)))
        }
      }
      #expect(Set(racer.missed).count == racer.missed.count && racer.failed <= 1)
      if racer.won != nil { #expect(racer.trying.count == 1) }
      if racer.failed == 1 { #expect(racer.trying.isEmpty && racer.missed.count == hosts.count) }
    }
  }
}
