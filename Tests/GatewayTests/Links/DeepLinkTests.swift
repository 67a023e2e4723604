import Board
import Codec
import Runtime
import Testing

@testable import Gateway

@Suite("Deep links")
struct DeepLinkTests {
  private let link: DeepLink

  init() throws { link = try DeepLink() }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private func read(_ text: String) throws(LinkError) { try link.read(text.utf8.span) }

  private func reason(_ text: String) -> LinkError? {
    do throws(LinkError) {
      try read(text)
      return nil
    } catch {
      return error
    }
  }

  private func carries(_ key: String) -> Bool { link.carries(key: key.utf8.span) }

  @Test("a message link is decoded, and the last of two values counts")
  func agent() throws {
    try read(
      "openclaw://agent?message=a&message=%20Hello%2C%20%C3%A9+b%0A&sessionKey=main&deliver=yes&to=%2B49&channel=sms&key=k&other=x"
    )
    #expect(link.kind == .agent)
    #expect(text(link[.message]) == "Hello, \u{E9}+b")
    #expect(text(link[.sessionKey]) == "main")
    #expect(text(link[.to]) == "+49")
    #expect(link.delivers)
    #expect(link[.thinking] == nil)
    #expect(carries("k"))
    #expect(!carries("j"))
    #expect(!carries(""))
  }

  @Test("white space around it, the case of its scheme, a slash and a fragment change nothing")
  func forms() throws {
    for form in [
      " OpenClaw://Agent?message=x\n", "openclaw://agent/?message=x", "openclaw://agent?message=x#message=y",
    ] {
      try read(form)
      #expect(text(link[.message]) == "x")
    }
  }

  @Test("what a link lacks, or has too much of, is named with its place")
  func refusals() {
    #expect(reason("") == LinkError(.empty))
    #expect(reason("https://agent?message=x") == LinkError(.scheme))
    #expect(reason(" openclaw://wallet?x") == LinkError(.target, at: 12))
    #expect(reason("openclaw://agent/x?message=x") == LinkError(.target, at: 17))
    #expect(reason("openclaw://agent") == LinkError(.missing, .message))
    #expect(reason("openclaw://agent?message=%20%0A") == LinkError(.missing, .message))
    #expect(reason("openclaw://agent?message=a%2") == LinkError(.percent, at: 26, .message))
    #expect(reason("openclaw://agent?message=%FF") == LinkError(.utf8, at: 25, .message))
    #expect(reason("openclaw://agent?message=%00") == LinkError(.control, at: 25, .message))
    #expect(reason("openclaw://agent?message=a\u{7}b") == LinkError(.control, at: 26))
    #expect(reason("openclaw://agent?message=a&to=%0A") == LinkError(.control, at: 30, .to))
    let long = "openclaw://agent?message=a&to=" + String(repeating: "a", count: Budget.linkNameBytes + 1)
    #expect(reason(long)?.reason == .large && reason(long)?.key == .to)
    #expect(reason("openclaw://agent?message=a&thinking=" + String(repeating: "a", count: Budget.linkWordBytes)) == nil)
    #expect(
      LinkError(.percent, at: 26, .message).text == "has a % without two hexadecimal digits (message), at byte 26")
  }

  @Test("a message has 20 000 characters as gateways count them, a link 65 536 bytes")
  func bounds() throws {
    let most = Budget.linkMessageCharacters
    try read("openclaw://agent?message=" + String(repeating: "a", count: most))
    #expect(link.messageCharacters == most)
    #expect(
      reason("openclaw://agent?message=" + String(repeating: "a", count: most + 1))
        == LinkError(.large, at: 25, .message, limit: most))
    try read("openclaw://agent?message=" + String(repeating: "\u{1F600}", count: 3))
    #expect(link.messageCharacters == 6)
    let padding = String(repeating: "x", count: Budget.linkBytes - 27)
    try read("openclaw://agent?message=a&" + padding)
    #expect(reason("openclaw://agent?message=a&x" + padding)?.reason == .tooLong)
  }

  @Test("deliver is true for Y, y, T, t and 1 to 9, a timeout is a whole number of 0 or more, or nothing")
  func rules() throws {
    for (word, isTrue) in [
      ("Yes", true), ("true", true), ("9", true), ("0", false), ("no", false), ("", false), (" y", false),
    ] {
      try read("openclaw://agent?message=a&deliver=\(word)")
      #expect(link.delivers == isTrue, "\(word)")
    }
    let times: [(String, Int64?)] = [
      ("0", 0), ("90", 90), ("-1", nil), ("1.5", nil), ("", nil), ("9223372036854775807", .max),
      ("9223372036854775808", nil), ("99999999999999999999999", nil),
    ]
    for (word, seconds) in times {
      try read("openclaw://agent?message=a&timeoutSeconds=\(word)")
      #expect(link.timeoutSeconds == seconds, "\(word)")
    }
  }

  @Test("a gateway link needs a host, and TLS unless the gateway is on this board")
  func gateway() throws {
    try read("openclaw://gateway?host=GW.local&tls=1&token=a%2Bb")
    #expect(link.kind == .gateway)
    #expect(try link.setupCode().urls.map(\.text) == ["wss://gw.local:18789"])
    try read("openclaw://gateway?host=127.0.0.1&port=80")
    #expect(try link.setupCode().urls.map(\.text) == ["ws://127.0.0.1:80"])
    try read("openclaw://gateway?host=::1&tls=0")
    #expect(try link.setupCode().urls.map(\.text) == ["ws://[::1]:18789"])
    #expect(reason("openclaw://gateway?port=1") == LinkError(.missing, .host))
    #expect(reason("openclaw://gateway?host=gw") == LinkError(.plaintext, .tls))
    #expect(reason("openclaw://gateway?host=a%2Fb&tls=1") == LinkError(.host, at: 24, .host))
    #expect(reason("openclaw://gateway?host=a@b&tls=1") == LinkError(.host, at: 24, .host))
    for port in ["0", "65536", "-1", "18446744073709551617", "1x"] {
      #expect(reason("openclaw://gateway?host=a&tls=1&port=\(port)")?.reason == .port, "\(port)")
    }
  }

  @Test("token and password of a gateway link are kept for it")
  func secrets() throws {
    try read("openclaw://gateway?host=gw&tls=y&token=tok&password=word")
    let record = GatewayRecord(url: try GatewayURL("wss://gw:18789"), cryptography: OpenSSLCryptography())
    try link.setupCode().adopt(into: record)
    #expect(text(record.secret(.sharedToken)) == "tok")
    #expect(text(record.secret(.password)) == "word")
  }

  @Test("a pairing link hands its code over as it stands")
  func pairing() throws {
    try read("oc-pair://eyJ1cmwi")
    #expect(link.kind == .pairing)
    #expect(text(link.pairingCode) == "eyJ1cmwi")
    #expect(reason("oc-pair://") == LinkError(.empty, at: 10))
    #expect(reason("oc-pair://" + String(repeating: "a", count: Budget.setupCodeBytes + 1))?.reason == .tooLong)
  }

  @Test("what was refused leaves nothing behind")
  func clears() throws {
    try read("openclaw://agent?message=secret&key=k")
    _ = reason("openclaw://agent?message=%")
    #expect(link[.message] == nil && link[.key] == nil)
  }
}
