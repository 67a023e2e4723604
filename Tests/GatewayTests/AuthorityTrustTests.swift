import Foundation
import Gateway
import Runtime
import Testing

@Suite("Trust in authorities")
struct AuthorityTrustTests {
  private static let vouched = Vouching.vouched(until: 1_800_000_000_000)
  /// Certificate number `number`, with a key of its own.
  private func leaf(_ number: UInt8) -> Fingerprint { Fingerprint(digest: InlineArray(repeating: number)) }

  private func connect(_ bench: Bench, _ number: UInt8, _ vouching: Vouching) {
    if bench.session.state == .stopped { bench.session.start() }
    bench.gateway.accept(leaf: leaf(number), vouching: vouching)
    bench.runner.runAll()
    bench.gateway.pump()
  }

  private func isSpokenTo(_ bench: Bench) -> Bool { !bench.gateway.upgradeRequest.isEmpty }

  private func comeBack(_ bench: Bench) {
    bench.transport.fail(TransportFailure(.broken))
    bench.passToNextAttempt()
  }

  @Test(
    "a name for which an authority vouches is known by that from the first contact on, which is stored before a byte")
  func firstContact() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: leaf(1), vouching: Self.vouched)
    var sent = 0
    bench.transport.drain { sent += $0.count }
    #expect(sent == 0 && bench.record.trust == .authorities)
    bench.runner.runAll()
    bench.transport.drain { sent += $0.count }
    #expect(sent > 0 && bench.session.vouchedUntil == 1_800_000_000_000)
    #expect(bench.lines.contains { $0.contains("an authority vouches for the gateway's name") })
  }

  @Test("renewals with new keys, and several certificates by turns, need nobody and no write to flash")
  func renewals() throws {
    let bench = try Bench()
    connect(bench, 1, Self.vouched)
    #expect(isSpokenTo(bench))
    let saves = bench.store.saves
    for number in [2, 1, 3, 2, 4, 5, 6] as [UInt8] {
      comeBack(bench)
      connect(bench, number, Self.vouched)
      #expect(isSpokenTo(bench))
    }
    #expect(bench.store.saves == saves)
  }

  @Test(
    "a certificate for which none vouches any more gets no byte until a person says otherwise, however often it is shown",
    arguments: [
      Vouching.Objection.expired, .notYetValid, .otherName, .unknownIssuer, .noAuthorities, .other,
    ])
  func objections(objection: Vouching.Objection) throws {
    let bench = try Bench()
    connect(bench, 1, Self.vouched)
    comeBack(bench)
    for _ in 0..<5 {
      // Also the very certificate that was good.
      for number in [1, 2] as [UInt8] {
        connect(bench, number, .objected(objection))
        #expect(!isSpokenTo(bench) && bench.session.state == .untrusted && bench.record.trust == .authorities)
        #expect(bench.explanation.contains(string(objection.words)) && bench.explanation.contains("nothing was sent"))
        bench.passToNextAttempt()
      }
    }
    connect(bench, 3, Self.vouched)
    #expect(isSpokenTo(bench))
  }

  private func string(_ text: StaticString) -> String { text.description }

  @Test(
    "without the word of an authority the first certificate is pinned, and its word loosens no pin afterwards",
    arguments: [Vouching.unasked, .objected(.unknownIssuer), .objected(.otherName), .objected(.expired)])
  func firstUse(vouching: Vouching) throws {
    let bench = try Bench()
    connect(bench, 1, vouching)
    #expect(isSpokenTo(bench) && bench.record.pin == leaf(1))
    comeBack(bench)
    connect(bench, 2, Self.vouched)
    #expect(!isSpokenTo(bench) && bench.session.state == .untrusted && bench.record.pin == leaf(1))
  }

  @Test(
    "numbers are no name: at an address of numbers the first certificate is pinned",
    arguments: ["10.0.0.1", "[fd00::1]"])
  func numbers(host: String) throws {
    let bench = try Bench(url: "wss://\(host):18789")
    connect(bench, 1, Self.vouched)
    #expect(bench.record.pin == leaf(1))
  }

  private final class Finder: EndpointFinder {
    weak var delegate: (any EndpointFinderDelegate)?
    let hasName = true
    func find(requiresTLS: Bool, fingerprint: Fingerprint?, _ delegate: any EndpointFinderDelegate) -> Bool {
      self.delegate = delegate
      return true
    }
    func cancel() { delegate = nil }
  }

  @Test("a name that the network tells is anybody's: that an authority vouches for it says nothing of the gateway")
  func foundOnNetwork() throws {
    let bench = try Bench()
    let finder = Finder()
    bench.session.finder = finder
    connect(bench, 1, Self.vouched)
    comeBack(bench)
    bench.transport.fail(TransportFailure(.connect))
    finder.delegate?.endpointFound(try GatewayURL("wss://evil.example:443"))
    #expect(bench.transport.url?.host == "evil.example")
    connect(bench, 2, Self.vouched)
    #expect(!isSpokenTo(bench) && bench.session.state == .untrusted && bench.record.trust == .authorities)
  }

  @Test("who lets the key count pins it, also where an authority vouches")
  func keyCounts() throws {
    let bench = try Bench(pinning: .key)
    connect(bench, 1, Self.vouched)
    #expect(bench.record.pin == leaf(1))
  }

  @Test("who wants authorities from the first connection on trusts nothing else")
  func required() throws {
    let bench = try Bench(requiresAuthorities: true)
    connect(bench, 1, .objected(.unknownIssuer))
    #expect(!isSpokenTo(bench) && bench.session.state == .untrusted && bench.record.trust == .nothing)
    bench.passToNextAttempt()
    connect(bench, 1, .unasked)
    #expect(!isSpokenTo(bench))
    bench.passToNextAttempt()
    connect(bench, 2, Self.vouched)
    #expect(isSpokenTo(bench))
  }

  @Test("of several pins each counts, for a certificate or its key, and nothing else does")
  func pins() throws {
    let key = leaf(0xEE)
    let bench = try Bench(pins: [leaf(1), leaf(2), key])
    for number in [1, 2] as [UInt8] {
      connect(bench, number, .unasked)
      #expect(isSpokenTo(bench))
      comeBack(bench)
    }
    bench.gateway.accept(leaf: leaf(7), key: key)
    #expect(isSpokenTo(bench))
    comeBack(bench)
    connect(bench, 3, Self.vouched)
    #expect(!isSpokenTo(bench) && bench.session.state == .untrusted)
  }

  @Test("what is trusted survives a restart, and a record of before keeps its pin")
  func stored() throws {
    let bench = try Bench()
    connect(bench, 1, Self.vouched)
    let again = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try again.load(from: bench.store)
    #expect(again.trust == .authorities && again.pin == nil)
    again.setPin(leaf(9), key: leaf(8))
    try again.save(to: bench.store)
    let before = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try before.load(from: bench.store)
    #expect(before.trust == .pin(leaf(9), key: leaf(8)))
  }

  @Test("trust that cannot be stored stops the connection, and nothing was sent")
  func unstorable() throws {
    let bench = try Bench()
    bench.store.failure = .system(.noSpace)
    connect(bench, 1, Self.vouched)
    #expect(!isSpokenTo(bench) && bench.record.trust == .nothing && bench.session.state == .waiting)
  }

  @Test("a gateway that is known by authorities is not spoken to without TLS")
  func plain() throws {
    let bench = try Bench(learned: ["ws://gateway.test:18789"])
    connect(bench, 1, Self.vouched)
    comeBack(bench)
    bench.transport.fail(TransportFailure(.connect))
    #expect(bench.lines.contains { $0.contains("ws://gateway.test:18789 is not encrypted") })
  }
}
