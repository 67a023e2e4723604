import Runtime
import Testing

@testable import OwnAgent

private let sample = """
  <!doctype html><html><head><meta charset=utf-8><title>Ti&tle &eacute;</title><style>p{}</style>
  <script><!-- <script> </script> --></script></head><body><h1 class="a b">Héad&nbsp;1</h1><p hidden>no<p>yes
  <a href='/x?y=1&amp;z'>li<b>nk</b></a><ul><li>a<li style="display&#58;none">b</ul><table><tr><td>1<td>2</table>
  <pre>
   keep  it</pre><!-- c --><img alt="π&gt;3"><svg><path/></svg>&#x1F600;€<textarea>t</textarea>&amp</body></html>
  """

@Suite("Bounds of a page") struct PageBoundsTests {
  @Test("cut anywhere, in two pieces or in many, a page is the same text")
  func pieces() {
    let bytes = Array(sample.utf8)
    let whole = withPage(bytes, base: "https://e.org/")
    #expect(whole.hasPrefix("Ti&tle é\n\n# Héad 1"))
    for cut in 0...bytes.count { #expect(withPage(bytes, pieces: [cut], base: "https://e.org/") == whole, "\(cut)") }
    #expect(withPage(bytes, pieces: Array(0..<bytes.count), base: "https://e.org/") == whole)
  }

  @Test("ended anywhere, a page gives text that is UTF-8 and shows nothing hidden")
  func ends() {
    let bytes = Array(sample.utf8)
    for end in 0...bytes.count {
      let text = withPage(Array(bytes[..<end]))
      #expect(!text.contains("no") && !text.contains("script"), "\(end)")
    }
  }

  @Test("the text ends at a character when its memory is full, and the reader says so")
  func full() {
    let html = Array("<title>ü</title>äöü<p>äöüäöü".utf8)
    let whole = withPage(html)
    for room in 0...40 {
      let page = PageText()
      let memory = FixedBuffer(capacity: max(room, 1))
      page.begin(into: UnsafeMutableBufferPointer(rebasing: memory.bytes[..<room]))
      page.take(html.span)
      let count = page.end()
      #expect(count <= room)
      let text = String(decoding: memory.bytes[..<count], as: UTF8.self)
      #expect(!text.contains("\u{FFFD}"), "\(room)")
      #expect(page.isFull == (room < whole.utf8.count), "\(room)")
      if page.isFull == false { #expect(text == whole) }
    }
  }

  @Test("a title that comes late moves the text, as far as there is room")
  func lateTitle() {
    let text = withPage(Array("0123456789<title>title</title>x".utf8), room: 14)
    #expect(text == "title\n\n0123456")
    #expect(withPage(Array("äää<title>titles</title>".utf8), room: 11) == "titles\n\nä")
    #expect(withPage(Array("abc<title>a longer title</title>".utf8), room: 10) == "abc")
    let long = String(repeating: "t", count: 5000)
    #expect(pageText("<title>\(long)</title>").utf8.count == Budget.pageTitleBytes)
  }

  @Test("beyond the depth, what is shown stays, and nothing after something hidden is")
  func depth() {
    let deep = String(repeating: "<div>", count: 10_000)
    #expect(pageText(deep + "x" + String(repeating: "</div>", count: 10_000) + "y").contains("x"))
    #expect(pageText(deep + "x<div hidden>secret</div>secret") == "x")
    let shallow = String(repeating: "<div>", count: Budget.pageDepth - 1)
    #expect(pageText(shallow + "x<div hidden>secret</div>y") == "xy")
    #expect(pageText(String(repeating: "<p><b>", count: 10_000) + "x") == "x")
    #expect(pageText(String(repeating: "<b hidden><p>", count: 1000) + "x").isEmpty)
  }

  @Test("so many links have an address, and addresses that are too long have none")
  func links() {
    let one = "<a href=https://e.org/>x</a> "
    let text = pageText(String(repeating: one, count: Budget.pageLinks + 10))
    #expect(text.components("(https://e.org/)") == Budget.pageLinks)
    let path = String(repeating: "a", count: Budget.pageLinkBytes - 14)
    #expect(pageText("<a href=https://e.org/\(path)>x</a>").utf8.count == Budget.pageLinkBytes + 4)
    #expect(pageText("<a href=https://e.org/\(path)a>x</a>") == "x")
    #expect(pageText("<a href=https://e.org/\(String(repeating: "b", count: 100_000))>x</a>y") == "xy")
  }

  @Test("attributes, names and references of any size")
  func sizes() {
    let long = String(repeating: "n", count: 100_000)
    #expect(pageText("a<\(long) \(long)=\(long) \(long)>b</\(long)>c") == "abc")
    #expect(pageText("a<\(long) hidden>secret</\(long)>c") == "ac")
    #expect(pageText("a<i \(String(repeating: "x=1 ", count: 20_000))hidden>secret</i>c") == "ac")
    #expect(pageText("<img alt='\(long)'>") == "[image: \(long.prefix(Budget.pageAltBytes))]")
    #expect(pageText("&#" + String(repeating: "0", count: 10_000) + "65;") == "A")
    #expect(pageText("&\(long.prefix(3000));").utf8.count == 3002)
  }

  @Test("garbage, and markup that is put together at random, never traps and stays bounded")
  func garbage() {
    let words = [
      "<", ">", "</", "<!--", "-->", "<p", "<div hidden>", "</div>", "<td>", "<table>", "</table>", "<svg/", "<b>",
      "</b>",
      "<script>", "</script>", "<title>", "</title>", "<li>", "<a href='https://x/", "'>", "\"", "=", "&", "&#x",
      "&amp;",
      ";", "style=\"", "display:none", "\\", "/*", "*/", "<pre>", "</pre>", "<br/>", " ", "\n", "x", "é", "\u{202E}",
      "<img alt=", "<select>", "<object>", "</object>", "<meta charset=latin1>", "<xmp>", "</xmp>", "<h1>", "</h2>",
    ]
    for seed in 1...400 {
      var dice = PageDice(UInt64(seed))
      var bytes: [UInt8] = []
      for _ in 0..<dice.below(300) {
        if dice.below(5) == 0 {
          bytes.append(UInt8(dice.below(256)))
        } else {
          bytes += words[dice.below(words.count)].utf8
        }
      }
      let room = dice.below(600) + 1
      let whole = withPage(bytes, room: room)
      let cuts = (0..<5).map { _ in dice.below(bytes.count + 1) }.sorted()
      #expect(withPage(bytes, pieces: cuts, room: room) == whole, "seed \(seed)")
      #expect(!whole.contains("\u{202E}"))
    }
  }

  @Test("a page after another has nothing of it")
  func again() {
    let page = PageText()
    let memory = FixedBuffer(capacity: 200)
    for (html, text) in [
      ("<div hidden>", ""), ("<script>", ""), ("<title>x", "x"), ("<pre><a href='", ""), ("a  b", "a b"),
    ] {
      page.begin(into: memory.bytes)
      let bytes = Array(html.utf8)
      page.take(bytes.span)
      let count = page.end()
      #expect(String(decoding: memory.bytes[..<count], as: UTF8.self) == text)
    }
  }
}

extension String {
  /// How often a word occurs.
  fileprivate func components(_ word: String) -> Int {
    let (text, part) = (Array(utf8), Array(word.utf8))
    guard text.count >= part.count else { return 0 }
    return (0...(text.count - part.count)).filter { Array(text[$0..<$0 + part.count]) == part }.count
  }
}

@Suite("Text without markup") struct PlainTextTests {
  @Test("lines and blanks stay, empty lines collapse, and what is not drawn goes")
  func lines() {
    #expect(plainText("\n\na\r\n  b\n\n\n\nc\td\u{200B}\u{1B}[0m\u{7}\n") == "a\n  b\n\nc d[0m")
    #expect(plainText("{\"a\": \"<b>&amp;</b>\"}") == "{\"a\": \"<b>&amp;</b>\"}")
    #expect(plainText(" a\n b ", keepsLines: false) == "a b")
  }

  @Test("cut anywhere it is the same; full, it ends at a character")
  func bounds() {
    let bytes = Array("a\r\nbé😀\u{202E}c".utf8)
    for cut in 0...bytes.count {
      let reader = PlainText()
      let memory = FixedBuffer(capacity: 100)
      reader.begin(into: memory.bytes)
      let (first, second) = (Array(bytes[..<cut]), Array(bytes[cut...]))
      reader.take(first.span)
      reader.take(second.span)
      let count = reader.end()
      #expect(String(decoding: memory.bytes[..<count], as: UTF8.self) == "a\nbé😀c")
    }
    let reader = PlainText()
    let memory = FixedBuffer(capacity: 6)
    reader.begin(into: memory.bytes)
    reader.take(bytes.span)
    #expect(reader.isFull && reader.end() == 5)
  }
}
