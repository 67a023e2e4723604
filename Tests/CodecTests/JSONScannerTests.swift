import Testing

@testable import Codec

/// What a scanner with eight bytes for each of four paths finds.
private func scan(_ pieces: [[UInt8]]) -> [String] {
  let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 32)
  defer { buffer.deallocate() }
  var scanner = JSONScanner(
    depthLimit: 16, paths: ["type", "payload.id", "payload", "a.b.c"], buffer: buffer)
  do throws(JSONError) {
    for piece in pieces { try scanner.feed(piece.span) }
    try scanner.finish()
  } catch {
    return ["\(error.kind)"]
  }
  return (0..<4).map { path in
    switch scanner.finding(path) {
    case .absent: "-"
    case .tooLong: "long"
    case .other: "other"
    case .string: "=" + String(decoding: scanner.string(path)!, as: UTF8.self)
    }
  }
}

@Suite("RFC 8259: the scanner")
struct JSONScannerTests {
  static let cases: [(String, [String])] = [
    (#"{"type":"event","payload":{"id":"x1"}}"#, ["=event", "=x1", "other", "-"]),
    (#"{}"#, ["-", "-", "-", "-"]),
    (#"[{"type":"no"}]"#, ["-", "-", "-", "-"]),
    (#""type""#, ["-", "-", "-", "-"]),
    (#"{"x":{"type":"no"},"type":"yes"}"#, ["=yes", "-", "-", "-"]),
    (#"{"payload":[{"id":"no"}]}"#, ["-", "-", "other", "-"]),
    (#"{"payload":{"x":{"id":"no"},"y":["id","id"],"id":"yes"}}"#, ["-", "=yes", "other", "-"]),
    (#"{"payload":{"id":"a"},"id":"b","payload.id":"c"}"#, ["-", "=a", "other", "-"]),
    (#"{"a":{"b":{"c":"deep"}}}"#, ["-", "-", "-", "=deep"]),
    (#"{"a":{"b":{"cc":"no","c":"deep","d":{"c":"no"}},"c":"no"}}"#, ["-", "-", "-", "=deep"]),
    (#"{"a":{"b":{"c":"1"}},"a":{"b":{}}}"#, ["-", "-", "-", "-"]),
    (#"{"type":"a","type":"b"}"#, ["=b", "-", "-", "-"]),
    (#"{"type":"a","type":1}"#, ["other", "-", "-", "-"]),
    (#"{"type":1,"type":"b"}"#, ["=b", "-", "-", "-"]),
    (#"{"payload":{"id":"a"},"payload":1}"#, ["-", "-", "other", "-"]),
    (#"{"payload":{"id":"a"},"payload":"s"}"#, ["-", "-", "=s", "-"]),
    (#"{"type":"12345678"}"#, ["=12345678", "-", "-", "-"]),
    (#"{"type":"123456789"}"#, ["long", "-", "-", "-"]),
    (#"{"type":"123456789","type":"ok"}"#, ["=ok", "-", "-", "-"]),
    (#"{"type":"1234567\u00e9"}"#, ["long", "-", "-", "-"]),
    (#"{"type":"123456\u00e9"}"#, ["=123456é", "-", "-", "-"]),
    (#"{"t\u0079pe":"\ud83d\ude00\n"}"#, ["=😀\n", "-", "-", "-"]),
    (#"{"type":""}"#, ["=", "-", "-", "-"]),
    (#"{"type":null,"payload":{"id":[1]}}"#, ["other", "other", "other", "-"]),
    (#"{"typ":"no","types":"no","Type":"no"}"#, ["-", "-", "-", "-"]),
    (#"{"a":["b"],"b":{"c":"no"},"c":"no"}"#, ["-", "-", "-", "-"]),
    (#"{"type":"a"} x"#, ["unexpectedByte"]),
    (#"{"type":"\ud800"}"#, ["loneSurrogate"]),
  ]

  @Test("keeps the strings at the watched paths", arguments: cases)
  func finds(_ json: String, _ expected: [String]) {
    #expect(scan([json.bytes]) == expected)
  }

  @Test("finds the same wherever the text is cut")
  func everySplit() {
    for (json, expected) in Self.cases {
      let text = json.bytes
      #expect(scan(text.map { [$0] }) == expected, "\(json)")
      for cut in 0...text.count {
        #expect(scan([Array(text[..<cut]), Array(text[cut...])]) == expected, "\(json) \(cut)")
      }
    }
  }

  @Test("finds an id in a text far larger than its buffer")
  func largeText() {
    let filler = #""filler":""# + String(repeating: "0123456789abcdef", count: 20_000) + #"","#
    let json =
      #"{"type":"event",\#(filler)"payload":{"big":[\#(String(repeating: "1,", count: 20_000))1],"id":"last"}}"#
    var random = Seeded(3)
    #expect(scan(pieces(json.bytes, upTo: 16_384, &random)) == ["=event", "=last", "other", "-"])
  }

  @Test("judges damaged texts as the validator does")
  func damagedTexts() {
    var random = Seeded(17)
    for round in 0..<3000 {
      let text = mutated(Self.cases[round % Self.cases.count].0.bytes, &random)
      let found = scan(pieces(text, upTo: 12, &random))
      if let error = verdict(text, depthLimit: 16) {
        #expect(found == ["\(error.kind)"])
      } else {
        #expect(found == scan([text]))
      }
    }
  }

  @Test("compares a found string without copying it")
  func equals() throws {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16)
    defer { buffer.deallocate() }
    var scanner = JSONScanner(depthLimit: 4, paths: ["a", "b"], buffer: buffer)
    try scanner.feed(#"{"a":"res","b":1}"#.bytes.span)
    #expect(scanner.equals(0, "res"))
    #expect(!scanner.equals(0, "re"))
    #expect(!scanner.equals(1, "1"))
  }
}
