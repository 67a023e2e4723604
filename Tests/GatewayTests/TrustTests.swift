import Foundation
import Gateway
import Runtime
import Testing

@Suite("Trust")
struct TrustTests {
  @Test("the first certificate is stored before a byte is sent")
  func firstUse() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    var sent = 0
    bench.transport.drain { sent += $0.count }
    #expect(sent == 0)
    bench.runner.runAll()
    #expect(bench.record.pin == Bench.leaf)
    #expect(bench.store.saves == 2)
    bench.transport.drain { sent += $0.count }
    #expect(sent > 0)
  }

  @Test("a pin that cannot be stored stops the connection, and nothing was sent")
  func unstorablePin() throws {
    let bench = try Bench()
    bench.store.failure = .system(.noSpace)
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    var sent = 0
    bench.runner.runAll()
    bench.transport.drain { sent += $0.count }
    #expect(sent == 0)
    #expect(!bench.transport.isOpen)
    #expect(bench.record.pin == nil)
    #expect(bench.session.state == .waiting)
  }

  @Test("a renewed certificate whose pin cannot be stored leaves only the old one trusted")
  func unstorableRenewal() throws {
    let bench = try Bench(pinning: .key)
    try bench.reachOnline()
    let key = try #require(bench.record.keyPin)
    bench.transport.fail(TransportFailure(.broken))
    bench.passToNextAttempt()
    bench.store.failure = .system(.noSpace)
    bench.transport.secure(leaf: Bench.otherLeaf, key: key)
    bench.runner.runAll()
    #expect(!bench.transport.isOpen)
    #expect(bench.record.pin == Bench.leaf && bench.record.keyPin == key)
    // Somebody else, while the flash works again.
    bench.store.failure = nil
    bench.passToNextAttempt()
    bench.transport.secure(leaf: Fingerprint(digest: InlineArray(repeating: 0xEE)))
    bench.runner.runAll()
    #expect(!bench.transport.isOpen && bench.session.state == .untrusted)
    #expect(bench.record.pin == Bench.leaf)
  }

  @Test(
    "a pin that is stored so slowly that the attempt ends is not trusted before it is on flash",
    arguments: [true, false])
  func slowPin(isStored: Bool) throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    bench.passToNextAttempt()
    var sent = 0
    bench.transport.secure(leaf: Bench.leaf)
    bench.transport.drain { sent += $0.count }
    #expect(sent == 0)
    bench.store.failure = isStored ? nil : .system(.inputOutput)
    bench.runner.runAll()
    bench.transport.drain { sent += $0.count }
    #expect((sent > 0) == isStored)
    #expect(bench.record.pin == (isStored ? Bench.leaf : nil))
  }

  @Test("a changed certificate stops the connection before a byte, says so, and is looked at again at the usual pace")
  func changedCertificate() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.transport.fail(TransportFailure(.broken))
    bench.pass(1_000)
    bench.transport.secure(leaf: Bench.otherLeaf)
    #expect(!bench.transport.isOpen)
    #expect(bench.session.state == .untrusted)
    #expect(bench.explanation.contains("CHANGED"))
    #expect(bench.explanation.contains("talon trust --replace"))
    let opens = bench.transport.opens
    bench.pass(30_000)
    #expect(bench.transport.opens > opens)
  }

  @Test("a pin in the configuration wins over what was seen first")
  func configuredPin() throws {
    let bench = try Bench(pin: Bench.otherLeaf)
    bench.record.setPin(Bench.leaf)
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    #expect(bench.session.state == .untrusted)
    #expect(bench.explanation.hasSuffix("[gateway] pin = " + String(repeating: "ab", count: 32)))
    bench.passToNextAttempt()
    bench.gateway.accept(leaf: Bench.otherLeaf)
    #expect(!bench.gateway.upgradeRequest.isEmpty)
  }

  @Test("a TLS link without a certificate is not used")
  func noCertificate() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: nil)
    #expect(!bench.transport.isOpen)
    #expect(bench.session.state == .waiting)
  }
}
