import Runtime
import Testing

@testable import Gateway

@Suite("What answers in the gateway's place")
struct UpgradeRefusalTests {
  private func sentence(_ status: UInt16, location: String = "", words: String = "", url: String = "wss://gw.example")
    throws -> String
  {
    let refusal = UpgradeRefusal(
      status: status, retryAfterSeconds: nil, location: location.utf8.span, words: words.utf8.span)
    let url = try GatewayURL(url)
    var text = InlineText<512>()
    text.fill { bytes in
      var line = LogLine(bytes)
      refusal.describe(url, &line)
      return line.count
    }
    return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "HTTP at a port of TLS is told, whoever says so",
    arguments: [
      (400, "", "Client sent an HTTP request to an HTTPS server."),
      (400, "", "400 The plain HTTP request was sent to HTTPS port nginx"),
      (400, "", "Reason: You're speaking plain HTTP to an SSL-enabled server port."), (426, "", "TLS required"),
      (301, "https://gw.example/", ""), (308, "HTTPS://GW.example:18789/x", ""),
    ] as [(UInt16, String, String)])
  func wantsTLS(status: UInt16, location: String, words: String) throws {
    #expect(
      try sentence(status, location: location, words: words, url: "ws://gw.example").hasSuffix(
        "it expects TLS there; write wss:// in [gateway] url"))
    #expect(try !sentence(status, location: location, words: words).contains("wss:// in"))
  }

  @Test(
    "the remedy is said where one is known",
    arguments: [
      (302, "https://team.cloudflareaccess.com/cdn-cgi/access/login/x", "set [gateway] cloudflare_id"),
      (
        302, "https://cloudflareaccess.com.evil.example/",
        "a redirect to \"https://cloudflareaccess.com.evil.example/\", which is not followed"
      ),
      (302, "/login", "a redirect to \"/login\", which is not followed"), (302, "", "HTTP 302"),
      (401, "", "set [gateway] headers_file"), (404, "", "compare [gateway] url"),
      (502, "", "does not reach it"),
    ] as [(UInt16, String, String)])
  func remedies(status: UInt16, location: String, expected: String) throws {
    #expect(try sentence(status, location: location).contains(expected))
  }

  @Test("words of others stand in quotes, and cannot forge a line")
  func quotes() throws {
    #expect(try sentence(403, words: "Welcome, guest").hasSuffix("HTTP 403: \"Welcome, guest\""))
    #expect(try !sentence(403, words: "a\nb\u{1B}[2J").contains("\n"))
  }

  private func refuse(_ bench: Bench, _ answer: String) {
    if bench.session.state == .stopped { bench.session.start() }
    bench.transport.secure(leaf: Bench.leaf)
    bench.runner.runAll()
    Array(answer.utf8).withUnsafeBufferPointer { bench.transport.deliver($0) }
  }

  @Test("the first words of the page are waited for, but not for long")
  func page() throws {
    let bench = try Bench()
    refuse(bench, "HTTP/1.1 403 Forbidden\r\n\r\n")
    #expect(bench.transport.isOpen)
    Array("<title>Welcome".utf8).withUnsafeBufferPointer { bench.transport.deliver($0) }
    bench.pass(WebSocketLink.refusalTimeout)
    #expect(!bench.transport.isOpen && bench.explanation.contains("\"Welcome\""))
  }

  @Test(
    "403 is tried again at the usual pace five times, and then a person is waited for; a change of the network wakes it"
  )
  func forbidden() throws {
    let bench = try Bench()
    let page = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
    for attempt in 1...5 {
      refuse(bench, page)
      #expect((bench.session.state == .paused) == (attempt == 5))
      if attempt < 5 { bench.passToNextAttempt() }
    }
    let opens = bench.transport.opens
    bench.pass(10_000)
    bench.session.networkChanged()
    bench.pass(0)
    #expect(bench.transport.opens == opens + 1)
  }

  private static let forbiddenPage = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
  private static let busyPage = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 600\r\n\r\n"

  @Test("an address that answers 403 in the gateway's place keeps the board from no other")
  func otherAddress() throws {
    let bench = try Bench(url: "wss://a:1", others: ["wss://b:2"])
    for _ in 1...8 {
      refuse(bench, Self.forbiddenPage)
      #expect(bench.transport.url?.host == "b")
      bench.transport.fail(.init(.connect))
      #expect(bench.session.state == .waiting && (bench.session.pauseLeft ?? .max) <= 30_000)
      bench.passToNextAttempt()
    }
    refuse(bench, Self.forbiddenPage)
    try bench.reachOnline()
    #expect(bench.transport.url?.host == "b")
  }

  @Test("an address that wants to be left alone is, and the others are tried meanwhile")
  func busyAddress() throws {
    let bench = try Bench(url: "wss://a:1", others: ["wss://b:2"])
    refuse(bench, Self.busyPage)
    let end = bench.clock.monotonic + 600_000
    for _ in 1...100 where bench.transport.url?.host == "b" {
      #expect(bench.clock.monotonic < end + 30_000)
      bench.transport.fail(.init(.connect))
      #expect(bench.session.state == .waiting && (bench.session.pauseLeft ?? .max) <= 30_000)
      bench.passToNextAttempt()
    }
    #expect(bench.transport.url?.host == "a" && bench.clock.monotonic >= end)
  }

  @Test("when each address wants to be left alone, the first that may be asked again is waited for")
  func allBusy() throws {
    let bench = try Bench(url: "wss://a:1", others: ["wss://b:2"])
    refuse(bench, Self.busyPage)
    refuse(bench, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 60\r\n\r\n")
    #expect(bench.session.state == .waiting && bench.session.pauseLeft == 60_000)
    bench.session.networkChanged()
    bench.pass(3_000)
    #expect(bench.transport.isOpen && bench.transport.url?.host == "a")
  }
}
