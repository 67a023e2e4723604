import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

private typealias Bench = PageBench

@Suite("Reading pages and searching") struct PageClientTests {
  @Test("a page is its text, with addresses of its own server")
  func page() throws {
    let bench = try Bench()
    try bench.read("https://e.org/a/")
    bench.answer(PageServer.answer("<title>T</title><a href=b>x</a>", type: "text/html; charset=utf-8"))
    #expect(bench.outcome == "got T\n\nx (https://e.org/a/b)")
    #expect(bench.server.sent.hasPrefix("GET /a/ HTTP/1.1\r\nHost: e.org\r\nUser-Agent: Talon/1\r\nAccept: text/html"))
    #expect(!bench.server.isOpen && !bench.client.isBusy && !bench.client.isCut)
  }

  @Test("text and JSON are read without markup; other types are refused by name")
  func types() throws {
    let bench = try Bench()
    for (type, outcome) in [
      ("text/plain", "got <b>x"), ("application/json", "got <b>x"), ("text/markdown", "got <b>x"),
      ("application/xhtml+xml", "got x"),
      ("image/png", "e.org has content of the type image/png, which is not read: only text, HTML and JSON are"),
      (
        "application/pdf",
        "e.org has content of the type application/pdf, which is not read: only text, HTML and JSON are"
      ),
      ("", "e.org does not say what its content is, so it is not read"),
    ] {
      bench.client.forget()
      try bench.read("https://e.org/")
      bench.answer(PageServer.answer("<b>x", type: type))
      #expect(bench.outcome == outcome)
      #expect(!bench.server.isOpen)
    }
  }

  @Test("only public addresses, over TLS, also where a redirect leads")
  func addresses() throws {
    let bench = try Bench()
    bench.server.addresses = ["router.local": "192.168.1.1", "meta.org": "169.254.169.254", "six.org": "fd00::1"]
    for name in ["router.local", "meta.org", "six.org"] {
      try bench.read("https://\(name)/")
      #expect(bench.outcome.hasPrefix("\(name) has an address of this board or its network"))
      try bench.read("https://e.org/")
      bench.answer("HTTP/1.1 302 Found\r\nLocation: https://\(name)/\r\n\r\n")
      #expect(bench.outcome.hasPrefix("\(name) has an address of this board or its network"))
    }
    try bench.read("http://e.org/")
    #expect(bench.outcome == "e.org is not encrypted: use https")
    for address in ["ftp://e.org", "javascript:x", "/etc/passwd", "", "https://u:p@e.org/", "https://e.org:99999/"] {
      #expect(throws: PageFailure.self) { try bench.read(address) }
    }
  }

  @Test("the configuration may allow hosts")
  func allowed() throws {
    var list = AllowList()
    let isTaken = list.add("192.168.1.0/24")
    #expect(isTaken)
    let bench = try Bench(allowed: list)
    bench.server.addresses = ["wiki.local": "192.168.1.7"]
    try bench.read("http://wiki.local/")
    bench.answer(PageServer.answer("x"))
    #expect(bench.outcome == "got x")
  }

  @Test("what goes wrong is told in words")
  func failures() throws {
    let bench = try Bench()
    try bench.read("https://e.org/")
    bench.answer(PageServer.answer("no", status: "404 Not Found"))
    #expect(bench.outcome == "e.org answered with status 404")
    try bench.read("https://e.org/")
    bench.fail(TransportFailure(.resolve))
    #expect(bench.outcome == "e.org: this name has no address")
    try bench.read("https://e.org/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nhalf")
    bench.fail(TransportFailure(.closedByPeer))
    #expect(bench.outcome == "e.org closed the connection before the end of the response")
    try bench.read("https://e.org/")
    bench.answer(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(Budget.pageContentBytes + 1)\r\n\r\n")
    #expect(bench.outcome == "e.org sent more than is read of one page")
    // The client is as new after each.
    try bench.read("https://e.org/")
    bench.answer(PageServer.answer("x"))
    #expect(bench.outcome == "got x")
  }

  @Test("a server that is silent, and one that sends for ever, are left")
  func slow() throws {
    let bench = try Bench()
    try bench.read("https://e.org/")
    bench.pass(Budget.pageIdleMilliseconds)
    #expect(bench.outcome == "e.org took too long")
    try bench.read("https://e.org/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    var time: Int64 = 0
    while bench.outcome.isEmpty, time < 100_000 {
      bench.server.deliver("<i>")
      bench.pass(1000)
      time += 1000
    }
    #expect(time == Budget.pageMilliseconds && bench.outcome == "e.org took too long")
  }

  @Test("of a long page the text is complete, and the connection ends there")
  func long() throws {
    let bench = try Bench()
    try bench.read("https://e.org/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    let piece = String(repeating: "<p>word ", count: 8000)
    for _ in 0..<20 where bench.server.isOpen { bench.server.deliver(piece) }
    bench.pass(0)
    #expect(bench.outcome.utf8.count > Budget.pageTextBytes && bench.client.isCut && !bench.server.isOpen)
    #expect(bench.client.text.count <= Budget.pageTextBytes)
    try bench.read("https://e.org/")
    #expect(bench.client.isRemembered && bench.client.isCut)
  }

  @Test("content in chunks of any size is read as it comes")
  func chunks() throws {
    let bench = try Bench()
    try bench.read("https://e.org/")
    bench.answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    for piece in ["3\r\n<p>\r\n", "4\r\na&am\r\n", "3\r\np;b\r\n", "0\r\n\r\n"] { bench.server.deliver(piece) }
    bench.pass(0)
    #expect(bench.outcome == "got a&b")
  }

  @Test("a page is remembered for five minutes, and forgotten when told")
  func cache() throws {
    let bench = try Bench()
    for _ in 0..<2 {
      try bench.read(" https://e.org/#part ")
      bench.answer(PageServer.answer("x"))
      #expect(bench.outcome == "got x" && !bench.client.isRemembered)
      bench.pass(Budget.pageCacheMilliseconds - 1)
      try bench.read("https://e.org/#other")
      #expect(bench.outcome == "got x" && bench.client.isRemembered)
      bench.pass(1)
    }
    #expect(bench.server.visits.count == 2)
    try bench.read("https://e.org/")
    bench.answer(PageServer.answer("y"))
    bench.client.forget()
    try bench.read("https://e.org/")
    bench.answer(PageServer.answer("z"))
    #expect(bench.outcome == "got z")
    // Failures are not remembered.
    try bench.read("https://e.org/2")
    bench.answer(PageServer.answer("no", status: "500 X"))
    try bench.read("https://e.org/2")
    bench.answer(PageServer.answer("yes"))
    #expect(bench.outcome == "got yes")
  }

  @Test("one thing at a time; what is given up is not told")
  func busy() throws {
    let bench = try Bench()
    try bench.read("https://e.org/")
    #expect(throws: PageFailure.self) { try bench.read("https://e.org/2") }
    #expect(throws: PageFailure.self) { try bench.find("x") }
    bench.client.cancel()
    bench.pass(100_000)
    #expect(bench.outcome == "" && !bench.server.isOpen && bench.client.nextDeadline == nil)
    try bench.read("https://e.org/3")
    bench.answer(PageServer.answer("x"))
    #expect(bench.outcome == "got x")
  }

  @Test("the configured provider may have any address, and its answer is read as a whole")
  func search() throws {
    let bench = try Bench()
    bench.server.addresses = ["search.local": "192.168.1.9"]
    try bench.find("pi zero")
    bench.answer(
      PageServer.answer(#"{"results":[{"title":"T","url":"https://t/","content":"c"}]}"#, type: "application/json"))
    #expect(bench.outcome == "got 1. T\nhttps://t/\nc")
    #expect(bench.server.visits == ["http://search.local:8080/search?format=json&q=pi%20zero"])
    try bench.find("pi zero")
    #expect(bench.client.isRemembered && bench.outcome == "got 1. T\nhttps://t/\nc")
    try bench.find("other")
    bench.answer(PageServer.answer("<html>", type: "text/html"))
    #expect(bench.outcome == "the search provider's answer is not JSON")
    try bench.find("other")
    bench.answer(PageServer.answer("", status: "429 Too Many"))
    #expect(bench.outcome == "search.local answered with status 429")
    #expect(throws: PageFailure.self) { try bench.find("") }
    #expect(throws: PageFailure.self) { try Bench(nil).find("x") }
  }

  @Test("Brave's key is a field of its own, and is not sent where a redirect leads")
  func brave() throws {
    let (server, clock) = (PageServer(), PageClock())
    let request = try SearchRequest(.brave, address: "", key: "SECRET")
    let client = try PageClient(
      server, clock: clock, allowed: AllowList(), search: request, agent: InlineText(cutting: "Talon"))
    try "x".withBytes { bytes throws(PageFailure) in try client.find(bytes) }
    server.secure()
    #expect(server.sent.contains("\r\nX-Subscription-Token: SECRET\r\n"))
    server.deliver("HTTP/1.1 302 Found\r\nLocation: https://elsewhere.org/\r\n\r\n")
    client.advance(to: clock.monotonic)
    server.secure()
    #expect(server.visits.last == "https://elsewhere.org:443/" && !server.sent.contains("SECRET"))
  }
}
