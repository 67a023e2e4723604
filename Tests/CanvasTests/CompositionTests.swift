import Testing

@testable import Canvas
@testable import Graphics

/// How pages look at a glance. Characters are half as wide as they are high; a line of body text is 19 pixels high.
@Suite("Composition of pages")
struct CompositionTests {
  private typealias P = Page

  private func text(_ id: String, _ words: String, _ usage: String = "body", weight: String = "") -> String {
    P.component(id, #"{"Text":{"text":{"literalString":"\#(words)"},"usageHint":"\#(usage)"}}"#, weight: weight)
  }

  private func box(_ id: String, _ type: String, _ children: [String], _ more: String = "") -> String {
    let list = children.map { "\"\($0)\"" }.joined(separator: ",")
    return P.component(id, #"{"\#(type)":{"children":{"explicitList":[\#(list)]}\#(more)}}"#)
  }

  private func card(_ id: String, _ child: String) -> String { P.component(id, #"{"Card":{"child":"\#(child)"}}"#) }

  private func button(_ id: String) -> String {
    P.component(id, #"{"Button":{"child":"\#(id)t","action":{"name":"go"}}}"#)
  }

  // MARK: The page

  @Test(
    "a card is as high as what is in it; on a large screen it stands in the middle, and is no wider than a few words need"
  )
  func hugs() throws {
    let page = try Page(800, 480)
    try page.show(card("root", "a"), text("a", "one"))
    #expect(page.place("root") == "160,216 480x47")
    let small = try Page()
    try small.show(card("root", "a"), text("a", "one"))
    #expect(small.place("root") == "12,136 456x47")
  }

  @Test("content is as wide as can be read, and stands in the middle")
  func measure() throws {
    let page = try Page(800, 480)
    try page.show(box("root", "Column", ["a"]), text("a", String(repeating: "word ", count: 200)))
    #expect(page.place("root").hasPrefix("80,") && page.place("root").contains(" 640x"))
  }

  @Test("cards of a column stand in two columns where both have room, each as high as it is")
  func grid() throws {
    let cards = ["a", "b", "c"]
    let parts =
      cards.map { card($0, $0 + "t") } + [text("at", "one\\ntwo\\nthree"), text("bt", "one"), text("ct", "one")]
    func place(_ width: Int32, _ height: Int32, _ more: String = "") throws -> [String] {
      let page = try Page(width, height)
      let list = ([box("root", "Column", ["h"] + cards, more), text("h", "Rooms", "h2")] + parts).joined(separator: ",")
      try page.show(list)
      return (["h"] + cards).map { page.place($0) }
    }
    // 776 wide: 380 each, with 16 between them.
    let wide = try place(800, 480)
    #expect(wide.map { $0.split(separator: " ")[1] } == ["776x30", "380x85", "380x47", "380x47"])
    #expect(wide[1].hasPrefix("12,") && wide[2].hasPrefix("408,") && wide[3].hasPrefix("12,"))
    let narrow = try place(480, 800)
    #expect(narrow.dropFirst().allSatisfy { $0.hasPrefix("12,") && $0.contains(" 456x") })
    // What says where its parts stand is left as it is.
    let own = try place(800, 480, #","alignment":"center""#)
    #expect(!own[1].contains(" 380x"))
  }

  @Test("several surfaces take turns in two columns, and none changes its column when another grows")
  func surfaces() throws {
    let page = try Page(800, 480)
    func push(_ surface: String, _ words: String) throws {
      let component = text("t\(surface)", words)
      try page.push(#"{"surfaceUpdate":{"surfaceId":"\#(surface)","components":[\#(component)]}}"#)
      try page.push(#"{"beginRendering":{"surfaceId":"\#(surface)","root":"t\#(surface)"}}"#)
    }
    for surface in ["1", "2", "3"] { try push(surface, "one") }
    #expect(["t1", "t2", "t3"].map { page.place($0) } == ["12,12 380x19", "408,12 380x19", "12,47 380x19"])
    try push("2", "one\\ntwo\\nthree\\nfour")
    #expect(page.place("t3") == "12,47 380x19")
  }

  // MARK: What belongs together

  @Test("a label stands closer to its value than to the next one, and a heading begins another group")
  func spacing() throws {
    let page = try Page(480, 800)
    try page.show(
      box("root", "Column", ["l", "v", "m", "w", "h", "p", "c", "d"]), text("l", "Air", "caption"),
      text("v", "21 °C", "h1"),
      text("m", "Soil", "caption"), text("w", "wet"), text("h", "Plan", "h3"), text("p", "rain"), card("c", "ct"),
      text("ct", "one"), card("d", "dt"), text("dt", "one"))
    let places = ["l", "v", "m", "w", "h", "p", "c", "d"].map { id -> (top: Int, bottom: Int) in
      let numbers = page.place(id).split { ", x".contains($0) }.compactMap { Int($0) }
      return (numbers[1], numbers[1] + numbers[3])
    }
    let gaps = zip(places.dropFirst(), places).map { $0.top - $1.bottom }
    #expect(gaps == [2, 10, 4, 20, 4, 16, 16])
  }

  @Test("in a row what is operated, and pictures, keep their height beside something tall")
  func rows() throws {
    let page = try Page(480, 800)
    try page.show(
      box("root", "Row", ["c", "b", "i"]), card("c", "t"), text("t", "one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven"),
      button("b"), text("bt", "Go"), P.component("i", #"{"Image":{"url":{"literalString":"x.png"}}}"#))
    #expect(page.place("c").hasSuffix("x161"))
    #expect(page.place("b").hasSuffix(" 44x44") && page.place("i").hasSuffix(" 72x72"))
  }

  @Test("a button is no bar across a wide card")
  func bar() throws {
    let page = try Page(800, 480)
    try page.show(box("root", "Column", ["a", "b"]), text("a", "one"), button("b"), text("bt", "Go"))
    #expect(page.place("b").hasSuffix(" 120x44"))
    let small = try Page(320, 240)
    try small.show(box("root", "Column", ["a", "b"]), text("a", "one"), button("b"), text("bt", "Go"))
    #expect(small.place("b").hasSuffix(" 296x44"))
  }

  @Test(
    "a short text with a number is a value that is read from afar",
    arguments: [
      ("21.5 °C", 48), ("€ 1,234", 48), ("12:45", 48), ("-3", 48), ("72°", 48), ("Room 12", 28), ("3 new messages", 28),
      ("5 alarms", 28), ("Hello", 28), ("12 of them have come back", 28),
    ])
  func values(words: String, size: Int) throws {
    let page = try Page(800, 480)
    try page.show(text("root", words, "h1"))
    let list = DisplayList()
    page.view.draw(into: list)
    var sizes: [Int] = []
    for index in 0..<list.count { if case .text(_, let font, _, _, _) = list[index] { sizes.append(Int(font.size)) } }
    #expect(Set(sizes) == [size])
  }

  // MARK: Modals and lists

  @Test("a modal's title stands beside its cross, and leaves room for it")
  func title() throws {
    let page = try Page()
    let words = String(repeating: "word ", count: 30)
    try page.show(
      box("root", "Column", ["m"]), P.component("m", #"{"Modal":{"entryPointChild":"e","contentChild":"c"}}"#),
      text("e", ""), box("c", "Column", ["t", "p"]), text("t", words, "h3"), text("p", words))
    let layout = page.view.layout(0)
    let frame = layout.modalFrame(2, on: page.view.size)
    let cross = layout.modalCloser(frame)
    let title = try #require((0..<layout.count).first { layout.typeSize(of: $0) == .h3 })
    #expect(layout[title].rect.maxX <= cross.x && layout[title].rect.y <= cross.maxY)
  }
}
