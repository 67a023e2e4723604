import Gateway
import Runtime
import Testing

@testable import Fetch

@Suite("From where may be fetched")
struct AddressTests {
  private func address(_ text: String) throws -> SocketAddress { try #require(SocketAddress(literal: text, port: 443)) }

  private func url(_ text: String) throws -> WebURL { try WebURL(text.utf8.span) }

  @Test(
    "what is of the board, of its network, or special is refused",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9",
      "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
      "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.251",
      "239.255.255.255",
      "240.0.0.1", "255.255.255.255",
      "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254", "64:ff9b::a00:1",
      "64:ff9b:1::808:808", "100::1", "2001:db8::1", "2001::1", "2001:10::1", "2002:a00:1::1", "2002:7f00:1::1",
      "3fff:1::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::fb", "4000::1",
    ])
  func special(text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test(
    "what is of the public internet is taken",
    arguments: [
      "1.1.1.1", "8.8.8.8", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.0.0.1", "128.0.0.1", "169.253.0.1",
      "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
      "2606:4700::1111", "2a00:1450::1", "2001:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
  func open(text: String) throws {
    #expect(try address(text).isPublic)
  }

  @Test("https from the public internet, and nothing else, without a word of the configuration")
  func usually() throws {
    let rule = FetchRule()
    #expect(rule.objection(to: try url("https://example.org/"), at: try address("8.8.8.8")) == nil)
    #expect(rule.objection(to: try url("http://example.org/"), at: try address("8.8.8.8")) == .plaintext)
    #expect(rule.objection(to: try url("https://example.org/"), at: try address("192.168.1.1")) == .refusedAddress)
    #expect(rule.objection(to: try url("http://example.org/"), at: try address("127.0.0.1")) == .refusedAddress)
  }

  @Test(
    "what the configuration allows",
    arguments: [
      ("nas.local", "http://nas.local/x", "192.168.1.7", true),
      ("nas.local", "https://nas.local:8443/x", "10.0.0.1", true),
      ("nas.local:80", "http://nas.local/", "192.168.1.7", true),
      ("nas.local:80", "http://nas.local:81/", "192.168.1.7", false),
      ("nas.local", "http://evil.nas.local/", "192.168.1.7", false),
      ("NAS.local", "http://nas.local/", "192.168.1.7", true),
      ("192.168.1.0/24", "http://192.168.1.255/", "192.168.1.255", true),
      ("192.168.1.0/24", "http://a.org/", "192.168.2.0", false),
      ("192.168.1.128/25", "http://a.org/", "192.168.1.127", false),
      ("192.168.1.128/25", "http://a.org/", "192.168.1.129", true),
      ("192.168.1.9", "http://a.org/", "192.168.1.9", true),
      ("192.168.1.9", "http://a.org/", "192.168.1.8", false),
      ("192.168.1.9:8080", "http://192.168.1.9:8080/", "192.168.1.9", true),
      ("0.0.0.0/0", "http://a.org/", "8.8.8.8", true), ("0.0.0.0/0", "http://a.org/", "fd00::1", false),
      ("fd00::/8", "http://a.org/", "fd12::1", true), ("fd00::/8", "http://a.org/", "fe80::1", false),
      ("[fd00::1]:80", "http://[fd00::1]/", "fd00::1", true), ("127.0.0.1", "http://a.org/", "127.0.0.2", false),
    ] as [(String, String, String, Bool)])
  func allowed(word: String, text: String, place: String, isAllowed: Bool) throws {
    var list = AllowList()
    let isTaken = list.add(word)
    try #require(isTaken)
    let rule = FetchRule(allowed: list)
    #expect((rule.objection(to: try url(text), at: try address(place)) == nil) == isAllowed)
  }

  @Test(
    "what is no host and no network is refused",
    arguments: [
      "", "a b", "1.2.3.0/33", "1.2.3.0/", "fd00::/129", "1.2.3.0/x", "nas/8", "a:0", "a:99999", "a/b/c", "user@a",
      "http://a",
    ])
  func badWord(word: String) {
    var list = AllowList()
    let isTaken = list.add(word)
    #expect(!isTaken)
  }

  @Test("there is room for so many and no more")
  func bound() {
    var list = AllowList()
    var taken = 0
    for index in 0..<Budget.fetchAllowed + 1 where list.add("10.0.0.\(index)") { taken += 1 }
    #expect(taken == Budget.fetchAllowed)
  }

  @Test("the gateway may be anywhere, at its own port and encrypted as it is")
  func gateway() throws {
    let rule = FetchRule(
      gateway: try url("http://127.0.0.1:18789/"), canvasHost: try url("https://pi.local:18789/cap/x"))
    let place = try address("127.0.0.1")
    #expect(rule.objection(to: try url("http://127.0.0.1:18789/x.png"), at: place) == nil)
    #expect(rule.objection(to: try url("https://PI.local:18789/x.png"), at: place) == nil)
    #expect(rule.objection(to: try url("http://127.0.0.1:18790/x.png"), at: place) == .refusedAddress)
    #expect(rule.objection(to: try url("https://127.0.0.1:18789/x.png"), at: place) == .refusedAddress)
    #expect(rule.isGateway(try url("https://pi.local:18789/")))
    #expect(!rule.isGateway(try url("http://pi.local:18789/")))
  }
}

@Suite("Addresses of the web")
struct WebURLTests {
  private func read(_ text: String) -> String {
    do throws(WebURLError) {
      let url = try WebURL(text.utf8.span)
      return "\(url.isSecure ? "s" : "-") \(url.host) \(url.port) \(url.target)"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "parts",
    arguments: [
      ("https://example.org", "s example.org 443 /"), ("HTTP://Example.ORG:8080/A?b#c", "- example.org 8080 /A?b"),
      ("https://[fd00::1]/x", "s fd00::1 443 /x"), (" https://a/b c\n", "s a 443 /b%20c"),
      ("https://a?x=/../y", "s a 443 /?x=/../y"),
      ("https://a/../b/./c/..", "s a 443 /b/"), ("https://a/%2e%2e/x", "s a 443 /%2e%2e/x"),
      ("https://a/\"é", "s a 443 /%22%C3%A9"),
      ("ftp://a/", "scheme"), ("javascript:alert(1)", "scheme"), ("", "scheme"), ("https://", "host"),
      ("https:///x", "host"),
      ("https://u:p@a/", "userInfo"), ("https://a:0/", "port"), ("https://a:70000/", "port"), ("https://a b/", "host"),
      ("https://a/\u{1}b", "characters"), ("https://é/", "host"), ("https://a\r\nHost: b/", "host"),
    ])
  func parts(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  @Test("as long as it may be, and longer")
  func bound() {
    let room = Budget.fetchURLBytes - 10
    #expect(read("https://a/" + String(repeating: "b", count: room)).hasPrefix("s a"))
    #expect(read("https://a/" + String(repeating: "b", count: room + 1)) == "tooLong")
    #expect(read("https://a/" + String(repeating: "\"", count: room)) == "tooLong")
  }

  @Test(
    "what a reference means",
    arguments: [
      ("/x", "s h 1 /x"), ("x", "s h 1 /a/x"), ("../x", "s h 1 /x"), ("../../../x?y", "s h 1 /x?y"),
      ("?z", "s h 1 /a/b?z"),
      ("//k/x", "s k 443 /x"), ("http://k/x", "- k 80 /x"), ("", "s h 1 /a/b"), ("./", "s h 1 /a/"),
      ("mailto:x", "scheme"),
    ])
  func references(reference: String, expected: String) throws {
    let base = try WebURL("https://h:1/a/b?q".utf8.span)
    do throws(WebURLError) {
      let url = try base.resolving(reference.utf8.span)
      #expect("\(url.isSecure ? "s" : "-") \(url.host) \(url.port) \(url.target)" == expected)
    } catch {
      #expect("\(error)" == expected)
    }
  }
}

@Suite("Content in an address")
struct DataURLTests {
  private func decode(_ text: String, room: Int = 100) -> String {
    let buffer = FixedBuffer(capacity: 100)
    do throws(DataURL.Fault) {
      let count = try DataURL.decode(text.utf8.span, into: buffer.bytes.extracting(0..<room))
      return String(decoding: buffer.bytes[..<count], as: UTF8.self)
    } catch {
      return "\(error)!"
    }
  }

  @Test(
    "base64 and percent",
    arguments: [
      ("data:,Hello%2C%20World", "Hello, World"), ("data:text/plain;base64,SGVsbG8=", "Hello"),
      ("DATA:;BASE64,SGVsbG8", "Hello"),
      ("data:image/png;base64,SG Vs\nbG8%3D", "Hello"), ("data:a/b;base64,_-8=", "\u{FFFD}\u{FFFD}"), ("data:,", ""),
      ("data:a;base64,", ""), ("data:x", "malformed!"), ("data:,%4", "malformed!"), ("data:,%zz", "malformed!"),
      ("data:;base64,a*", "malformed!"), ("data:;base64,SGV=sbG8", "malformed!"), ("data:;base64,A", "malformed!"),
      ("text:,a", "malformed!"),
    ])
  func contents(text: String, expected: String) {
    #expect(decode(text) == expected)
  }

  @Test("more than there is room for")
  func bound() {
    #expect(decode("data:,12345", room: 5) == "12345")
    #expect(decode("data:,123456", room: 5) == "tooLarge!")
    #expect(decode("data:;base64,MTIzNDU=", room: 5) == "12345")
    #expect(decode("data:;base64,MTIzNDU2", room: 5) == "tooLarge!")
  }

  @Test("the type is reported")
  func types() {
    #expect(Answer.text(DataURL.type(of: "data:Image/PNG;x=y;base64,".utf8.span).span) == "image/png")
    #expect(Answer.text(DataURL.type(of: "data:,x".utf8.span).span) == "")
  }
}
