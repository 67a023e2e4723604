import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("CSS values")
struct CSSValueTests {
  @Test(
    "colours of every form are read",
    arguments: [
      ("#1a2", 0xFF11_AA22), ("#1a2f", 0xFF11_AA22), ("#1a28", 0x8811_AA22), ("#102030", 0xFF10_2030),
      ("#10203080", 0x8010_2030), ("RED", 0xFFFF_0000), (" rebeccapurple ", 0xFF66_3399), ("transparent", 0),
      ("currentColor", 0xFF12_3456), ("rgb(1, 2, 3)", 0xFF01_0203), ("rgba(1,2,3,.5)", 0x8001_0203),
      ("rgb(100% 0% 50%)", 0xFFFF_0080), ("rgb(1 2 3 / 50%)", 0x8001_0203), ("rgb(300,-5,3)", 0xFFFF_0003),
      ("hsl(120, 100%, 50%)", 0xFF00_FF00), ("hsl(240deg 100% 50% / 0.5)", 0x8000_00FF),
      ("hsla(-120,100%,50%,1)", 0xFF00_00FF), ("hsl(0.5turn 100% 25%)", 0xFF00_8080), ("rgb(none 0 0)", 0xFF00_0000),
      ("rgba(0,0,0,7)", 0xFF00_0000),
    ] as [(String, UInt32)])
  func readsColors(text: String, argb: UInt32) {
    #expect(color(text, current: Color(0x123456))?.argb == argb)
  }

  @Test(
    "what is no colour is refused",
    arguments: [
      "", "#", "#12", "#12345", "#123456789", "#ggg", "reddish", "rgb", "rgb(", "rgb(1,2)", "rgb(1 2 3", "rgb(1,2 3)",
      "rgb(1,2,3/4)", "rgb(1%,2,3)", "hsl(1,2,3)", "rgb(1,2,3) x", "url(#a)", "rgb(a,b,c)", "red blue",
    ])
  func refusesColors(text: String) { #expect(color(text) == nil) }

  @Test("all 148 names are known, and only in full")
  func knowsNames() {
    let words = String(describing: CSSColor.names).split(separator: " ")
    #expect(words.count == 2 * 148)
    for index in stride(from: 0, to: words.count, by: 2) {
      let value = UInt32(words[index + 1], radix: 16)
      #expect(color(String(words[index]))?.argb == value.map { 0xFF00_0000 | $0 })
    }
    #expect(color("whit") == nil)
    #expect(color("whitee") == nil)
  }

  @Test(
    "colours are given back as the standard writes them",
    arguments: [("#ABC", "#aabbcc"), ("rgba(1,2,3,0.5)", "rgba(1, 2, 3, 0.5)"), ("#01020304", "rgba(1, 2, 3, 0.016)")])
  func writesColors(text: String, result: String) throws {
    let found = try #require(color(text))
    #expect(written { found.write(to: &$0) } == result)
  }

  @Test(
    "fonts are read, and given back in short",
    arguments: [
      ("16px sans-serif", "16px sans-serif"), ("bold italic 12.5px  Arial, serif ", "italic bold 12.5px Arial, serif"),
      ("700 1em/1.4 'Fira Code', monospace", "bold 10px 'Fira Code', monospace"), ("12pt x", "16px x"),
      ("normal small-caps 400 large x", "18px x"), ("oblique 300 10px x", "italic 10px x"), (".5in x", "48px x"),
    ])
  func readsFonts(text: String, result: String) throws {
    let found = font(text)
    #expect(found != nil)
    #expect(written { found?.write(to: &$0) } == result)
  }

  @Test(
    "what is no font is refused",
    arguments: ["", "16px", "bold", "16 sans-serif", "-1px x", "bold x", "16px ,", "16qx x", "wide 16px x", "16px/ x"])
  func refusesFonts(text: String) { #expect(font(text) == nil) }

  @Test(
    "numbers are read as far as they go",
    arguments: [
      ("1.5.5", 1.5, 3), ("-3e2x", -300, 4), ("+.25", 0.25, 4), ("10-5", 10, 2), ("1e", 1, 1), ("5.", 5, 2),
      ("123456789012345678901", 123_456_789_012_345_683_968, 21), ("1e999", 1e308, 5), ("1e-999", 0, 6),
    ] as [(String, Double, Int)])
  func readsNumbers(text: String, value: Double, length: Int) {
    var reader = TextReader(text.utf8.span)
    let found = reader.number()
    #expect(abs((found ?? .nan) - value) <= abs(value) * 1e-14)
    #expect(reader.place == length)
  }
}
