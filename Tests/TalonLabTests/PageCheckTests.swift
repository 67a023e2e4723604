import Canvas
import Graphics
import Testing

@testable import talon_lab

@Suite("What is found wrong with a page")
struct PageCheckTests {
  private let page: PageBench
  private let ink = Color.white

  /// A page of 480x320, dark, with a text on it.
  init() throws {
    page = try PageBench(Size(480, 320))
    try page.push(Array(Self.document("Text", #""text":{"literalString":"Hello"}"#).utf8))
    try page.paint()
  }

  private static func document(_ type: String, _ properties: String) -> String {
    let root = #"{"id":"root","component":{"\#(type)":{\#(properties)}}}"#
    return #"{"surfaceUpdate":{"surfaceId":"s","components":[\#(root)]}}"# + "\n"
      + #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#
  }

  private func write(_ text: String, at place: Point, advance: Int32, _ color: Color) {
    page.list.add(.text(page.list.add(text.utf8.span), Font(size: 14), start: place, advance: advance, color))
  }

  private var faults: [String] { get throws { try PageCheck(page).faults } }

  @Test("nothing, where nothing is wrong")
  func good() throws {
    #expect(try faults == [])
    write("more", at: Point(10, 200), advance: 40, ink)
    #expect(try faults == [])
  }

  @Test("a text whose contrast with what it stands on is below 4.5")
  func contrast() throws {
    page.list.add(.fill(Rect(0, 100, 480, 100), radius: 0, .solid(Color(0xFFFFFF))))
    write("pale", at: Point(10, 150), advance: 40, Color(0x999999))
    #expect(try faults.count == 1 && faults[0].hasPrefix("\"pale\" has a contrast of 2."))
  }

  @Test("a border that is not seen on either side")
  func border() throws {
    page.list.add(.border(Rect(10, 100, 80, 40), radius: 4, width: 1, Color(0x20242C)))
    #expect(try faults.count == 1 && faults[0].hasPrefix("a border at 10,100"))
  }

  @Test("texts that overlap")
  func overlap() throws {
    write("one", at: Point(10, 200), advance: 40, ink)
    write("two", at: Point(30, 204), advance: 40, ink)
    #expect(try faults == [#""one" and "two" overlap"#])
  }

  @Test("but not with what is hidden behind something")
  func hidden() throws {
    write("one", at: Point(10, 200), advance: 40, ink)
    page.list.add(.fill(Rect(0, 100, 480, 200), radius: 0, .solid(Color(0x101010))))
    write("two", at: Point(30, 204), advance: 40, ink)
    #expect(try faults == [])
  }

  @Test("a text that reaches beyond its card, at either side")
  func cut() throws {
    page.list.add(.fill(Rect(100, 100, 60, 100), radius: 0, .solid(Color(0x000000))))
    write("right", at: Point(110, 120), advance: 80, ink)
    #expect(try faults == [#""right" is cut off"#])
  }

  @Test("a line that is too wide to read")
  func wide() throws {
    let wide = try PageBench(Size(800, 480))
    try wide.paint()
    wide.list.add(.text(wide.list.add("long".utf8.span), Font(size: 14), start: Point(10, 100), advance: 700, ink))
    #expect(try PageCheck(wide).faults == [#""long" is 700 wide, more than 640"#])
  }

  @Test("a control that is too small for a finger")
  func target() throws {
    let narrow = try PageBench(Size(40, 320))
    try narrow.push(Array(Self.document("CheckBox", #""value":{"path":"x"}"#).utf8))
    try narrow.paint()
    #expect(try PageCheck(narrow).faults.contains { $0.hasSuffix("less than a finger needs") })
  }
}
