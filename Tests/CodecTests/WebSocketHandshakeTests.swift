import Testing

@testable import Codec

/// SHA-1 of the key of RFC 6455 section 1.3 and the GUID, as that section states it.
private let digest: [UInt8] = [
  0xB3, 0x7A, 0x4F, 0x2C, 0xC0, 0x62, 0x4F, 0x16, 0x90, 0xF6, 0x46, 0x06, 0xCF, 0x38, 0x59, 0x45, 0xB2, 0xBE,
  0xC4, 0xEA,
]

private let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
private let good =
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + accept + "\r\n"

/// What comes of an answer: the outcome or the error, and how many bytes were left for the WebSocket.
private func outcome(_ pieces: [[UInt8]], limit: Int = 8192) -> String {
  var response = WebSocketResponse(headerLimit: limit, digest: digest.span)
  var rest = 0
  do throws(WebSocketHandshakeError) {
    for piece in pieces { rest += piece.count - (try response.feed(piece.span)) }
  } catch {
    return "\(error)"
  }
  switch response.outcome {
  case .pending: return "pending"
  case .upgraded: return "upgraded, \(rest) left"
  case .refused(let status, let retry):
    return "\(status) \(retry.map(String.init) ?? "-") " + text(response.words)
      + (response.location.isEmpty ? "" : " > " + text(response.location))
  }
}

private func outcome(_ answer: String) -> String { outcome([answer.bytes]) }

@Suite("RFC 6455 section 4.1: the client's handshake")
struct WebSocketHandshakeTests {
  @Test("asks with the key of 16 bytes and without origin, subprotocol and extensions")
  func request() {
    let key = written { WebSocketHandshake.key("the sample nonce".bytes.span, into: $0) }
    #expect(key == "dGhlIHNhbXBsZSBub25jZQ==")
    let request = written { buffer in
      var writer = ByteWriter(into: buffer)
      WebSocketHandshake.request(
        path: "/ctx".bytes.span, host: "[fd00::12]:18789".bytes.span, userAgent: "talon/1.0".bytes.span,
        key: key.bytes.span,
        into: &writer)
      return writer.count
    }
    #expect(
      request == """
        GET /ctx HTTP/1.1\r
        Host: [fd00::12]:18789\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        User-Agent: talon/1.0\r
        \r

        """)
    let input = written { WebSocketHandshake.hashInput(key: key.bytes.span, into: $0) }
    #expect(input == "dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
  }

  @Test(
    "takes every answer of a WebSocket server",
    arguments: [
      good, good.replacing("Upgrade: websocket", with: "UPGRADE:WebSocket  \t"),
      good.replacing("Connection: Upgrade", with: "connection: keep-alive ,\tupgrade"),
      good.replacing("101 Switching Protocols", with: "101 "),
      good.replacing("101 Switching Protocols", with: "101"),
      good.replacing(accept, with: "Server: x: y\r\nX-Empty:\r\n" + accept + "Date: now\r\n"),
      good.replacing(accept, with: "X-Long: \(String(repeating: "a", count: 4000))\r\n" + accept),
      good.replacing("Connection: Upgrade", with: "Connection: keep-alive\r\nConnection: Upgrade"),
    ])
  func accepts(_ answer: String) {
    #expect(outcome(answer) == "upgraded, 0 left")
    #expect(outcome(answer.bytes.map { [$0] }) == "upgraded, 0 left")
  }

  @Test(
    "refuses every other 101",
    arguments: [
      (good.replacing("Upgrade: websocket\r\n", with: ""), "notUpgraded"),
      (good.replacing("websocket", with: "h2c"), "notUpgraded"),
      (good.replacing("Connection: Upgrade", with: "Connection: close"), "notUpgraded"),
      (good.replacing("Connection: Upgrade", with: "Connection: xupgrade"), "notUpgraded"),
      (good.replacing(accept, with: ""), "wrongAccept"),
      (good.replacing(accept, with: accept + accept), "wrongAccept"),
      (good.replacing("xOo=", with: "xOo"), "wrongAccept"),
      (good.replacing("s3pP", with: "S3pP"), "wrongAccept"),
      (
        good.replacing(accept, with: accept + "Sec-WebSocket-Extensions: permessage-deflate\r\n"),
        "unexpectedExtension"
      ),
      (good.replacing(accept, with: accept + "sec-websocket-protocol: chat\r\n"), "unexpectedProtocol"),
      (good.replacing("HTTP/1.1", with: "HTTP/1.0"), "malformed"),
      (good.replacing("HTTP/1.1", with: "ICY"), "malformed"),
      (good.replacing(" 101 ", with: "  101 "), "malformed"),
      (good.replacing(" 101 ", with: " 1010 "), "malformed"),
      (good.replacing(" 101 ", with: " 1x1 "), "malformed"),
      (good.replacing("\r\nUpgrade", with: "\nUpgrade"), "malformed"),
      (good.replacing("\r\nUpgrade", with: "\rUpgrade"), "malformed"),
      (good.replacing("Upgrade:", with: "Upgrade :"), "malformed"),
      (good.replacing("Connection:", with: " Connection:"), "malformed"),
      (good.replacing("Connection:", with: ":"), "malformed"),
      (good.replacing("Connection:", with: "Connection"), "malformed"),
      (good.replacing("websocket", with: "web\u{0}socket"), "malformed"),
    ])
  func refuses(_ answer: String, _ error: String) {
    #expect(outcome(answer) == error)
    #expect(outcome(answer.bytes.map { [$0] }) == error)
  }

  @Test("leaves what comes after the header to the WebSocket, wherever the bytes are cut")
  func leftover() {
    let stream = good.bytes + [0x81, 0x02, 0x68, 0x69]
    for cut in 0...stream.count {
      #expect(outcome([Array(stream[..<cut]), Array(stream[cut...])]) == "upgraded, 4 left")
    }
    #expect(outcome([Array(good.bytes.dropLast())]) == "pending")
  }

  @Test("tells status, delay and the beginning of the body of a refusal")
  func refusal() {
    let body = String(repeating: "too many ", count: 20)
    let answer = "HTTP/1.1 503 Busy\r\nretry-after: 17\r\nContent-Length: 180\r\n\r\n" + body
    let expected = "503 17 " + body.prefix(120)
    #expect(outcome(answer) == expected)
    #expect(outcome(answer.bytes.map { [$0] }) == expected)
  }

  @Test(
    "a date in Retry-After counts from the server's own",
    arguments: [
      ("Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nDate: Wed, 21 Oct 2026 07:26:30 GMT\r\n", "90"),
      ("Date: Wed, 21 Oct 2026 07:26:30 GMT\r\nRetry-After: Wed, 21 Oct 2026 07:20:00 GMT\r\n", "0"),
      ("Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n", "-"),
      ("Retry-After: soon\r\nDate: Wed, 21 Oct 2026 07:26:30 GMT\r\n", "-"),
      ("Retry-After: 4294967296\r\n", "-"),
    ])
  func retryDate(_ fields: String, _ seconds: String) {
    #expect(outcome("HTTP/1.1 503 Busy\r\n\(fields)\r\n") == "503 \(seconds) ")
  }

  @Test(
    "reads what front ends of HTTP/1.0 and others answer in the gateway's place",
    arguments: [
      (
        "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n",
        "400 - Client sent an HTTP request to an HTTPS server."
      ),
      (
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\r\n<head><title>400 The plain HTTP request was sent "
          + "to HTTPS port</title></head>\r\n<body>\r\n<center>nginx</center>",
        "400 - 400 The plain HTTP request was sent to HTTPS port nginx"
      ),
      (
        "HTTP/1.1 302 Found\r\nLocation: https://login.example/?rd=x\r\nContent-Length: 0\r\n\r\n",
        "302 -  > https://login.example/?rd=x"
      ),
      (
        "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n3a\r\n<style>a { b: c }</style><strong>Access</strong> 1 < 2",
        "403 - Access 1 < 2"
      ),
      ("HTTP/1.1 426\r\n\r\n<!DOCTYPE html><script>if (a</b) c</script>\t\nWhy <b>not", "426 - Why not"),
    ])
  func frontEnds(_ answer: String, _ expected: String) {
    #expect(outcome(answer) == expected)
    #expect(outcome(answer.bytes.map { [$0] }) == expected)
  }

  @Test("skips what comes before the response (RFC 9110 section 15.2)")
  func interim() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nUpgrade: no\r\n\r\n"
    #expect(outcome(hints + "HTTP/1.1 100 Continue\r\n\r\n" + good) == "upgraded, 0 left")
    #expect(outcome((hints + good).bytes.map { [$0] }) == "upgraded, 0 left")
    #expect(outcome(hints + "HTTP/1.0 404 No\r\n\r\n") == "404 - ")
    #expect(outcome(String(repeating: hints, count: 200)) == "headerTooLong")
  }

  @Test("knows a server of TLS by its alert")
  func alert() {
    #expect(outcome([[0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x0A]]) == "speaksTLS")
  }

  @Test("no page makes more words than are kept, and its pieces make the same as the whole")
  func damagedPages() {
    var random = Seeded(52)
    let page =
      "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n1f\r\n<html><style>x</style>Some <b>words</b> < 3 </html>"
    for _ in 0..<3000 {
      let answer = mutated(page.bytes, &random)
      let whole = outcome([answer])
      #expect(outcome(pieces(answer, upTo: 9, &random)) == whole)
      #expect(whole.utf8.count < 400)
    }
  }

  @Test("reads no header longer than its limit")
  func headerLimit() {
    #expect(outcome([good.bytes], limit: good.utf8.count) == "upgraded, 0 left")
    #expect(outcome([good.bytes], limit: good.utf8.count - 1) == "headerTooLong")
  }

  @Test("damaged answers give the same in pieces of any size as at once")
  func damagedAnswers() {
    var random = Seeded(51)
    for _ in 0..<3000 {
      let answer = mutated(good.bytes, &random)
      #expect(outcome(pieces(answer, upTo: 30, &random)) == outcome([answer]))
    }
  }
}
