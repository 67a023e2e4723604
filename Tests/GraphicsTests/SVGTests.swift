import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

/// A drawing, made into pixels on white.
struct Drawn {
  let sheet: Sheet
  let report: SVGReport

  init(_ text: String, _ width: Int32 = 100, _ height: Int32 = 50) throws {
    sheet = try Sheet(width, height)
    let bytes = Array(text.utf8)
    let target = sheet
    report = try bytes.withUnsafeBufferPointer { bytes throws(SVGError) in
      try SVG.render(bytes, into: target.pixels, target.size, fonts: BoxOutlines()) { Self.picture($0) }
    }
  }

  /// Any bytes are a picture of four pixels.
  private static func picture(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    guard bytes.count == 3, let picture = try? DecodedPicture(Size(2, 2), original: Size(2, 2)) else { return nil }
    picture.pixels.update(repeating: 0xFFFF_0000)
    return picture
  }

  /// A drawing of 100 by 50 units.
  static func inside(_ text: String) throws -> Drawn {
    try Drawn("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 50'>\(text)</svg>")
  }

  subscript(x: Int32, y: Int32) -> UInt32 { sheet[x, y] & 0xFF_FFFF }
}

func svgSize(_ text: String) throws(SVGError) -> Size {
  let bytes = Array(text.utf8)
  return try bytes.withUnsafeBufferPointer { bytes throws(SVGError) in try SVG.size(bytes) }
}

@Suite("SVG")
struct SVGTests {
  @Test("every basic shape covers what it should")
  func shapes() throws {
    let disc = 400 * Double.pi
    let cases: [(String, Double)] = [
      ("<rect x='10' y='10' width='20' height='10'/>", 200),
      ("<rect x='10' y='10' width='40' height='20' rx='10'/>", 714.2),
      ("<circle cx='50' cy='25' r='20'/>", disc),
      ("<ellipse cx='50' cy='25' rx='30' ry='10'/>", disc * 3 / 4),
      ("<line x1='10' y1='20' x2='60' y2='20' stroke='#000' stroke-width='4'/>", 200),
      ("<polygon points='10,10 50,10 50,40'/>", 600),
      ("<polyline points='10 10,50 10,50 40' fill='black'/>", 600),
      ("<path d='M10 10h20v20H10z'/>", 400),
      ("<path d='M10,10 l20 0 0 20 -20 0zm30 0 h10v10h-10z' fill-rule='evenodd'/>", 500),
      ("<path d='M30 25A20 20 0 1 1 70 25A20 20 0 11 30 25'/>", disc),
      // Two parabolas, each two thirds of the rectangle around it, 20 high; of the lower one the tip is cut off.
      ("<path d='M10 40Q30 0 50 40T90 40' />", 878.1),
      ("<path d='M10 10h0' stroke='black' />", 0),
    ]
    for (text, area) in cases {
      let drawn = try? Drawn.inside(text)
      #expect(abs((drawn?.sheet.ink ?? 0) - area) < 6, "\(text)")
    }
  }

  @Test("a path ends where it is wrong, and what came before is drawn")
  func cutsPaths() throws {
    for rest in ["L", "L5", "Cx", "A1 1 0 2 0 5 5", "?", "nan"] {
      #expect(try Drawn.inside("<path d='M10 10h20v20H10z\(rest)'/>").sheet.ink == 400)
    }
  }

  @Test("lines without length have round dots, unlike those of a 2D context")
  func dots() throws {
    let drawn = try Drawn.inside("<path d='M50 25h0' stroke='#000' stroke-width='20' stroke-linecap='round'/>")
    #expect(abs(drawn.sheet.ink - 100 * .pi) < 3)
  }

  @Test("styles come from attributes, classes, ids and style, the nearest last; some are handed down")
  func styles() throws {
    let drawn = try Drawn.inside(
      """
      <style>/* c */ .a, .b { fill: #00f } rect#d{fill:#f0f} rect { fill: #0f0 } @media x { rect { fill: red } }</style>
      <g fill='red' opacity='1'><circle cx='5' cy='5' r='5'/>
      <rect width='10' height='10' x='10'/><rect width='10' height='10' x='20' class='x b'/>
      <rect width='10' height='10' x='30' id='d' class='a'/>
      <rect width='10' height='10' x='40' id='d' style='fill: #123456 !important; foo: bar'/>
      <rect width='10' height='10' x='50' fill='currentColor' color='#abcdef' style='fill:currentcolor'/></g>
      """)
    for (x, color) in [(5, 0xFF0000), (15, 0x00FF00), (25, 0x0000FF), (35, 0xFF00FF), (45, 0x123456), (55, 0xABCDEF)] {
      #expect(drawn[Int32(x), 5] == UInt32(color), "\(x)")
    }
  }

  @Test("the view is fitted as preserveAspectRatio says")
  func fits() throws {
    for (aspect, rect) in [
      ("xMidYMid meet", Rect(25, 0, 50, 50)), ("xMinYMin", Rect(0, 0, 50, 50)), ("xMaxYMax meet", Rect(50, 0, 50, 50)),
      ("none", Rect(0, 0, 100, 50)), ("xMidYMid slice", Rect(0, 0, 100, 50)),
    ] {
      let drawn = try Drawn(
        "<svg viewBox='5 5 10 10' preserveAspectRatio='\(aspect)'><rect x='5' y='5' width='10' height='10'/></svg>")
      #expect(drawn.sheet.inked == rect, "\(aspect)")
    }
  }

  @Test("a drawing has the size that it says, or that of its view")
  func sizes() throws {
    for (attributes, size) in [
      ("width='40' height='20px'", Size(40, 20)), ("viewBox='0 0 7 9'", Size(7, 9)),
      ("width='100%' height='100%' viewBox='0 0 7 9'", Size(7, 9)), ("width='14' viewBox='0 0 7 9'", Size(14, 18)),
      ("", Size(300, 150)), ("width='1in' height='1e9'", Size(96, Budget.pictureSidePixels)),
      ("width='-3' height='nan'", Size(300, 150)),
    ] {
      #expect(try svgSize("<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><svg \(attributes)/>") == size)
    }
  }

  @Test("gradients take after each other, and cover the box of a shape")
  func gradients() throws {
    let drawn = try Drawn.inside(
      """
      <linearGradient id='a'><stop stop-color='black'/><stop offset='100%' style='stop-color:white'/></linearGradient>
      <linearGradient id='b' href='#a' x2='0' y2='1'/><linearGradient id='c' xlink:href='#c'/>
      <linearGradient id='e' x2='0' href='#a'/>
      <rect width='40' height='40' fill='url(#a)'/><rect x='50' width='40' height='40' fill='url("#b")'/>
      <rect y='40' width='10' height='10' fill='url(#nothing) red'/>
      <rect y='40' x='10' width='10' height='10' fill='url(#c)'/>
      <rect y='40' x='20' width='10' height='10' fill='url(#e)'/>
      """)
    #expect(drawn[1, 20] & 255 < 12)
    #expect(drawn[38, 20] & 255 > 240)
    #expect(drawn[70, 1] & 255 < 12)
    #expect(drawn[70, 38] & 255 > 240)
    #expect(drawn[5, 45] == 0xFF0000)
    #expect(drawn[15, 45] == 0xFFFFFF)
    #expect(drawn[25, 45] == 0xFFFFFF)
  }

  @Test("used elements, symbols, clips, masks and groups that fade are drawn")
  func groups() throws {
    let drawn = try Drawn.inside(
      """
      <defs><rect id='r' width='10' height='10'/><clipPath id='c'><rect x='20' width='5' height='50'/></clipPath>
      <mask id='m'><rect x='40' width='5' height='10' fill='white'/></mask></defs>
      <symbol id='s' viewBox='0 0 1 1'><rect width='2' height='1' fill='#00f'/></symbol>
      <use href='#r'/><use xlink:href='#r' x='10' y='10' fill='red'/>
      <g clip-path='url(#c)'><rect x='20' width='10' height='10'/></g>
      <rect x='40' width='10' height='10' mask='url(#m)'/><use href='#s' x='60' width='10' height='10'/>
      <g opacity='.5'><rect x='80' width='10' height='10'/><rect x='85' width='10' height='10'/></g>
      """)
    #expect(drawn[5, 5] == 0)
    #expect(drawn[15, 15] == 0xFF0000)
    #expect(drawn[22, 5] == 0 && drawn[27, 5] == 0xFFFFFF)
    #expect(drawn[42, 5] == 0 && drawn[47, 5] == 0xFFFFFF)
    #expect(drawn[65, 5] == 0x0000FF && drawn[72, 5] == 0xFFFFFF)
    #expect(drawn[82, 5] == drawn[87, 5])
    #expect(abs(Int(drawn[82, 5] & 255) - 127) < 3)
  }

  @Test("text is set with single blanks, its entities, and around its anchor")
  func text() throws {
    let drawn = try Drawn.inside(
      "<text x='50' y='30' font-size='20' text-anchor='middle'>  a&amp;\n  <tspan>b</tspan><![CDATA[<]]> </text>")
    // Five characters, one of them a blank.
    #expect(drawn.sheet.inked == Rect(25, 20, 50, 10))
    let second = try Drawn.inside(
      "<text font-size='20' y='20'>a<tspan x='60' y='40' text-anchor='end'>bc</tspan></text>")
    #expect(second.sheet.inked == Rect(0, 10, 60, 30))
    #expect(second[45, 35] == 0)
  }

  @Test("pictures in the document are drawn, those elsewhere are missed")
  func pictures() throws {
    let drawn = try Drawn.inside("<image href='data:image/png;base64,YW\n Jj' x='10' y='10' width='20' height='20'/>")
    #expect(drawn[20, 20] == 0xFF0000)
    #expect(drawn.report.omission == nil)
    let other = try Drawn.inside("<rect width='9' height='9'/><image href='http://x/y.png' width='9' height='9'/>")
    #expect(other.report.hasMissingPictures)
    #expect(other.report.omission != nil)
  }

  @Test(
    "what is all script, HTML or elsewhere is refused, and said so",
    arguments: [
      ("<svg><script>draw()</script></svg>", "scripts"), ("<svg><foreignObject><p>x</p></foreignObject></svg>", "HTML"),
      ("<svg><image href='x.png'/></svg>", "other files"), ("<svg/>", "nothing"), ("<html/>", "no svg"), ("", "no svg"),
    ])
  func refuses(text: String, word: String) throws {
    let error = #expect(throws: SVGError.self) { try Drawn(text) }
    #expect(error.map { "\($0.text)".contains(word) } == true)
  }

  @Test("drawings that use themselves, or each other many times, end")
  func boundsUses() throws {
    let own = try Drawn.inside(
      "<rect width='9' height='9'/><g id='a'><use href='#a'/></g><mask id='m' mask='url(#m)'/>")
    #expect(own.report.isCut)
    var text = "<g id='x0'><rect width='1' height='1'/></g>"
    for level in 1...12 {
      let uses = String(repeating: "<use href='#x\(level - 1)'/>", count: 10)
      text += "<g id='x\(level)'>\(uses)</g>"
    }
    #expect(try Drawn.inside(text).report.isCut)
  }

  @Test("elements, attributes, depth, rules and layers beyond their bounds are left out, and said so")
  func bounds() throws {
    let deep = String(repeating: "<g opacity='.9'>", count: 70) + "<rect width='9' height='9'/>"
    #expect(try Drawn.inside("<rect width='5' height='5'/>" + deep).report.isCut)
    let many = String(repeating: "<g a='' b='' c='' d='' e=''/>", count: Budget.svgNodes)
    #expect(try Drawn.inside("<rect width='5' height='5'/>" + many).report.isCut)
    let rules = String(repeating: "g{fill:red}", count: Budget.svgRules + 1)
    #expect(try Drawn.inside("<style>\(rules)</style><rect width='5' height='5'/>").report.isCut)
    let faded = String(repeating: "<g opacity='.5'>", count: Budget.vectorLayers + 2)
    let drawn = try Drawn.inside(faded + "<rect width='9' height='9' fill='black'/>")
    #expect(abs(Int(drawn[5, 5] & 255) - (255 - 8)) <= 2)
    let parts = String(repeating: "<tspan x='5'>a</tspan>", count: Budget.svgTextParts + 5)
    #expect(try Drawn.inside("<text y='20' text-anchor='end'>\(parts)</text>").report.drawn == 1)
    let long = String(repeating: "a", count: Budget.svgValueBytes + 1)
    #expect(try Drawn.inside("<text y='20'>\(long)</text>").report.isCut)
  }

  @Test("a drawing cut off anywhere crashes nothing")
  func cutOff() throws {
    let text = Array(
      """
      <svg viewBox="0 0 9 9"><style>.a{fill:url(#g)}</style><linearGradient id="g" gradientTransform="rotate(4)"><stop
      offset=".5"/></linearGradient><path class="a" d="M1 1a3,4 5 1 0 6 7s1,2 3-4z" stroke-dasharray="1 2,3"/><text
      x="1">a&#x41;<tspan dx="2">b</tspan></text><image href="data:x;base64,YWJj"/></svg>
      """.utf8)
    for count in 0...text.count { _ = try? Drawn(String(decoding: text[..<count], as: UTF8.self), 9, 9) }
  }
}
