import Testing

@testable import Codec

/// Messages as the kernel lays them out, in the byte order of this machine.
enum Netlink {
  static func message(_ kind: UInt16, _ body: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    return word(UInt32(16 + body.count)) + half(kind) + half(0) + word(0) + word(0) + body + padding
  }

  static func link(_ kind: UInt16 = 16, interface: UInt32, flags: UInt32) -> [UInt8] {
    message(kind, [0, 0] + half(1) + word(interface) + word(flags) + word(0) + attribute(3, [101, 0]))
  }

  static func address(
    _ kind: UInt16 = 20, interface: UInt32, _ bytes: [UInt8], flags: UInt8 = 0x80, scope: UInt8 = 0,
    local: [UInt8]? = nil
  ) -> [UInt8] {
    let body = [bytes.count == 4 ? 2 : 10, 24, flags, scope] + word(interface) + attribute(1, bytes)
    return message(kind, body + (local.map { attribute(2, $0) } ?? []))
  }

  static func route(
    _ kind: UInt16 = 24, interface: UInt32, router: [UInt8], bits: UInt8 = 0, table: UInt8 = 254,
    type: UInt8 = 1,
    metric: UInt32 = 100, expires: UInt8 = 0
  ) -> [UInt8] {
    let head = [router.count == 4 ? 2 : 10, bits, 0, 0, table, 16, 0, type] + word(0)
    return message(
      kind,
      head + attribute(5, router) + attribute(4, word(interface)) + attribute(6, word(metric))
        + attribute(12, [UInt8](repeating: expires, count: 32)))
  }

  static func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
    half(UInt16(4 + value.count)) + half(kind) + value
      + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
  static func half(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}

@Suite("rtnetlink(7): what the kernel says of the network")
struct NetlinkReaderTests {
  private func messages(_ bytes: [UInt8]) throws(NetlinkError) -> [NetworkMessage] {
    let datagram = bytes.span
    var reader = NetlinkReader(datagram)
    var all: [NetworkMessage] = []
    while let message = try reader.next() { all.append(message) }
    return all
  }

  private let router: [UInt8] = [192, 0, 2, 1]

  @Test("a link works when it is up and running, and the loopback does not count")
  func links() throws {
    let all = try messages(
      Netlink.link(interface: 2, flags: 0x11043) + Netlink.link(interface: 3, flags: 0x1003)
        + Netlink.link(17, interface: 2, flags: 0x11043) + Netlink.link(interface: 1, flags: 0x10049))
    #expect(
      all == [
        .link(NetworkLink(interface: 2, isWorking: true)), .link(NetworkLink(interface: 3, isWorking: false)),
        .link(NetworkLink(interface: 2, isWorking: false)),
      ])
  }

  @Test("an address counts when it can be used from outside; ours is IFA_LOCAL where there are two")
  func addresses() throws {
    let local: [UInt8] = [192, 0, 2, 7]
    let all = try messages(
      Netlink.address(interface: 2, router, local: local) + Netlink.address(21, interface: 2, local)
        + Netlink.address(interface: 1, [127, 0, 0, 1], scope: 254)
        + Netlink.address(interface: 2, [UInt8](repeating: 1, count: 16), flags: 0xC0)
        + Netlink.address(interface: 2, [UInt8](repeating: 1, count: 16), flags: 0x88)
        + Netlink.address(interface: 2, [UInt8](repeating: 1, count: 16)))
    let ipv6 = NetworkBytes([UInt8](repeating: 1, count: 16).span)
    #expect(
      all == [
        .address(NetworkAddress(interface: 2, bytes: NetworkBytes(local.span)), isPresent: true),
        .address(NetworkAddress(interface: 2, bytes: NetworkBytes(local.span)), isPresent: false),
        .address(NetworkAddress(interface: 2, bytes: ipv6), isPresent: true),
      ])
  }

  @Test("only unicast routes to everywhere in the main table count")
  func routes() throws {
    let all = try messages(
      Netlink.route(interface: 2, router: router) + Netlink.route(interface: 2, router: router, bits: 24)
        + Netlink.route(interface: 2, router: router, table: 255)
        + Netlink.route(interface: 2, router: router, type: 7)
        + Netlink.route(25, interface: 3, router: [UInt8](repeating: 2, count: 16), metric: 7))
    #expect(
      all == [
        .defaultRoute(
          DefaultRoute(interface: 2, isIPv6: false, router: NetworkBytes(router.span), metric: 100),
          isPresent: true),
        .defaultRoute(
          DefaultRoute(
            interface: 3, isIPv6: true, router: NetworkBytes([UInt8](repeating: 2, count: 16).span), metric: 7
          ),
          isPresent: false),
      ])
  }

  @Test("the end of a dump, an error, and unrequested messages")
  func control() throws {
    let refusal = Netlink.message(2, Netlink.word(UInt32(bitPattern: -16)) + [UInt8](repeating: 0, count: 16))
    let agreed = Netlink.message(2, Netlink.word(0))
    let worst = Netlink.message(2, Netlink.word(UInt32(bitPattern: .min)))
    #expect(
      try messages(Netlink.message(3, [0, 0, 0, 0]) + refusal + agreed + worst + Netlink.message(99, []))
        == [.done, .refused(16), .refused(.max)])
    #expect(try messages([]) == [])
  }

  @Test("a message that is not what its header says is refused by its place")
  func malformed() {
    let good = Netlink.link(interface: 2, flags: 1)
    func failure(_ bytes: [UInt8]) -> Int? {
      do throws(NetlinkError) {
        _ = try messages(bytes)
        return nil
      } catch {
        return error.offset
      }
    }
    #expect(failure(Array(good.dropLast())) == 0)
    #expect(failure(good + [1, 2, 3]) == good.count)
    #expect(failure(good + Netlink.message(16, [0])) == good.count)
    #expect(failure(Netlink.message(20, [0, 0, 0])) == 0)
    #expect(failure(Netlink.message(24, [UInt8](repeating: 0, count: 11))) == 0)
    #expect(failure(Netlink.message(2, [])) == 0)
    #expect(failure(Netlink.word(15) + [UInt8](repeating: 0, count: 12)) == 0)
    // An attribute that is shorter than its header, and one that is longer than its message.
    let head: [UInt8] = [2, 24, 0x80, 0] + Netlink.word(2)
    #expect(failure(Netlink.message(20, head + Netlink.half(3) + Netlink.half(1))) == 0)
    #expect(failure(Netlink.message(20, head + Netlink.half(9) + Netlink.half(1))) == 0)
  }

  @Test("every damaged datagram is read to an end or refused")
  func mutations() throws {
    let good =
      Netlink.link(interface: 2, flags: 0x11043) + Netlink.address(interface: 2, [192, 0, 2, 7])
      + Netlink.route(interface: 2, router: router)
    #expect(try messages(good).count == 3)
    func count(_ bytes: [UInt8]) -> Int {
      do throws(NetlinkError) { return try messages(bytes).count } catch { return 0 }
    }
    for place in good.indices {
      var bytes = good
      for value in [0, 1, 3, 4, 15, 16, 0x7F, 0x80, 0xFF] as [UInt8] {
        bytes[place] = value
        #expect(count(bytes) <= 3)
      }
      #expect(count(Array(good[..<place])) < 3)
    }
    var random = Seeded(5)
    for _ in 0..<5000 { #expect(count(mutated(good, &random)) <= 4) }
  }
}
