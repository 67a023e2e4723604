import Codec
import Runtime
import Testing

@testable import Gateway

private let link = PacketOrigin.link(interface: 3, isLoopback: false)

@Suite("Parts of discovery")
struct DiscoveryPartsTests {
  @Test(
    "a name from the network is cleaned of what a terminal or a reader would take for something else",
    arguments: [
      ("  a \t\r\n b\u{A0} ", "a b"), ("\u{1b}[31mred\u{7}\u{7f}", "[31mred"), ("\u{9b}31m", "31m"),
      ("ab\u{202e}cd\u{2066}e\u{200b}\u{feff}", "abcde"), ("Küche ✓ 🏠", "Küche ✓ 🏠"), ("", ""),
      ("\u{e0041}x", "x"),
      (String(repeating: "a", count: 63) + "é", String(repeating: "a", count: 63)),
      (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
    ])
  func cleaning(raw: String, clean: String) {
    #expect(self.clean(Array(raw.utf8)) == clean)
    #expect(Budget.gatewayNameBytes == 64)
  }

  @Test("bytes that are not UTF-8 become question marks, one each")
  func notUTF8() {
    #expect(clean([97, 0xFF, 0xC3, 98, 0xE2, 0x80]) == "a??b??")
  }

  private func id(_ text: String) -> GatewayID? { GatewayID(text: text.utf8.span) }

  private func clean(_ bytes: [UInt8]) -> String {
    let name = PlainName(cleaning: bytes.span)
    return text(name.span)
  }

  @Test("an id is read as it is written, whatever the case")
  func ids() throws {
    let id = GatewayID(domain: DNSName("OpenClaw.internal"), instance: "The  Shed".utf8.span)
    #expect(id.text == "_openclaw-gw._tcp|openclaw.internal.|the shed")
    #expect(try #require(self.id(id.text)) == id)
    #expect(try #require(self.id("_openclaw-gw._tcp|openclaw.internal|THE SHED")) == id)
    for bad in [
      "", "_openclaw-gw._tcp", "_openclaw-gw._tcp|", "_openclaw-gw._tcp|local.", "_openclaw-gw._tcp|local.|",
      "_openclaw-gw._tcp||x", "_openclaw-gw._tcp|.|x", "_openclaw-gw._tcp|a..b|x", "manual|host|1",
      "_openclaw-gw._tcp|local| ",
    ] {
      #expect(self.id(bad) == nil, "\(bad)")
    }
  }

  @Test(
    "addresses are written as RFC 5952 says",
    arguments: [
      ([0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "2001:db8::1"),
      ([0x20, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1], "2001:0:0:1::1"),
      ([0x20, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1], "2001:0:1:0:1:1:1:1"),
      ([UInt8](repeating: 0, count: 16), "::"), ([0, 1] + [UInt8](repeating: 0, count: 14), "1::"),
      ([UInt8](repeating: 0, count: 15) + [1], "::1"), ([192, 0, 2, 255], "192.0.2.255"),
      ([0x0A, 0xBC, 0x10, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "abc:1000:1:1:1:1:1:1"),
    ] as [([UInt8], String)])
  func addresses(bytes: [UInt8], expected: String) {
    #expect(shown(SocketAddress(bytes: bytes.span, port: 1)) == expected)
  }

  private func list(_ addresses: [[UInt8]], from origin: PacketOrigin = link) -> [String] {
    var list = AddressList()
    for address in addresses { _ = list.add(address.span, port: 1, from: origin) }
    return (0..<list.count).map { shown(list[$0]) }
  }

  @Test("IPv4 comes first, then IPv6, then link-local; each once, in the order of arrival")
  func order() {
    #expect(
      list([
        ipv6(0xFE, 0x80, 1), ipv6(0xFD, 0, 1), [169, 254, 0, 1], [10, 0, 0, 2], [10, 0, 0, 1], [10, 0, 0, 2],
      ])
        == ["10.0.0.2", "10.0.0.1", "fd00::1", "169.254.0.1", "fe80::1%3"])
  }

  @Test("an address that means nothing to us is not taken")
  func meaningless() {
    let loopback: [[UInt8]] = [[127, 0, 0, 1], ipv6(0, 0, 1)]
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0, 1]
    #expect(
      list(
        loopback + [
          [0, 0, 0, 0], [224, 0, 0, 1], [255, 255, 255, 255], ipv6(0, 0, 0), ipv6(0xFF, 2, 1), mapped,
        ]) == [])
    #expect(list(loopback, from: .nameServer) == [])
    #expect(list(loopback, from: .link(interface: 1, isLoopback: true)) == ["127.0.0.1", "::1"])
    #expect(list([[1, 2, 3]]) == [])
  }

  @Test("as many as the budget allows; a better one replaces the last")
  func bound() {
    let many = (0..<UInt8(Budget.hostAddresses + 2)).map { ipv6(0xFE, 0x80, $0 + 1) }
    #expect(list(many).count == Budget.hostAddresses)
    let better = list(many + [[10, 0, 0, 1]])
    #expect(better.count == Budget.hostAddresses)
    #expect(better.first == "10.0.0.1" && better.last == "fe80::7%3")
  }

  // MARK: One host

  private func answer(_ build: (inout DNSBuilder) -> Void) -> [UInt8] {
    var answer = DNSBuilder()
    build(&answer)
    return answer.bytes
  }

  @Test("a host is asked for at 0, 1 and 3 s, and given up after 4")
  func lookupSchedule() {
    var lookup = HostLookup(DNSName("studio.local"), port: 1, queryID: 7, at: 100)
    var asked: [Int64] = []
    while !lookup.isOver(at: lookup.deadline) {
      asked.append(lookup.deadline)
      let isDue = lookup.isDue(at: lookup.deadline)
      #expect(isDue)
    }
    #expect(asked == [100, 1_100, 3_100])
    #expect(lookup.deadline == 4_100)
    let isDue = lookup.isDue(at: 4_100)
    #expect(!isDue)
  }

  @Test("the first address ends the asking, and a moment later the waiting")
  func lookupAnswer() {
    var lookup = HostLookup(DNSName("studio.local"), port: 9, queryID: 7, at: 0)
    let isDue = lookup.isDue(at: 0)
    #expect(isDue)
    lookup.take(answer { $0.aaaa("STUDIO.local", ipv6(0xFE, 0x80, 5)) }.span, from: link, at: 20)
    #expect(lookup.deadline == 120)
    lookup.take(answer { $0.a("studio.local") }.span, from: link, at: 50)
    #expect(lookup.deadline == 120)
    #expect(!lookup.isOver(at: 119) && lookup.isOver(at: 120))
    #expect((0..<lookup.addresses.count).map { shown(lookup.addresses[$0]) } == ["192.0.2.20", "fe80::5%3"])
    #expect(lookup.addresses[0].port == 9)
  }

  @Test("answers of others, to others, withdrawn, too large or malformed change nothing")
  func lookupForeign() {
    var lookup = HostLookup(DNSName("studio.local"), port: 9, queryID: 7, at: 0)
    let good = answer { $0.a("studio.local") }
    let bad = [
      answer { $0.a("other.local") }, Array(good.dropLast()),
      answer { answer in
        answer.id = 8
        answer.a("studio.local")
      },
      answer { answer in
        answer.flags = 0
        answer.a("studio.local")
      },
      answer { $0.record("studio.local", 1, [10, 0, 0, 1], ttl: 0) },
      answer { answer in for _ in 0...Budget.discoveryPacketRecords { answer.a("studio.local") } },
      answer { answer in
        answer.a("studio.local")
        answer.a("studio.local", [1])
      },
      good + [UInt8](repeating: 0, count: Budget.discoveryPacketBytes + 1 - good.count),
    ]
    for packet in bad { lookup.take(packet.span, from: link, at: 10) }
    #expect(lookup.addresses.count == 0)
    lookup.take(good.span, from: link, at: 10)
    #expect(lookup.addresses.count == 1)
  }
}
