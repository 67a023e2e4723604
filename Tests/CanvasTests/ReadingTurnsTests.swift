import Runtime
import Testing
import TestSupport

@testable import Canvas
@testable import Graphics

/// Documents of others are read in turns of the loop, which are short whatever they are made of.
@Suite("Reading documents in turns of the loop")
struct ReadingTurnsTests {
  private static let formats: [ReaderFormat] = [.html, .markdown, .plain]

  private static let words = [
    "<p>", "</p>", "<b>", "</b>", "<h1>", "</h1>", "<ul><li>", "</ul>", "<table><tr><td>", "</table>", "<pre>",
    "</pre>",
    "<title>", "</title>", "<style>", "</style>", "<script>", "</script>", "<script type='application/json'>",
    "<img src='there' alt='a b'>", "<br>", "<hr/>", "<svg>", "</svg>", "<p style='color:#a00000'>", "<!-- a > b -->",
    "<!doctype [ > ] >", "<?x ?>", "<![CDATA[ a ]]>", "<a b= \"c>d\" e='f'>", "<", "</", ">", "\"", "=", "&amp;",
    "&#65;",
    "&", "word", " ", "  ", "\n", "\n\n", "\t", "\r\n", "```\n", "# ", "\u{E4}", "\u{A0}", "\u{1}",
  ]

  /// All that is known of a document after reading it, or why it is not shown.
  private static func result(_ bytes: [UInt8], _ format: ReaderFormat, turns work: Int) throws -> String {
    let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
    return bytes.withUnsafeBufferPointer { bytes in
      page.begin(bytes, format)
      do throws(ReaderError) {
        while try !page.readMore(atMost: work) {}
      } catch { return "\(error.kind)" }
      let document = page.document
      var lines = ["\(document.isCut) \(document.visible) \(String(describing: document.background))"]
      lines.append("\(document.title.span.withUnsafeBufferPointer { Array($0) })")
      for index in 0..<document.count {
        lines.append("\(document[index]) \(Array(document.text(document[index])))")
      }
      return lines.joined(separator: "\n")
    }
  }

  @Test("a document is the same in however many turns it is read", arguments: 0..<200 as Range<UInt64>)
  func same(seed: UInt64) throws {
    var random = Seeded(seed)
    var bytes: [UInt8] = seed % 5 == 0 ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<Int.random(in: 1...60, using: &random) { bytes += Self.words.randomElement(using: &random)!.utf8 }
    // Of an old encoding, perhaps at the very end.
    if seed % 3 == 0 { bytes.insert(0xE9, at: Int.random(in: 0...bytes.count, using: &random)) }
    for format in Self.formats {
      let whole = try Self.result(bytes, format, turns: .max)
      for work in [1, 3, 40, 500] {
        #expect(try Self.result(bytes, format, turns: work) == whole, "\(format), \(work) a turn")
      }
    }
  }

  private static let long: [(ReaderFormat, String, String, String)] = [
    (.html, "<p>", "a word ", ""), (.html, "", "w", ""), (.html, "", "&amp;", ""), (.html, "<!--", "-", "--> a"),
    (.html, "<![CDATA[", "]", "]]>a"), (.html, "<?", "a ", ">a"), (.html, "<!", "[]", ">a"), (.html, "<", "a", ">a"),
    (.html, "</", "a", ">a"), (.html, "<p ", "a=b ", ">a"), (.html, "<p a='", "b ", "'>a"), (.html, "<p", " ", "'>a"),
    (.html, "<p style='", "color:#a00000;", "'>a"), (.html, "<script>", " ", "</script>a"),
    (.html, "<style>", "a{} ", "</style>a"), (.html, "<title>", " ", "</title>a"), (.html, "<pre>", "a  b", ""),
    (.html, "<table>", "<tr><td>a", ""), (.html, "", "<img src=a alt='b c'>", ""), (.html, "", "<p>a", ""),
    (.html, "", "\u{E4}", ""), (.html, "a", "<b></b>", ""), (.plain, "", "word ", ""), (.plain, "a", " ", ""),
    (.plain, "a", "\n", ""), (.plain, "", "a\n\n", ""), (.markdown, "", "word ", ""), (.markdown, "", " ", "a"),
    (.markdown, "", "a\n", ""), (.markdown, "", "```\n", ""), (.markdown, "", "# a\n\n", ""),
  ]

  @Test("no turn does more than its share, whatever a long document is made of", arguments: long)
  func bounded(format: ReaderFormat, start: String, unit: String, end: String) throws {
    let text = start + String(repeating: unit, count: Budget.readerBytes / unit.utf8.count) + end
    let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes in
      page.begin(bytes, format)
      var (turns, isRead) = (0, false)
      var (blocks, count) = (0, 0)
      while !isRead, turns < 10_000 {
        isRead = try page.readMore()
        turns += 1
        // A byte becomes two at most; a block is a step at least.
        #expect(page.document.textCount - count <= 2 * Budget.readBytes + Budget.readerURLBytes)
        #expect(page.document.count - blocks <= Budget.readBytes / Budget.readStep + 1)
        (blocks, count) = (page.document.count, page.document.textCount)
      }
      #expect(isRead)
      // Each byte was looked at, and no turn looks at more than its share.
      #expect((bytes.count / Budget.readBytes...2_000).contains(turns), "\(turns) turns")
    }
  }

  @Test("a script is found in a later turn, and nothing is shown")
  func script() throws {
    let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
    page.fit(Size(400, 300), Theme(mode: .light, scale: 100))
    let bytes = Array((String(repeating: "<p>word", count: 10_000) + "<script>go()</script>").utf8)
    bytes.withUnsafeBufferPointer { bytes in
      page.begin(bytes, .html)
      var turns = 0
      let error = #expect(throws: ReaderError.self) { while try !page.readMore() { turns += 1 } }
      #expect(error?.kind == .scripts && turns > 10 && page.document.count == 0)
    }
  }

  @Test("another document may be begun in the middle of one")
  func another() throws {
    let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
    let (first, second) = (Array(String(repeating: "<p>first", count: 10_000).utf8), Array("second".utf8))
    for format in Self.formats {
      let isRead = try first.withUnsafeBufferPointer { first in
        page.begin(first, format)
        return try page.readMore()
      }
      try second.withUnsafeBufferPointer { try page.take($0, format) }
      #expect(!isRead)
      #expect(page.document.count == 1 && page.document.textCount == 6)
    }
  }

  @Test("a tag with more attributes than are read has none")
  func longTag() throws {
    for (more, shown) in [(0, 1), (1, 0)] {
      let start = " style='display:none' a='"
      let attributes = start + String(repeating: "b", count: Budget.readerTagBytes - start.utf8.count - 1 + more) + "'"
      let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
      let bytes = Array("<p\(attributes)>hidden</p>word".utf8)
      try bytes.withUnsafeBufferPointer { try page.take($0, .html) }
      #expect(page.document.count == 2 - shown)
    }
  }
}
