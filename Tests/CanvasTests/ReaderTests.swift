import Runtime
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// Characters half an em wide.
final class PlainMeasurer: TextMeasurer {
  func metrics(of font: Font) -> FontMetrics { FontMetrics(ascent: Int32(font.size), descent: Int32(font.size) / 4) }
  func advance(of text: Span<UInt8>, in font: Font) -> Int32 { Int32(text.count) * Int32(font.size) * 32 }
  func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    min(text.count, Int(width / (Int32(font.size) * 32)))
  }
}

/// A picture at every address that begins with "there".
final class FewPictures: PictureShelf {
  var isThere = true
  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? { size(url).map { Picture(PictureHandle(7), $0) } }
  func size(_ url: Span<UInt8>) -> Size? { isThere && url.count > 4 && url[0] == 0x74 ? Size(100, 50) : nil }
}

/// A page, and what it draws.
final class Read {
  let page: ReaderPage
  let pictures = FewPictures()
  let list = DisplayList()

  init(_ text: String, _ format: ReaderFormat = .html, width: Int32 = 400) throws {
    page = try ReaderPage(measurer: PlainMeasurer(), pictures: pictures)
    page.fit(Size(width, 300), Theme(mode: .light, scale: 100))
    try take(text, format)
  }

  func take(_ text: String, _ format: ReaderFormat = .html) throws {
    let bytes = Array(text.utf8)
    let page = page
    try bytes.withUnsafeBufferPointer { bytes throws(ReaderError) in try page.take(bytes, format) }
    draw()
  }

  func draw() {
    list.removeAll()
    page.draw(into: list)
  }

  /// All runs of text, each with its font, place and color.
  var runs: [(text: String, font: Font, start: Point, color: Color)] {
    var result: [(text: String, font: Font, start: Point, color: Color)] = []
    let list = list
    for index in 0..<list.count {
      guard case .text(let slice, let font, let start, _, let color) = list[index] else { continue }
      let span = list.text(slice)
      var bytes: [UInt8] = []
      for place in 0..<span.count { bytes.append(span[place]) }
      result.append((String(decoding: bytes, as: UTF8.self), font, start, color))
    }
    return result
  }

  var words: String { runs.map(\.text).joined(separator: "|") }
}

@Suite("Reader")
struct ReaderTests {
  @Test("headings, paragraphs and line breaks stand below each other, blanks are single")
  func paragraphs() throws {
    let read = try Read("<body><h1>Big</h1><p>One\n  two<p>Three<br>four</p>five<div>six")
    #expect(read.words == "Big|One two|Three|four|five|six")
    let runs = read.runs
    for index in 1..<runs.count { #expect(runs[index].start.y > runs[index - 1].start.y) }
    #expect(runs[0].font.size > runs[1].font.size && runs[0].font.weight == .bold)
  }

  @Test("emphasis, code, links and colours look as they should")
  func looks() throws {
    let read = try Read(
      "<p>a <b>b</b> <i>c</i> <code>d</code> <a href=x>e</a> <span style='color:#a00000'>f</span>&lt;&eacute;&#65;</p>")
    let runs = read.runs
    #expect(runs.map { $0.text.trimmingPrefix(" ") } == ["a", "b", "c", "d", "e", "f", "<éA"])
    #expect(runs[1].font.weight == .bold)
    #expect(runs[2].font.isItalic)
    #expect(runs[3].font.isMonospaced)
    #expect(runs[5].color == Color(0xA00000))
    #expect(runs[6].color == runs[0].color)
  }

  @Test("a color that cannot be read on its ground has another tone, on that of its block as well")
  func legible() throws {
    let read = try Read("<p style='color:#ffb0b0'>a</p><p style='color:#ffb0b0;background:#000000'>b</p>")
    let (onPage, onBlack) = (read.runs[0].color, read.runs[1].color)
    #expect(onPage.contrast(with: Theme(mode: .light).page) >= 4.5 && onPage.red > max(onPage.green, onPage.blue))
    #expect(onBlack == Color(0xFFB0B0))
  }

  @Test("lists have bullets and numbers, and stand further right the deeper they are")
  func lists() throws {
    let read = try Read("<ul><li>a<li>b<ol start=3><li>c</li><li>d</ol></ul>")
    #expect(read.words == "\u{2022}|a|\u{2022}|b|3.|c|4.|d")
    let runs = read.runs
    #expect(runs[5].start.x > runs[3].start.x)
    #expect(runs[1].start.x == runs[3].start.x)
    #expect(runs[0].start.y == runs[1].start.y)
  }

  @Test("cells of a table stand beside each other, those of a column below each other")
  func tables() throws {
    let read = try Read("<table><tr><th>a<th>b b<tr><td>c c c<td>d</table>after")
    let runs = read.runs
    #expect(read.words == "a|b b|c c c|d|after")
    #expect(runs[0].start.y == runs[1].start.y && runs[0].start.x == runs[2].start.x)
    #expect(runs[1].start.x == runs[3].start.x && runs[2].start.y > runs[0].start.y)
    #expect(runs[1].start.x > runs[2].start.x)
    #expect(runs[4].start.y > runs[3].start.y)
  }

  @Test("a table that is too wide is broken inside its cells, and cells beyond the columns stand in the last")
  func wideTables() throws {
    let cells = String(repeating: "<td>wide cell", count: Budget.readerColumns + 3)
    let read = try Read("<table><tr>\(cells)</table>")
    for run in read.runs { #expect(run.start.x < 400) }
  }

  @Test("code keeps its lines and blanks")
  func code() throws {
    let read = try Read("<pre>\nif x {\n  y\n}\n</pre>z")
    #expect(read.words == "if\u{A0}x\u{A0}{|\u{A0}\u{A0}y|}|z")
    #expect(read.runs[0].font.isMonospaced)
    #expect(!read.runs[3].font.isMonospaced)
  }

  @Test("alignment, background and size are heeded")
  func blocks() throws {
    let read = try Read("<p style='text-align:right;background-color:#ff0;font-size:32px'>a</p><p align=center>b")
    let runs = read.runs
    #expect(runs[0].start.x > 300 && runs[0].font.size == 30)
    #expect((190...205).contains(runs[1].start.x))
    var fields = 0
    for index in 0..<read.list.count {
      if case .fill(_, _, .solid(Color(0xFFFF00))) = read.list[index] { fields += 1 }
    }
    #expect(fields == 1)
  }

  @Test("a picture has its place once it is there; until then the words that stand for it")
  func pictures() throws {
    let read = try Read("a<img src='there.png' alt='a chart'>b")
    #expect(read.words == "a|b")
    let far = read.runs[1].start.y
    read.pictures.isThere = false
    read.draw()
    #expect(read.words == "a|a chart|b")
    #expect(read.runs[2].start.y < far)
  }

  @Test("the title is shown when no heading is there")
  func titles() throws {
    #expect(try Read("<title> My &amp;\n page</title>text").words == "My & page|text")
    #expect(try Read("<title>x</title><h1>y</h1>text").words == "y|text")
  }

  @Test(
    "documents that scripts make, or without text, are refused with what was found",
    arguments: [
      ("<p>x<script>go()</script>", ReaderError.Kind.scripts, "script"),
      ("<div id=root></div><script src=x.js></script>", .empty, "no visible text"),
      ("<canvas>no</canvas>", .empty, "canvas"), ("", .empty, "no visible text"),
      ("<style>p{}</style><!-- x --><p> &nbsp", .empty, "no visible text"),
      ("<svg><text>x</text></svg><svg/>", .empty, "svg"),
    ] as [(String, ReaderError.Kind, String)])
  func refuses(text: String, kind: ReaderError.Kind, word: String) throws {
    let error = #expect(throws: ReaderError.self) { try Read(text) }
    #expect(error?.kind == kind)
    var bytes: [UInt8] = []
    if let text = error?.text { for index in 0..<text.count { bytes.append(text.span[index]) } }
    #expect(String(decoding: bytes, as: UTF8.self).contains(word))
  }

  @Test("a script that is data is none, and neither is an empty one")
  func allowsData() throws {
    #expect(try Read("<script type='application/ld+json'>{}</script><script src=x></script>a").words == "a")
  }

  @Test("the only drawing of a document without text is found")
  func findsDrawing() {
    for (text, found) in [
      ("<html><head><title>x</title></head><body> <svg><text>a</text></svg></body>", "<svg><text>a</text></svg>"),
      ("<p>x</p><svg></svg>", ""), ("<svg></svg><svg></svg>", ""), ("<svg></svg><script></script>", ""), ("<p>", ""),
    ] {
      let bytes = Array(text.utf8)
      let range = bytes.withUnsafeBufferPointer { ReaderPage.drawing(in: $0) }
      #expect(String(decoding: range.map { bytes[$0] } ?? [], as: UTF8.self) == found)
    }
  }

  @Test("plain text keeps its lines, Markdown its headings, and old encodings their letters")
  func texts() throws {
    #expect(try Read("a b\n  c\n\nd <b>", .plain).words == "a b|\u{A0}\u{A0}c|d <b>")
    let read = try Read("# A\n\nb **c**\n\n```\n\nx\n```", .markdown)
    #expect(read.runs[0].font.weight == .bold)
    #expect(read.words.hasPrefix("A|b|"))
    let page = try Read("x").page
    let latin: [UInt8] = [0x61, 0xE9]
    try latin.withUnsafeBufferPointer { bytes throws(ReaderError) in try page.take(bytes, .html) }
    let list = DisplayList()
    page.draw(into: list)
    #expect(list.textCount == 3)
  }

  @Test("it scrolls by wheel, keys and fingers, to its ends and no further, and goes on by itself")
  func scrolls() throws {
    let read = try Read(String(repeating: "<p>line</p>", count: 100))
    let top = read.runs[0].start.y
    #expect(!read.page.input(.wheel(Point(0, 0), x: 0, y: 10), at: 0))
    #expect(read.page.input(.wheel(Point(0, 0), x: 0, y: -10), at: 0))
    read.draw()
    #expect(read.runs[0].start.y == top - 10)
    #expect(read.page.input(.key(.end, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0))
    #expect(!read.page.input(.key(.pageDown, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0))
    #expect(read.page.input(.key(.home, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0))
    _ = read.page.input(.pointer(.down, id: 0, Point(50, 200)), at: 0)
    var moved = false
    for step in 1...10 {
      if read.page.input(.pointer(.move, id: 0, Point(50, 200 - Int32(step) * 10)), at: Int64(step) * 10) {
        moved = true
      }
    }
    #expect(moved)
    _ = read.page.input(.pointer(.up, id: 0, Point(50, 100)), at: 101)
    var frames = 0
    while let next = read.page.nextDeadline, frames < 1_000 {
      _ = read.page.advance(to: next)
      frames += 1
    }
    #expect((5..<200).contains(frames))
  }

  @Test("a newer state of a page is scrolled as far, but not after its end")
  func scrolledAs() throws {
    let read = try Read(String(repeating: "<p>line</p>", count: 100))
    _ = read.page.input(.wheel(Point(0, 0), x: 0, y: -500), at: 0)
    #expect(read.page.scrolled == 500)
    let newer = try Read(String(repeating: "<p>other</p>", count: 100))
    newer.page.scrolled = read.page.scrolled
    #expect(newer.page.scrolled == 500)
    let shorter = try Read(String(repeating: "<p>line</p>", count: 12))
    shorter.page.scrolled = read.page.scrolled
    #expect(shorter.page.scrolled < 500)
    let short = try Read("<p>line</p>")
    for place in [500, -1] as [Int32] {
      short.page.scrolled = place
      #expect(short.page.scrolled == 0)
    }
  }

  /// Lets a page arrange all of it; returns in how many turns.
  private func settle(_ page: ReaderPage) -> Int {
    var turns = 0
    while let next = page.nextDeadline, turns < 1_000 {
      _ = page.advance(to: next)
      turns += 1
    }
    return turns
  }

  @Test("a long document is shown from its top at once, arranged in slices, and scrolled as far as was wanted")
  func slices() throws {
    let read = try Read(String(repeating: "<p>line</p>", count: 2000))
    #expect(read.words.hasPrefix("line|line"))
    read.page.scrolled = 30_000
    #expect(read.page.scrolled < 30_000)
    #expect((5..<20).contains(settle(read.page)) && read.page.scrolled == 30_000)
    read.draw()
    #expect(read.words.hasPrefix("line|line"))
    read.page.fit(Size(500, 300), Theme(mode: .light, scale: 100))
    #expect(settle(read.page) >= 5 && read.page.scrolled == 30_000)
    read.page.fit(Size(400, 300), Theme(mode: .light, scale: 100))
    _ = read.page.input(.key(.home, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0)
    #expect(settle(read.page) >= 5 && read.page.scrolled == 0)
    read.page.fit(Size(500, 300), Theme(mode: .light, scale: 100))
    _ = read.page.input(.key(.end, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0)
    _ = settle(read.page)
    let end = read.page.scrolled
    #expect(end > 30_000)
    #expect(!read.page.input(.key(.end, isDown: true, isRepeat: false, Modifiers(rawValue: 0)), at: 0))
  }

  @Test("words are kept as they are, whatever stands between them")
  func wordsBetween() throws {
    #expect(try Read("a&amp;b<b>c</b>d \u{E4}x&y; z").words == "a&b|c|d \u{E4}x&y; z")
    let long = String(repeating: "w", count: Budget.readerBytes - 2)
    let read = try Read(long + "abc")
    #expect(read.page.isCut && read.page.document.textCount == Budget.readerBytes)
    #expect(read.page.document.visible == Budget.readerBytes + 1)
  }

  @Test("what is longer or deeper than what is kept is cut, and says so")
  func bounds() throws {
    #expect(try Read(String(repeating: "<p>a", count: Budget.readerBlocks + 1)).page.isCut)
    #expect(try Read(String(repeating: "word ", count: Budget.readerBytes / 5 + 100)).page.isCut)
    #expect(try Read(String(repeating: "<div>", count: Budget.readerDepth * 2) + "deep").words == "deep")
    let url = "there" + String(repeating: "x", count: Budget.readerURLBytes)
    #expect(try Read("a<img src='\(url)'>").words == "a")
  }

  @Test("a document cut off anywhere crashes nothing")
  func cutOff() throws {
    let text = Array(
      """
      <!doctype html><title>a</title><body style="background:#123"><table><tr><td>x<table><tr><td>y</table></table>
      <ul><li>a<ol><li>b</ol></ul><pre> x\ty\n</pre><img src=there alt=b>&#x41;&amp<br/><hr></p></b><blockquote>q
      """.utf8)
    for count in 0...text.count { _ = try? Read(String(decoding: text[..<count], as: UTF8.self)) }
  }
}
