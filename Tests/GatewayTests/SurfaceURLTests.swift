import Foundation
import Gateway
import Runtime
import Testing

@Suite("The canvas's address")
struct SurfaceURLTests {
  private func rewritten(_ text: String, _ gateway: String) throws -> String? {
    let url: InlineText<96>? = SurfaceURL.rewritten(text.utf8.span, for: try GatewayURL(gateway))
    return url?.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "a host that means the gateway's own machine becomes the gateway; encrypted stays encrypted; the rest stays",
    arguments: [
      ("http://127.0.0.1:18789/cap/x?y#z", "ws://10.0.0.2:1", "http://10.0.0.2:1/cap/x?y#z"),
      ("http://localhost/cap", "wss://gw.local", "https://gw.local:443/cap"),
      ("http:///cap", "ws://gw.local:18789", "http://gw.local:18789/cap"),
      ("http://[::1]:5/a", "wss://[fd00::2]:18789", "https://[fd00::2]:18789/a"),
      ("http://127.0.0.1:18789/a", "ws://127.0.0.1:5", "http://127.0.0.1:18789/a"),
      ("http://canvas.host:80/a", "wss://gw:18789", "https://canvas.host:18789/a"),
      ("http://canvas.host:80/a", "ws://gw:18789", "http://canvas.host:80/a"),
      ("https://canvas.host", "ws://gw:18789", "https://canvas.host"),
    ])
  func rewriting(text: String, gateway: String, expected: String) throws {
    #expect(try rewritten(text, gateway) == expected)
  }

  /// The page of a gateway's hello-ok as people reach it.
  private func page(_ member: String, _ gateway: String = "wss://gateway.test:18789") throws -> String {
    let bench = try Bench(url: gateway)
    _ = try bench.reachConnect()
    bench.gateway.send(
      Bench.hello.replacingOccurrences(of: #""snapshot":{}"#, with: #""snapshot":{},"controlUiUrl":\#(member)"#))
    bench.runner.runAll()
    try #require(bench.session.state == .online)
    return bench.session.controlPage.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "the page on which people approve is reached from elsewhere, has no secret in it, and is none when it is no page",
    arguments: [
      (#""http://127.0.0.1:18789/""#, "https://gateway.test:18789/"),
      (#""http://localhost:18789/ui/?token=secret#more""#, "https://gateway.test:18789/ui/"),
      (#""https://gw.tailnet.example/#token=secret""#, "https://gw.tailnet.example/"),
      (#""http://gw.lan:8080""#, "http://gw.lan:8080"),
      (#""https://me:secret@gw.lan/""#, "https://gateway.test:18789/"),
      (#""javascript:alert(1)""#, ""), (#""https://gw.lan/a b""#, ""), (#""https://gw.lan/\n""#, ""), ("null", ""),
      ("7", ""), ("\"https://gw.lan/\(String(repeating: "a", count: 192))\"", ""), (#""""#, ""),
    ])
  func controlPage(member: String, expected: String) throws { #expect(try page(member) == expected) }

  @Test(
    "what is no web address, or too long to keep, is none",
    arguments: [
      "ftp://x/", "", "http:/x", "http://a b/", "http://h/\n", "http://h/" + String(repeating: "a", count: 100),
    ])
  func refused(text: String) throws {
    #expect(try rewritten(text, "wss://gw") == nil)
  }
}
