import Codec
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Node

@Suite("The text of a run")
struct ChatDecoderTests {
  /// What people see of a run's events, one entry each; "-" for nothing.
  private func shown(_ events: [String], capacity: Int = 4096) -> [String] {
    var decoder = ChatDecoder()
    let buffer = FixedBuffer(capacity: capacity)
    return events.map { event in
      let bytes = Array(event.utf8)
      var piece = ChatDecoder.Piece()
      let step = decoder.read(JSONView(bytes.span), buffer.bytes, &piece)
      var text = piece.isReplacement ? "anew:" : ""
      text += String(decoding: buffer.bytes[piece.range], as: UTF8.self)
      if piece.isCut { text += "[cut]" }
      if step != .progress, step != .nothing { text += "<\(step)>" }
      return text.isEmpty ? "-" : text
    }
  }

  private func delta(_ seq: Int, _ rest: String) -> String { #"{"state":"delta","seq":\#(seq),\#(rest)}"# }
  private func text(_ text: String) -> String {
    #""message":{"role":"assistant","content":[{"type":"text","text":"\#(text)"}]}"#
  }

  @Test("protocol 3: snapshots are shown by what they add")
  func snapshots() {
    #expect(
      shown([
        delta(1, text("The")), delta(2, text("The lamp")), delta(3, text("The lamp")),
        #"{"state":"final","seq":4,\#(text("The lamp is on."))}"#,
      ]) == ["The", " lamp", "-", " is on.<final>"])
  }

  @Test("protocol 4: additions and replacements")
  func additions() {
    #expect(
      shown([
        delta(1, #""deltaText":"The""#), delta(2, #""deltaText":" lamp""#),
        delta(3, #""deltaText":"The lamp is","replace":true"#), delta(4, #""deltaText":"A lamp","replace":true"#),
        #"{"state":"final","seq":5}"#,
      ]) == ["The", " lamp", " is", "anew:A lamp", "<final>"])
  }

  @Test("protocol 4 with a snapshot beside the addition: the snapshot counts, whatever was missed")
  func both() {
    #expect(
      shown([
        delta(1, #""deltaText":"a",\#(text("a"))"#), delta(4, #""deltaText":"d",\#(text("abcd"))"#),
        delta(5, #""deltaText":"e","message":{"content":[]}"#),
      ]) == ["a", "bcd", "e"])
  }

  @Test("what changed earlier is shown anew, and once")
  func changed() {
    #expect(
      shown([
        delta(1, text("I think")), delta(2, text("I know")), delta(3, text("I know it")),
        #"{"state":"final","seq":4,\#(text("Yes"))}"#,
      ]) == ["I think", "anew:I know", " it", "anew:Yes<final>"])
  }

  @Test("numbers that were there are ignored, and those that are missing are not waited for")
  func sequence() {
    #expect(
      shown([
        delta(2, #""deltaText":"a""#), delta(2, #""deltaText":"b""#), delta(1, #""deltaText":"c""#),
        delta(9, #""deltaText":"d""#), #"{"state":"delta","deltaText":"e"}"#,
        #"{"state":"final","seq":9}"#, #"{"state":"final","seq":10}"#,
      ]) == ["a", "-", "-", "d", "e", "-", "<final>"])
  }

  @Test(
    "messages of every shape",
    arguments: [
      (#""message":"plain""#, "plain"), (#""message":{"content":"plain"}"#, "plain"),
      (#""message":{"text":"plain"}"#, "plain"), (#""message":{"content":["a","b"]}"#, "a\nb"),
      (#""message":{"content":[{"text":"a"},{"type":"output_text","text":"b"}]}"#, "a\nb"),
      (#""message":{"content":[{"type":"thinking","text":"hm"},{"type":"text","text":"a"}]}"#, "a"),
      (#""message":{"content":[{"type":"toolCall","arguments":{"text":"x"}}]}"#, "-"),
      (#""message":{"content":[1,null,{"text":5},[]]}"#, "-"), (#""message":null"#, "-"), (#""message":7"#, "-"),
      (#""message":{"content":{"text":"a"}}"#, "-"), (#""deltaText":7"#, "-"), (#""message":"","deltaText":"a""#, "a"),
      (#""message":"\u00e9\ud83d\ude00""#, "é😀"),
    ])
  func shapes(members: String, expected: String) {
    #expect(shown([delta(1, members)]) == [expected])
  }

  @Test("ends: aborted and failed runs keep what was shown")
  func ends() {
    #expect(
      shown([delta(1, text("a b")), #"{"state":"aborted","seq":2,\#(text("a b c"))}"#]) == ["a b", " c<aborted>"])
    #expect(shown([delta(1, text("a")), #"{"state":"error","seq":2,\#(text("oh no"))}"#]) == ["a", "<failed>"])
    #expect(shown([#"{"state":"other","seq":1}"#, #"{"seq":2}"#, #"{"state":3}"#]) == ["-", "-", "-"])
  }

  @Test("a text that does not fit is cut at a character's edge, which is said once")
  func cut() {
    #expect(
      shown(
        [delta(1, text("abcd")), delta(2, text("abcdefé9")), delta(3, text("abcdefé99")), delta(4, text("no"))],
        capacity: 7)
        == ["abcd", "ef[cut]", "-", "anew:no"])
    // More was shown than fits: what cannot be compared is not shown twice.
    #expect(
      shown(
        [delta(1, #""deltaText":"abcdef""#), delta(2, #""deltaText":"ghijkl""#), delta(3, text("abcdefghijklm"))],
        capacity: 7)
        == ["abcdef", "ghijkl", "-"])
  }

  @Test("10,000 mutilated events do no harm")
  func hostile() {
    let random = SeededRandom(seed: 3)
    let seeds = [
      delta(1, text("The lamp")), delta(2, #""deltaText":"x","replace":true"#),
      #"{"state":"final","seq":3,"message":"x"}"#,
    ].map { Array($0.utf8) }
    var decoder = ChatDecoder()
    let buffer = FixedBuffer(capacity: 64)
    var read = 0
    for _ in 0..<10_000 {
      var bytes = seeds[Int(random.next() % 3)]
      for _ in 0..<Int(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      guard (try? JSONValidator.check(bytes.span, depthLimit: 64)) != nil else { continue }
      var piece = ChatDecoder.Piece()
      if decoder.read(JSONView(bytes.span), buffer.bytes, &piece) != .nothing { read += 1 }
      #expect(piece.range.upperBound <= 64)
      decoder = ChatDecoder()
    }
    #expect(read > 100)
  }
}
