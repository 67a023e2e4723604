import Testing

@testable import Codec

@Suite("RFC 6455 section 5: frames from the server")
struct WebSocketDecoderTests {
  @Test("reads lengths of 7, 16 and 64 bits", arguments: [0, 1, 125, 126, 127, 65535, 65536, 70000])
  func lengths(_ count: Int) {
    let payload = [UInt8](repeating: 0x61, count: count)
    #expect(
      items([frame(2, payload)]) == ["binary \(count) " + String(repeating: "a", count: min(count, 40))])
  }

  static let stream: [UInt8] =
    frame(1, "hé", fin: false) + frame(9, "p1") + frame(0, "", fin: false) + frame(0, "llo 😀")
    + frame(2, [], fin: false)
    + frame(10, "x") + frame(0, [0xFF, 0x00]) + frame(1, "") + frame(1, "", fin: false) + frame(0, "late")
    + frame(9, "")
    + frame(1, String(repeating: "é", count: 100)) + closeFrame(1001, "bye é".bytes)

  static let expected = [
    "ping p1", "text 11 héllo 😀", "pong x", "binary 2 \u{FFFD}\u{0}", "text 0 ", "text 4 late", "ping ",
    "text 200 " + String(repeating: "é", count: 20), "close 1001 bye é",
  ]

  @Test("joins fragments, with control frames between them")
  func fragments() {
    #expect(items([Self.stream]) == Self.expected)
  }

  @Test("finds the same items wherever the stream is cut")
  func everySplit() {
    #expect(items(Self.stream.map { [$0] }) == Self.expected)
    for cut in 0...Self.stream.count {
      #expect(items([Array(Self.stream[..<cut]), Array(Self.stream[cut...])]) == Self.expected)
    }
  }

  @Test(
    "refuses what a server must not send, with 1002",
    arguments: [
      (frame(1, [], flags: 0x40), "reservedBit"), (frame(1, [], flags: 0x20), "reservedBit"),
      (frame(9, [], flags: 0x10), "reservedBit"),
      (frame(3), "reservedOpcode"), (frame(7), "reservedOpcode"), (frame(11), "reservedOpcode"),
      (frame(15), "reservedOpcode"),
      (frame(1, [1, 2, 3, 4], masked: true), "masked"), (frame(9, [1, 2, 3, 4], masked: true), "masked"),
      (frame(2, [1], lengthBytes: 2), "invalidLength"),
      (frame(2, [UInt8](repeating: 1, count: 125), lengthBytes: 2), "invalidLength"),
      (frame(2, [UInt8](repeating: 1, count: 65535), lengthBytes: 8), "invalidLength"),
      ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "invalidLength"), (frame(9, [], fin: false), "invalidControl"),
      (frame(8, [], fin: false), "invalidControl"),
      (frame(9, [UInt8](repeating: 0, count: 126)), "invalidControl"),
      (frame(0), "invalidFragment"), (frame(1, "a", fin: false) + frame(1, "b"), "invalidFragment"),
      (frame(1, "a", fin: false) + frame(2, "b"), "invalidFragment"), (frame(8, [3]), "invalidClose"),
    ] as [([UInt8], String)])
  func refuses(_ stream: [UInt8], _ kind: String) {
    #expect(items([stream]).last == "error \(kind) 1002")
    #expect(items(stream.map { [$0] }).last == "error \(kind) 1002")
  }

  @Test("takes exactly the close codes that may be on the wire (section 7.4)")
  func closeCodes() {
    let good = Set(
      [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014] + Array(3000...4999))
    for code in [0, 1, 999] + Array(1000...1020) + [1100, 2000, 2999, 3000, 3999, 4000, 4999, 5000, 65535] {
      let expected = good.contains(code) ? "close \(code) r" : "error invalidClose 1002"
      #expect(items([closeFrame(code, "r".bytes)]) == [expected])
    }
    #expect(items([frame(8)]) == ["close - "])
    #expect(items([closeFrame(1000)]) == ["close 1000 "])
    let longest = String(repeating: "r", count: 123)
    #expect(items([closeFrame(1000, longest.bytes)]) == ["close 1000 " + longest])
  }

  @Test("refuses a close reason that is not UTF-8 with 1007")
  func closeReason() {
    #expect(items([closeFrame(1000, [0xC3])]) == ["error invalidUTF8 1007"])
    #expect(items([closeFrame(1000, [0x61, 0xFF])]) == ["error invalidUTF8 1007"])
  }

  @Test(
    "refuses text that is not UTF-8 with 1007, at once and across fragments",
    arguments: JSONConformance.notUTF8)
  func invalidText(_ bad: [UInt8]) {
    let stream = frame(1, "é".bytes + bad)
    #expect(items([stream]) == ["error invalidUTF8 1007"])
    #expect(items(stream.map { [$0] }) == ["error invalidUTF8 1007"])
    let fragments = bad.map { frame(0, [$0], fin: false) }.joined()
    #expect(items([frame(1, "", fin: false) + fragments + frame(0)]) == ["error invalidUTF8 1007"])
    #expect(items([frame(2, bad)]).count == 1)
  }

  @Test("fails as soon as a byte can no longer be UTF-8, before the frame is over")
  func failsFast() {
    let stream = [0x81, 10] + "ab".bytes + [0xF4, 0x90]
    #expect(items(stream.map { [$0] }) == ["error invalidUTF8 1007"])
  }

  @Test("a character may be cut by the end of a frame")
  func cutCharacter() {
    let bytes = "😀".bytes
    for cut in 1..<4 {
      let stream = frame(1, Array(bytes[..<cut]), fin: false) + frame(9, "x") + frame(0, Array(bytes[cut...]))
      #expect(items([stream]) == ["ping x", "text 4 😀"])
    }
  }

  @Test("ignores what comes after the close")
  func afterClose() {
    #expect(items([frame(8) + [0xFF, 0xFF, 0xFF], frame(1, "x")]) == ["close - "])
  }

  @Test("goes on refusing after an error")
  func staysFailed() {
    var decoder = WebSocketDecoder()
    var index = 0
    #expect(throws: WebSocketError.self) { try decoder.next([0xFF].span, at: &index) }
    index = 0
    #expect(throws: WebSocketError(kind: .reservedBit)) { try decoder.next(frame(1, "ok").span, at: &index) }
  }

  @Test("damaged streams give the same in pieces of any size as at once, and never more than they hold")
  func damagedStreams() {
    var random = Seeded(31)
    for _ in 0..<3000 {
      let stream = mutated(Self.stream, &random)
      let whole = items([stream])
      let cut = items(pieces(stream, upTo: 40, &random))
      // A text that turns bad is refused at the first bad byte; both orders agree on everything before.
      #expect(cut == whole)
    }
  }
}
