import Runtime
import Simulated
import Testing
import TestSupport

@testable import Canvas
@testable import Graphics

/// What others send is read in a time that grows with it and no more, whatever it is made of.
@Suite("Linear time of documents", .enabled(if: LinearTime.counts))
struct LinearTimeTests {
  private static let marks: [Adversary] =
    [
      .repeated("*a "), .repeated("**a "), .repeated("_a "), .repeated("__a "), .repeated("*a _b "),
      .repeated("*a**b "),
      .repeated("["), .repeated("[a]("), .repeated("!["), .repeated("![a]("), .repeated("[a]", before: "("),
      .repeated("[", before: "]"), .repeated("[", before: "](x"), .nested("[", "]"), .nested("[a](", ")"),
      .repeated("`a "), .runs(of: "`", between: "a"), .runs(of: "*", between: "a"), .repeated("\\*"),
      .nested("**", "**"),
      .repeated("- "), .repeated("> "), .repeated("- a\n  "), .repeated("a\n\n"), .repeated("1. a\n"), .repeated("#"),
      .repeated("|a"), .repeated("<a"), .repeated("<http://a> "), .repeated("&a"), .repeated("[a]: b\n"),
      .repeated("```\n"), .repeated(" "), .repeated("\u{645}"), .repeated("a\u{AD}"), .repeated("("),
    ]
    + Adversary.sentences(
      of: ["*", "**", "_", "__", "`", "``", "[", "]", "](", ")", "![", "\\", "a", " ", "\n", "- ", "# ", "\u{E4}"],
      seed: 47, atMost: 12)

  @Test("Markdown", arguments: marks)
  func markdown(_ text: Adversary) {
    let flow = TextFlow(measurer: GridMeasurer())
    let fault = LinearTime.fault(text, units: 8) { flow.read($0.span, Font(size: 10), isMarkdown: true) }
    #expect(fault == nil)
  }

  private static let tags: [Adversary] =
    [
      .repeated("<"), .repeated("<a"), .repeated("<a "), .repeated("<a b='"), .repeated("<a b=\""), .repeated("<p"),
      .repeated("<p>"), .repeated("<div>"), .repeated("</div>"), .nested("<div>", "</div>"), .repeated("<!--"),
      .repeated("<!"), .repeated("<![CDATA["), .repeated("<?"), .repeated("<!--a-"), .repeated("<script>", before: "a"),
      .repeated("<style></styl"), .repeated("<b><i></b>"), .repeated("<table>"), .repeated("<table><tr><td>"),
      .repeated("<td>a"), .repeated("<ul><li>"), .repeated("<li>a"), .repeated("<ol><li>", after: "<table>"),
      .repeated("&"), .repeated("&#"), .repeated("&#x1"), .repeated("&amp"), .repeated("&nosuchname"), .repeated("\""),
      .repeated(" b", after: "<a", before: ">"), .repeated(" b=c", after: "<a", before: ">"),
      .repeated(" \"", after: "<a"), .repeated("/", after: "<a", before: ">"), .repeated("<title>a"),
      .repeated("<a b=\"", before: "\">"), .repeated("a:b;", after: "<p style='", before: "'>a"),
      .repeated("rgb(", after: "<p style='color:", before: "'>a"), .repeated("<p style='color:#'>a"),
      .repeated("<img src=~>"), .repeated("<img src='a", before: "'>"), .repeated("<pre>\n"), .repeated("<svg><a>"),
    ]
    + Adversary.sentences(
      of: [
        "<", "</", ">", "<p>", "<b>", "</p>", "<td>", "<table>", "<li>", "<ul>", "=", "'", "\"", "&", "a", " ", "<!--",
        "-->", "<!", "]", "/>",
      ], seed: 48, atMost: 10)

  @Test("HTML", arguments: tags)
  func html(_ text: Adversary) throws {
    let document = try ReaderDocument()
    let fault = LinearTime.fault(text, units: 8) { bytes in
      document.removeAll()
      var reader = HTMLReader(bytes, document)
      _ = reader.readMore(atMost: .max)
      _ = ReaderPage.drawing(in: bytes)
    }
    #expect(fault == nil)
  }

  @Test(
    "a page of Markdown is arranged and drawn",
    arguments: [Adversary.repeated("*a "), .repeated("a\n\n"), .repeated("[a](")])
  func page(_ text: Adversary) throws {
    let page = try ReaderPage(measurer: PlainMeasurer(), pictures: nil)
    page.fit(Size(400, 300), Theme(mode: .light, scale: 100))
    let list = DisplayList()
    let fault = LinearTime.fault(text, units: 6) { bytes in
      guard (try? page.take(bytes, .markdown)) != nil else { return }
      list.removeAll()
      page.draw(into: list)
    }
    #expect(fault == nil)
  }
}
