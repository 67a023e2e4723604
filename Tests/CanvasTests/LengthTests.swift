import Codec
import Runtime
import Simulated
import Testing

@testable import A2UI
@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// Whatever lengths a page is made of, it is arranged, drawn, painted, scrolled and touched: no sum and no product of
/// them stops the program. A test that is not stopped has passed.
@Suite("Pages of extreme lengths")
struct LengthTests {
  private static let screens: [(size: Size, scale: Int32)] = [
    (Size(1, 1), 100), (Size(96, 40), 100), (Size(480, 320), 100), (Size(3840, 2160), 400), (Size(16_384, 16), 400),
  ]

  /// Numbers that are next to those where something ends.
  private static let numbers = [
    "0", "-1", "1", "1e9", "2147483647", "2147483648", "-2147483648", "9007199254740993", "1e38", "-1e308", "1e308",
  ]
  private static let corners: [Int32] = [40, .min, 0, 1 << 24, .max]

  /// Does with a page all that can be done with it.
  private func operate(_ view: DocumentView, _ size: Size) throws {
    let list = DisplayList()
    let painter = SoftwarePainter(glyphs: BoxGlyphs())
    let buffer = try PixelBuffer(Size(min(size.width, 96), min(size.height, 40)))
    func draw() {
      list.removeAll()
      view.draw(into: list)
      painter.paint(list, Damage(Rect(0, 0, buffer.size.width, buffer.size.height)), into: buffer)
    }
    var taps = 0
    for y in Self.corners {
      view.scroll(to: y)
      draw()
      for x in Self.corners {
        let place = Point(x, y)
        if let hit = view.hit(at: place), taps < 2 {
          _ = view.tap(hit, at: place)
          _ = view.slide(hit, to: place)
          arrange(view)
          taps += 1
        }
        for isHorizontal in [true, false] {
          guard let scroller = view.scroller(at: place, isHorizontal: isHorizontal) else { continue }
          _ = view.scroll(scroller, by: .max)
          _ = view.scroll(scroller, by: .min)
          _ = view.scroll(scroller, by: y)
        }
      }
    }
    for isForward in [true, true, false] { _ = view.moveFocus(isForward) }
    arrange(view)
    view.showEnd()
    draw()
    var counter = JSONWriter()
    view.writeLayout(to: &counter)
    #expect(counter.count > 0)
  }

  private func arrange(_ view: DocumentView) {
    var turns = 0
    repeat {
      view.update(atMost: 16 * Budget.arrangedBytes)
      turns += 1
    } while view.isPending && turns <= Budget.arrangedTurns + 1
    #expect(!view.isPending, "\(turns) turns")
  }

  private func check(_ components: [String], data: String, sizes: [(size: Size, scale: Int32)]) throws {
    let view = try DocumentView(measurer: GridMeasurer(), pictures: FewPictures())
    let document = #"{"surfaceUpdate":{"surfaceId":"s","components":["# + components.joined(separator: ",") + "]}}"
    let begin = #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#
    for (size, scale) in sizes {
      view.fit(size, Theme(scale: scale))
      view.store.reset()
      _ = try view.store.push(jsonl: [document, data, begin].joined(separator: "\n").utf8.span)
      arrange(view)
      try operate(view, size)
    }
  }

  private static func data(_ letters: Int) -> String {
    let text = String(repeating: "w", count: letters)
    let words = String(repeating: "word ", count: letters / 5)
    return #"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"t","valueString":"\#(text)"},"#
      + #"{"key":"u","valueString":"\#(words)"}]}}"#
  }

  private static func text(_ id: String, _ path: String, _ hint: String) -> String {
    Page.component(id, #"{"Text":{"text":{"path":"/\#(path)"},"usageHint":"\#(hint)"}}"#)
  }

  private static func list(_ type: String, _ id: String, _ children: [String], _ more: String = "") -> String {
    let names = children.map { "\"\($0)\"" }.joined(separator: ",")
    return Page.component(id, #"{"\#(type)":{"children":{"explicitList":[\#(names)]}\#(more)}}"#)
  }

  @Test("a row of 90 rows of 90 long headings", arguments: zip(["Row", "Column", "List"], ["Row", "Row", "List"]))
  func manyTexts(outer: String, inner: String) throws {
    let components = [
      Self.list(outer, "root", Array(repeating: "r", count: 90), #","direction":"horizontal""#),
      Self.list(inner, "r", Array(repeating: "t", count: 90), #","direction":"horizontal""#),
      Self.text("t", "t", "h1"),
    ]
    let data = Self.data(outer == "Row" ? 12_000 : 6_000)
    try check(components, data: data, sizes: [(Size(480, 320), 100), (Size(3840, 2160), 400)])
  }

  @Test("documents of any nesting, with huge numbers in all that has a number", arguments: 1...12)
  func anyDocument(seed: Int) throws {
    var dice = LengthDice(UInt64(seed))
    let depth = dice.below(5) + 1
    var components = [
      Self.text("t", "t", dice.pick(["h1", "h5", "body", "caption"])), Self.text("u", "u", dice.pick(["h1", "body"])),
      Self.leaf("c0", &dice),
    ]
    for level in 1...depth {
      let children = (0...dice.below(level == depth ? 40 : 7)).map { _ in
        dice.below(4) > 0 ? "c\(level - 1)" : dice.pick(["t", "u", "l\(level)"])
      }
      components.append(Self.leaf("l\(level)", &dice))
      let id = level == depth ? "root" : "c\(level)"
      let weight = dice.below(3) == 0 ? dice.pick(Self.numbers) : ""
      components.append(Self.container(id, children, weight, &dice))
    }
    let letters = dice.pick([0, 5, 1_000, 4_000])
    let sizes = [dice.pick(Self.screens), dice.pick(Self.screens)]
    try check(components, data: Self.data(letters), sizes: sizes)
  }

  private static func container(
    _ id: String, _ children: [String], _ weight: String, _ dice: inout LengthDice
  ) -> String {
    let names = children.map { "\"\($0)\"" }.joined(separator: ",")
    let first = children[0]
    let alignment = dice.pick(["start", "center", "end", "stretch"])
    let distribution = dice.pick(["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly"])
    let direction = dice.pick(["horizontal", "vertical"])
    let definition: String
    switch dice.below(8) {
    case 0: definition = #"{"Card":{"child":"\#(first)"}}"#
    case 1:
      let items = children.map { #"{"title":{"path":"/t"},"child":"\#($0)"}"# }.joined(separator: ",")
      definition = #"{"Tabs":{"tabItems":[\#(items)]}}"#
    case 2: definition = #"{"Modal":{"entryPointChild":"\#(first)","contentChild":"\#(children.last ?? first)"}}"#
    case 3: definition = #"{"Button":{"child":"\#(first)","action":{"name":"a"}}}"#
    case 4: definition = #"{"Unheard":{"children":{"explicitList":[\#(names)]}}}"#
    case 5:
      definition =
        #"{"List":{"children":{"explicitList":[\#(names)]},"direction":"\#(direction)","alignment":"\#(alignment)"}}"#
    default:
      let type = dice.pick(["Row", "Column"])
      definition =
        #"{"\#(type)":{"children":{"explicitList":[\#(names)]},"alignment":"\#(alignment)","#
        + #""distribution":"\#(distribution)"}}"#
    }
    return Page.component(id, definition, weight: weight)
  }

  private static func leaf(_ id: String, _ dice: inout LengthDice) -> String {
    let (number, other) = (dice.pick(numbers), dice.pick(numbers))
    let label = #""label":{"path":"/\#(dice.pick(["t", "u"]))"}"#
    let weight = dice.below(3) == 0 ? dice.pick(numbers) : ""
    let definition: String
    switch dice.below(7) {
    case 0:
      definition =
        #"{"Slider":{\#(label),"value":{"literalNumber":\#(number)},"minValue":\#(other),"maxValue":\#(number)}}"#
    case 1:
      let options = (0...dice.below(40)).map { #"{"label":{"path":"/t"},"value":"\#($0)"}"# }.joined(separator: ",")
      let variant = dice.pick(["chips", "checkbox"])
      definition =
        #"{"MultipleChoice":{"variant":"\#(variant)","selections":{"path":"/x"},"maxAllowedSelections":\#(number),"#
        + #""filterable":true,"options":[\#(options)]}}"#
    case 2: definition = #"{"TextField":{\#(label),"text":{"path":"/u"},"textFieldType":"longText"}}"#
    case 3: definition = #"{"DateTimeInput":{\#(label),"value":{"path":"/d"},"enableDate":true,"enableTime":true}}"#
    case 4:
      let hint = dice.pick(["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"])
      let fit = dice.pick(["contain", "cover", "fill", "none", "scale-down"])
      definition =
        #"{"Image":{"url":{"literalString":"there.png"},"usageHint":"\#(hint)","fit":"\#(fit)"}}"#
    case 5: definition = #"{"CheckBox":{\#(label),"value":{"path":"/z"}}}"#
    default: definition = #"{"Text":{"text":{"literalString":"\#(number)"},"usageHint":"h1"}}"#
    }
    return Page.component(id, definition, weight: weight)
  }

  private static let pages: [String] = [
    "<table><tr>" + String(repeating: "<td>" + String(repeating: "w", count: 2_000), count: 40) + "</table>",
    "<table>" + String(repeating: "<tr><td colspan=2147483647 rowspan=1e9>a<td>b", count: 400) + "</table>",
    "<p style='font-size:1e9px;margin:1e9px;padding:-1e9px;text-indent:1e9px;line-height:1e9'>a<p>b",
    "<h1 style='font-size:1e38em'>" + String(repeating: "w", count: 60_000),
    "<ol start=2147483647><li>a<li>b</ol><ol start=-2147483648 reversed><li>a<li value=1e308>b</ol>",
    "<img src=there width=2147483647 height=1><img src=there width=1 height=-2147483648><img src=there width=1e38>",
    String(repeating: "<blockquote><ul><li>", count: 2_000) + "deep",
    String(repeating: "<p>x", count: 20_000),
    String(repeating: "<table><tr><td>", count: 500) + "deep",
  ]

  @Test("pages of HTML and Markdown", arguments: pages.indices)
  func reader(number: Int) throws {
    let html = Self.pages[number]
    for width in [Int32(1), 400, .max] {
      for format in [ReaderFormat.html, .markdown, .plain] {
        let read = try Read(html, format, width: width)
        for place in Self.corners {
          read.page.scrolled = place
          _ = read.page.input(.wheel(Point(place, place), x: place, y: place), at: 0)
          for kind in [InputEvent.Pointer.down, .move, .up] {
            _ = read.page.input(.pointer(kind, id: 0, Point(0, place)), at: 10)
          }
          _ = read.page.advance(to: 1_000)
          read.draw()
        }
      }
    }
  }

  @Test("the canvas's own operators clamp, each in both directions")
  func operators() {
    let (high, low, zero) = (Int32.max, Int32.min, Int32(0))
    #expect(high + 1 == high && low + -1 == low && low - 1 == low && high - -1 == high && -low == high)
    #expect(high * 2 == high && low * 2 == low && low * -1 == high && high * low == low)
    #expect(low / -1 == high && high / zero == 0 && high % zero == 0 && low % -1 == 0)
    var sum = high
    sum += high
    #expect(sum == high)
    sum -= low
    #expect(sum == high)
    sum *= -2
    #expect(sum == low)
    #expect([high, high].reduce(0, +) == high && abs(low) == high)
    #expect(Int.max + 1 == Int.max && Int.min * 3 == Int.min && Int64.max + 1 == Int64.max && abs(Int.min) == Int.max)
    #expect(Int16(high) == Int16.max && Int32(Int64.min) == low && UInt8(-1 as Int) == 0)
  }
}

/// Numbers that are the same in each run.
private struct LengthDice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(truncatingIfNeeded: state >> 33) % max(count, 1)
  }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }
}
