import Gateway
import Runtime
import Testing

@testable import Fetch

@Suite("What a request may ask for")
struct FetchOptionTests {
  @Test("the content of a failure comes where it is wanted")
  func contentOfFailures() throws {
    let bench = try Bench()
    var request = FetchRequest()
    request.readsFailures = true
    for status in [400, 404, 500] {
      try bench.start("https://a/", request)
      bench.answer("HTTP/1.1 \(status) X\r\nContent-Length: 3\r\n\r\nwhy")
      #expect(bench.outcome == "got why of ")
      #expect(bench.fetcher.status == UInt16(status))
    }
    try bench.start("https://a/", request)
    bench.answer("HTTP/1.1 500 X\r\nContent-Length: 999999999\r\n\r\n")
    #expect(bench.outcome == "a sent more than the 8 MiB that are taken")
    try bench.start("https://a/", request)
    bench.answer("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n")
    bench.answer(ok)
    #expect(bench.outcome == "got hi of image/png")
  }

  @Test("a pinned request goes to the one certificate and no other")
  func pin() throws {
    let bench = try Bench()
    var request = FetchRequest()
    request.pin = Fingerprint(digest: InlineArray(repeating: 7))
    try bench.start("https://a/", request)
    bench.answer(ok, leaf: 7)
    #expect(bench.outcome == "got hi of image/png")
    #expect(bench.visits.last == "https://a:443/ pin")
    try bench.start("https://a/", request)
    bench.answer(ok, leaf: 8)
    #expect(bench.outcome == "a showed another certificate than the one that is pinned")
    #expect(!bench.sent.contains("GET"))
  }

  @Test("a sink gets what has come at once where it is wanted")
  func promptPieces() throws {
    let bench = try Bench()
    let sink = Sink()
    bench.send(to: sink)
    var request = FetchRequest()
    request.isPrompt = true
    try bench.start("https://a/", request)
    bench.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
    #expect(sink.pieces == ["one"])
    sink.held?.pieceTaken()
    bench.deliver("2\r\ntw")
    #expect(sink.pieces == ["one", "tw"])
    sink.held?.pieceTaken()
    bench.deliver("\r\n0\r\n\r\n")
    #expect(sink.pieces == ["one", "tw", ""])
    sink.held?.pieceTaken()
    bench.pass(0)
    #expect(bench.outcome.hasPrefix("got "))
    try bench.start("https://a/")
    bench.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
    #expect(sink.pieces.count == 3)
  }
}
