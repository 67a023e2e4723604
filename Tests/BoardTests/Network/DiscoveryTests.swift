import Codec
import Foundation
import Gateway
import Glibc
import Runtime
import Testing

@testable import Board

/// A finder and a resolver on a loop of their own, and what they told.
private final class DiscoveryProbe: GatewayFinderDelegate, ResolverDelegate, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  let finder: GatewayFinder
  let resolver: Resolver
  private(set) var told: [String] = []

  init() throws {
    loop = try Loop(clock: clock)
    finder = GatewayFinder(loop: loop, clock: clock)
    resolver = Resolver(loop: loop, clock: clock)
  }

  /// Runs until something is told, or for so long.
  func run(_ milliseconds: Int64) throws {
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic + milliseconds)
    try loop.run()
    loop.cancelTimer(TimerID(9), of: self)
  }

  func timerFired(_ id: TimerID) { loop.stop() }

  func gatewayFound(_ gateway: DiscoveredGateway) {
    told.append("\(gateway.url(requiresTLS: true)?.text ?? "-") \(gateway.addresses.count)")
    loop.stop()
  }

  func gatewayNotFound() {
    told.append("not found")
    loop.stop()
  }

  func resolved(_ resolver: Resolver) {
    told.append("\(resolver.addresses.map { "\($0.bytes[0]).\($0.bytes[3]) \($0.port)" })")
    loop.stop()
  }
}

/// Answers whatever is asked by multicast DNS over IPv4 in the network of the thread that makes it, on the loop.
private final class Responder: DescriptorHandler {
  private let socket: Int32
  private let loop: Loop
  private let records: [UInt8]
  private let others: (packets: Int, bytes: Int)
  private(set) var queries = 0

  /// - Parameters:
  ///   - records: how many there are, then the records.
  ///   - others: packets that follow each answer at once, and the bytes of each.
  init(_ loop: Loop, records: [UInt8], others: (packets: Int, bytes: Int) = (0, 0)) throws {
    self.loop = loop
    self.records = records
    self.others = others
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(5353).bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    var group = ip_mreqn()
    group.imr_multiaddr.s_addr = UInt32(0xE000_00FB).bigEndian
    group.imr_ifindex = Int32(if_nametoindex("lo"))
    let isMember =
      setsockopt(socket, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &group, socklen_t(MemoryLayout<ip_mreqn>.size))
      == 0
    try #require(isBound && isMember)
    try loop.watch(Descriptor(socket), for: .readable, self)
  }

  func close() {
    loop.unwatch(Descriptor(socket))
    _ = Glibc.close(socket)
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    var query = [UInt8](repeating: 0, count: 2048)
    var from = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &from) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
        guard recvfrom(socket, &query, query.count, 0, peer, &size) >= 12 else { return }
        queries += 1
        // Larger than anybody takes; what comes after it counts all the same.
        let flood = [UInt8](repeating: 0, count: Budget.discoveryPacketBytes + 1)
        _ = sendto(socket, flood, flood.count, 0, peer, size)
        // The number of the query, as RFC 6762 section 6.7 asks of an answer to a port of one's own.
        let answer = [query[0], query[1], 0x84, 0, 0, 0, 0, records[0], 0, 0, 0, 0] + records.dropFirst()
        _ = sendto(socket, answer, answer.count, 0, peer, size)
        let other = [UInt8](repeating: 0, count: others.bytes)
        for _ in 0..<others.packets { _ = sendto(socket, other, other.count, 0, peer, size) }
      }
    }
  }
}

@Suite("Discovery on the loop")
struct DiscoveryTests {
  private static func record(_ name: String, _ type: UInt8, _ data: [UInt8]) throws -> [UInt8] {
    try wire(name) + [0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
  }

  private static func wire(_ name: String) throws -> [UInt8] {
    let name = try DNSName(text: name.utf8.span)
    return name.bytes.withUnsafeBufferPointer { Array($0) }
  }

  private static func records() throws -> [UInt8] {
    let service = "_openclaw-gw._tcp.local"
    let texts = ["role=gateway", "transport=gateway"].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    return try [4] + record(service, 12, wire("Studio." + service))
      + record("Studio." + service, 33, [0, 0, 0, 0, 0x49, 0x65] + wire("studio.local"))
      + record("Studio." + service, 16, texts) + record("studio.local", 1, [192, 0, 2, 20])
  }

  /// What is told in a network whose loopback carries multicast and has a responder.
  private func told(_ ask: @escaping (DiscoveryProbe) -> Void) throws -> [String] {
    try NewNetwork.run {
      try #require(NewNetwork.shell("ip link set lo up multicast on"))
      let probe = try DiscoveryProbe()
      let responder = try Responder(probe.loop, records: Self.records())
      defer { responder.close() }
      ask(probe)
      try probe.run(5_000)
      #expect(responder.queries > 0)
      return probe.told
    }
  }

  private static let studio = GatewayID(domain: DNSName("local"), instance: "STUDIO".utf8.span)

  @Test(
    "a gateway is found by its id, after a packet that is too large",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func found() throws {
    let told = try told { #expect($0.finder.find(Self.studio, $0)) }
    #expect(told == ["wss://studio.local:18789 1"])
  }

  @Test("another gateway is not", .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func another() throws {
    let other = GatewayID(domain: DNSName("local"), instance: "Shed".utf8.span)
    let told = try told { #expect($0.finder.find(other, milliseconds: 300, $0)) }
    #expect(told == ["not found"])
  }

  @Test(
    "a name in .local has the address that the link says",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func local() throws {
    let told = try told { $0.resolver.ask("Studio.local", port: 7, $0) }
    #expect(told == [#"["192.20 7"]"#])
  }

  @Test("what is cancelled tells nothing, and leaves no descriptor open")
  func cancelled() throws {
    let probe = try DiscoveryProbe()
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<100 {
      #expect(probe.finder.find(Self.studio, probe))
      probe.resolver.ask("nobody-here.local", port: 1, probe)
      try probe.run(5)
      probe.finder.cancel()
      probe.resolver.cancel()
    }
    try probe.run(20)
    #expect(probe.told == [])
    // Other tests open descriptors meanwhile; a hundred that leak would show all the same.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after < before + 100)
  }

  @Test(
    "no more interfaces are asked than the budget allows, and no packet is larger",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func interfaces() throws {
    let (taken, bytes) = try NewNetwork.run { () -> (Int, Int) in
      for pair in 0..<Budget.discoveryInterfaces {
        try #require(
          NewNetwork.shell("ip link add a\(pair) type veth peer name b\(pair) && ip link set a\(pair) up"))
        try #require(
          NewNetwork.shell("ip address add 192.0.2.\(pair + 1)/32 dev a\(pair) && ip link set b\(pair) up"))
      }
      let socket = MulticastSocket(loop: try Loop(clock: SystemClock()))
      try socket.open(Deaf())
      var bytes = 0
      let taken = socket.send(id: 1) { query in
        while query.ask(DNSQuestion(DNSName("a.rather.long.name.local"), .a)) {}
        bytes = query.count
      }
      socket.close()
      return (taken, bytes)
    }
    // Of each pair one end has an address; the other may use a link-local one, or refuse.
    #expect(taken >= Budget.discoveryInterfaces / 2 && taken <= Budget.discoveryInterfaces)
    #expect(bytes > Budget.discoveryQueryBytes - 40 && bytes <= Budget.discoveryQueryBytes)
  }

  @Test(
    "no more questions to name servers are open than the budget allows",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func nameServers() throws {
    let open = try NewNetwork.run { () -> [Int] in
      // Whatever name server this machine has, nobody answers here.
      try #require(
        NewNetwork.shell(
          "ip link set lo up && ip address add 192.0.2.1/32 dev lo && ip route add default dev lo"))
      let clock = SystemClock()
      let queries = NameServerQueries(loop: try Loop(clock: clock), clock: clock)
      var open: [Int] = []
      try #require(queries.start(Deaf()))
      while queries.hasRoom { queries.ask(DNSQuestion(DNSName("nobody.invalid"), .a)) }
      open.append(queries.open)
      queries.ask(DNSQuestion(DNSName("nobody.invalid"), .a))
      open.append(queries.open)
      queries.close()
      open.append(queries.open)
      return open
    }
    #expect(open == [Budget.wideAreaQuestions, Budget.wideAreaQuestions, 0])
  }

  @Test(
    "of many large packets at once a turn reads so many bytes, and the next turns read the others",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func bytesOfATurn() throws {
    let (bytes, packets) = (1_400, Budget.discoveryPacketsPerTurn)
    let turns = try NewNetwork.run { () -> [Int] in
      try #require(NewNetwork.shell("ip link set lo up multicast on"))
      let probe = try DiscoveryProbe()
      let responder = try Responder(probe.loop, records: Self.records(), others: (packets, bytes))
      defer { responder.close() }
      let (socket, meter) = (MulticastSocket(loop: probe.loop), TurnMeter(probe.loop, until: packets))
      try socket.open(meter)
      socket.send(id: 1) { _ = $0.ask(DNSQuestion(DNSName("studio.local"), .a)) }
      try probe.run(5_000)
      socket.close()
      return meter.turns
    }
    // The number of packets would have let all of them in.
    #expect(turns.count > 1 && turns.reduce(0, +) > packets * bytes)
    #expect(try #require(turns.first) >= Budget.discoveryBytesPerTurn)
    #expect(turns.allSatisfy { $0 < Budget.discoveryBytesPerTurn + bytes })
  }

  /// The bytes of each turn, until so many large packets have come.
  private final class TurnMeter: MulticastSocketDelegate {
    private let loop: Loop
    private var left: Int
    private var bytes = 0
    private(set) var turns: [Int] = []

    init(_ loop: Loop, until packets: Int) { (self.loop, left) = (loop, packets) }

    func received(_ packet: Span<UInt8>, from origin: PacketOrigin) {
      bytes += packet.count
      if packet.count >= 1_000 { left -= 1 }
    }

    func receivedAll() {
      if bytes > 0 { turns.append(bytes) }
      bytes = 0
      if left <= 0 { loop.stop() }
    }
  }

  private final class Deaf: MulticastSocketDelegate, NameServerQueriesDelegate {
    func received(_ packet: Span<UInt8>, from origin: PacketOrigin) {}
    func receivedAll() {}
    func answered(_ packet: Span<UInt8>) {}
    func queriesAdvanced() {}
  }

  @Test("only names below .local are asked on the link")
  func localNames() {
    for name in ["studio.local", "studio.LOCAL.", "a.b.local"] {
      #expect(LocalResolver.isLocal(name), "\(name)")
    }
    for name in [
      "local", "studio.locals", "studiolocal", "studio.local.example", "localhost", "", "a..local",
    ] {
      #expect(!LocalResolver.isLocal(name), "\(name)")
    }
  }
}
