import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// Characters are five pixels wide, lines 14 pixels high.
@Suite("Text in lines")
struct TextFlowTests {
  private let flow = TextFlow(measurer: GridMeasurer())

  private func take(_ text: String, isMarkdown: Bool = true) {
    flow.take(text.utf8.span, Font(size: 10), isMarkdown: isMarkdown)
  }

  /// What each run of each line says, with its place and a letter for its style.
  private func runs(_ text: String, width: Int32, isMarkdown: Bool = true) -> [String] {
    take(text, isMarkdown: isMarkdown)
    flow.arrange(width: width)
    let list = DisplayList()
    flow.draw(into: list, at: Point(0, 0), width: width, .white)
    var result: [String] = []
    for index in 0..<list.count {
      guard case .text(let slice, let font, let start, _, _) = list[index] else { continue }
      let bytes = list.text(slice)
      var characters: [UInt8] = []
      for place in 0..<bytes.count { characters.append(bytes[place]) }
      var style = ""
      if font.weight == .bold { style += "b" }
      if font.isItalic { style += "i" }
      if font.isMonospaced { style += "c" }
      if font.size > 10 { style += "h" }
      result.append("\(start.x),\(start.y) \(style)|\(String(decoding: characters, as: UTF8.self))")
    }
    return result
  }

  @Test("words stay whole while they fit, and blanks at a line's end are gone")
  func breaks() {
    #expect(runs("one two  three", width: 40) == ["0,10 |one two", "0,24 |three"])
    #expect(runs("one two  three", width: 39) == ["0,10 |one two", "0,24 |three"])
    #expect(runs("one two three", width: 30) == ["0,10 |one", "0,24 |two", "0,38 |three"])
  }

  @Test("a word that is longer than a line is broken within it")
  func breaksWords() {
    #expect(runs("abcdefgh ij", width: 20) == ["0,10 |abcd", "0,24 |efgh", "0,38 |ij"])
    #expect(runs("\u{20AC}\u{20AC}\u{20AC}", width: 4) == ["0,10 |\u{20AC}", "0,24 |\u{20AC}", "0,38 |\u{20AC}"])
  }

  @Test("what was broken for a narrow width is whole again in a wide one")
  func rejoins() {
    take("abcdefgh")
    #expect(flow.arrange(width: 20) == 28)
    #expect(flow.arrange(width: 100) == 14)
  }

  @Test("emphasis, code and links change the style, and not where words end")
  func styles() {
    #expect(runs("a **b c** d", width: 200) == ["0,10 |a", "10,10 b|b c", "30,10 |d"])
    #expect(runs("*i* `c d`", width: 200) == ["0,10 i|i", "10,10 c|c d"])
    #expect(runs("see [More Info](https://example.org/a_b)", width: 200) == ["0,10 |see", "20,10 |More Info"])
    #expect(runs("snake_case_name 2*3*4", width: 200).count > 0)
    #expect(runs("snake_case_name", width: 200) == ["0,10 |snake_case_name"])
    #expect(runs("5 * 3 and **open", width: 200) == ["0,10 |5 * 3 and **open"])
    #expect(runs("\\*plain\\*", width: 200) == ["0,10 |*plain*"])
    #expect(runs("un**bel**ievable", width: 200) == ["0,10 |un", "10,10 b|bel", "25,10 |ievable"])
  }

  @Test("headings are larger, items hang after their bullets")
  func blocks() {
    #expect(runs("# Big\nsmall", width: 200) == ["0,11 bh|Big", "0,26 |small"])
    #expect(
      runs("- one two\n- three", width: 40) == [
        "0,10 |\u{2022}", "12,10 |one", "12,24 |two", "0,38 |\u{2022}", "12,38 |three",
      ])
    #expect(runs("12. x", width: 100) == ["0,10 |12.", "20,10 |x"])
  }

  @Test("lines of the text are kept, and an empty one parts paragraphs")
  func paragraphs() {
    #expect(runs("a\nb\n\nc", width: 100) == ["0,10 |a", "0,24 |b", "0,43 |c"])
    #expect(runs("a\n\n", width: 100, isMarkdown: false) == ["0,10 |a"])
  }

  @Test("its least width is its longest word, its widest its longest line")
  func widths() {
    take("one three\ntwo")
    let (least, most) = flow.widths()
    #expect(least == 25)
    #expect(most == 45)
  }

  @Test("more text, words or lines than it holds are cut off")
  func isBounded() {
    take(String(repeating: "x", count: Budget.flowBytes + 10))
    #expect(flow.widths().max <= Int32(Budget.flowBytes) * 5)
    take(String(repeating: "x ", count: Budget.flowWords + 10))
    #expect(flow.wordCount == Budget.flowWords)
    take(String(repeating: "x\n", count: Budget.flowLines + 10))
    flow.arrange(width: 100)
    #expect(flow.lineCount == Budget.flowLines)
  }

  @Test("no bytes are too odd to be arranged")
  func survivesNoise() {
    var seed: UInt64 = 7
    for _ in 0..<500 {
      var noise: [UInt8] = []
      for _ in 0..<60 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let marks: [UInt8] = [
          0x2A, 0x5F, 0x60, 0x5B, 0x5D, 0x28, 0x29, 0x20, 0x0A, 0x23, 0x2D, 0x31, 0x2E, 0x61, 0xE4, 0xBD,
        ]
        noise.append(marks[Int(seed >> 40) % marks.count])
      }
      flow.take(noise.span, Font(size: 10), isMarkdown: true)
      for width: Int32 in [1, 20, 300] {
        flow.arrange(width: width)
        var words = 0
        for index in 0..<flow.lineCount { words += Int(flow.line(index).wordCount) }
        #expect(words == flow.wordCount)
      }
    }
  }

  /// The number of the link at each place of a line, a letter for each character: "." without one.
  private func links(_ text: String, width: Int32, line: Int32 = 0, slack: Int32 = 0) -> String {
    take(text)
    flow.arrange(width: width)
    var result = ""
    for column in 0..<width / 5 {
      let link = flow.link(at: Point(column * 5 + 2, line * 14 + 7), slack: slack)
      result += link.map { "\($0)" } ?? "."
    }
    return result
  }

  @Test("links of openclaw are where their words are, with the blanks between them, and others are nowhere")
  func linkPlaces() {
    #expect(links("ab [cd ef](openclaw://x) [gh](https://x) [i](OpenClaw:y)", width: 75) == "...11111....2..")
    #expect(links("[ab](openclaw://x)[cd](openclaw://y)", width: 40) == "1122....")
    #expect(links("- [ab](openclaw://x)", width: 40, slack: 0).contains("11"))
    #expect(links("aaaa [bb cc](openclaw:x)", width: 35, line: 1) == "11.....")
    #expect(links("a [b](openclaw:x) c", width: 30, slack: 5) == ".111..")
    #expect(links("plain", width: 30) == "......")
  }

  @Test("of a text's links sixteen can be pressed")
  func manyLinks() {
    take((0..<20).map { "[a](openclaw:\($0))" }.joined(separator: "\n"))
    flow.arrange(width: 100)
    #expect(flow.link(at: Point(2, 15 * 14 + 7), slack: 0) == 16)
    #expect(flow.link(at: Point(2, 16 * 14 + 7), slack: 0) == nil)
  }
}
