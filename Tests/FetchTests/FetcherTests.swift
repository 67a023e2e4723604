import Codec
import Gateway
import Runtime
import Testing

@testable import Fetch

@Suite("Fetching")
struct FetcherTests {
  @Test("one GET with what it takes, and the content comes")
  func get() throws {
    let bench = try Bench()
    try bench.start("https://example.org:8443/a/b.png?c=d#e")
    bench.answer(ok)
    #expect(bench.outcome == "got hi of image/png")
    #expect(bench.visits == ["https://example.org:8443/a/b.png?c=d authorities"])
    #expect(bench.sent.hasPrefix("GET /a/b.png?c=d HTTP/1.1\r\nHost: example.org:8443\r\n"))
    #expect(bench.sent.hasSuffix("Accept-Encoding: identity\r\nConnection: close\r\n\r\n"))
    for word in ["Cookie", "Referer", "Authorization"] { #expect(!bench.sent.contains(word)) }
    #expect(!bench.isOpen)
  }

  @Test("it goes where answers lead, five times")
  func redirects() throws {
    let bench = try Bench()
    try bench.start("https://a/1/x")
    for (index, place) in ["y", "/z", "//b/w", "https://c:1/", "?q"].enumerated() {
      bench.answer("HTTP/1.1 30\([1, 2, 3, 7, 8][index]) Moved\r\nLocation: \(place)\r\n\r\n")
    }
    bench.answer(ok)
    #expect(bench.outcome == "got hi of image/png")
    #expect(
      bench.visits.dropFirst().map { String($0.dropLast(12)) } == [
        "https://a:443/1/y", "https://a:443/z", "https://b:443/w", "https://c:1/", "https://c:1/?q",
      ])
    try bench.start("https://a/")
    for _ in 0...Budget.fetchRedirects { bench.answer("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n") }
    #expect(bench.outcome == "a redirects too often")
  }

  @Test("an answer may not lead to where a document may not")
  func redirectsAreJudged() throws {
    let bench = try Bench()
    bench.addresses = ["evil.org": "169.254.169.254"]
    for (place, reason) in [
      ("https://evil.org/", "evil.org has an address of this board or its network"),
      ("http://plain.org/", "plain.org is not encrypted"),
      ("file:///etc/passwd", "a redirects to something other than an https address"),
      ("https://u@b/", "a redirects to an address that is not valid"),
    ] {
      try bench.start("https://a/")
      bench.answer("HTTP/1.1 302 Found\r\nLocation: \(place)\r\n\r\n")
      #expect(bench.outcome.hasPrefix(reason), "\(bench.outcome)")
    }
  }

  @Test("what a server says in place of the content")
  func statuses() throws {
    let bench = try Bench()
    for status in [201, 204, 304, 401, 404, 500] {
      try bench.start("https://a/")
      bench.answer("HTTP/1.1 \(status) X\r\nContent-Length: 999999999\r\n\r\n")
      #expect(bench.outcome == "a answered with status \(status)")
    }
  }

  @Test("what breaks is reported in words")
  func failures() throws {
    let bench = try Bench()
    for (failure, text) in [
      (TransportFailure(.resolve), "a: this name has no address"),
      (TransportFailure(.connect, reason: .connectionRefused), "a does not accept connections: "),
      (TransportFailure(.connect, reason: .timedOut), "a took too long"),
      (
        TransportFailure(.proxy, detail: ("it takes no connection" as StaticString).path),
        "a: the proxy ([gateway] proxy) makes no tunnel: it takes no connection"
      ),
      (TransportFailure(.tls), "a could not be trusted"),
    ] {
      try bench.start("https://a/")
      bench.fail(failure)
      #expect(bench.outcome.hasPrefix(text), "\(bench.outcome)")
    }
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi")
    bench.fail(TransportFailure(.closedByPeer))
    #expect(bench.outcome == "a closed the connection before the end of the response")
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\n\r\nhi")
    bench.fail(TransportFailure(.closedByPeer))
    #expect(bench.outcome == "got hi of ")
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\n\r\nhi")
    bench.fail(TransportFailure(.broken))
    #expect(bench.outcome == "a closed the connection before the end of the response")
    try bench.start("https://a/")
    bench.answer("220 smtp.example.org\r\n")
    #expect(bench.outcome == "a sent a response that is not HTTP")
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Length: \(Budget.fetchBodyBytes + 1)\r\n\r\n")
    #expect(bench.outcome == "a sent more than the 8 MiB that are taken")
  }

  @Test("a server that says nothing, and one that never ends, are left")
  func slow() throws {
    let bench = try Bench()
    try bench.start("https://a/")
    bench.pass(Budget.fetchIdleMilliseconds - 1)
    #expect(bench.outcome == "")
    bench.pass(1)
    #expect(bench.outcome == "a took too long")
    #expect(!bench.isOpen)
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\n\r\n")
    var time: Int64 = 0
    while bench.outcome.isEmpty, time < 100_000 {
      bench.deliver("x")
      bench.pass(1_000)
      time += 1_000
    }
    #expect(time == Budget.fetchMilliseconds)
    #expect(bench.outcome == "a took too long")
    try bench.start("https://a/", deadline: bench.monotonic + 500)
    bench.pass(500)
    #expect(bench.outcome == "a took too long")
  }

  @Test("the gateway's canvas host is known by the gateway's certificate")
  func gateway() throws {
    let bench = try Bench()
    bench.addresses = ["pi.local": "192.168.1.5"]
    let rule = FetchRule(gateway: try WebURL("https://pi.local:18789".utf8.span))
    try bench.start("https://pi.local:18789/x", rule)
    bench.answer(ok, leaf: 7)
    #expect(bench.outcome == "got hi of image/png")
    #expect(bench.visits == ["https://pi.local:18789/x pin"])
    try bench.start("https://pi.local:18789/x", rule)
    bench.answer(ok, leaf: 8)
    #expect(bench.outcome == "pi.local showed another certificate than the gateway's")
    #expect(bench.sent == "")
  }

  @Test("after cancel the delegate gets nothing; after a new start, only the new result")
  func cancelling() throws {
    let bench = try Bench()
    try bench.start("https://a/")
    try bench.start("https://b/")
    bench.answer(ok)
    #expect(bench.outcome == "got hi of image/png")
    bench.pass(100_000)
    #expect(bench.outcome == "got hi of image/png")
  }

  @Test("a body follows the header, however little the connection takes at once")
  func pushes() throws {
    let bench = try Bench()
    let body = FixedBuffer(capacity: 300)
    body.bytes.update(repeating: UInt8(ascii: "b"))
    try bench.push("https://a/x", body)
    bench.answer("HTTP/1.1 204 No Content\r\n\r\n")
    #expect(bench.outcome == "got  of ")
    #expect(bench.sent.hasPrefix("POST /x HTTP/1.1\r\nHost: a\r\n"))
    #expect(bench.sent.contains("\r\nContent-Encoding: snappy\r\nContent-Type: application/x-protobuf\r\n"))
    #expect(bench.sent.hasSuffix("\r\nContent-Length: 300\r\n\r\n" + String(repeating: "b", count: 300)))
    #expect(!bench.sent.contains("Connection:"))
  }

  @Test("a connection is kept for the next request to the same server, and no longer than it can be")
  func keeps() throws {
    let bench = try Bench()
    let body = FixedBuffer(capacity: 10)
    let done = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    try bench.push("https://a/1", body)
    bench.answer(done)
    #expect(bench.isOpen)
    try bench.push("https://a/2", body)
    bench.answerAgain(done)
    #expect(bench.outcome == "got hi of ")
    #expect(bench.visits.count == 1)
    // Another server; one that ends the connection; one that says so; one that says more than it was asked.
    try bench.push("https://b/", body)
    bench.answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    #expect(!bench.isOpen)
    try bench.push("https://b/", body)
    bench.answer("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(!bench.isOpen)
    try bench.push("https://b/", body)
    bench.answer(done)
    bench.deliver("HTTP/1.1 200 OK\r\n")
    #expect(!bench.isOpen)
    #expect(bench.visits.count == 4)
  }

  @Test("a kept connection that the server has closed is made anew, once, and nobody hears of it")
  func reopens() throws {
    let bench = try Bench()
    let body = FixedBuffer(capacity: 10)
    let done = "HTTP/1.1 204 No Content\r\n\r\n"
    try bench.push("https://a/", body)
    bench.answer(done)
    bench.fail(TransportFailure(.closedByPeer))
    try bench.push("https://a/", body)
    bench.answer(done)
    #expect(bench.visits.count == 2)
    // It is closed while the request is on its way.
    try bench.push("https://a/", body)
    bench.fail(TransportFailure(.broken))
    #expect(bench.outcome == "")
    #expect(bench.visits.count == 3)
    bench.answer(done)
    #expect(bench.outcome == "got  of ")
    try bench.push("https://a/", body)
    bench.fail(TransportFailure(.closedByPeer))
    bench.fail(TransportFailure(.connect, reason: .connectionRefused))
    #expect(bench.outcome.hasPrefix("a does not accept connections"))
  }

  @Test("a connection that breaks while the last piece is being stored loses nothing")
  func breaksAtTheEnd() throws {
    let bench = try Bench()
    let sink = Sink()
    bench.send(to: sink)
    try bench.start("https://a/")
    bench.answer(ok)
    #expect(sink.pieces == ["hi"])
    bench.fail(TransportFailure(.broken))
    #expect(bench.outcome == "")
    sink.held?.pieceTaken()
    bench.pass(0)
    #expect(bench.outcome.hasPrefix("got "))
  }
}
