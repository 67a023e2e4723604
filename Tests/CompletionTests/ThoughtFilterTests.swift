import Codec
import Testing

@testable import Completion

@Suite("Thoughts in answers")
struct ThoughtFilterTests {
  /// What is seen of a text in these pieces; nil when a piece of it is not UTF-8.
  private func seen(_ pieces: [[UInt8]], startsInThought: Bool = false) -> String? {
    var filter = ThoughtFilter(startsInThought: startsInThought)
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
    defer { room.deallocate() }
    var text: [UInt8] = []
    for piece in pieces + [[]] {
      var writer = ByteWriter(into: room)
      if piece.isEmpty { filter.finish(into: &writer) } else { filter.take(piece.span, into: &writer) }
      guard String(validating: room[..<writer.count], as: UTF8.self) != nil else { return nil }
      text += Array(room[..<writer.count])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func seen(_ text: String, startsInThought: Bool = false) -> String? {
    seen([Array(text.utf8)], startsInThought: startsInThought)
  }

  @Test("a thought is left out, with the white space after it")
  func thought() {
    #expect(seen("<think>hm</think>\n\nYes.") == "Yes.")
    #expect(seen("<thinking>hm\n<b></thinking> Yes. <think></think>No.") == "Yes. No.")
    #expect(seen("Yes, <think>hm</think>no.") == "Yes, no.")
  }

  @Test("a thought without an end hides the rest")
  func unclosed() {
    #expect(seen("Yes.<think>hm") == "Yes.")
    #expect(seen("Yes.<think>hm</thin") == "Yes.")
    #expect(seen("<think>hm<think>more</think>Yes.") == "Yes.")
  }

  @Test("an answer that begins inside of a thought, or has only its end tag")
  func startsInside() {
    #expect(seen("hm</think>Yes.", startsInThought: true) == "Yes.")
    #expect(seen("hm", startsInThought: true) == "")
    #expect(seen("hm</think> Yes.") == "hm Yes.")
  }

  @Test(
    "what begins no such tag goes through unchanged",
    arguments: [
      "", "<", "a < b", "<<", "<b>bold</b>", "<thin", "<thinkers>", "</thinker", "<think >", "<Think>", "< think>",
      "1<2<3", "</",
      "äöü €𝄞 <tħink>",
    ])
  func unchanged(text: String) { #expect(seen(text) == text) }

  @Test("a tag may begin right after what began none")
  func again() {
    #expect(seen("<th<think>x</think>y") == "<thy")
    #expect(seen("<<think>x<</think>y") == "<y")
  }

  @Test("cut at every byte, characters come whole and thoughts are left out")
  func cuts() {
    let text = "é<think>gr€n</think> \n𝄞<thinking><x></thinking>z<thi €<"
    let bytes = Array(text.utf8)
    let expected = "é𝄞z<thi €<"
    #expect(seen(text) == expected)
    #expect(seen(bytes.map { [$0] }) == expected)
    for cut in 1..<bytes.count {
      #expect(seen([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected, "cut at \(cut)")
    }
  }

  @Test("bytes that are not UTF-8 become U+FFFD")
  func invalid() {
    #expect(seen([[0x61, 0xC3], [0x62]]) == "a\u{FFFD}b")
    #expect(seen([[0xE2, 0x82]]) == "\u{FFFD}")
    #expect(seen([[0xFF, 0x80, 0x41]]) == "\u{FFFD}\u{FFFD}A")
    #expect(seen([[0xC3], [0xC3, 0xA9]]) == "\u{FFFD}é")
  }

  @Test("whatever comes, it is text, and the same in pieces")
  func garbage() {
    var random = ModelNumbers(state: 5)
    let words: [[UInt8]] = ["<think>", "</think>", "<thinking>", "</thinking>", "<", "thi", "nk>", "x", " ", "é", "𝄞"]
      .map {
        Array($0.utf8)
      }
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        var word = words.randomElement(using: &random)!
        if Int.random(in: 0..<6, using: &random) == 0 { word.removeLast() }
        if Int.random(in: 0..<9, using: &random) == 0 { word = [UInt8.random(in: 0...255, using: &random)] }
        bytes += word
      }
      if bytes.isEmpty { continue }
      let whole = seen([bytes])
      #expect(whole != nil && seen(bytes.map { [$0] }) == whole, "\(bytes)")
    }
  }
}
