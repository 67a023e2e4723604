import Runtime
import Testing

@testable import Fetch

/// Reads answers, in pieces of any size.
struct Answer {
  var status = 0
  var type = ""
  var location = ""
  var body = ""
  var date: Int64?
  var retry: UInt32?
  var isDone = false
  var error: HTTPError?

  init(_ text: String, pieces: Int = .max, ends: Bool = false, room: Int = 1000) {
    let line = FixedBuffer(capacity: Budget.fetchLineBytes)
    let memory = FixedBuffer(capacity: max(room, 1))
    var reader = HTTPResponseReader(
      line: line.bytes, body: UnsafeMutableBufferPointer(rebasing: memory.bytes[..<room]))
    let bytes = Array(text.utf8)
    do throws(HTTPError) {
      var start = 0
      while start < bytes.count {
        let count = min(pieces, bytes.count - start)
        let piece = Array(bytes[start..<start + count])
        try reader.take(piece.span)
        start += count
      }
      if ends { try reader.end() }
    } catch {
      self.error = error
    }
    (date, retry) = (reader.date, reader.retryAfterSeconds)
    status = Int(reader.status)
    type = Self.text(reader.type.span)
    location = Self.text(reader.location.span)
    body = String(decoding: memory.bytes[..<reader.count], as: UTF8.self)
    isDone = reader.isDone
  }

  static func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite("Answers of web servers")
struct HTTPResponseTests {
  @Test("the content is as long as the server says, in pieces of any size", arguments: [1, 2, 3, 7, 1000])
  func length(pieces: Int) {
    let answer = Answer(
      "HTTP/1.1 200 OK\r\nContent-Type: Image/PNG; q=1\r\nX-Other: y\r\nContent-Length: 5\r\n\r\nhelloworld",
      pieces: pieces)
    #expect(answer.error == nil)
    #expect(answer.isDone)
    #expect(answer.status == 200)
    #expect(answer.type == "image/png")
    #expect(answer.body == "hello")
  }

  @Test(
    "the server's clock, and when to ask again: in seconds, or by a date, from the server's own",
    arguments: [
      ("Retry-After: 120", UInt32?(120)), ("Retry-After: Sun, 06 Nov 1994 08:51:37 GMT", 120),
      ("Retry-After: Sun, 06 Nov 1994 08:49:00 GMT", 0), ("Retry-After: soon", nil), ("Retry-After: -5", nil),
      ("Retry-After: Wed, 01 Jan 9999 00:00:00 GMT", .max), ("X: y", nil),
    ])
  func dates(_ field: String, _ seconds: UInt32?) {
    let answer = Answer(
      "HTTP/1.1 429 X\r\n\(field)\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n")
    #expect(answer.date == 784_111_777_000)
    #expect(answer.retry == seconds)
    #expect(Answer("HTTP/1.1 429 X\r\nRetry-After: Sun, 06 Nov 1994 08:51:37 GMT\r\n\r\n").retry == nil)
  }

  @Test("chunks, with extensions and a trailer", arguments: [1, 2, 5, 1000])
  func chunks(pieces: Int) {
    let answer = Answer(
      "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3;a=b\r\nabc\r\n0A \r\n0123456789\r\n0\r\nX: y\r\n\r\n",
      pieces: pieces)
    #expect(answer.error == nil)
    #expect(answer.isDone)
    #expect(answer.body == "abc0123456789")
  }

  @Test("without a length, all until the connection ends")
  func untilTheEnd() {
    let answer = Answer("HTTP/1.0 200\r\n\r\nabc", pieces: 1, ends: true)
    #expect(answer.error == nil)
    #expect(answer.isDone)
    #expect(answer.body == "abc")
  }

  @Test("an answer before the answer is passed over, and one without content is whole")
  func interim() {
    #expect(
      Answer("HTTP/1.1 103 Early Hints\r\nLocation: /x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx").body
        == "x")
    #expect(Answer("HTTP/1.1 204 None\r\n\r\n").isDone)
    #expect(Answer("HTTP/1.1 302 Found\r\nLocation:  /there \r\nContent-Length: 0\r\n\r\n").location == "/there")
  }

  @Test(
    "cut anywhere, it is never whole",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ])
  func truncation(text: String) {
    for count in 0..<text.utf8.count {
      let answer = Answer(String(text.utf8.prefix(count))!, ends: true)
      #expect(answer.error == .cut, "cut after \(count) bytes")
      #expect(!answer.isDone)
    }
    #expect(Answer(text, ends: true).error == nil)
  }

  @Test(
    "what contradicts itself or is no HTTP is refused",
    arguments: [
      "HTTP/2 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 101 Switching\r\n", "HTTP/1.1 2000 OK\r\n", "SSH-2.0-x\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n", "HTTP/1.1 200 OK\r\n folded: x\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n",
      "HTTP/1.1 200 OK\r\nname : x\r\n", "HTTP/1.1 200 OK\r\nA: b\rc\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 2\r\nx\r\n\r\n\r\nx\r\ny",
    ])
  func malformed(text: String) {
    #expect(Answer(text + "\r\n", ends: true).error == .malformed)
  }

  @Test("what was not asked for is refused")
  func encoding() {
    for field in ["Content-Encoding: gzip", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: gzip"] {
      #expect(Answer("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n").error == .encoding)
    }
    #expect(Answer("HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 0\r\n\r\n").isDone)
  }

  @Test("more than there is room for is refused as soon as it is known")
  func tooLarge() {
    #expect(Answer("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", room: 10).error == .tooLarge)
    #expect(Answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789", room: 10).isDone)
    #expect(Answer("HTTP/1.1 200 OK\r\n\r\n01234567890", room: 10).error == .tooLarge)
    #expect(
      Answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n", room: 10).error == .tooLarge)
    #expect(Answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n").error == .tooLarge)
  }

  @Test("header without end is refused, and long lines of it are passed over")
  func headerBytes() {
    let long = String(repeating: "x", count: Budget.fetchLineBytes * 2)
    #expect(Answer("HTTP/1.1 200 OK\r\nA: \(long)\r\nContent-Length: 1\r\n\r\nx").body == "x")
    #expect(Answer("HTTP/1.1 302 Found\r\nLocation: /\(long)\r\n\r\n").error == .malformed)
    let lines = String(repeating: "A: b\r\n", count: Budget.fetchHeaderBytes / 6 + 1)
    #expect(Answer("HTTP/1.1 200 OK\r\n" + lines).error == .malformed)
    let chunks = String(repeating: "1\r\nx\r\n", count: Budget.fetchHeaderBytes / 5)
    #expect(Answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, room: 100_000).error == .malformed)
  }
}
