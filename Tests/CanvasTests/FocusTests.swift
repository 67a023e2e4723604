import Runtime
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

@Suite("Keys on the page")
struct FocusTests {
  private static let options =
    #"[{"label":{"literalString":"Red"},"value":"r"},{"label":{"literalString":"Grün"},"value":"g"},"#
    + #"{"label":{"literalString":"Blue"},"value":"b"}]"#

  private func form() throws -> Hands {
    let hands = try Hands(480, 320, hasKeyboard: true)
    try hands.page.show(
      Page.column("go", "box", "level", "name", "pick"), Page.button("go"),
      Page.component("box", #"{"CheckBox":{"label":{"literalString":"On"},"value":{"path":"on"}}}"#),
      Page.component("level", #"{"Slider":{"value":{"path":"v"},"minValue":0,"maxValue":100}}"#),
      Page.field("name", "n"),
      Page.component(
        "pick",
        #"{"MultipleChoice":{"selections":{"path":"s"},"maxAllowedSelections":2,"options":"# + Self.options + "}}"),
      data: #"[{"key":"on","valueBoolean":false},{"key":"v","valueNumber":10}]"#)
    return hands
  }

  private func rings(_ hands: Hands) -> Int {
    let list = DisplayList()
    hands.page.view.draw(into: list)
    var count = 0
    for index in 0..<list.count {
      if case .border(_, _, _, let color) = list[index], color == Theme().accent { count += 1 }
    }
    return count
  }

  @Test("Tab goes through everything in order and around, Shift and Tab back; what it reaches can be seen")
  func tab() throws {
    let hands = try form()
    var seen: [String] = []
    for _ in 0..<8 {
      hands.key(.tab)
      seen.append(hands.page.focus)
      let rect = hands.page.view.focusRect ?? .empty
      #expect(rect.y >= 0 && rect.maxY <= 320)
    }
    #expect(seen == ["go", "box", "level", "name", "pick/0", "pick/1", "pick/2", "go"])
    hands.key(.tab, modifiers: .shift)
    #expect(hands.page.focus == "pick/2")
  }

  @Test("the ring is there once a key was used, and gone when a finger is")
  func ring() throws {
    let hands = try form()
    #expect(rings(hands) == 0)
    hands.key(.tab)
    #expect(rings(hands) == 1)
    hands.tap("box")
    #expect(rings(hands) == 0 && hands.page.focus == "box")
    hands.key(.tab)
    #expect(hands.page.focus == "level" && rings(hands) == 1)
  }

  @Test("Enter and Space press what has the focus, and a key that is held does it once")
  func presses() throws {
    let hands = try form()
    hands.key(.tab, .enter)
    #expect(hands.presses.count == 1)
    hands.time += 1000
    hands.input.feed(.key(.space, isDown: true, isRepeat: true, []), at: hands.time)
    #expect(hands.presses.count == 1)
    hands.key(.tab, .space)
    #expect(hands.page.fact("box", "state") == "checked")
    hands.key(.tab, .tab, .tab, .tab, .space)
    #expect(hands.page.fact("pick", "state") == "1" && hands.page.focus == "pick/1")
  }

  @Test("arrows go to what is nearest in their direction")
  func arrows() throws {
    let hands = try Hands()
    try hands.page.show(
      Page.component("root", #"{"Column":{"children":{"explicitList":["top","bottom"]}}}"#),
      Page.component("top", #"{"Row":{"children":{"explicitList":["a","b"]}}}"#),
      Page.component("bottom", #"{"Row":{"children":{"explicitList":["c","d"]}}}"#), Page.button("a"), Page.button("b"),
      Page.button("c"), Page.button("d"))
    hands.key(.down)
    #expect(hands.page.focus == "a")
    hands.key(.right)
    #expect(hands.page.focus == "b")
    hands.key(.down)
    #expect(hands.page.focus == "d")
    hands.key(.left)
    #expect(hands.page.focus == "c")
    hands.key(.up)
    #expect(hands.page.focus == "a")
    hands.key(.escape)
    #expect(hands.page.focus.isEmpty)
  }

  @Test("a slider goes by arrows, and by next and previous once it was pressed")
  func slider() throws {
    let hands = try form()
    hands.key(.tab, .tab, .tab, .right, .right, .left)
    #expect(hands.page.fact("level", "value") == "15")
    hands.key(.activate, .next, .next, .previous)
    #expect(hands.page.fact("level", "value") == "20" && hands.page.focus == "level")
    hands.key(.activate, .next)
    #expect(hands.page.focus == "name")
    var range = SliderRange.sample(0, 12, 6)
    #expect(range.value(steps: -1) == 5 && range.value(steps: 1) == 7)
    range = .sample(0, 1, 0.99)
    #expect(range.value(steps: 1) == 1)
    range = .sample(-1e308, 1e308, 1e308)
    #expect(range.share == 1 && range.value(steps: 1) == 1e308 && range.value(at: 0.5) == 0)
    range = .sample(-1e308, 1e308, -1e308)
    #expect(range.share == 0 && range.value(steps: -1) == -1e308 && range.value(at: 1) == 1e308)
  }

  @Test("a few keys reach and operate everything")
  func fewKeys() throws {
    let hands = try form()
    hands.key(.next, .activate, .next, .activate, .previous)
    #expect(hands.presses.count == 1 && hands.page.fact("box", "state") == "checked" && hands.page.focus == "go")
    hands.key(.previous, .activate)
    #expect(hands.page.focus == "pick/2" && hands.page.fact("pick", "state") == "1")
  }

  @Test("tabs are opened by keys")
  func tabs() throws {
    let hands = try Hands()
    let items = #"[{"title":{"literalString":"A"},"child":"a"},{"title":{"literalString":"B"},"child":"b"}]"#
    try hands.page.show(
      Page.component("root", #"{"Tabs":{"tabItems":"# + items + "}}"), Page.button("a"), Page.button("b"))
    hands.key(.next, .next, .activate)
    #expect(hands.page.focus == "root/1" && hands.page.fact("b", "type") == "Button")
    hands.key(.next)
    #expect(hands.page.focus == "b")
  }

  @Test("in front of a modal there is nothing else; Escape closes it")
  func modal() throws {
    let hands = try Hands()
    try hands.page.show(
      Page.column("modal", "other"),
      Page.component("modal", #"{"Modal":{"entryPointChild":"entry","contentChild":"inside"}}"#),
      Page.component("entry", #"{"Text":{"text":{"literalString":"Open"}}}"#), Page.button("inside"),
      Page.button("other"))
    hands.key(.tab, .enter)
    #expect(hands.page.fact("modal", "state") == "open")
    hands.key(.tab)
    #expect(hands.page.focus == "inside")
    hands.key(.tab, .tab)
    #expect(hands.page.focus == "inside")
    hands.key(.escape)
    #expect(hands.page.fact("modal", "state") == "closed")
    hands.key(.tab)
    #expect(hands.page.focus == "modal")
  }

  @Test("Enter in a field goes on, and a form can be filled with keys alone")
  func form2() throws {
    let hands = try form()
    hands.key(.tab, .tab, .tab, .tab)
    hands.type("me")
    hands.key(.space)
    hands.type(" too")
    hands.key(.enter)
    #expect(hands.page.fact("name", "text") == "me too" && hands.page.focus == "pick/0")
  }

  @Test("what is below the edge of the page or of a list comes into sight")
  func reveals() throws {
    let hands = try Hands()
    var parts: [String] = []
    var names = ""
    for index in 0..<30 {
      parts.append(Page.button("b\(index)"))
      names += (index == 0 ? "" : ",") + #""b\#(index)""#
    }
    let list = Page.component("root", #"{"List":{"children":{"explicitList":["# + names + "]}}}")
    try hands.page.show(list + "," + parts.joined(separator: ","))
    for _ in 0..<20 { hands.key(.tab) }
    let rect = hands.page.rect("b19")
    #expect(hands.page.focus == "b19" && rect.y > 100 && rect.maxY <= 320)
    hands.key(.home)
    #expect(hands.page.rect("b0").y >= 0)
    hands.key(.end)
    #expect(hands.page.rect("b29").maxY <= 320)
  }

  @Test("a choice is filtered by what is typed, without regard to case, and shakes when it takes no more")
  func filter() throws {
    let hands = try Hands(480, 320, hasKeyboard: true)
    let choice = #"{"MultipleChoice":{"selections":{"path":"s"},"filterable":true,"maxAllowedSelections":2,"options":"#
    try hands.page.show(Page.column("pick"), Page.component("pick", choice + Self.options + "}}"))
    hands.tap(Point(100, 30))
    hands.type("grÜ")
    #expect(hands.page.fact("pick", "filter") == "grÜ")
    #expect(hands.page.texts == ["grÜ", "Grün"])
    hands.key(.down, .enter)
    #expect(hands.page.focus == "pick/1" && hands.page.fact("pick", "state") == "1")
    hands.tap(Point(100, 30))
    hands.key(.end, .backspace, .backspace, .backspace)
    #expect(hands.page.texts == ["Red", "Grün", "Blue"])
    hands.key(.tab, .space, .tab, .tab, .space)
    #expect(hands.page.fact("pick", "state") == "2")
    let layout = hands.page.view.layout(0)
    #expect(hands.page.view.person.shakeOffset(layout.tree[1].id, layout.surface, reach: 8) != 0)
    var frames = 0
    while let next = hands.input.nextDeadline, frames < 100 {
      hands.input.advance(to: next)
      frames += 1
    }
    #expect(frames > 4 && frames < 20)
    #expect(hands.page.view.person.shakeOffset(layout.tree[1].id, layout.surface, reach: 8) == 0)
  }

  @Test("what a finger is on looks pressed, until it is lifted or moves away")
  func pressed() throws {
    let hands = try form()
    let place = hands.page.middle("go")
    hands.down(place)
    #expect(hands.page.fact("go", "pressed") == "true")
    hands.input.feed(.pointer(.move, id: 0, Point(place.x, place.y + 60)), at: hands.time + 20)
    #expect(hands.page.fact("go", "pressed").isEmpty)
    hands.up(Point(place.x, place.y + 60))
    #expect(hands.presses.isEmpty)
  }

  @Test("a button that is busy looks it, and is not pressed again")
  func busy() throws {
    let hands = try form()
    hands.tap("go")
    let hit = try #require(hands.presses.first)
    let (tree, index) = try #require(hands.page.view.instance(hit))
    hands.page.view.beginPress(tree, index)
    #expect(hands.page.fact("go", "busy") == "true")
    hands.tap("go")
    #expect(hands.presses.count == 1)
    hands.page.view.changePress(to: .working, isLast: false, at: hands.time)
    #expect(hands.page.fact("go", "press") == "waiting" && hands.page.fact("go", "busy").isEmpty)
    hands.tap("go")
    #expect(hands.presses.count == 2)
  }

  @Test("so many widgets keep their state; the one that was not touched for longest begins anew")
  func states() throws {
    let states = try WidgetStates()
    for key in 0...UInt64(Budget.widgetStates) { states.change(key, 1) { $0.scroll = 7 } }
    #expect(states.count == Budget.widgetStates)
    #expect(states[0, 1].scroll == 0 && states[1, 1].scroll == 7)
  }
}

extension SliderRange {
  static func sample(_ least: Double, _ most: Double, _ value: Double) -> SliderRange {
    SliderRange(least: least, most: most, value: value)
  }
}
