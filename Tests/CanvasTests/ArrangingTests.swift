import Runtime
import Simulated
import Testing

@testable import A2UI
@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// A page with much text is arranged in several turns of the loop, each of which measures so much and no more.
@Suite("Pages that are arranged in turns")
struct ArrangingTests {
  private static let budget = 512
  private static let words = String(repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627} talon ", count: 300)
  private static let word = String(repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627}talon", count: 300)

  private let measurer = CountingMeasurer()

  private func view() throws -> DocumentView {
    let view = try DocumentView(measurer: measurer, pictures: NoPictures())
    view.fit(Size(480, 320), Theme(scale: 100))
    return view
  }

  private static func update(_ components: String...) -> String {
    #"{"surfaceUpdate":{"surfaceId":"s","components":["# + components.joined(separator: ",") + "]}}"
  }

  private static func text(_ id: String, _ text: String) -> String {
    Page.component(id, #"{"Text":{"text":{"literalString":"\#(text)"}}}"#)
  }

  private static func list(_ type: String, _ id: String, _ children: [String]) -> String {
    let names = children.map { "\"\($0)\"" }.joined(separator: ",")
    return Page.component(id, #"{"\#(type)":{"children":{"explicitList":[\#(names)]}}}"#)
  }

  private static let begin = #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#

  private static let many = (0..<200).map { "t\($0)" }

  /// Documents whose arrangement asks for widths and heights in different ways.
  private static let documents: [String] = {
    let label = #"{"literalString":"A label that is long enough to be broken into several lines of a narrow column"}"#
    let options = (0..<60).map { #"{"label":{"literalString":"option number \#($0)"},"value":"\#($0)"}"# }.joined(
      separator: ",")
    let choice = Page.component("c", #"{"MultipleChoice":{"selections":{"path":"/x"},"options":[\#(options)]}}"#)
    let chips = Page.component(
      "d", #"{"MultipleChoice":{"variant":"chips","selections":{"path":"/y"},"options":[\#(options)]}}"#)
    let tabs = Page.component(
      "t",
      #"{"Tabs":{"tabItems":[{"title":{"literalString":"One"},"child":"a"},{"title":{"literalString":"Two"},"child":"b"}]}}"#
    )
    return [
      update(list("Column", "root", ["a", "b"]), text("a", words), text("b", word)),
      update(list("Row", "root", ["a", "b", "c"]), text("a", words), text("b", String(word.prefix(400))), choice),
      update(
        list("Column", "root", ["t", "d", "e", "f"]), tabs, chips, text("a", words), text("b", word),
        Page.component("e", #"{"CheckBox":{"label":\#(label),"value":{"path":"/z"}}}"#),
        Page.component("f", #"{"Slider":{"label":\#(label),"value":{"path":"/s"}}}"#)),
      update(
        list("Column", "root", ["m", "a"]), text("a", String(words.prefix(3000))), text("b", words), text("o", "open"),
        Page.component("m", #"{"Modal":{"entryPointChild":"o","contentChild":"b"}}"#)),
      update(list("Column", "root", many), many.map { text($0, "text \($0)") }.joined(separator: ",")),
    ]
  }()

  private func drawn(_ view: DocumentView) -> [String] {
    let list = DisplayList()
    view.draw(into: list)
    return (0..<list.count).map { index in
      guard case .text(let slice, let font, let start, let advance, _) = list[index] else { return "\(list[index])" }
      return "\(Talk.text(list.text(slice))) \(font) \(start) \(advance)"
    }
  }

  /// Calls `update` until all is arranged. How many turns it takes, and the most bytes that one of them measures.
  private func finish(_ view: DocumentView) -> (turns: Int, most: Int) {
    var (turns, most) = (0, 0)
    repeat {
      _ = measurer.take()
      view.update(atMost: Self.budget)
      most = max(most, measurer.take())
      turns += 1
    } while view.isPending && turns < 10_000
    return (turns, most)
  }

  @Test("the page is as if it were arranged at once, whatever is on it", arguments: documents)
  func same(document: String) throws {
    let (whole, sliced) = (try view(), try view())
    for view in [whole, sliced] { _ = try view.store.push(jsonl: (document + "\n" + Self.begin).utf8.span) }
    whole.update()
    #expect(!whole.isPending)
    let (turns, most) = finish(sliced)
    #expect(turns > 4)
    // What was begun is ended: a text that is short, or a word and the line that it goes to.
    #expect(most < Self.budget + 4 * Budget.longTextBytes, "\(most)")
    for place in [Int32(0), whole.limit / 2, whole.limit] {
      for view in [whole, sliced] { view.scroll(to: place) }
      #expect(drawn(sliced) == drawn(whole))
    }
  }

  @Test("a push in between is arranged with all that was there before")
  func pushBetween() throws {
    let (whole, sliced) = (try view(), try view())
    let first = Self.update(
      Self.list("Column", "root", ["a", "b"]), Self.text("a", Self.words), Self.text("b", Self.word))
    let second = Self.update(
      Self.list("Column", "root", ["b", "c", "a"]), Self.text("c", "c \(Self.word)"), Self.text("b", "short"))
    for view in [whole, sliced] { _ = try view.store.push(jsonl: (first + "\n" + Self.begin).utf8.span) }
    for _ in 0..<5 { sliced.update(atMost: Self.budget) }
    #expect(sliced.isPending)
    for view in [whole, sliced] { _ = try view.store.push(jsonl: second.utf8.span) }
    whole.update()
    _ = finish(sliced)
    #expect(drawn(sliced) == drawn(whole))
    // Nothing is left of a page that goes away in between.
    _ = try sliced.store.push(jsonl: Self.update(Self.text("a", Self.word)).utf8.span)
    sliced.update(atMost: 1)
    #expect(sliced.isPending)
    sliced.store.reset()
    sliced.update(atMost: 1)
    #expect(!sliced.isPending && sliced.surfaceCount == 0)
  }

  @Test("a page of many components is built in turns before it is arranged, and may go away in between")
  func building() throws {
    let view = try view()
    let document = Self.update(
      Self.list("Column", "root", Array(repeating: "a", count: 2_000)), Self.text("a", "x"))
    for isReset in [false, true] {
      _ = try view.store.push(jsonl: (document + "\n" + Self.begin).utf8.span)
      _ = measurer.take()
      for _ in 0..<100 {
        view.update(atMost: Self.budget)
        // So many surfaces will be shown, and nothing of them is arranged yet.
        #expect(view.isPending && view.surfaceCount == 1 && measurer.take() == 0)
      }
      // A picture that arrives meanwhile does not begin it anew.
      view.invalidate()
      if isReset { view.store.reset() }
      #expect(finish(view).turns <= (isReset ? 1 : 2_000))
      #expect(view.surfaceCount == (isReset ? 0 : 1) && drawn(view).contains { $0.hasPrefix("x ") } != isReset)
      view.store.reset()
      view.update()
    }
  }

  @Test("the page stays scrolled as it was while it is arranged anew")
  func scrolled() throws {
    let view = try view()
    let document = Self.update(
      Self.list("Column", "root", ["a", "b"]), Self.text("a", Self.words), Self.text("b", "x"))
    _ = try view.store.push(jsonl: (document + "\n" + Self.begin).utf8.span)
    view.update()
    view.scroll(to: view.limit)
    let place = view.scroll
    #expect(place > 0)
    _ = try view.store.push(jsonl: Self.update(Self.text("b", "y"), Self.text("a", Self.words + "!")).utf8.span)
    _ = finish(view)
    #expect(view.scroll == place)
  }

  @Test("texts that were measured are not measured again with a push beside them, long ones and short ones")
  func remembered() throws {
    let view = try view()
    let texts = (0..<8).map {
      Self.text("t\($0)", $0 % 2 == 0 ? "\($0)\(Self.words)" : "\($0) \(Self.words.prefix(200))")
    }
    let names = (0..<8).map { "t\($0)" }
    let document = Self.update(
      Self.list("Column", "root", ["n"] + names), texts.joined(separator: ","), Self.text("n", "0"))
    _ = try view.store.push(jsonl: (document + "\n" + Self.begin).utf8.span)
    view.update()
    #expect(measurer.take() > 4 * Self.words.utf8.count)
    for number in 1...3 {
      _ = try view.store.push(jsonl: Self.update(Self.text("n", "number \(number)")).utf8.span)
      view.update()
      #expect(measurer.take() < 500)
    }
  }

  @Test("more texts in more widths than are remembered are arranged all the same")
  func manyWidths() throws {
    let view = try view()
    let label = #"{"path":"/l"}"#
    let options = (0..<100).map { #"{"label":\#(label),"value":"\#($0)"}"# }.joined(separator: ",")
    let document = Self.update(
      Page.component("root", #"{"MultipleChoice":{"selections":{"path":"/x"},"options":[\#(options)]}}"#))
    let data =
      #"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"l","valueString":"\#(Self.words.prefix(6000))"}]}}"#
    _ = try view.store.push(jsonl: (document + "\n" + data + "\n" + Self.begin).utf8.span)
    // Looking the same long text up a hundred times is more than one of these turns may do.
    let (turns, most) = finish(view)
    #expect(turns <= Budget.arrangedTurns + 1)
    #expect(most < 16 * 6000)
    #expect(!view.isPending)
  }

  // MARK: Bounds of the work

  /// Tabs and choices with titles as long as texts can be, as many as a component has, and with short ones.
  private static let titles: [String] = {
    func long(_ number: Int) -> String { "\(number)" + String(repeating: "w", count: 65_000) }
    func tabs(_ count: Int, _ title: (Int) -> String) -> String {
      let items = (0..<count).map { #"{"title":{"literalString":"\#(title($0))"},"child":"a"}"# }
      return Page.component("root", #"{"Tabs":{"tabItems":[\#(items.joined(separator: ","))]}}"#)
    }
    func choice(_ variant: String, _ count: Int, _ label: (Int) -> String) -> String {
      let options = (0..<count).map { #"{"label":\#(label($0)),"value":"\#($0)"}"# }.joined(separator: ",")
      return Page.component(
        "root",
        #"{"MultipleChoice":{"variant":"\#(variant)","selections":{"path":"/x"},"options":[\#(options)]}}"#)
    }
    func literal(_ text: String) -> String { #"{"literalString":"\#(text)"}"# }
    return [
      update(tabs(20, long), text("a", "x")),
      update(tabs(Budget.a2uiItems) { "title \($0)" }, text("a", "x")),
      update(choice("chips", 20) { literal(long($0)) }),
      update(choice("checkbox", 20) { literal(long($0)) }),
      update(choice("chips", Budget.a2uiItems) { literal("an option with the number \($0)") }),
      update(choice("checkbox", Budget.a2uiItems) { literal("an option with the number \($0)") }),
      update(choice("chips", Budget.a2uiItems) { _ in #"{"path":"/l"}"# }),
      update(choice("checkbox", Budget.a2uiItems) { _ in #"{"path":"/l"}"# }),
    ]
  }()

  private static let longLabel =
    #"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"l","valueString":"\#(words.prefix(6000))"}]}}"#

  @Test("what many titles need is measured once over all turns, and the turns end", arguments: titles.indices)
  func bounded(number: Int) throws {
    let document = Self.titles[number]
    let (whole, sliced) = (try view(), try view())
    for view in [whole, sliced] {
      _ = try view.store.push(jsonl: [document, Self.longLabel, Self.begin].joined(separator: "\n").utf8.span)
    }
    _ = measurer.take()
    whole.update()
    let once = measurer.take()
    // No more of a title than may be seen, for its width and for the lines that it is broken into.
    #expect(once < 8 * Budget.a2uiItems * Budget.labelBytes)
    var (turns, bytes) = (0, 0)
    repeat {
      sliced.update(atMost: Self.budget)
      bytes += measurer.take()
      turns += 1
    } while sliced.isPending && turns < 10_000
    #expect(bytes <= once + Budget.longTextBytes, "\(bytes) of \(once)")
    #expect(turns < Budget.arrangedTurns / 2, "\(turns)")
    #expect(drawn(sliced) == drawn(whole))
  }

  @Test("a page that is more work than a page may be is shown as far as it is arranged, with a warning")
  func tooMuch() throws {
    let view = try view()
    let names = (0..<40).map { "t\($0)" }
    let texts = names.map { Self.text($0, "\($0) \(Self.words)") }
    let document = Self.update(Self.list("Column", "root", names), texts.joined(separator: ","))
    _ = try view.store.push(jsonl: (document + "\n" + Self.begin).utf8.span)
    var turns = 0
    // So little in a turn that the turns suffice for some of the texts.
    repeat {
      view.update(atMost: 200)
      turns += 1
    } while view.isPending && turns < 10_000
    // Beside those in which its tree is built.
    let built = (names.count + 1) * Budget.a2uiBuiltStep / 200
    #expect((Budget.arrangedTurns + 1...Budget.arrangedTurns + 2 * built).contains(turns), "\(turns)")
    #expect(!view.isPending)
    view.reportOmissions()
    let store = view.store
    let warnings = (0..<store.warnings.kept).map { Talk.text(store.warnings.line($0).span) }
    let sentence = "to arrange the page takes more than \(Budget.arrangedTurns) turns"
    #expect(warnings.filter { $0.contains(sentence) }.count == 1, "\(warnings)")
    #expect(drawn(view).contains { $0.contains("t0") })
    #expect(view.limit > 0)
    // What a person does on it ends, too.
    view.arrange()
    #expect(!view.isPending)
  }
}
