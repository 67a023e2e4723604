import Testing

@testable import Canvas
@testable import Graphics

/// On a screen of 480x320 with a margin of 12; body text is 14 high, so 7 a character and 19 a line.
@Suite("Layout of documents")
struct LayoutTests {
  private typealias P = Page

  private func text(_ id: String, _ words: String, weight: String = "") -> String {
    P.component(id, #"{"Text":{"text":{"literalString":""# + words + #""}}}"#, weight: weight)
  }

  private func box(_ id: String, _ type: String, _ children: String, _ more: String = "") -> String {
    let list = children.split(separator: " ").map { #"""# + $0 + #"""# }.reduce("") { $0.isEmpty ? $1 : $0 + "," + $1 }
    return P.component(id, #"{""# + type + #"":{"children":{"explicitList":["# + list + "]}" + more + "}}")
  }

  @Test("what the gateway's own command pushes: a column with a text, at the top of the screen")
  func firstPush() throws {
    let page = try Page()
    try page.show(box("root", "Column", "text"), text("text", "Hello"))
    #expect(page.lines == ["root Column 12,12 456x296", "text Text 12,12 456x19 Hello"])
    #expect(page.texts == ["Hello"])
  }

  @Test("children of a column stand below each other, with a gap")
  func column() throws {
    let page = try Page()
    try page.show(box("root", "Column", "a b", #","alignment":"start""#), text("a", "one"), text("b", "three"))
    #expect(page.place("a") == "12,12 21x19")
    #expect(page.place("b") == "12,41 35x19")
  }

  @Test("children of a row stand beside each other, and as high as it")
  func row() throws {
    let page = try Page()
    try page.show(
      box("root", "Column", "row"), box("row", "Row", "a b", #","distribution":"spaceBetween","alignment":"center""#),
      text("a", "one"), text("b", "two\\nlines"))
    #expect(page.place("row") == "12,12 456x38")
    #expect(page.place("a") == "12,21 21x19")
    #expect(page.place("b") == "433,12 35x38")
  }

  @Test("weights share a row's width")
  func weights() throws {
    let page = try Page()
    try page.show(box("root", "Row", "a b"), text("a", "x", weight: "1"), text("b", "y", weight: "2"))
    #expect(page.place("a") == "12,12 149x296")
    #expect(page.place("b") == "171,12 297x296")
  }

  @Test("a text with a weight keeps its longest word beside a long text without one")
  func mixedWeights() throws {
    let page = try Page()
    let long = String(repeating: "word ", count: 100)
    try page.show(box("root", "Row", "a b"), text("a", "value", weight: "1"), text("b", long))
    #expect(page.place("a") == "12,12 35x296")
    #expect(page.place("b") == "57,12 411x296")
    try page.show(
      box("root", "Row", "a b c"), text("a", "value", weight: "1"), text("b", "fixed"), text("c", "x", weight: "3"))
    #expect(page.place("a") == "12,12 100x296" && page.place("b") == "122,12 35x296")
    #expect(page.place("c") == "167,12 301x296")
  }

  @Test("words that do not fit beside each other wrap a row in which only some have weights")
  func mixedWrap() throws {
    let page = try Page(200, 320)
    try page.show(
      box("root", "Column", "row"), box("row", "Row", "a b"), text("a", "incomprehensible", weight: "1"),
      text("b", "uncharacteristic"))
    #expect(page.place("a") == "12,12 176x19")
    #expect(page.place("b") == "12,41 112x19")
  }

  @Test("columns that are narrower than some letters line up, whatever stands in them")
  func narrowColumns() throws {
    let page = try Page(120, 320)
    let weights = ["6", "1", "1"]
    func cells(_ row: String, _ words: [String]) -> String {
      (0..<3).map { text("\(row)\($0)", words[$0], weight: weights[$0]) }.joined(separator: ",")
    }
    try page.show(
      box("root", "Column", "h r"), box("h", "Row", "h0 h1 h2"), box("r", "Row", "r0 r1 r2"),
      cells("h", ["Name", "A", "B"]), cells("r", ["x", "100000", "2"]))
    let places = (0..<3).map { index in
      ["h", "r"].map { page.place("\($0)\(index)").split(separator: " ") }.map { place in
        "\(place[0].split(separator: ",")[0]) \(place[1].split(separator: "x")[0])"
      }
    }
    for pair in places { #expect(pair[0] == pair[1]) }
  }

  @Test("the largest weights share as the smallest do")
  func hugeWeights() throws {
    let page = try Page()
    try page.show(box("root", "Row", "a b"), text("a", "x", weight: "1e38"), text("b", "y", weight: "2e38"))
    #expect(page.place("a") == "12,12 149x296")
    #expect(page.place("b") == "171,12 297x296")
    try page.show(box("root", "Column", "a b"), text("a", "x", weight: "3e38"), text("b", "y", weight: "3e38"))
    #expect(page.place("a") == "12,12 456x143")
  }

  @Test("in a column weights share the height of the screen, and nothing where the height is the content's")
  func columnWeights() throws {
    let page = try Page()
    try page.show(box("root", "Column", "a b"), text("a", "x", weight: "1"), text("b", "y"))
    #expect(page.place("a") == "12,12 456x267")
    #expect(page.place("b") == "12,289 456x19")
    try page.show(
      box("root", "List", "c"), box("c", "Column", "a b"), text("a", "x", weight: "1"), text("b", "y"))
    #expect(page.place("a") == "12,12 456x19")
  }

  @Test("a row wraps only where its words do not fit beside each other")
  func wraps() throws {
    let page = try Page(200, 320)
    try page.show(
      box("root", "Column", "row"), box("row", "Row", "a b"), text("a", "short words"), text("b", "more of them"))
    #expect(page.place("a") == "12,12 77x19")
    #expect(page.place("b") == "99,12 84x19")
    try page.show(
      box("root", "Column", "row"), box("row", "Row", "a b"), text("a", "incomprehensibility"),
      text("b", "uncharacteristically"))
    #expect(page.place("a") == "12,12 133x19")
    #expect(page.place("b") == "12,41 140x19")
  }

  @Test("a card keeps its padding, a button has its words in the middle and is large enough for a finger")
  func cards() throws {
    let page = try Page()
    try page.show(
      box("root", "Column", "card button", #","alignment":"start""#), P.component("card", #"{"Card":{"child":"a"}}"#),
      text("a", "one"), P.component("button", #"{"Button":{"child":"b","action":{"name":"go"}}}"#), text("b", "OK"))
    #expect(page.place("card") == "12,12 49x47")
    #expect(page.place("a") == "26,26 21x19")
    #expect(page.place("button") == "12,75 44x44")
    #expect(page.place("b") == "27,87 14x19")
  }

  @Test("a list that is longer than its room scrolls within it")
  func listScrolls() throws {
    let page = try Page()
    var parts = [box("root", "Column", "title list"), text("title", "T")]
    var names = ""
    for index in 0..<30 {
      parts.append(text("t\(index)", "item"))
      names += "t\(index) "
    }
    parts.append(box("list", "List", names))
    var all = ""
    for part in parts { all += all.isEmpty ? part : "," + part }
    try page.show(all)
    #expect(page.place("list") == "12,41 456x267")
    #expect(page.place("t29") == "12,882 456x19")
    #expect(page.view.limit == 0)
    #expect(page.texts.count < 15)
  }

  @Test("several surfaces stand below each other, and the page scrolls")
  func surfaces() throws {
    let page = try Page(480, 100)
    for name in ["a", "b"] {
      try page.push(
        #"{"surfaceUpdate":{"surfaceId":""# + name + #"","components":["# + text("t", "one\\ntwo\\nthree") + "]}}")
      try page.push(#"{"beginRendering":{"surfaceId":""# + name + #"","root":"t"}}"#)
    }
    #expect(page.lines == ["t Text 12,12 456x57 one\\ntwo\\nthree", "t Text 12,85 456x57 one\\ntwo\\nthree"])
    #expect(page.view.limit == 54)
    page.view.scroll(to: 500)
    #expect(page.lines[0] == "t Text 12,-42 456x57 one\\ntwo\\nthree")
  }

  @Test("only the open tab is shown, under its title")
  func tabs() throws {
    let page = try Page()
    let items = #"[{"title":{"literalString":"A"},"child":"a"},{"title":{"literalString":"B"},"child":"b"}]"#
    try page.show(P.component("root", #"{"Tabs":{"tabItems":"# + items + "}}"), text("a", "first"), text("b", "second"))
    #expect(page.texts == ["A", "B", "first"])
    #expect(page.place("a") == "12,66 456x242")
    #expect(page.place("b") == "not shown")
  }

  @Test("a modal with nothing to tap opens by itself, in the middle of the screen")
  func modal() throws {
    let page = try Page()
    try page.show(
      P.component("root", #"{"Modal":{"entryPointChild":"entry","contentChild":"content"}}"#), text("entry", ""),
      text("content", "Attention"))
    #expect(page.place("content") == "40,160 400x19")
    #expect(page.texts == ["Attention"])
  }

  @Test("what is not defined takes no room, what is unknown shows its name, and a cycle ends")
  func placeholders() throws {
    let page = try Page()
    try page.show(
      box("root", "Column", "gone odd loop"), P.component("odd", #"{"Gauge":{"child":"a"}}"#), text("a", "inside"),
      P.component("loop", #"{"Card":{"child":"loop"}}"#))
    #expect(page.place("odd") == "12,12 456x59")
    #expect(page.texts == ["Gauge", "inside", "cycle"])
    #expect(page.lines.last == "loop Card 26,101 428x44 cycle")
  }

  @Test("every component is drawn inside the width of the smallest screen")
  func fitsSmallScreens() throws {
    for (width, height) in [(Int32(240), Int32(240)), (480, 320), (1920, 1080)] {
      let page = try Page(width, height, scale: Theme.scale(for: Size(width, height), millimeters: nil))
      try page.push(Catalog.document)
      #expect(page.view.surfaceCount == 1)
      for line in page.lines {
        let words = line.split(separator: " ")
        // These go to the right, and scroll.
        if ["picture", "film", "sound"].contains(words[0]) { continue }
        let x = Int32(words[2].split(separator: ",")[0])!
        let right = x + Int32(words[3].split(separator: "x")[0])!
        #expect(x >= 0 && right <= width, "\(line)")
      }
    }
  }

  @Test("the same document gives the same commands, and no memory is taken for it")
  func isStable() throws {
    let page = try Page()
    try page.push(Catalog.document)
    let (first, second) = (DisplayList(), DisplayList())
    page.view.draw(into: first)
    page.view.invalidate()
    page.view.update()
    page.view.draw(into: second)
    #expect(first.count == second.count && first.count > 20 && !first.isCut)
    for index in 0..<first.count { #expect(first[index] == second[index]) }
  }
}
