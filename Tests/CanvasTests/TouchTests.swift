import Testing

@testable import Canvas
@testable import Graphics

private final class Fingers: PageTouchDelegate {
  private(set) var changes = 0
  private(set) var presses: [Hit] = []
  private(set) var panics = 0
  func pageChanged() { changes += 1 }
  func pressed(_ hit: Hit) { presses.append(hit) }
  func panicWanted() { panics += 1 }
}

@Suite("Touching the page")
struct TouchTests {
  private let page: Page
  private let delegate = Fingers()
  private let touch: PageTouch

  init() throws {
    page = try Page()
    touch = PageTouch(page.view, delegate: delegate)
    touch.fit(scale: 100)
  }

  private func tap(_ x: Int32, _ y: Int32, at time: Int64 = 1000) {
    touch.feed(.down, id: 0, Point(x, y), at: time)
    touch.feed(.up, id: 0, Point(x, y), at: time + 50)
    page.view.update()
  }

  private func text(_ id: String, _ words: String) -> String {
    Page.component(id, #"{"Text":{"text":{"literalString":""# + words + #""}}}"#)
  }

  /// The middle of an instance.
  private func middle(_ id: String) -> Point {
    let numbers = page.place(id).split { ",x ".contains($0) }.compactMap { Int32($0) }
    guard numbers.count == 4 else { return Point(-1, -1) }
    return Point(numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2)
  }

  private func tap(_ id: String, at time: Int64 = 1000) {
    let place = middle(id)
    tap(place.x, place.y, at: time)
  }

  @Test("a button tells its action, once in a while")
  func button() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["go"]},"alignment":"start"}}"#),
      Page.component("go", #"{"Button":{"child":"word","action":{"name":"start"}}}"#), text("word", "Go"))
    tap("go")
    tap("go", at: 1100)
    #expect(delegate.presses.count == 1)
    tap("go", at: 2000)
    #expect(delegate.presses.count == 2)
    #expect(delegate.presses[0].kind == .button)
    // Beside it, but nearer than half a finger.
    tap(60, 30, at: 4000)
    #expect(delegate.presses.count == 2)
  }

  @Test("a finger that goes down on one thing and up on another does nothing")
  func slides() throws {
    try page.push(Catalog.document)
    let place = middle("water")
    touch.feed(.down, id: 0, place, at: 0)
    touch.feed(.up, id: 0, middle("later"), at: 50)
    #expect(delegate.presses.isEmpty)
  }

  @Test("a check box changes what it is bound to, and what else shows it")
  func checkBox() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["box","words"]}}}"#),
      Page.component("box", #"{"CheckBox":{"label":{"literalString":"On"},"value":{"path":"on"}}}"#),
      Page.component("words", #"{"Text":{"text":{"path":"on"}}}"#), data: #"[{"key":"on","valueBoolean":false}]"#)
    tap("box")
    #expect(page.lines[1].hasSuffix("checked") && page.texts.contains("true"))
    tap("box", at: 2000)
    #expect(page.texts.contains("false"))
  }

  @Test("what was entered where the data have no place is shown until they have a value there")
  func noPlace() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["box","words"]}}}"#),
      Page.component("box", #"{"CheckBox":{"label":{"literalString":"On"},"value":{"path":"/l/3"}}}"#),
      Page.component("words", #"{"Text":{"text":{"path":"/l/3"}}}"#), data: #"{"l":[]}"#)
    func isChecked() -> Bool { page.lines[1].hasSuffix(" checked") }
    tap("box")
    #expect(isChecked() && !page.texts.contains("true"))
    try page.push(#"{"dataModelUpdate":{"surfaceId":"s","contents":{"l":[1,2,3,false]}}}"#)
    #expect(!isChecked() && page.texts.contains("false"))
    tap("box", at: 2000)
    #expect(isChecked() && page.texts.contains("true"))
    tap("box", at: 3000)
    #expect(!isChecked() && page.texts.contains("false"))
  }

  @Test("a check box that is bound to nothing keeps what was entered, also over a push")
  func unbound() throws {
    let components = [
      Page.component("root", #"{"Column":{"children":{"explicitList":["box"]}}}"#),
      Page.component("box", #"{"CheckBox":{"label":{"literalString":"On"},"value":{"literalBoolean":false}}}"#),
    ]
    try page.show(components[0], components[1])
    tap("box")
    #expect(page.lines[1].hasSuffix(" checked"))
    try page.show(components[0], components[1], text("other", "new"))
    #expect(page.lines[1].hasSuffix(" checked"))
  }

  @Test("of options one replaces the other, or as many as may be are taken")
  func options() throws {
    let options = #"[{"label":{"literalString":"A"},"value":"a"},{"label":{"literalString":"B"},"value":"b"}]"#
    try page.show(
      Page.component(
        "root", #"{"MultipleChoice":{"selections":{"path":"s"},"maxAllowedSelections":1,"options":"# + options + "}}"),
      data: #"[{"key":"s","valueMap":[{"key":"0","valueString":"a"}]}]"#)
    #expect(page.lines == ["root MultipleChoice 12,12 456x296 1"])
    tap(30, 12 + 44 + 20)
    guard let hit = page.view.hit(at: Point(30, 12 + 44 + 20)) else { Issue.record("nothing there"); return }
    #expect(hit.part == 1)
    let tree = try #require(page.view.instance(hit)).tree
    #expect(tree.isSelected(0, option: 1) && !tree.isSelected(0, option: 0))
  }

  @Test("a tab opens, and stays open over a push")
  func tabs() throws {
    let items = #"[{"title":{"literalString":"A"},"child":"a"},{"title":{"literalString":"B"},"child":"b"}]"#
    let root = Page.component("root", #"{"Tabs":{"tabItems":"# + items + "}}")
    try page.show(root, text("a", "first"), text("b", "second"))
    tap(12 + 44 + 10, 30)
    #expect(page.texts == ["A", "B", "second"])
    try page.show(root, text("a", "first"), text("b", "changed"))
    #expect(page.texts == ["A", "B", "changed"])
  }

  @Test("a modal opens by its entry, and closes by a tap beside it")
  func modal() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["modal"]},"alignment":"start"}}"#),
      Page.component("modal", #"{"Modal":{"entryPointChild":"entry","contentChild":"more"}}"#), text("entry", "Open"),
      text("more", "More"))
    #expect(page.texts == ["Open"])
    tap("entry")
    #expect(page.texts == ["Open", "More"])
    tap(2, 2, at: 3000)
    #expect(page.texts == ["Open"])
  }

  @Test("a slider follows the finger, and writes numbers")
  func slider() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["level","words"]}}}"#),
      Page.component("level", #"{"Slider":{"value":{"path":"v"},"minValue":0,"maxValue":50}}"#),
      Page.component("words", #"{"Text":{"text":{"path":"v"}}}"#), data: #"[{"key":"v","valueNumber":10}]"#)
    let place = middle("level")
    touch.feed(.down, id: 0, place, at: 0)
    touch.feed(.move, id: 0, Point(470, place.y), at: 20)
    touch.feed(.up, id: 0, Point(470, place.y), at: 400)
    page.view.update()
    #expect(page.texts.contains("50"))
    tap("level", at: 2000)
    #expect(page.texts.contains("25"))
  }

  @Test("a slider between the smallest and the largest number follows the finger as well")
  func widestSlider() throws {
    try page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["level","words"]}}}"#),
      Page.component("level", #"{"Slider":{"value":{"path":"v"},"minValue":-1e308,"maxValue":1e308}}"#),
      Page.component("words", #"{"Text":{"text":{"path":"v"}}}"#), data: #"[{"key":"v","valueNumber":1e308}]"#)
    #expect(page.texts.contains("1e308"))
    tap("level")
    #expect(page.texts.contains("0"))
    touch.feed(.down, id: 0, middle("level"), at: 4000)
    touch.feed(.move, id: 0, Point(5, middle("level").y), at: 4020)
    touch.feed(.up, id: 0, Point(5, middle("level").y), at: 4400)
    page.view.update()
    #expect(page.texts.contains("-1e308"))
  }

  @Test("a list is dragged, goes on by itself, and stands still at its end")
  func scrolls() throws {
    var parts = ""
    var names = ""
    for index in 0..<40 {
      parts += "," + text("t\(index)", "item")
      names += (index == 0 ? "" : ",") + #""t\#(index)""#
    }
    try page.show(Page.component("root", #"{"List":{"children":{"explicitList":["# + names + "]}}}") + parts)
    touch.feed(.down, id: 0, Point(100, 200), at: 0)
    for step in 1...8 { touch.feed(.move, id: 0, Point(100, 200 - Int32(step) * 15), at: Int64(step) * 16) }
    touch.feed(.up, id: 0, Point(100, 80), at: 130)
    page.view.update()
    let dragged = page.place("t0")
    #expect(dragged.hasPrefix("12,-"))
    var time: Int64 = 130
    var frames = 0
    while let deadline = touch.nextDeadline, frames < 1000 {
      time = deadline
      touch.advance(to: time)
      frames += 1
    }
    #expect(frames > 3 && frames < 200 && page.place("t0") != dragged)
    #expect(delegate.presses.isEmpty)
  }

  @Test("a tap on a link of a text hands over its target, also small ones beside it, and a button keeps its own")
  func textLinks() throws {
    let hands = try Hands()
    let text = #"{"Text":{"text":{"literalString":"see [the garden](openclaw://agent?message=water) now"}}}"#
    try hands.page.show(Page.component("root", text))
    var targets: [String] = []
    for y in stride(from: Int32(0), to: 320, by: 8) {
      for x in stride(from: Int32(0), to: 480, by: 16) { hands.tap(Point(x, y)) }
    }
    for hit in hands.presses {
      #expect(hit.kind == .link)
      hands.page.view.withLink(hit) { target in
        targets.append(target.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      }
    }
    #expect(!targets.isEmpty && targets.allSatisfy { $0 == "openclaw://agent?message=water" })
    let button = try Hands()
    try button.page.show(
      Page.component("root", #"{"Button":{"child":"label","action":{"name":"go"}}}"#), Page.component("label", text))
    button.tap("root")
    #expect(button.presses.map(\.kind) == [.button])
  }
}
