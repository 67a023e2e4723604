import Testing

@testable import talon_gateway

/// `gateway.nodes.pairing.autoApproveCidrs` (section 5.4).
@Suite(.timeLimit(.minutes(1))) struct TrustedAddressTests {
  @Test(
    "a range holds the addresses that begin as its network does",
    arguments: [
      ("10.0.0.0/8", "10.255.3.4", true), ("10.0.0.0/8", "11.0.0.1", false),
      ("192.168.7.128/25", "192.168.7.129", true), ("192.168.7.128/25", "192.168.7.127", false),
      ("192.168.7.9", "192.168.7.9", true), ("192.168.7.9", "192.168.7.8", false),
      ("0.0.0.0/0", "203.0.113.1", true), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
      ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("fd00::/8", "10.0.0.1", false),
      ("2001:db8::/33", "2001:db8:8000::", false), ("10.0.0.0/8", "unknown", false),
    ])
  func contains(range: String, address: String, isInside: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(address) == isInside)
  }

  @Test(
    "what is no range is refused",
    arguments: [
      "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "fd00::/129", "10.0.0.0/8/8", "/8", "host/8",
    ])
  func refused(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test(
    "a new node from a trusted address needs nobody as a device, and somebody for what it declares",
    arguments: [Era.may, .june, .july, .september, .next])
  func newNode(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    bench.isTrustedAddress = true
    #expect(try !bench.admission(TestNode()).wasApprovedAutomatically)
  }

  @Test("an operator, and a node of an older gateway, wait for somebody from there too")
  func others() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    bench.isTrustedAddress = true
    var node = TestNode()
    (node.role, node.scopes) = ("operator", ["operator.read"])
    #expect(try bench.refusal(node).error.code == "NOT_PAIRED")
    var older = try HandshakeBench(.april)
    defer { older.remove() }
    older.isTrustedAddress = true
    #expect(try older.refusal(TestNode()).error.code == "NOT_PAIRED")
  }
}
