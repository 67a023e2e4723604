import Runtime
import Testing

@testable import OwnAgent

@Suite("Text of a page") struct PageTextTests {
  @Test("the title is first, wherever it stands, and headings are marked by their level")
  func titleAndHeadings() {
    #expect(
      pageText("<html><head><title> The\n  title </title></head><body><h1>One</h1><h3>Two</h3>x</body></html>")
        == "The title\n\n# One\n\n### Two\n\nx")
    #expect(pageText("<p>text</p><title>Late</title>") == "Late\n\ntext")
    #expect(pageText("<title>A</title><title>B</title>x") == "A\n\nx")
    #expect(pageText("<title>a &amp; b &lt;i&gt;</title>") == "a & b <i>")
    #expect(pageText("<title>never closed <p>x") == "never closed <p>x")
  }

  @Test("white space collapses, and blocks and breaks make lines")
  func blocks() {
    #expect(pageText("a\n b\t\tc<div>d</div>e<br>f<br><br><br>g") == "a b c\nd\ne\nf\n\ng")
    #expect(pageText("<p>one<p>two</p> three") == "one\n\ntwo\n\nthree")
    #expect(pageText("<div><div><div></div></div></div>x") == "x")
    #expect(pageText("a<span> b</span> <b> c </b>d") == "a b c d")
    #expect(pageText("<section>a</section><article>b</article><hr>c") == "a\nb\nc")
    #expect(pageText("a\r\nb\rc") == "a b c")
  }

  @Test("items have a hyphen, deeper ones stand further in, and empty ones are left out")
  func lists() {
    #expect(
      pageText("<ul><li>a<li>b<ul><li>c</li></ul></li><li></li><li><p>d</p></li></ul>e")
        == "- a\n- b\n\n  - c\n\n- d\n\ne")
    #expect(pageText("<ol><li>x</ol>") == "- x")
    #expect(pageText("<dl><dt>a<dd>b<dt>c<dd>d</dl>") == "a\nb\nc\nd")
  }

  @Test("cells stand beside each other, rows on lines of their own")
  func tables() {
    #expect(
      pageText("<table><tr><th>A<th>B</tr><tr><td><p>1</p></td><td><div>2</div></td></tr></table>x")
        == "A | B\n1 | 2\n\nx")
    #expect(pageText("<table><tr><td></td><td>b</td></tr><tr><td>c</table>") == "| b\nc")
    #expect(
      pageText("<table><tr><td>page<h2>Head</h2>more</td></tr></table>") == "page\n\n## Head\n\nmore")
  }

  @Test("preformatted text keeps its lines and blanks, but the first end of line")
  func pre() {
    #expect(pageText("a<pre>\n  x\n    y\n\n\n\nz</pre>b  c") == "a\n\n  x\n    y\n\nz\n\nb c")
    #expect(pageText("<pre>a<b>  b</b></pre>") == "a  b")
    #expect(pageText("<xmp><b>as it is</b></xmp>c") == "<b>as it is</b>\n\nc")
  }

  @Test("a link has its address beside its text, if that leads to a page")
  func links() {
    #expect(pageText("see <a href='https://e.org/a?b=1&amp;c=2'>this </a>.") == "see this (https://e.org/a?b=1&c=2).")
    #expect(pageText("<a href=http://e.org>x</a>") == "x (http://e.org)")
    for address in ["javascript:alert(1)", "mailto:a@b", "#top", "data:text/html,x", "ftp://e.org/", "", "/relative"] {
      #expect(pageText("<a href='\(address)'>x</a>") == "x", "\(address)")
    }
    #expect(pageText("<a href='https://e.org/'><img src=x></a>y") == "y")
    #expect(pageText("<a href='https://a/'>a<a href='https://b/'>b</a>") == "a (https://a/)b (https://b/)")
    #expect(pageText("<a href='https://e.org/(x) ü\"'>x</a>") == "x (https://e.org/%28x%29%20%C3%BC%22)")
    #expect(pageText("<a href='https://e.org/a\nb'>x</a>") == "x (https://e.org/ab)")
  }

  @Test("relative addresses are those of the page's server")
  func relativeLinks() {
    let base = "https://e.org:8443/a/b.html?q=1"
    for (reference, whole) in [
      ("/x", "https://e.org:8443/x"), ("x", "https://e.org:8443/a/x"), ("?p", "https://e.org:8443/a/b.html?p"),
      ("//o.org/x", "https://o.org/x"), ("x?http://y", "https://e.org:8443/a/x?http://y"),
    ] {
      #expect(pageText("<a href='\(reference)'>t</a>", base: base) == "t (\(whole))", "\(reference)")
    }
    #expect(pageText("<a href='x'>t</a>", base: "https://e.org") == "t (https://e.org/x)")
    #expect(pageText("<a href='x'>t</a>", base: "nonsense") == "t")
  }

  @Test("pictures are what is written about them")
  func pictures() {
    #expect(pageText("a <img src=x alt='A  cat &amp; a dog'> b<img alt=' '><img>") == "a [image: A cat & a dog] b")
  }

  @Test("references by name and number, and what only looks like one")
  func references() {
    #expect(pageText("&lt;b&gt; &amp;amp; &eacute;&Eacute; &#8364;&#x20ac; &euro; &hellip;") == "<b> &amp; éÉ €€ € …")
    #expect(pageText("AT&T &unknown; & &; &#; &#x; &#xZ; a&b") == "AT&T &unknown; & &; &#; &#x; &#xZ; a&b")
    #expect(pageText("&copy 2026 &notin; &lt") == "© 2026 &notin; <")
    #expect(pageText("&#0; &#xD800; &#99999999999999999999; &#x1F600; &#150;") == "\u{FFFD} \u{FFFD} \u{FFFD} 😀 –")
    #expect(pageText("a&nbsp;&nbsp;b") == "a b")
    #expect(pageText("<a href='https://e/?a=1&copy=2&lt=3&amp;d'>x</a>") == "x (https://e/?a=1&copy=2&lt=3&d)")
    #expect(pageText("&abcdefghijklmnopqrstuvwxyz;") == "&abcdefghijklmnopqrstuvwxyz;")
    #expect(pageText("x &am") == "x &am")
  }

  @Test("a table of references has no name twice, and every name is found")
  func referenceTable() {
    for (name, scalar) in [("amp", 0x26), ("yuml", 0xFF), ("hairsp", 0x200A), ("Omega", 0x3A9), ("Tab", 9)] {
      #expect(name.withBytes { HTMLEntities.scalar($0) } == UInt32(scalar))
    }
    for name in ["", "am", "amp ", "26", "ampx", "AMPX"] {
      #expect(name.withBytes { HTMLEntities.scalar($0) } == nil)
    }
  }

  @Test("scripts, styles, comments and the contents of controls are left out")
  func leftOut() {
    for hidden in [
      "<script>x</script>", "<SCRIPT type=module>x < y</script >", "<style>x</style>", "<noscript><p>x</noscript>",
      "<template><p>x</p></template>", "<svg><text>x</text></svg>", "<iframe>x</iframe>", "<object>x</object>",
      "<select><option>x</select>", "<textarea>x</textarea>", "<button>x</button>", "<!-- x -->", "<!-->", "<!--->",
      "<!x>", "<?x?>", "</ x>", "<!doctype html>", "<video>x</video>", "<dialog>x</dialog>", "<input value=x>",
      "<datalist><option value=x>x</datalist>", "<math hidden>x</math>", "<script><!-- x --></script>",
      "<!-- a -- b --!>", "<head><meta name=x content=x><link href=x><style>x</style></head>",
    ] {
      #expect(pageText("a\(hidden)b") == "ab", "\(hidden)")
    }
    #expect(pageText("a<dialog open>x</dialog>b") == "a\nx\nb")
  }

  @Test("what is open at the end of the page counts")
  func ends() {
    #expect(pageText("a<b") == "a")
    #expect(pageText("a<!-- b") == "a")
    #expect(pageText("a<script>b") == "a")
    #expect(pageText("a<") == "a")
    #expect(pageText("1 < 2 <3 > x") == "1 < 2 <3 > x")
    #expect(pageText("<a href='https://e.org/'>x") == "x (https://e.org/)")
    #expect(pageText("") == "")
  }

  @Test("wrongly nested tags lose no text and hide none that is shown")
  func nesting() {
    #expect(pageText("<b><i>a</b>b</i>c") == "abc")
    #expect(pageText("</div></p></html>a</body>b") == "ab")
    #expect(pageText("<p>a</div>b</p>c") == "ab\n\nc")
    #expect(pageText("<table><tr><td>a</div>b</table>c") == "ab\n\nc")
    #expect(pageText("<h1>a</h2>b") == "# a\n\nb")
    #expect(pageText("<svg><path d=x /><g/></svg>a<svg/>b") == "ab")
  }

  @Test("charsets: named by server or page, or known by the first byte that decides")
  func charsets() {
    #expect(withPage([0x61, 0xE9, 0x62]) == "aéb")
    #expect(withPage([0x61, 0xE9, 0x62], charset: .utf8) == "a\u{FFFD}b")
    #expect(withPage([0x93, 0x80, 0x94], charset: .windows1252) == "“€”")
    #expect(withPage(Array("<meta charset=ISO-8859-1>é".utf8)) == "Ã©")
    #expect(
      withPage(Array("<meta http-equiv=Content-Type content='text/html; charset=\"x\" charset=windows-1252'>é".utf8))
        == "é")
    #expect(
      withPage(Array("<meta http-equiv=Content-Type content='text/html; charset=windows-1252'>é".utf8)) == "Ã©")
    #expect(withPage(Array("<meta charset=latin1>é".utf8), charset: .utf8) == "é")
    #expect(withPage([0xEF, 0xBB, 0xBF] + Array("<meta charset=latin1>é".utf8)) == "é")
    #expect(withPage(Array("é".utf8) + [0xE9, 0x28, 0xF0, 0x9F, 0x98]) == "é\u{FFFD}(\u{FFFD}")
    #expect(withPage([0xC0, 0xAF, 0xED, 0xA0, 0x80], charset: .utf8) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }
}
