import Fetch
import Gateway
import Runtime
import Testing

@Suite("Tunnels of SOCKS 5 proxies (RFC 1928 and RFC 1929)")
struct SOCKSTests {
  /// Plays the proxy's answers; what the board said, in hexadecimal, and how it ended.
  private func play(_ answers: [[UInt8]], proxy: String = "socks5://p:1080", to url: String = "wss://gw.example") throws
    -> String
  {
    let tunnel = ProxyTunnel(try ProxyAddress(proxy))
    var said = [hex(tunnel.request(to: try GatewayURL(url)))]
    for answer in answers {
      switch tunnel.receive(answer.span) {
      case .pending: continue
      case .send(let bytes): said.append(hex(bytes))
      case .open: return said.joined(separator: " ") + " open"
      case .refused(let failure):
        #expect(failure.kind == .proxy)
        return said.joined(separator: " ") + " " + (failure.detail.map { String(cString: $0) } ?? "")
      }
    }
    return said.joined(separator: " ") + " pending"
  }

  private func hex(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let accepted: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 4, 56]

  @Test("a name goes to the proxy as it is, an address by its bytes")
  func forms() throws {
    let answers: [[UInt8]] = [[5, 0], Self.accepted]
    #expect(try play(answers) == "050100 050100030a67772e6578616d706c6501bb open")
    #expect(try play(answers, to: "wss://192.0.2.1:18789") == "050100 05010001c00002014965 open")
    #expect(
      try play(answers, to: "wss://[fd00::12]") == "050100 05010004fd00000000000000000000000000001201bb open")
  }

  @Test("user and password are shown to a proxy that asks, and to no other")
  func signIn() throws {
    let proxy = "socks5://me:pa%20ss@p:1080"
    #expect(
      try play([[5, 2], [1, 0], Self.accepted], proxy: proxy)
        == "05020002 01026d65057061207373 050100030a67772e6578616d706c6501bb open")
    #expect(try play([[5, 0], Self.accepted], proxy: proxy).hasPrefix("05020002 0501"))
    #expect(try play([[5, 2], [1, 1]], proxy: proxy).hasSuffix("it does not take this user and password"))
    #expect(try play([[5, 0xFF]]).hasSuffix("it wants a user and a password (socks5://USER:PASSWORD@HOST:PORT)"))
    #expect(
      try play([[5, 1]], proxy: proxy).hasSuffix("it wants another way of signing in than a user and a password"))
    #expect(try play([[5, 2]]).hasSuffix("it wants another way of signing in than a user and a password"))
  }

  @Test("the proxy's own address may have any form, and arrives in any pieces")
  func replies() throws {
    let forms: [[UInt8]] = [
      Self.accepted, [5, 0, 0, 4] + [UInt8](repeating: 0, count: 18), [5, 0, 0, 3, 2, 97, 98, 0, 1],
      [5, 0, 0, 3, 0, 0, 0],
    ]
    for form in forms {
      #expect(try play([[5, 0], form]).hasSuffix(" open"))
      #expect(try play([[5], [0]] + form.map { [$0] }).hasSuffix(" open"))
      #expect(try play([[5, 0], form + [0x16]]).hasSuffix("it sent more than its answer"))
      #expect(try play([[5, 0], form.dropLast()]).hasSuffix(" pending"))
    }
  }

  @Test(
    "what else proxies answer",
    arguments: [
      ([5, 1, 0, 1], "it makes no tunnel"), ([5, 2, 0, 1], "it does not let this board reach the gateway"),
      ([5, 3], "it does not reach the gateway"), ([5, 4], "it does not reach the gateway"),
      ([5, 5], "the gateway refuses its connection"), ([5, 6], "it did not reach the gateway in time"),
      ([5, 7], "it makes no tunnels"), ([5, 8], "it does not take this form of address"),
      ([5, 200], "it makes no tunnel"),
      ([4, 0], "its answer is not SOCKS 5"), ([5, 0, 0, 2], "its answer is not SOCKS 5"),
    ] as [([UInt8], String)])
  func refusals(reply: [UInt8], words: String) throws {
    #expect(try play([[5, 0], reply]).hasSuffix(" " + words))
  }

  @Test("a proxy of HTTP says so")
  func http() throws {
    #expect(try play([Array("HTTP/1.1 400 Bad Request".utf8)]).hasSuffix("its answer is not SOCKS 5"))
  }
}
