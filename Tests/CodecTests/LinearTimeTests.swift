import Testing
import TestSupport

@testable import Codec

/// What others send is read in a time that grows with it and no more, whatever it is made of.
@Suite("Linear time of the wire", .enabled(if: LinearTime.counts))
struct LinearTimeTests {
  /// Without long numbers, whose digits are multiplied by each other up to the 330th.
  private static let texts: [Adversary] =
    [
      .repeated(#""a":1,"#, after: "{", before: #""b":0}"#), .repeated(#""a~":1,"#, after: "{", before: #""b":0}"#),
      .repeated("1,", after: "[", before: "1]"), .repeated("[],", after: "[", before: "1]"), .repeated("[1,"),
      .repeated(#"{"a":"#), .repeated(#""\"#), .repeated(#"\""#, after: "\"", before: "\""),
      .repeated("\\u00e4", after: "\"", before: "\""), .repeated("\u{E4}", after: "\"", before: "\""),
      .repeated("9", after: "1e"), .repeated(" ", before: "1"),
      .repeated(#"{"a":[{"b":"c"}]},"#, after: "[", before: "0]"),
    ]
    + Adversary.sentences(of: ["{", "}", "[", "]", "\"", "\\", ",", ":", "0", "e", " ", "null"], seed: 50, atMost: 12)

  /// Reads each value as what it is, and asks for members of each object.
  private static func walk(_ json: JSONView, _ depth: Int) -> Int {
    var sum = json.rawText.count + (json.stringLength ?? 0) + (json.double == nil ? 0 : 1)
    guard depth < 4 else { return sum }
    sum += json.member("a") == nil ? 0 : 1
    var members = json.members()
    while let member = members.next() { sum += walk(member.value, depth + 1) }
    var elements = json.elements()
    while let element = elements.next() { sum += walk(element, depth + 1) }
    return sum
  }

  @Test("JSON", arguments: texts)
  func json(_ text: Adversary) {
    let fault = LinearTime.fault(text, units: 48) { bytes in
      guard (try? JSONValidator.check(bytes.span, depthLimit: 128)) != nil else { return }
      _ = Self.walk(JSONView(bytes.span), 0)
    }
    #expect(fault == nil)
  }

  private static let streams: [Adversary] =
    [
      .repeated("data: a\n"), .repeated("data: a\n\n"), .repeated("data"), .repeated(":"), .repeated("\r"),
      .repeated("event: a\n"), .repeated("retry: 1\n"), .repeated("id: ~\n\n"),
    ] + Adversary.sentences(of: ["data", "event", "retry", ":", " ", "\n", "\r", "a", "1"], seed: 51, atMost: 8)

  @Test("event streams", arguments: streams)
  func events(_ text: Adversary) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
    defer { memory.deallocate() }
    let fault = LinearTime.fault(text, units: 64) { bytes in
      var reader = EventStreamReader(into: memory)
      var index = 0
      while index < bytes.count { _ = try? reader.next(bytes.span, at: &index) }
    }
    #expect(fault == nil)
  }

  private static let lines: [Adversary] =
    [
      .repeated("$"), .repeated("$GPGGA,"), .repeated("$GPGGA,1,2*00\r\n"), .repeated("*"), .repeated("$*"),
      .repeated("$GPGGA*"), .repeated("$GPGSV,1,1,04,01,02,03,04,05,06,07,08,09*00"), .repeated(" ", after: "$"),
      Adversary("frames whose checksum is wrong") { count in
        (0..<count).flatMap { _ in [0xB5, 0x62, 0x01, 0x07, 0, 0, 0xFF, 0xFF] as [UInt8] }
      },
    ] + Adversary.sentences(of: ["$", "GP", "GGA", ",", "*", "00", "\r\n", " "], seed: 52, atMost: 8)

  @Test("the line of a receiver", arguments: lines)
  func receiver(_ text: Adversary) {
    let fault = LinearTime.fault(text, units: 64) { bytes in
      var reader = GNSSReader()
      var index = 0
      while reader.next(bytes.span, at: &index) != nil {}
      while reader.finish() != nil {}
    }
    #expect(fault == nil)
  }

  /// A first record with a chain of pointers in it, each to the one before, and as many records whose names begin at
  /// the end of that chain.
  private static let pointers = Adversary("names of pointers to pointers") { (count: Int) -> [UInt8] in
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    func pointer(_ place: Int) -> [UInt8] { word(0xC000 | place) }
    let rest: [UInt8] = [0, 99, 0, 1, 0, 0, 0, 9]
    let chain = 12 + 1 + rest.count + 2
    var message = [0, 0, 0x84, 0, 0, 0] + word(count + 1) + [0, 0, 0, 0, 0] + rest + word(2 * count)
    for index in 0..<count { message += pointer(index == 0 ? 12 : chain + 2 * (index - 1)) }
    for _ in 0..<count { message += pointer(chain + 2 * (count - 1)) + rest + word(0) }
    return message
  }

  @Test("names of multicast DNS")
  func names() {
    let fault = LinearTime.fault(Self.pointers, units: 64) { bytes in
      do throws(DNSError) {
        var reader = try DNSReader(bytes.span)
        while try reader.nextRecord() != nil {}
      } catch {}
    }
    #expect(fault == nil)
    #expect(described(Self.pointers.bytes(100)).split(separator: "\n").count == 101)
    #expect(described(Self.pointers.bytes(200)).hasSuffix("badPointer at \(12 + 11 + 2 * 72)"))
  }

  @Test(
    "answers to an upgrade",
    arguments: [Adversary.repeated("a: b\r\n"), .repeated("a"), .repeated(","), .repeated("connection: a,\r\n")])
  func upgrade(_ text: Adversary) {
    let digest = [UInt8](repeating: 1, count: 20)
    let fault = LinearTime.fault(text, units: 64) { bytes in
      var response = WebSocketResponse(headerLimit: 1 << 20, digest: digest.span)
      let start = Array("HTTP/1.1 101 Switching\r\n".utf8)
      guard (try? response.feed(start.span)) != nil else { return }
      _ = try? response.feed(bytes.span)
    }
    #expect(fault == nil)
  }
}
