import Testing

@testable import Codec

/// A small generator of numbers (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

@Suite("WHATWG HTML 9.2.6: event streams")
struct EventStreamTests {
  /// Everything that a reader says of a stream in these pieces; an error is `!` and the number of the event.
  private func read(_ pieces: [[UInt8]], room: Int = 64, finishes: Bool = false) -> [String] {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
    defer { memory.deallocate() }
    var reader = EventStreamReader(into: memory)
    var found: [String] = []
    for piece in pieces {
      var index = 0
      while true {
        do throws(EventStreamError) {
          guard try reader.next(piece.span, at: &index) else { break }
          found.append(event(reader))
        } catch {
          found.append("!\(error.event)/\(error.limit)")
        }
      }
      #expect(index == piece.count)
    }
    if finishes, reader.finish() { found.append(event(reader)) }
    return found
  }

  private func event(_ reader: borrowing EventStreamReader) -> String {
    let data = reader.data.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let type = reader.type.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    return type.isEmpty ? data : "\(type)=\(data)"
  }

  private func read(_ text: String, room: Int = 64, finishes: Bool = false) -> [String] {
    read([Array(text.utf8)], room: room, finishes: finishes)
  }

  @Test("an event ends with an empty line, and its data lines are joined by line feeds")
  func lines() {
    #expect(read("data: one\n\ndata: two\ndata: lines\n\n") == ["one", "two\nlines"])
    #expect(read("data\n\ndata\ndata\n\ndata:\n\n") == ["", "\n", ""])
  }

  @Test("lines end in CR, LF or both", arguments: ["\r", "\n", "\r\n"])
  func lineEnds(end: String) {
    let text = ["event: a", "data: one", "data: two", "", "data: three", "", ""].joined(separator: end)
    #expect(read(text) == ["a=one\ntwo", "three"])
  }

  @Test("one blank after the colon does not belong to the value")
  func blanks() { #expect(read("data:a\n\ndata: a\n\ndata:  a \n\n") == ["a", "a", " a "]) }

  @Test("comments and unknown fields say nothing, nor do events without data")
  func ignored() {
    #expect(read(": ping\n\n:\n\nid: 7\nfoo: bar\ndatas: x\nDATA: y\n data: z\n\ndata: one\n: two\n\n") == ["one"])
    #expect(read("event: a\n\ndata: one\n\n") == ["one"])
  }

  @Test("the type of an event is kept up to its room, and does not hold for the next")
  func type() {
    let long = String(repeating: "t", count: 40)
    #expect(read("event: \(long)\ndata: one\n\ndata: two\n\n") == ["\(long.prefix(32))=one", "two"])
    #expect(read("event: a\nevent: b\ndata:\n\n") == ["b="])
  }

  @Test("a byte order mark is skipped at the start, and nowhere else")
  func mark() {
    #expect(read("\u{FEFF}data: one\n\n\u{FEFF}data: two\n\n") == ["one"])
    #expect(read([[0xEF, 0xBB], Array("data: one\n\ndata: two\n\n".utf8)]) == ["two"])
    #expect(read("\u{FEFF}\n\ndata: one\n\n") == ["one"])
  }

  @Test("an event without its end is handed out only when the stream is over")
  func unfinished() {
    #expect(read("data: one\n\ndata: two") == ["one"])
    #expect(read("data: one\n\ndata: two", finishes: true) == ["one", "two"])
    #expect(read("data: one\n\n", finishes: true) == ["one"])
    #expect(read("data: one\n\nevent: two\nda", finishes: true) == ["one"])
  }

  @Test("an event that does not fit is an error with its number, and the next one is read")
  func large() {
    let text = "data: one\n\ndata: 12345\ndata: 6789\ndata: more\n\ndata: 12345678\n\ndata: three\n\n"
    #expect(read(text, room: 8) == ["one", "!2/8", "12345678", "three"])
    #expect(read("data: a\ndata\n\ndata\n\n", room: 1) == ["!1/1", ""])
    #expect(read("data\n\ndata: a\n\n", room: 0) == ["", "!2/0"])
    #expect(read("data: 123456789", room: 8, finishes: true) == ["!1/8"])
  }

  @Test("an error says which event it was")
  func sentence() {
    var writer = ByteWriter()
    EventStreamError(event: 3, limit: 8).write(to: &writer)
    #expect(writer.count == "event 3 of the stream has more than the 8 bytes that are taken".utf8.count)
  }

  @Test(
    "a pause is a value of digits alone",
    arguments: [
      ("retry: 1500\n", 1500), ("retry: 15x\n", nil), ("retry\n", nil), ("retry:\n", nil), ("retry: -1\n", nil),
      ("retry: 99999999999\n", UInt32.max), ("retry: 7\nretry: x\n", 7),
    ] as [(String, UInt32?)])
  func retry(_ text: String, _ expected: UInt32?) throws {
    var reader = EventStreamReader(into: UnsafeMutableBufferPointer(start: nil, count: 0))
    for byte in Array(text.utf8) {
      var index = 0
      let piece = [byte]
      let isEvent = try reader.next(piece.span, at: &index)
      #expect(!isEvent)
    }
    #expect(reader.retryMilliseconds == expected)
  }

  @Test("cut at any two bytes it means the same")
  func cuts() {
    let text =
      "\u{FEFF}: hi\r\n\r\nevent: a\r\ndata: one\r\ndata:\r\rid: 1\ndata: zwölf\n\nretry: 12\ndata: too long a text\n\ndata: x\n"
    let bytes = Array(text.utf8)
    let whole = read([bytes], room: 12, finishes: true)
    #expect(whole == ["a=one\n", "zwölf", "!3/12", "x"])
    for first in 0...bytes.count {
      for second in stride(from: first, through: bytes.count, by: 3) {
        let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
        #expect(read(pieces, room: 12, finishes: true) == whole, "\(first), \(second)")
      }
    }
    #expect(read(bytes.map { [$0] }, room: 12, finishes: true) == whole)
  }

  @Test("whatever comes, it means the same in pieces")
  func garbage() {
    var random = Numbers(state: 17)
    let words = [
      "data", "data:", ": ", "event:", "\n", "\r", "\r\n", "\n\n", " ", "x", "retry: 1", "\u{FEFF}", "id", "ü",
    ]
    for _ in 0..<4000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...24, using: &random) { bytes += Array(words.randomElement(using: &random)!.utf8) }
      if !bytes.isEmpty, Bool.random(using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let whole = read([bytes], room: 6, finishes: true)
      #expect(read(bytes.map { [$0] }, room: 6, finishes: true) == whole, "\(bytes)")
    }
  }
}
