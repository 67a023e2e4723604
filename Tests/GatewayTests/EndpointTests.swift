import Foundation
import Runtime
import Simulated
import Testing

@testable import Gateway

/// Several addresses of one gateway, and what its certificates may be.
@Suite("Addresses and certificates")
struct EndpointTests {
  private func bench(_ urls: [String], pinning: Pinning = .certificate) throws -> Bench {
    try Bench(url: urls[0], others: Array(urls.dropFirst()), pinning: pinning)
  }

  @Test("addresses are tried in order without a pause, and after the last one there is a pause")
  func order() throws {
    let bench = try bench(["wss://a:1", "wss://b:2", "wss://c:3"])
    bench.session.start()
    #expect(bench.transport.url?.host == "a")
    bench.transport.fail(.init(.connect))
    #expect(bench.transport.url?.host == "b")
    bench.transport.fail(.init(.resolve))
    #expect(bench.transport.url?.host == "c")
    bench.transport.fail(.init(.tls))
    #expect(bench.session.state == .waiting)
    bench.passToNextAttempt()
    #expect(bench.transport.url?.host == "a")
  }

  @Test("the address that worked last is tried first, after a restart too")
  func lastFirst() throws {
    let bench = try bench(["wss://a:1", "wss://b:2", "wss://c:3"])
    bench.session.start()
    bench.transport.fail(.init(.connect))
    try bench.reachOnline()
    #expect(bench.transport.url?.host == "b" && bench.record.lastURL == "wss://b:2")
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(bench.transport.url?.host == "b")
    bench.transport.fail(.init(.connect))
    #expect(bench.transport.url?.host == "a")
    let again = GatewayRecord(url: try GatewayURL("wss://a:1"), cryptography: bench.cryptography)
    _ = try again.load(from: bench.store)
    #expect(again.lastURL == "wss://b:2")
  }

  @Test("attempts that take long are made beside a search, and what is found takes part")
  func searchBeside() throws {
    let bench = try bench(["wss://a:1"])
    var more: [MemoryTransport] = []
    bench.session.moreTransports = {
      more.append(MemoryTransport())
      return more[more.count - 1]
    }
    let finder = Finder()
    bench.session.finder = finder
    bench.session.start()
    bench.pass(Session.searchDelay)
    #expect(finder.asked == 1 && bench.transport.isOpen)
    finder.delegate?.endpointFound(try GatewayURL("wss://studio.local:18789"))
    bench.pass(0)
    #expect(more.count == 1 && more[0].url?.host == "studio.local" && bench.transport.isOpen)
    more[0].secure(leaf: Bench.leaf)
    #expect(!bench.transport.isOpen)
  }

  @Test("the search is told the certificate that is trusted")
  func byFingerprint() throws {
    let bench = try bench(["wss://a:1"])
    bench.record.setPin(Bench.leaf)
    let finder = Finder()
    finder.hasName = false
    bench.session.finder = finder
    bench.session.start()
    bench.transport.fail(.init(.connect))
    #expect(finder.asked == 1 && finder.fingerprint == Bench.leaf && finder.requiresTLS == true)
  }

  @Test("a board that has tried no address yet tells the first")
  func untried() throws {
    let bench = try bench(["wss://a:1", "wss://b:2"])
    #expect(bench.session.address == "wss://a:1")
  }

  @Test("a stranger at one address does not keep the board from the others, and sees no byte")
  func stranger() throws {
    let bench = try bench(["wss://a:1", "wss://b:2"])
    bench.record.setPin(Bench.leaf)
    bench.session.start()
    bench.gateway.accept(leaf: Bench.otherLeaf)
    #expect(bench.gateway.upgradeRequest.isEmpty)
    #expect(bench.transport.url?.host == "b")
    bench.gateway.accept(leaf: Bench.leaf)
    bench.gateway.pump()
    #expect(!bench.gateway.upgradeRequest.isEmpty)
    // The stranger may have been a network's sign-in page: it is looked at again, and told of once.
    for _ in 0..<3 {
      bench.transport.fail(.init(.broken))
      bench.passToNextAttempt()
      #expect(bench.transport.url?.host == "a")
      bench.gateway.accept(leaf: Bench.otherLeaf)
      #expect(bench.transport.url?.host == "b")
    }
    #expect(bench.lines.count { $0.contains("the certificate at wss://a:1 is not the one") } == 1)
  }

  @Test(
    "a stranger's certificate keeps the board away for no longer than any failure: 30 s, or until the network changes")
  func signInPage() throws {
    let bench = try bench(["wss://a:1"])
    bench.record.setPin(Bench.leaf)
    bench.session.start()
    for _ in 0..<40 {
      bench.gateway.accept(leaf: Bench.otherLeaf)
      #expect(bench.session.state == .untrusted && bench.gateway.upgradeRequest.isEmpty)
      #expect(try #require(bench.session.pauseLeft) <= 30_000)
      bench.passToNextAttempt()
    }
    bench.gateway.accept(leaf: Bench.otherLeaf)
    let opens = bench.transport.opens
    bench.pass(3_000)
    bench.session.networkChanged()
    bench.pass(0)
    #expect(bench.transport.opens == opens + 1)
    bench.gateway.accept(leaf: Bench.leaf)
    bench.gateway.pump()
    #expect(!bench.gateway.upgradeRequest.isEmpty)
  }

  @Test("a certificate renewed with the same key is taken with pin = key, and becomes the trusted one")
  func renewed() throws {
    let key = Fingerprint(digest: InlineArray(repeating: 1))
    let bench = try bench(["wss://a:1"], pinning: .key)
    bench.session.start()
    bench.gateway.accept(leaf: Bench.leaf, key: key)
    bench.runner.runAll()
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    bench.gateway.accept(leaf: Bench.otherLeaf, key: key)
    bench.runner.runAll()
    bench.gateway.pump()
    #expect(!bench.gateway.upgradeRequest.isEmpty)
    #expect(bench.record.pin == Bench.otherLeaf && bench.record.keyPin == key)
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    bench.gateway.accept(leaf: Bench.leaf, key: Fingerprint(digest: InlineArray(repeating: 2)))
    #expect(bench.session.state == .untrusted)
  }

  @Test("without pin = key a renewal stops with an alarm that shows what was seen")
  func alarm() throws {
    let key = Fingerprint(digest: InlineArray(repeating: 1))
    let bench = try bench(["wss://a:1"])
    bench.session.start()
    bench.gateway.accept(leaf: Bench.leaf, key: key)
    bench.runner.runAll()
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    bench.gateway.accept(leaf: Bench.otherLeaf, key: key)
    #expect(bench.session.state == .untrusted)
    let seen = String(repeating: "cd", count: 32)
    #expect(bench.explanation.contains("CHANGED") && bench.explanation.hasSuffix("talon trust --replace \(seen)"))
  }

  @Test("an address without TLS is tried when none with TLS answers, and then it is tried")
  func plainLast() throws {
    let bench = try bench(["ws://plain:1", "wss://a:1"])
    bench.session.start()
    #expect(bench.transport.url?.host == "a")
    bench.transport.fail(.init(.connect))
    #expect(bench.transport.url?.host == "plain")
    bench.transport.fail(.init(.connect))
    #expect(bench.session.state == .waiting)
  }

  @Test("the key of a certificate that a person named is learned at the first contact")
  func learned() throws {
    let key = Fingerprint(digest: InlineArray(repeating: 1))
    let bench = try bench(["wss://a:1"], pinning: .key)
    bench.record.setPin(Bench.leaf)
    bench.session.start()
    bench.gateway.accept(leaf: Bench.leaf, key: key)
    bench.runner.runAll()
    #expect(bench.record.keyPin == key)
  }

  private final class Finder: EndpointFinder {
    weak var delegate: (any EndpointFinderDelegate)?
    var asked = 0
    var hasName = true
    var requiresTLS: Bool?
    var fingerprint: Fingerprint?
    func find(requiresTLS: Bool, fingerprint: Fingerprint?, _ delegate: any EndpointFinderDelegate) -> Bool {
      self.delegate = delegate
      self.requiresTLS = requiresTLS
      self.fingerprint = fingerprint
      asked += 1
      return true
    }
    func cancel() { delegate = nil }
  }

  @Test("when no address answers the network is asked once a round, and what it tells is tried and remembered")
  func found() throws {
    let bench = try bench(["wss://a:1"])
    let finder = Finder()
    bench.session.finder = finder
    bench.session.start()
    bench.transport.fail(.init(.connect))
    #expect(finder.asked == 1)
    finder.delegate?.endpointFound(try GatewayURL("wss://studio.local:18789"))
    #expect(bench.transport.url?.host == "studio.local")
    try bench.reachOnline()
    #expect(bench.record.urls.map(\.host) == ["studio.local"])
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(bench.transport.url?.host == "studio.local")
    bench.transport.fail(.init(.connect))
    #expect(bench.transport.url?.host == "a")
  }

  @Test("whose certificate is known is not spoken to in clear because the network says so, today or on an earlier day")
  func noDowngrade() throws {
    let bench = try bench(["wss://a:1"])
    let finder = Finder()
    bench.session.finder = finder
    bench.session.start()
    bench.transport.fail(.init(.connect))
    #expect(finder.requiresTLS == false)
    finder.delegate?.endpointFound(nil)
    // Trusted only after the start.
    bench.passToNextAttempt()
    bench.gateway.accept(leaf: Bench.leaf)
    bench.runner.runAll()
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    bench.transport.fail(.init(.connect))
    #expect(finder.requiresTLS == true)
    let opens = bench.transport.opens
    finder.delegate?.endpointFound(try GatewayURL("ws://192.168.1.9:18789"))
    #expect(bench.transport.opens == opens && bench.session.state == .waiting)
    #expect(bench.explanation.contains("ws://192.168.1.9:18789 is not encrypted"))
  }

  @Test(
    "an address in clear that was learned is passed over once there is a pin, wherever that is from; a configured one is not"
  )
  func learntInClear() throws {
    for pinned in [Pin.none, .remembered, .configured] {
      let bench = try Bench(
        url: "ws://10.0.0.1:1", pin: pinned == .configured ? Bench.leaf : nil,
        learned: ["ws://10.0.0.2:2", "ws://127.0.0.1:3"])
      if pinned == .remembered { bench.record.setPin(Bench.leaf) }
      var tried: [String] = []
      bench.session.start()
      for _ in 0..<3 where bench.session.state == .connecting {
        tried.append(bench.transport.url?.host ?? "")
        bench.transport.fail(.init(.connect))
      }
      #expect(tried == ["10.0.0.1"] + (pinned == .none ? ["10.0.0.2"] : []) + ["127.0.0.1"])
    }
  }

  private enum Pin { case none, remembered, configured }

  @Test("what the network does not tell, or not in time, is a failed round like any other")
  func notFound() throws {
    let bench = try bench(["wss://a:1"])
    let finder = Finder()
    bench.session.finder = finder
    bench.session.start()
    bench.transport.fail(.init(.connect))
    finder.delegate?.endpointFound(nil)
    #expect(bench.session.state == .waiting)
    #expect(bench.explanation.contains("was not found on the network"))
    bench.passToNextAttempt()
    bench.transport.fail(.init(.connect))
    #expect(finder.asked == 2)
    bench.passToNextAttempt()
    #expect(bench.transport.url?.host == "a")
  }
}

/// The list of addresses by itself, against a model that keeps names in a set.
@Suite("The round of a gateway's addresses")
struct EndpointRoundTests {
  @Test("in any order of calls the address in use is the one that was used last and not given up", arguments: 0..<40)
  func round(seed: Int) throws {
    let random = SeededRandom(seed: UInt64(seed))
    let urls = try (0..<6).map { try GatewayURL("wss://h\($0):1") }
    var endpoints = Endpoints([urls[0], urls[1]])
    func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    var known: Set = [urls[0].text, urls[1].text]
    var (used, spent, now): (String?, Set<String>, Int64) = (nil, [], 0)
    var forbidden: Set<String> = []
    for _ in 0..<200 {
      let url = urls[below(urls.count)]
      switch below(8) {
      case 0:
        endpoints.add(url)
        known.insert(url.text)
      case 1:
        endpoints.prefer(url)
        known.insert(url.text)
      case 2: if endpoints.use(url) { used = url.text }
      case 3:
        endpoints.spend(url)
        if known.contains(url.text) { spent.insert(url.text) }
        used = nil
      case 4: endpoints.postpone(url, until: now + 50)
      case 5:
        endpoints.clearPostponements()
        #expect(endpoints.earliest == 0)
      case 6:
        if known.contains(url.text) { forbidden.insert(url.text) }
        #expect(endpoints.recordForbidden(url) == (forbidden.count == known.count))
      default:
        now += Int64(below(40))
        endpoints.rewind(at: now)
        (used, spent, forbidden) = (nil, [], [])
        #expect(endpoints.hasUntried)
      }
      #expect(endpoints.count == known.count)
      #expect(endpoints.isInUse == (used != nil))
      if let used, endpoints.isInUse { #expect(endpoints.current.text == used) }
      #expect(endpoints.untried.allSatisfy { !spent.contains($0.text) })
    }
  }
}
