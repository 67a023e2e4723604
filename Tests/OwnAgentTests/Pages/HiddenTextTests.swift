import Runtime
import Testing

@testable import OwnAgent

@Suite("What a reader of the page does not see") struct HiddenTextTests {
  @Test(
    "attributes hide an element and everything in it",
    arguments: [
      "hidden", "hidden=until-found", "aria-hidden=true", "aria-hidden=' TRUE '", "popover", "HIDDEN=''",
      "x hidden y=1",
    ])
  func attributes(attribute: String) {
    #expect(pageText("a<div \(attribute)>b<p>c<b>d</b></p>e</div>f") == "af")
    #expect(pageText("a<img \(attribute) alt=secret>b") == "ab")
  }

  @Test(
    "inline styles hide it",
    arguments: [
      "display:none", "display : none !important", "DISPLAY:NONE", "visibility:hidden", "visibility:collapse",
      "opacity:0", "opacity:0.0", "opacity:.01", "opacity:0%", "font-size:0", "font-size:1px", "font-size:1.9px",
      "font-size:.1em", "font-size:0.05rem", "font-size:1pt", "font-size:5%", "font:0/0 a", "font:bold 1px/1 serif",
      "text-indent:-9999px", "text-indent:-100em", "position:absolute;left:-5000px", "left:-2000px", "top:-300px",
      "margin-left:-999em", "margin:0 0 0 -9999px", "transform:translateX(-9999px)", "transform:scale(0)", "scale:0",
      "color:white;background:white", "color:#fff;background-color:#FFFFFF", "color:rgb(255, 255, 255);background:#fff",
      "background:white url(x;y) no-repeat;color:#ffffff", "color:tomato;background-color:tomato",
      "color:transparent", "color:rgba(0,0,0,0)", "color:#0000", "clip:rect(0,0,0,0)", "clip: rect(1px, 1px, 1px, 1px)",
      "clip-path:inset(50%)", "clip-path:circle(0)", "width:0;overflow:hidden", "height:1px;width:1px;overflow:hidden",
      "content-visibility:hidden", "color:red;display:none;margin:0", "a:b;;;display:none",
      "font-size:0.0000000000000000000000000000000000000000000000000000000000000000001px",
    ])
  func styles(style: String) {
    #expect(pageText("a<span style=\"\(style)\">secret</span>b") == "ab", "\(style)")
    #expect(pageText("a<div style='\(style)'><p>secret</p></div>b") == "ab", "\(style)")
  }

  @Test(
    "written in another way, they hide as well",
    arguments: [
      "display:/**/none", "/* x */display:none", "d\\69splay:none", "display:n\\6f ne",
      "d\\000069splay:none", "display&#58;none", "&#100;isplay:none", "content:';';display:none",
      "background:url(data:image/png;base64,AAAA);display:none", "display:\n\tnone",
    ])
  func disguises(style: String) {
    #expect(pageText("a<span style=\"\(style)\">secret</span>b") == "ab", "\(style)")
  }

  @Test(
    "what is seen stays",
    arguments: [
      "display:block", "color:red", "opacity:1", "opacity:0.5", "font-size:12px", "font-size:0.8em", "font-size:80%",
      "font:12px/1.5 Arial", "font:400 14px a", "text-indent:-20px", "text-indent:2em", "margin-left:-10px",
      "left:0", "width:0", "overflow:hidden", "width:100%;overflow:hidden", "color:white;background:black",
      "color:#fff", "background:#fff", "transform:scale(1.2)", "transform:translateX(-50%)", "visibility:visible",
      "content:'display:none'", "color:rgb(0,0,0);background:rgb(0,0,1)", "color:rgba(0,0,0,.9)", "", ";", ":", "x",
      "color:inherit;background:inherit",
    ])
  func visible(style: String) {
    #expect(pageText("a<span style=\"\(style)\">x</span>b") == "axb", "\(style)")
  }

  @Test("a style of any length is read to its end")
  func longStyles() {
    let padding = String(repeating: "color:red;", count: 5000)
    #expect(pageText("a<i style='\(padding)display:none'>x</i>b") == "ab")
    let blob = "background:url(data:image/png;base64," + String(repeating: "A", count: 20_000) + ");"
    #expect(pageText("a<i style='\(blob)'>x</i>b") == "axb")
    #expect(pageText("a<i style='\(blob)display:none'>x</i>b") == "ab")
    #expect(pageText("a<i style='display:\(String(repeating: " ", count: 5000))none'>x</i>b") == "ab")
  }

  @Test("what is hidden ends where browsers end it, and no earlier")
  func ends() {
    for (html, text) in [
      ("<div hidden>x<span>x</div>y", "y"), ("<div hidden><div>x</div>x</div>y", "y"),
      ("<b><div hidden>x</b>x</div>y", "y"), ("<span><div hidden>x</span>x</div>y", "y"),
      ("<div><p hidden>x<p>y</div>", "y"), ("<p hidden>x<div>y</div>", "y"),
      ("<div><table><tr><td hidden>x</div>x</table>y", "y"), ("<ul><li hidden>x<li>y</ul>", "- y"),
      ("<ul><li hidden><section><li>x</section></ul>y", "y"), ("<p><b hidden>x<p>x</b>y", "y"),
      ("<table><tr><td hidden>x<td>y</table>", "y"), ("<table><tr hidden><td>x<tr><td>y</table>", "y"),
      ("<b hidden>x<div>x</b>y</div>z", "y\nz"), ("<object><div hidden></object>y", "y"),
      ("<svg><div>x</svg>x</div></svg>y", "y"), ("<dl><dt hidden>x<dd>y</dl>", "y"), ("<a hidden>x<a>y</a>", "y"),
      ("<body hidden>x</body>x", ""), ("<td hidden>y", "y"),
      ("<li><ul hidden>x</li>x</ul>y", "- y"), ("<form><ul hidden></form>x</ul>y", "y"),
      ("<form hidden><div>x</form>x</div>y", "y"), ("<form hidden><p>x</form>y", "y"),
      ("<p hidden>x<form><p hidden>x<form>x</p>y", "y"), ("<object><select></object>x</select></object>y", "y"),
      ("<option><h2 hidden>x</option>x</h2></option>y", "y"), ("<p><button>x<p>x</button>y", "y"),
      ("<p hidden>x<table><tr><td>x</table>x</p>y", "y"), ("<svg><label hidden></svg>x</label></svg>y", "y"),
      ("<em hidden>x<div><table><tr><td></em>x</table></div>x</em>y", "y"),
      ("<table><td hidden>x</tr><tr><td>y</table>", "y"), ("<select><p>x</p><td></select>y", "y"),
      ("<my-part hidden>x</my-part>y", "y"),
    ] {
      #expect(pageText(html) == text, "\(html)")
    }
  }

  @Test("a script with a script in its comment ends where browsers end it")
  func scripts() {
    #expect(pageText("<script><!--<script></script>x--></script>y") == "y")
    #expect(pageText("<script><!--<script>x</script>x</script>y") == "y")
    #expect(pageText("<script><!--x</script>y") == "y")
    #expect(pageText("<script><!--><script></script>y") == "y")
    #expect(pageText("<script>'</scriptx>' </ script> x</script>y") == "y")
    #expect(pageText("<script>var a = '<div hidden>';</script>y") == "y")
    #expect(pageText("<style></styl></style foo='>'>y") == "y")
    #expect(pageText("<title></titl></title>y") == "</titl>\n\ny")
    #expect(pageText("<textarea></div></textarea>y") == "y")
  }

  @Test("characters that are not drawn are dropped")
  func characters() {
    let tags = String(String.UnicodeScalarView((0xE0020...0xE007E).compactMap { UnicodeScalar($0) }))
    #expect(pageText("a\(tags)b") == "ab")
    for scalar in [
      0x00, 0x01, 0x07, 0x08, 0x1B, 0x7F, 0x81, 0x9B, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D,
      0x200E,
      0x200F, 0x202A, 0x202E, 0x2060, 0x2064, 0x2066, 0x2069, 0x206F, 0x3164, 0xE000, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0,
      0xFFF9, 0xFFFE, 0x1FFFF, 0xE0001, 0xE0100, 0xE01EF, 0xF0000, 0x10FFFF,
    ] {
      let character = String(UnicodeScalar(UInt32(scalar))!)
      #expect(pageText("a\(character)b") == "ab", "\(scalar)")
      // By number as well; those of windows-1252 stand for its characters.
      if scalar > 0x9F { #expect(pageText("a&#\(scalar);b") == "ab", "\(scalar)") }
      #expect(plainText("a\(character)b") == "ab", "\(scalar)")
      #expect(!pageText("<img alt='a\(character)b'>").unicodeScalars.contains { Int($0.value) == scalar })
    }
    #expect(pageText("a\u{2003}b\u{3000}c\u{2028}d") == "a b c d")
    #expect(pageText("日本語 العربية עברית 🙂 e\u{301}") == "日本語 العربية עברית 🙂 e\u{301}")
  }
}
