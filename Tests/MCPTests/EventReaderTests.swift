import Testing

@testable import MCP

@Suite("Messages in a stream of events") struct EventReaderTests {
  /// The messages of a stream that comes in pieces of so many bytes; what has no end stands last, after a bar.
  private func messages(_ stream: String, by step: Int) -> [String] {
    var reader = MCPEventReader()
    var messages: [String] = []
    var rest: [UInt8] = []
    let bytes = Array(stream.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      Array(bytes[start..<min(start + step, bytes.count)]).withUnsafeBufferPointer { piece in
        var index = 0
        while let found = reader.next(piece, at: &index) {
          switch found {
          case .text(let range): rest += piece[range]
          case .end:
            messages.append(String(decoding: rest, as: UTF8.self))
            rest = []
          }
        }
        #expect(index == piece.count)
      }
    }
    return rest.isEmpty ? messages : messages + ["|" + String(decoding: rest, as: UTF8.self)]
  }

  @Test(
    "they are the same however the bytes come, and whatever ends a line",
    arguments: ["\n", "\r\n", "\r"])
  func whole(end: String) {
    let stream = [
      ": a comment", "event: message", "id: 1", "data: {\"a\":1}", "", "retry: 5", "data:{\"b\":", "data: 2}", "", "",
      "datas: no", "dat: no", "data", "", "data: {\"c\": \"data: x\"}", "", "data: half",
    ].joined(separator: end)
    for step in [1, 2, 3, 7, 1_000] {
      #expect(
        messages(stream, by: step) == [#"{"a":1}"#, #"{"b":2}"#, #"{"c": "data: x"}"#, "|half"], "\(step)")
    }
  }

  @Test("events without a message end nothing")
  func empty() { #expect(messages("event: ping\n\n: x\n\n\n\nid: 3\n\n", by: 4).isEmpty) }
}
