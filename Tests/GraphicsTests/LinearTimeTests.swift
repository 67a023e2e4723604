import Runtime
import Testing
import TestSupport

@testable import Graphics

/// What others send is read in a time that grows with it and no more, whatever it is made of.
@Suite("Linear time of drawings", .enabled(if: LinearTime.counts))
struct LinearTimeTests {
  private static let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"

  private static func drawing(_ unit: String, after start: String = "", before end: String = "") -> Adversary {
    .repeated(unit, after: svg + start, before: end + "</svg>")
  }

  private static let markup: [Adversary] =
    [
      .repeated("<", after: svg), .repeated("<g", after: svg), .repeated("<!--", after: svg),
      .repeated("<![CDATA[", after: svg), .repeated("<?", after: svg), .repeated("<g a='", after: svg),
      drawing("<g>"), drawing("</g>"), drawing("<g/>"), drawing("<foo>"), drawing("<text>a"), drawing("&amp;"),
      drawing(" a~='b'", after: "<g", before: "/>"), drawing(" id='a~'", after: "<g", before: "/>"),
      .nested("<g>", "</g>", after: svg, before: "</svg>"),
    ]
    + Adversary.sentences(
      of: ["<g", ">", "/>", "</g>", "<svg", " ", "a", "=", "'", "\"", "<!--", "-->", "<![CDATA[", "]]>", "&", ";"],
      seed: 53, atMost: 12)

  @Test("the elements of SVG", arguments: markup)
  func elements(_ text: Adversary) {
    let fault = LinearTime.fault(text, units: 32) { bytes in
      _ = try? SVG.size(bytes)
      _ = SVG.isDrawing(bytes)
    }
    #expect(fault == nil)
  }

  private static let drawings: [Adversary] = [
    drawing("<g id='a~'/><use href='#a~'/>"), drawing("<use href='#none'/>"),
    drawing("<g id='a~' fill='url(#a~)'/>"), drawing("<g fill='url(#none)'/>"), drawing("<g id='a'/><use href='#a'/>"),
    drawing("#a~{fill:red}", after: "<style>", before: "</style><g id='a1'/>"),
    drawing(".a~{fill:red}g{fill:blue}*{fill:red}", after: "<style>", before: "</style>"),
    drawing("a{", after: "<style>", before: "</style>"), drawing("/*", after: "<style>", before: "</style>"),
    drawing("a,", after: "<style>", before: "{}</style>"), drawing("fill:red;", after: "<g style='", before: "'/>"),
    drawing("rgb(", after: "<g fill='", before: "'/>"), drawing("a ", after: "<g class='", before: "'/>"),
    drawing("M0 0", after: "<path d='", before: "'/>"), drawing("h1v1", after: "<path d='M0 0", before: "'/>"),
    drawing("translate(1)", after: "<g transform='", before: "'/>"),
    drawing("(", after: "<g transform='", before: "'/>"),
    drawing("1,1 ", after: "<polygon points='", before: "'/>"), drawing("<text>a</text>"),
    drawing("<stop offset='0'/>", after: "<linearGradient id='a'>", before: "</linearGradient><g fill='url(#a)'/>"),
  ]

  @Test("what drawings refer to, and how they look", arguments: drawings)
  func look(_ text: Adversary) {
    var pixels = [UInt32](repeating: 0, count: 4)
    let fault = LinearTime.fault(text, units: 16) { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        _ = try? SVG.render(bytes, into: pixels, Size(2, 2), fonts: nil, pictures: nil)
      }
    }
    #expect(fault == nil)
  }

  private static let colors: [Adversary] =
    [.repeated("#"), .repeated("rgb("), .repeated("a"), .repeated(" ", before: "red"), .repeated("1,", after: "rgb(")]
    + Adversary.sentences(
      of: ["rgb", "hsl", "(", ")", ",", "/", "%", "1", " ", "#", "none", "red"], seed: 54, atMost: 6)

  @Test("colors", arguments: colors)
  func color(_ text: Adversary) {
    let fault = LinearTime.fault(text, units: 64) { _ = CSSColor.parse($0.span) }
    #expect(fault == nil)
  }

  @Test("attributes of what is used many times, classes for many rules, and declarations of many elements count")
  func products() {
    let bodies = [
      "<defs><g id='a'\((0..<20_000).map { " a\($0)='b'" }.joined())/></defs>"
        + String(repeating: "<use href='#a'/>", count: 20_000),
      "<style>\((0..<4000).map { ".b\($0){fill:red}" }.joined())</style>"
        + String(repeating: "<g class='\(String(repeating: "a ", count: 20_000))'/>", count: 20),
      "<style>.a{\(String(repeating: "fill:red;", count: 20_000))}</style>"
        + String(repeating: "<g class='a'/>", count: 20_000),
    ]
    for body in bodies {
      let bytes = Array("\(Self.svg)\(body)<rect width='9' height='9'/></svg>".utf8)
      let meter = Questions()
      var pixels = [UInt32](repeating: 0, count: 4)
      pixels.withUnsafeMutableBufferPointer { pixels in
        bytes.withUnsafeBufferPointer { bytes in
          _ = try? SVG.render(bytes, into: pixels, Size(2, 2), fonts: nil, pictures: nil, meter: meter)
        }
      }
      #expect(meter.asked > 200)
    }
  }
}

/// Lets a drawing have so much time.
private final class Questions: WorkMeter {
  private(set) var asked = 0

  var isOver: Bool {
    asked += 1
    return asked > 200
  }
}
