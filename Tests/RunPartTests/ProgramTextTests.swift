import Runtime
import Testing

@testable import RunPart

@Suite("What programs write") struct ProgramTextTests {
  private func text(_ pieces: [[UInt8]], limit: Int = 64) throws -> (text: String, isCut: Bool) {
    let text = try ProgramText(capacity: limit)
    for piece in pieces { piece.withUnsafeBufferPointer { text.append($0, limit: limit) } }
    text.finish(limit: limit)
    return (String(decoding: text.bytes, as: UTF8.self), text.isCut)
  }

  @Test("a character that two pieces share stays whole, wherever it is cut")
  func pieces() throws {
    let bytes = Array("a\u{e9}\u{20ac}\u{1f600}\r\nb".utf8)
    for cut in 0...bytes.count {
      #expect(try text([Array(bytes[..<cut]), Array(bytes[cut...])]).text == "a\u{e9}\u{20ac}\u{1f600}\nb")
    }
    #expect(try text(bytes.map { [$0] }).text == "a\u{e9}\u{20ac}\u{1f600}\nb")
  }

  @Test("what is no text is shown, and never comes through: controls, half characters, bytes of no character")
  func odd() throws {
    let shown = try text([[0x1B, 0x5B, 0x33, 0x31, 0x6D], [0xFF, 0x41], [0xE2, 0x82]]).text
    #expect(!shown.utf8.contains(0x1B) && shown.contains("A"))
    #expect(String(validating: shown.utf8, as: UTF8.self) != nil)
    #expect(try text([[0xE2, 0x82], [0x41]]).text.contains("A"))
  }

  @Test("it ends at its limit, and says so; what just fits is whole")
  func limits() throws {
    #expect(try text([Array(repeating: 0x61, count: 64)]) == (String(repeating: "a", count: 64), false))
    let more = try text([Array(repeating: 0x61, count: 60), Array(repeating: 0x62, count: 60)])
    #expect(more.isCut && more.text.utf8.count >= 64 && more.text.utf8.count <= 64 + 8)
    #expect(try text([[]]) == ("", false))
  }

  @Test("cleared, it is empty and has room again")
  func clears() throws {
    let text = try ProgramText(capacity: 1024)
    let piece = [UInt8](repeating: 0x61, count: 1000)
    for _ in 0..<3 {
      piece.withUnsafeBufferPointer { text.append($0, limit: 1024) }
      #expect(text.count == 1000 && !text.isCut)
      text.clear()
      #expect(text.count == 0)
    }
  }
}
