import Gateway
import Runtime
import Testing

@testable import Fetch

/// A gateway that answers with recorded bytes, and who asked.
private final class RecordedGateway: Transport, JoinDelegate {
  private(set) var request = ""
  private(set) var opened = 0
  private(set) var isClosed = false
  private(set) var outcome: String?
  var mayAsk = true
  private var delegate: (any TransportDelegate)?
  private(set) var join: JoinRequest!

  init(_ url: String = "https://gw.example/ctx/j/\(RecordedGateway.code)", access: EdgeAccess? = nil) throws {
    join = JoinRequest(try JoinURL(url), access: access, version: "1.2.3", transport: self, delegate: self)
  }

  static let code = "AbCdEfGhIjKlMnOpQr_-19"

  func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    opened += 1
    self.delegate = delegate
  }
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    // A narrow line takes some of it at a time.
    let count = min(bytes.count, 40)
    request += String(decoding: bytes[..<count], as: UTF8.self)
    return count
  }
  func resumeReading() {}
  func close() { isClosed = true }

  func joinWillAsk() -> Bool { mayAsk }
  func joinEnded(_ failure: JoinFailure?) {
    outcome = failure.map { "\($0)" } ?? String(decoding: join.payload, as: UTF8.self)
  }

  /// Connects, and answers in pieces; then the server closes, if it is still open.
  func answer(_ text: String, pieces: Int = .max) {
    join.start()
    join.transportSecured(certificate: nil)
    for _ in 0..<50 { join.transportWritable() }
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(start + min(pieces, bytes.count), bytes.count)
      let piece = Array(bytes[start..<end])
      _ = join.transportReceived(piece.span)
      start = end
    }
    if outcome == nil { join.transportFailed(TransportFailure(.closedByPeer)) }
  }
}

@Suite("Join requests")
struct JoinRequestTests {
  private static let payload = #"{"url":"wss://gw.example/ctx","bootstrapToken":"abc","expiresAtMs":1800000000000}"#

  private static func answer(
    _ status: String, _ body: String, type: String = "application/json", more: String = ""
  ) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nCache-Control: no-store\r\n\(more)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test("200: the payload, whatever pieces it comes in", arguments: [1, 7, 1000])
  func payload(pieces: Int) throws {
    let gateway = try RecordedGateway()
    gateway.answer(Self.answer("200 OK", Self.payload, type: "application/json; charset=utf-8"), pieces: pieces)
    #expect(gateway.outcome == Self.payload)
    #expect(gateway.opened == 1 && gateway.isClosed)
    #expect(
      gateway.request
        == "GET /ctx/j/\(RecordedGateway.code) HTTP/1.1\r\nHost: gw.example\r\n"
        + "User-Agent: openclaw-linux-node/1.2.3 (talon)\r\n"
        + "Accept: application/json\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n")
  }

  @Test(
    "what a gateway, or what stands before it, says instead",
    arguments: [
      (answer("404 Not Found", #"{"error":"not_found"}"#), "unknown"),
      (
        answer("429 Too Many Requests", #"{"error":"rate_limited"}"#, more: "Retry-After: 300\r\n"),
        "limited(seconds: Optional(300))"
      ),
      (answer("429 Too Many Requests", "", more: "Retry-After: soon\r\n"), "limited(seconds: nil)"),
      (answer("302 Found", "", type: "text/html", more: "Location: https://login.example/\r\n"), "redirect(302)"),
      (answer("308 Permanent Redirect", ""), "redirect(308)"), (answer("403 Forbidden", "no"), "status(403)"),
      (answer("500 Internal Server Error", String(repeating: "x", count: 30_000)), "status(500)"),
      (answer("200 OK", "<html>", type: "text/html"), "type"),
      (answer("200 OK", String(repeating: " ", count: Budget.joinBodyBytes + 1)), "tooLarge"),
      (
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
          + String(repeating: " ", count: Budget.joinBodyBytes + 1),
        "tooLarge"
      ),
      ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{", "cut"), ("", "cut"),
      ("SSH-2.0-x\r\n", "malformed"),
      ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n", "malformed"),
    ])
  func refusals(answer: String, outcome: String) throws {
    let gateway = try RecordedGateway()
    gateway.answer(answer, pieces: 1000)
    #expect(gateway.outcome == outcome)
    #expect(gateway.opened == 1, "nothing is followed")
  }

  @Test("as much as is taken, and not a byte more")
  func bound() throws {
    let gateway = try RecordedGateway()
    let body = "{" + String(repeating: " ", count: Budget.joinBodyBytes - 2) + "}"
    gateway.answer(Self.answer("200 OK", body), pieces: 1000)
    #expect(gateway.outcome == body)
  }

  @Test("nothing is sent when that it will be cannot be noted")
  func notNoted() throws {
    let gateway = try RecordedGateway()
    gateway.mayAsk = false
    gateway.answer("")
    #expect(gateway.outcome == "notNoted")
    #expect(gateway.request.isEmpty)
  }

  @Test("before the request, the URL still counts; after it, no more")
  func times() throws {
    let early = try RecordedGateway()
    early.join.start()
    early.join.timeOut()
    #expect(early.outcome == "silent" && !JoinFailure.silent.isFinal)
    let late = try RecordedGateway()
    late.join.start()
    late.join.transportSecured(certificate: nil)
    late.join.timeOut()
    #expect(late.outcome == "timedOut" && JoinFailure.timedOut.isFinal)
    let away = try RecordedGateway()
    away.join.start()
    away.join.transportFailed(TransportFailure(.connect))
    #expect(away.outcome?.hasPrefix("unreached") == true)
  }

  @Test("an edge gets its fields where it is the configured gateway's")
  func edge() throws {
    let origins = [try GatewayURL("wss://gw.example")]
    let access = EdgeAccess(fields: EdgeAccess.cloudflare(id: "me.access", secret: "s3cret"), origins: origins)
    let gateway = try RecordedGateway(access: access)
    gateway.answer("")
    #expect(
      gateway.request.contains("\r\nCF-Access-Client-Id: me.access\r\nCF-Access-Client-Secret: s3cret\r\n\r\n"))
    let other = try RecordedGateway("https://other.example/j/\(RecordedGateway.code)", access: access)
    other.answer("")
    #expect(!other.request.contains("CF-Access"))
  }
}

@Suite("Tunnels of proxies")
struct ProxyTunnelTests {
  private func outcome(_ answer: String, pieces: Int = .max, proxy: String = "http://proxy:3128") throws -> String {
    let tunnel = ProxyTunnel(try ProxyAddress(proxy))
    _ = tunnel.request(to: try GatewayURL("wss://gw.example"))
    let bytes = Array(answer.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(start + min(pieces, bytes.count), bytes.count)
      let piece = Array(bytes[start..<end])
      switch tunnel.receive(piece.span) {
      case .pending: start = end
      case .send: return "speaks"
      case .open: return end == bytes.count ? "open" : "open too early"
      case .refused(let failure): return "\(failure.status) \(failure.detail.map { String(cString: $0) } ?? "")"
      }
    }
    return "pending"
  }

  @Test("the request names the gateway, which the proxy resolves", arguments: ["", "Aladdin:open%20sesame@"])
  func request(user: String) throws {
    let tunnel = ProxyTunnel(try ProxyAddress("http://\(user)proxy:3128"))
    let expected =
      "CONNECT gw.example:443 HTTP/1.1\r\nHost: gw.example:443\r\n"
      + (user.isEmpty ? "" : "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n") + "\r\n"
    let request = tunnel.request(to: try GatewayURL("wss://gw.example/ctx"))
    #expect(String(decoding: request, as: UTF8.self) == expected)
    let literal = tunnel.request(to: try GatewayURL("wss://[fd00::1]:1"))
    #expect(String(decoding: literal, as: UTF8.self).hasPrefix("CONNECT [fd00::1]:1 HTTP/1.1\r\n"))
  }

  @Test(
    "what proxies answer",
    arguments: [
      ("HTTP/1.1 200 Connection established\r\n\r\n", "open"), ("HTTP/1.0 200 OK\r\nVia: x\r\n\r\n", "open"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "open"),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "open"),
      (
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 5000\r\n\r\n<html>",
        "407 it wants a user and a password (http://USER:PASSWORD@HOST:PORT)"
      ),
      ("HTTP/1.1 403 Filtered\r\n\r\n", "403 it does not let this board reach the gateway"),
      (
        "HTTP/1.1 405 No\r\nContent-Encoding: gzip\r\n\r\n",
        "405 it makes no tunnels; is this the address of an HTTP proxy?"
      ),
      ("HTTP/1.1 502 Bad\r\n\r\n", "502 it does not reach the gateway"),
      ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", "302 it makes no tunnel"),
      ("HTTP/1.1 101 Switching\r\n\r\n", "0 its answer is not HTTP"),
      ("\u{16}\u{3}\u{1}\n", "0 its answer is not HTTP"),
      ("HTTP/1.1 200 OK\r\n\r\nmore", "0 it sent more than its answer"), ("HTTP/1.1 200 OK\r\n", "pending"),
      ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: Budget.proxyAnswerBytes))", "0 its answer is too long"),
    ] as [(String, String)])
  func answers(answer: String, expected: String) throws {
    #expect(try outcome(answer) == expected)
    if !answer.hasSuffix("more") { #expect(try outcome(answer, pieces: 1) == expected) }
  }

  @Test("a user that is not taken")
  func wrongUser() throws {
    for status in [401, 407] {
      let answer = try outcome("HTTP/1.1 \(status) No\r\n\r\n", proxy: "http://a:b@proxy:1")
      #expect(answer == "\(status) it does not take this user and password")
    }
  }
}
