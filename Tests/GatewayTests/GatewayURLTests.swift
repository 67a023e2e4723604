import Gateway
import TestSupport
import Testing

@Suite("Addresses as people write them")
struct GatewayURLTests {
  @Test(
    "a host alone means TLS at the gateway's own port; a URL without a port means what any URL means",
    arguments: [
      ("gateway.local", "wss://gateway.local:18789"), ("Gateway.local:8443", "wss://gateway.local:8443"),
      ("192.168.1.2", "wss://192.168.1.2:18789"), ("[fd00::12]", "wss://[fd00::12]:18789"),
      ("[fd00::12]:1", "wss://[fd00::12]:1"),
      ("wss://gateway.local", "wss://gateway.local:443"), ("ws://localhost", "ws://localhost:80"),
      ("https://g.example/context", "wss://g.example:443/context"),
      ("wss://gateway.local:18789", "wss://gateway.local:18789"),
      ("fd00::12", "wss://[fd00::12]:18789"), ("FE80::1%lo", "wss://[fe80::1%lo]:18789"),
      ("[fe80::1%25lo]:7", "wss://[fe80::1%lo]:7"), ("gateway.example.", "wss://gateway.example:18789"),
      ("wss://Gateway.Example.:443", "wss://gateway.example:443"), ("<wss://g.example>", "wss://g.example:443"),
      ("\"gateway.local\"", "wss://gateway.local:18789"), ("`gateway.local:1`", "wss://gateway.local:1"),
    ])
  func read(text: String, url: String) throws {
    #expect(try GatewayURL(address: text).text == url)
  }

  @Test(
    "what is neither is refused",
    arguments: [
      ("gateway.local/context", GatewayURLError.scheme), ("wss:/gateway.local", .scheme), ("/", .scheme),
      ("ftp://g", .scheme),
      ("", .host), (":18789", .host), ("fd00::12:x", .port), ("[fe80::1%]", .host), ("[fe80::1%a b]", .host),
      ("höhle.example", .letters), ("https://g/#token=abc", .token), ("https://g/?a=1&token=abc", .token),
      ("https://g/#tokens", .queryOrFragment), ("g:0", .port), ("g:", .port), ("u@g", .userInfo),
      ("g?x", .queryOrFragment),
    ])
  func refused(text: String, error: GatewayURLError) {
    #expect(throws: error) { try GatewayURL(address: text) }
  }

  @Test(
    "gateways behind one name are told apart by their paths; the interface of an address is no matter of the gateway")
  func identity() throws {
    let keys = try ["wss://g.example", "wss://g.example/a", "wss://g.example/b"].map { try GatewayURL($0).key }
    #expect(Set(keys).count == 3 && keys[0] == "manual|g.example|443")
    let local = try GatewayURL("wss://[fe80::1%eth0]:7/")
    #expect(local.hostHeader == "[fe80::1]:7" && local.text == "wss://[fe80::1%eth0]:7" && !local.isName)
  }

  /// Addresses made by the grammar of RFC 3986 section 3.2.2 and RFC 4291 section 2.2, in any case and with any port.
  @Test("each spelling of an address is read as the same address, and what is written back is read the same")
  func spellings() throws {
    var numbers = Seeded(11)
    for _ in 0..<2_000 {
      let groups = (0..<8).map { _ in Bool.random(using: &numbers) ? 0 : UInt16.random(in: 0...65_535, using: &numbers)
      }
      var spelled = groups.map { String($0, radix: 16, uppercase: Bool.random(using: &numbers)) }
      if let zero = groups.firstIndex(of: 0) {
        // The first run of zeros as two colons.
        let end = groups[zero...].firstIndex { $0 != 0 } ?? 8
        spelled = [spelled[..<zero].joined(separator: ":") + "::" + spelled[end...].joined(separator: ":")]
      }
      let text = spelled.joined(separator: ":")
      let bare = try GatewayURL(address: text)
      let bracketed = try GatewayURL(address: "[\(text)]")
      #expect(bare.host == text.lowercased() && bare.text == bracketed.text)
      #expect(try GatewayURL(bare.text).text == bare.text)
    }
  }
}
