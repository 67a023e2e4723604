import Testing

@testable import Codec

@Suite("RFC 1035 section 4: messages")
struct DNSReaderTests {
  @Test("an answer of python-zeroconf is read whole")
  func recorded() {
    #expect(
      described(zeroconfAnswer) == #"""
        ? 12 _openclaw-gw._tcp.local
        12 _openclaw-gw._tcp.local 10 Studio\032(OpenClaw)._openclaw-gw._tcp.local
        33 Studio\032(OpenClaw)._openclaw-gw._tcp.local 10 studio.local:18789
        16 Studio\032(OpenClaw)._openclaw-gw._tcp.local 10 gateway
        1 studio.local 10 [192, 0, 2, 20]
        28 studio.local 10 [254, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32]
        """#)
  }

  @Test("a query is written as RFC 1035 says, with the unicast bit of RFC 6762")
  func query() throws {
    let bytes = writtenBytes { buffer in
      var query = DNSQuery(into: buffer, id: 0x1234, recursionDesired: false)
      _ = query.ask(DNSQuestion(DNSName("a.local"), .ptr), wantsUnicast: true)
      _ = query.ask(DNSQuestion(DNSName("b"), .aaaa))
      return query.count
    }
    #expect(
      bytes == [
        0x12, 0x34, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 97, 5, 108, 111, 99, 97, 108, 0, 0, 12, 0x80, 1, 1, 98,
        0, 0, 28,
        0, 1,
      ])
    #expect(described(bytes) == "? 12 a.local\n? 28 b")
    let recursive = writtenBytes { buffer in
      DNSQuery(into: buffer, id: 0, recursionDesired: true).count
    }
    #expect(recursive == [0, 0, 1] + [UInt8](repeating: 0, count: 9))
  }

  @Test("a question that does not fit is not written")
  func full() {
    let bytes = writtenBytes(capacity: 12 + 7) { buffer in
      var query = DNSQuery(into: buffer, id: 0, recursionDesired: false)
      let answers = [
        query.ask(DNSQuestion(DNSName("bc"), .a)), query.ask(DNSQuestion(DNSName("b"), .a)),
        query.ask(DNSQuestion(DNSName(), .a)),
      ]
      #expect(answers == [false, true, false])
      return query.count
    }
    #expect(described(bytes) == "? 1 b")
    let many = writtenBytes { buffer in
      var query = DNSQuery(into: buffer, id: 0, recursionDesired: false)
      while query.ask(DNSQuestion(DNSName("b"), .a)) {}
      return query.count
    }
    #expect(described(many).split(separator: "\n").count == 255)
  }

  @Test(
    "compression leads back, and nowhere else",
    arguments: [
      // To itself; forward; to a label that comes after; two that lead to each other.
      ([0xC0, 12], "badPointer at 12"), ([0xC0, 14, 0], "badPointer at 12"),
      ([0xC0, 200], "badPointer at 12"),
      ([1, 97, 0xC0, 12], "badPointer at 14"), ([0x40, 97], "reservedLabel at 12"),
      ([0x80], "reservedLabel at 12"), ([0xC0], "truncated at 12"), ([], "truncated at 12"),
      ([3, 97, 98], "truncated at 12"), ([1, 97], "truncated at 14"), ([1, 97, 0, 0, 12], "truncated at 15"),
    ] as [([UInt8], String)])
  func pointers(bytes: [UInt8], expected: String) {
    let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    #expect(described(header + bytes) == expected)
  }

  @Test("a pointer into a chain of pointers grows no name beyond 255 bytes")
  func chain() {
    // Each name is one label of 63 bytes, then a pointer to the name before.
    var bytes = answerHeader(records: 6)
    var previous: Int?
    for _ in 0..<6 {
      let start = bytes.count
      bytes += [63] + [UInt8](repeating: 97, count: 63)
      if let previous { bytes += [0xC0 | UInt8(previous >> 8), UInt8(previous & 255)] } else { bytes += [0] }
      bytes += [0, 99, 0, 1, 0, 0, 0, 0, 0, 0]
      previous = start
    }
    let lines = described(bytes).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.last?.hasPrefix("nameTooLong") == true)
  }

  @Test(
    "record data that does not fit its type is refused",
    arguments: [
      // A of 3 bytes, AAAA of 4, SRV without a target, PTR with bytes after the name, a TXT string beyond the end.
      (1, [1, 2, 3], "badData at 23"), (28, [1, 2, 3, 4], "badData at 23"),
      (33, [0, 0, 0, 0, 1, 2], "badData at 23"), (12, [0, 0], "badData at 24"),
      (16, [2, 97], "badData at 23"),
      (33, [0, 0, 0, 0, 1, 2, 1], "truncated at 29"),
    ] as [(UInt8, [UInt8], String)])
  func data(type: UInt8, data: [UInt8], expected: String) {
    let record = [0, 0, type, 0, 1, 0, 0, 0, 0, 0, UInt8(data.count)] + data
    #expect(described(answerHeader(records: 1) + record) == expected)
  }

  @Test("a message that says more than it holds is truncated")
  func counts() {
    #expect(described([]) == "truncated at 0")
    #expect(described([UInt8](repeating: 0, count: 11)) == "truncated at 11")
    #expect(described(answerHeader(records: 1)) == "truncated at 12")
    #expect(described(answerHeader(records: 1) + [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 5]) == "truncated at 23")
  }

  @Test("TXT keys are found whatever their case; the first counts; a key without a value is empty")
  func textRecord() throws {
    func value(_ key: StaticString, _ strings: [String]) throws -> String? {
      let data = strings.flatMap { [UInt8($0.utf8.count)] + $0.bytes }
      return CodecTests.value(of: key, in: try DNSText(data.span, offset: 0))
    }
    #expect(try value("gatewayTls", ["a=b", "GATEWAYTLS=1", "gatewayTls=0"]) == "1")
    #expect(try value("gatewayTls", ["gatewayTlsSha256=ab"]) == nil)
    #expect(try value("role", ["", "=x", "role"]) == "")
    #expect(try value("role", ["role="]) == "")
    #expect(try value("role", ["role=a=b"]) == "a=b")
    #expect(try value("role", []) == nil)
  }

  @Test("every damaged message is read to an end or refused: each byte changed, each length")
  func mutations() {
    let good = described(zeroconfAnswer)
    for place in zeroconfAnswer.indices {
      var bytes = zeroconfAnswer
      for value in [0, 1, 63, 64, 0x7F, 0x80, 0xBF, 0xC0, 0xFF, bytes[place] ^ 1] as [UInt8] {
        bytes[place] = value
        // A name has at most 128 labels of one byte, 4 characters each; 65,535 records of 4 sections need more bytes.
        #expect(described(bytes).utf8.count < 16 * 1024)
      }
    }
    for length in zeroconfAnswer.indices { #expect(described(Array(zeroconfAnswer[..<length])) != good) }
    var random = Seeded(11)
    for _ in 0..<5000 { #expect(described(mutated(zeroconfAnswer, &random)).utf8.count < 64 * 1024) }
  }
}
