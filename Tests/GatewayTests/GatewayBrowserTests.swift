import Codec
import Runtime
import Testing

@testable import Gateway

private let link = PacketOrigin.link(interface: 3, isLoopback: false)

@Suite("Finding gateways: reference 7, RFC 6763")
struct GatewayBrowserTests {
  private func browser(_ domain: StaticString = "local", wanted: GatewayID? = nil) throws -> GatewayBrowser {
    let browser = try GatewayBrowser(domain: DNSName(domain), wanted: wanted, queryID: 77)
    browser.start(at: 0)
    return browser
  }

  private func take(
    _ browser: GatewayBrowser, from origin: PacketOrigin = link, at now: Int64 = 0,
    _ build: (inout DNSBuilder) -> Void
  ) -> Bool {
    var answer = DNSBuilder()
    build(&answer)
    return browser.take(answer.bytes.span, from: origin, at: now)
  }

  private func take(_ browser: GatewayBrowser, _ packet: [UInt8]) -> Bool {
    browser.take(packet.span, from: link, at: 0)
  }

  private func questions(_ browser: GatewayBrowser, at now: Int64) -> [String] {
    var all: [String] = []
    while let question = browser.nextQuestion(at: now) {
      all.append("\(question.type.number) \(shown(question.name))")
    }
    return all
  }

  private func found(_ browser: GatewayBrowser) -> [DiscoveredGateway] {
    var all: [DiscoveredGateway] = []
    browser.forEach { all.append($0) }
    return all
  }

  private let ptr = "12 _openclaw-gw._tcp.local"

  @Test("asks for instances at 0, 1 and 3 s on a link, and once of name servers")
  func schedule() throws {
    let browser = try browser()
    #expect(questions(browser, at: 0) == [ptr])
    #expect(browser.deadline == 1_000)
    #expect(questions(browser, at: 999) == [])
    #expect(questions(browser, at: 1_000) == [ptr])
    #expect(browser.deadline == 3_000)
    #expect(questions(browser, at: 3_500) == [ptr])
    #expect(browser.deadline == nil)
    let servers = try self.browser("openclaw.internal.")
    #expect(!servers.isMulticast)
    #expect(questions(servers, at: 0) == ["12 _openclaw-gw._tcp.openclaw.internal"])
    #expect(servers.deadline == nil)
    #expect(questions(servers, at: 5_000) == [])
  }

  @Test("whoever changes and withdraws its answers makes the board ask no more than a link full of gateways does")
  func endless() throws {
    let browser = try browser()
    var asked = 0
    for round in 0..<2_000 {
      let (now, name) = (Int64(round), "A\(round % 7)")
      _ = take(browser, at: now) {
        if round % 3 == 0 { $0.ptr(name, ttl: 0) }
        $0.ptr(name)
        $0.srv(name, "host\(round).local")
      }
      asked += questions(browser, at: now).count
    }
    #expect(asked > Budget.discoveryQuestions - 10 && asked <= Budget.discoveryQuestions + 3)
    // Nothing is due that is not asked.
    #expect(browser.deadline == 3_000)
    #expect(questions(browser, at: 9_000) == [ptr])
    #expect(browser.deadline == nil)
  }

  @Test("a packet is read with as many questions and records as gateways need, and with one more of them it is not")
  func crowded() throws {
    for (questions, records) in [(0, 0), (1, 0), (0, 1)] {
      let browser = try browser()
      var answer = DNSBuilder()
      answer.gateway("Studio")
      for _ in 4..<Budget.discoveryPacketRecords + records { answer.a("x") }
      var packet = answer.bytes
      let count = Budget.discoveryPacketQuestions + questions
      packet[5] = UInt8(count)
      packet.insert(contentsOf: Array(repeating: [0, 0, 1, 0, 1] as [UInt8], count: count).joined(), at: 12)
      let isRead = questions + records == 0
      #expect(take(browser, packet) == isRead && found(browser).count == (isRead ? 1 : 0))
      #expect(browser.counters.overlong == (isRead ? 0 : 1))
    }
  }

  @Test("what an answer leaves out is asked for, three times a second apart, until it is known")
  func followUps() throws {
    let browser = try browser()
    _ = questions(browser, at: 0)
    #expect(take(browser, at: 10) { $0.ptr("Studio") })
    let missing = ["33 Studio._openclaw-gw._tcp.local", "16 Studio._openclaw-gw._tcp.local"]
    #expect(questions(browser, at: 10) == missing)
    #expect(questions(browser, at: 11) == [])
    #expect(found(browser).isEmpty)
    #expect(take(browser, at: 20) { $0.srv("Studio", "studio.local") })
    #expect(questions(browser, at: 20) == ["1 studio.local", "28 studio.local"])
    #expect(questions(browser, at: 1_010) == [ptr, missing[1], "1 studio.local", "28 studio.local"])
    #expect(take(browser, at: 1_020) { $0.aaaa("studio.local", ipv6(0xFD, 0, 1)) })
    #expect(questions(browser, at: 2_010) == [missing[1], "1 studio.local"])
    #expect(questions(browser, at: 9_000) == [ptr])
    #expect(take(browser, at: 9_001) { $0.txt("Studio") })
    #expect(found(browser).count == 1)
    #expect(take(browser, at: 9_002) { $0.a("studio.local") })
    #expect(questions(browser, at: 9_003) == [])
    #expect(browser.deadline == nil)
  }

  @Test("one packet tells all, in whatever order its records stand")
  func onePacket() throws {
    let browser = try browser()
    #expect(
      take(browser) { answer in
        answer.a("Studio.local")
        answer.aaaa("studio.local", ipv6(0xFE, 0x80, 9))
        answer.aaaa("studio.local", ipv6(0x20, 0x01, 9))
        answer.txt(
          #"Studio\032(OpenClaw)"#,
          [
            "ROLE=Gateway", "transport=gateway", "displayName=The  Studio", "gatewayTls=YES", "gatewayPort=1",
            "lanHost=evil.local", "gatewayTlsSha256=SHA-256 " + String(repeating: "AB:", count: 31) + "ab",
          ])
        answer.srv(#"STUDIO\032(OpenClaw)"#, "studio.local")
        answer.ptr(#"Studio\032(OpenClaw)"#)
      })
    let gateway = try #require(found(browser).first)
    #expect(text(gateway.displayName.span) == "The Studio")
    #expect(text(gateway.instance.span) == "Studio (OpenClaw)")
    #expect(gateway.id.text == "_openclaw-gw._tcp|local.|studio (openclaw)")
    #expect(gateway.hostText == "studio.local")
    #expect(gateway.port == 18789)
    #expect(gateway.isSecure)
    #expect(gateway.url(requiresTLS: false)?.text == "wss://studio.local:18789")
    #expect(gateway.fingerprintHint == Fingerprint(digest: InlineArray(repeating: 0xAB)))
    #expect(
      (0..<gateway.addresses.count).map { shown(gateway.addresses[$0]) } == [
        "192.0.2.20", "2001::9", "fe80::9%3",
      ])
    #expect(questions(browser, at: 0) == [ptr])
  }

  @Test(
    "what does not say that it is a gateway is none",
    arguments: [
      [], ["role=gateway"], ["role=node", "transport=gateway"], ["role=gateway", "transport=bridge"],
    ])
  func filter(strings: [String]) throws {
    let browser = try browser()
    _ = take(browser) { answer in
      answer.ptr("Studio")
      answer.srv("Studio", "studio.local")
      answer.txt("Studio", strings)
      answer.a("studio.local")
    }
    #expect(found(browser).isEmpty)
  }

  @Test("TXT may raise security, and never lowers it")
  func security() throws {
    let browser = try browser()
    let plain = ["role=gateway", "transport=gateway"]
    _ = take(browser) { $0.gateway("Studio") }
    #expect(try #require(found(browser).first).url(requiresTLS: false)?.isSecure == false)
    #expect(try #require(found(browser).first).url(requiresTLS: true)?.isSecure == true)
    _ = take(browser) { $0.txt("Studio", plain + ["gatewayTls=true"]) }
    #expect(try #require(found(browser).first).isSecure)
    _ = take(browser) { $0.txt("Studio", plain + ["gatewayTls=0"]) }
    #expect(try #require(found(browser).first).isSecure)
    #expect(try #require(found(browser).first).fingerprintHint == nil)
  }

  @Test(
    "a service that is nowhere is not taken",
    arguments: [("studio.local", 0), (".", 18789)])
  func nowhere(host: String, port: Int) throws {
    let browser = try browser()
    _ = take(browser) { answer in
      answer.ptr("Studio")
      answer.srv("Studio", host, port: port)
      answer.txt("Studio")
      answer.a(host)
    }
    #expect(found(browser).isEmpty)
  }

  @Test("a gateway that moves loses the addresses of its old host; one that says goodbye is gone")
  func changes() throws {
    let browser = try browser()
    _ = take(browser) { $0.gateway("Studio") }
    #expect(found(browser).count == 1)
    #expect(take(browser) { $0.srv("Studio", "other.local") })
    #expect(found(browser).isEmpty)
    #expect(questions(browser, at: 0) == [ptr, "1 other.local", "28 other.local"])
    #expect(take(browser) { $0.a("other.local") })
    #expect(!take(browser) { $0.a("other.local") })
    #expect(found(browser).count == 1)
    #expect(take(browser) { $0.ptr("Studio", ttl: 0) })
    #expect(found(browser).isEmpty)
    #expect(!take(browser) { $0.ptr("Studio", ttl: 0) })
  }

  @Test("queries, errors, other numbers and other classes of packet are not answers of ours")
  func foreign() throws {
    let browser = try browser()
    for (id, flags) in [(0, 0x0000), (0, 0x8403), (0, 0xA400), (78, 0x8400)] as [(UInt16, UInt16)] {
      #expect(
        !take(browser) { answer in
          answer.id = id
          answer.flags = flags
          answer.gateway("Studio")
        })
    }
    #expect(browser.counters == .init(foreign: 4))
    #expect(
      take(browser) { answer in
        answer.id = 77
        answer.gateway("Studio")
      })
  }

  @Test("of a packet that is malformed anywhere nothing is used, and a bad record spoils no other")
  func malformed() throws {
    let browser = try browser()
    var answer = DNSBuilder()
    answer.gateway("Studio")
    #expect(!take(browser, Array(answer.bytes.dropLast())))
    #expect(found(browser).isEmpty)
    #expect(browser.counters == .init(malformed: 1))
    answer.a("studio.local", [1, 2, 3])
    #expect(take(browser, answer.bytes))
    #expect(browser.counters == .init(malformed: 2))
    #expect(found(browser).count == 1)
  }

  @Test("a packet and a TXT record larger than the budget are not read")
  func sizes() throws {
    let browser = try browser()
    var answer = DNSBuilder()
    answer.gateway("Studio")
    let padding = Budget.discoveryPacketBytes - answer.bytes.count
    #expect(!take(browser, answer.bytes + [UInt8](repeating: 0, count: padding + 1)))
    #expect(browser.counters == .init(overlong: 1))
    #expect(take(browser, answer.bytes + [UInt8](repeating: 0, count: padding)))
    let text = ["role=gateway", "transport=gateway", "gatewayTls=1"]
    // 12, 17 and 12 characters and their lengths, four strings of 251, and one that makes up the rest.
    func filler(_ total: Int) -> [String] {
      let used = text.reduce(0) { $0 + $1.utf8.count + 1 } + 4 * 251
      return text + [String](repeating: String(repeating: "x", count: 250), count: 4)
        + [String(repeating: "y", count: total - used - 1)]
    }
    #expect(!take(browser) { $0.txt("Studio", filler(Budget.discoveryTextBytes + 1)) })
    #expect(try #require(found(browser).first).isSecure == false)
    #expect(take(browser) { $0.txt("Studio", filler(Budget.discoveryTextBytes)) })
    #expect(try #require(found(browser).first).isSecure)
  }

  @Test("a crowd fills the table and no more, and does not hide the gateway that is looked for")
  func crowd() throws {
    let all = try browser()
    let wanted = try browser(wanted: GatewayID(domain: DNSName("local"), instance: "STUDIO".utf8.span))
    for browser in [all, wanted] {
      for number in 0..<Budget.discoveryInstances + 5 { _ = take(browser) { $0.gateway("g\(number)") } }
      _ = take(browser) { $0.gateway("Studio") }
    }
    #expect(found(all).count == Budget.discoveryInstances)
    #expect(all.counters == .init(overflow: 6))
    #expect(found(wanted).map(\.id.text) == ["_openclaw-gw._tcp|local.|studio"])
    #expect(wanted.counters == .init())
  }

  @Test("a domain of name servers: answers with any number, no link-local addresses, no goodbyes")
  func wideArea() throws {
    let browser = try browser("openclaw.internal")
    _ = questions(browser, at: 0)
    #expect(
      take(browser, from: .nameServer) { answer in
        answer.id = 4711
        answer.ttl = 0
        answer.ptr("shed-gateway", domain: "openclaw.internal")
      })
    #expect(questions(browser, at: 1).count == 2)
    #expect(
      take(browser, from: .nameServer) { answer in
        answer.gateway("shed-gateway", host: "shed.openclaw.internal", domain: "openclaw.internal")
        answer.a("shed.openclaw.internal", [127, 0, 0, 1])
        answer.a("shed.openclaw.internal", [169, 254, 1, 1])
        answer.aaaa("shed.openclaw.internal", ipv6(0xFE, 0x80, 1))
      })
    let gateway = try #require(found(browser).first)
    #expect(gateway.addresses.count == 1)
    #expect(gateway.id.text == "_openclaw-gw._tcp|openclaw.internal.|shed-gateway")
    // A gateway of the link does not belong there.
    #expect(!take(browser, from: .nameServer) { $0.gateway("Studio") })
  }

  private static func hex(_ byte: UInt8) -> String {
    (0..<32).map { _ in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  @Test(
    "a host may have any name: one that is none in a URL is reached by its address",
    arguments: [
      ("studio.local", "wss://studio.local:18789"), (#"studio\032(2).local"#, "wss://192.0.2.20:18789"),
      ("Büro-Mac.local", "wss://192.0.2.20:18789"), (#"a\.b.local"#, "wss://192.0.2.20:18789"),
      ("工作室.local", "wss://192.0.2.20:18789"), (#"\255\254.local"#, "wss://192.0.2.20:18789"),
    ])
  func anyHost(host: String, url: String) throws {
    let browser = try browser()
    _ = take(browser) { $0.gateway("Studio", host: host) }
    #expect(try #require(found(browser).first).url(requiresTLS: true)?.text == url)
  }

  @Test("a host of IPv6 alone is reached by that, with the interface of a link-local address")
  func onlyIPv6() throws {
    for (first, second, expected) in [(0xFD, 0, "wss://[fd00::9]:18789"), (0xFE, 0x80, "wss://[fe80::9%3]:18789")]
      as [(UInt8, UInt8, String)]
    {
      let browser = try browser()
      _ = take(browser) { answer in
        answer.ptr("Studio")
        answer.srv("Studio", "Büro.local")
        answer.txt("Studio")
        answer.aaaa("Büro.local", ipv6(first, second, 9))
      }
      #expect(try #require(found(browser).first).url(requiresTLS: true)?.text == expected)
    }
  }

  @Test("a gateway that was renamed is found by its certificate, before one that has its name")
  func renamed() throws {
    let pin = Fingerprint(digest: InlineArray(repeating: 0xAB))
    let id = GatewayID(domain: DNSName("local"), instance: "Studio".utf8.span)
    let announced = ["role=gateway", "transport=gateway", "gatewayTls=1"]
    for wanted in [id, nil] {
      let browser = try GatewayBrowser(domain: DNSName("local"), wanted: wanted, fingerprint: pin, queryID: 77)
      // Another machine has taken the name, and says so.
      _ = take(browser) { answer in
        answer.gateway("Studio")
        answer.txt("Studio", announced + ["gatewayTlsSha256=" + Self.hex(0xCD)])
      }
      #expect(browser.match(isLast: false) == nil)
      #expect((browser.match(isLast: true) == nil) == (wanted == nil))
      _ = take(browser) { answer in
        answer.gateway(#"Studio\032(2)"#, host: "studio-2.local")
        answer.txt(#"Studio\032(2)"#, announced + ["gatewayTlsSha256=" + Self.hex(0xAB)])
      }
      #expect(browser.match(isLast: false)?.hostText == "studio-2.local")
    }
  }

  @Test("a gateway that announces no certificate is found by its name at once")
  func named() throws {
    let id = GatewayID(domain: DNSName("local"), instance: "Studio".utf8.span)
    let browser = try GatewayBrowser(
      domain: DNSName("local"), wanted: id, fingerprint: Fingerprint(digest: InlineArray(repeating: 1)), queryID: 77)
    for number in 0..<Budget.discoveryInstances { _ = take(browser) { $0.gateway("g\(number)") } }
    #expect(browser.match(isLast: true) == nil)
    _ = take(browser) { $0.gateway("Studio") }
    #expect(browser.match(isLast: false)?.id == id)
  }

  @Test("a domain in which no service could have a name is refused")
  func longDomain() throws {
    let label = String(repeating: "a", count: 63)
    let domain = try DNSName(
      text: [label, label, label, String(repeating: "b", count: 50)].joined(separator: ".").utf8.span)
    #expect(throws: DNSError.self) { try GatewayBrowser(domain: domain, queryID: 0) }
  }

  @Test("every damaged packet is survived: each byte changed, each length")
  func mutations() throws {
    var answer = DNSBuilder()
    answer.gateway("Studio")
    let good = answer.bytes
    for place in good.indices {
      for value in [0, 1, 64, 0xC0, 0xFF, good[place] ^ 0x20] as [UInt8] {
        let browser = try browser()
        var bytes = good
        bytes[place] = value
        _ = take(browser, bytes)
        #expect(found(browser).count <= 1)
        #expect(questions(browser, at: 0).count <= 3)
      }
      let browser = try browser()
      #expect(!take(browser, Array(good[..<place])))
    }
  }
}

func text(_ bytes: Span<UInt8>) -> String {
  bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

func shown(_ name: DNSName) -> String {
  String(unsafeUninitializedCapacity: 1024) { buffer in
    var writer = ByteWriter(into: buffer)
    name.writeText(to: &writer, isRooted: false)
    return writer.count
  }
}

func shown(_ address: SocketAddress) -> String {
  String(unsafeUninitializedCapacity: 64) { buffer in
    var writer = ByteWriter(into: buffer)
    writer.address(address)
    return writer.count
  }
}
