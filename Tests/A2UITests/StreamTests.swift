import Testing

@testable import A2UI

/// What must hold for any stream.
@Suite("Any stream")
struct StreamTests {
  /// Two surfaces with templates, bindings, input, unknown types, a cycle, and data in all its spellings. No two lines
  /// say the same thing twice, so that their order says nothing.
  static let lines = [
    begin("root"),
    update(
      column("root", "title", "list", "form", "odd", "nobody"),
      component("title", "Text", #""text":{"path":"/head/title"},"usageHint":"h2""#)),
    update(list("list", of: "card", at: "/list/items"), component("card", "Card", #""child":"row""#)),
    update(component("row", "Row", #""children":{"explicitList":["name","pick"]},"distribution":"spaceBetween""#)),
    update(
      bound("name", "/name"),
      component(
        "pick", "Button", #""child":"name","action":{"name":"pick","context":[{"key":"n","value":{"path":"name"}}]}"#)),
    update(
      column("form", "field", "tabs"),
      component("field", "TextField", #""text":{"path":"/form/word","literalString":"w"}"#),
      component(
        "tabs", "Tabs", #""tabItems":[{"title":{"path":"/head/title"},"child":"name"},{"title":"b","child":"x"}]"#)),
    update(component("odd", "Gauge", #""child":"root","value":7"#)),
    data(entry("title", "Caf\\u00e9 \\\"x\\\""), at: "/head"),
    data(
      #"{"key":"items","valueMap":[{"key":"b","valueMap":[{"key":"name","valueString":"B"}]},{"key":"a","valueMap":[{"key":"name","valueNumber":41.0}]}]}"#,
      at: "/list"),
    data(entry("json", #"[{\"k\": 1}]"#), at: "/more"),
    #"{"dataModelUpdate":{"surfaceId":"main","path":"plain","contents":{"x":[1,null,true,{"y":"z"}]}}}"#,
    update(label("root"), surface: "second"), begin("root", surface: "second"),
    data(entry("a.b[0]", 1), at: "/deep", surface: "second"),
  ]

  /// Everything that can be seen of a page.
  private func picture(_ page: Page) -> String {
    page.update("main")
    var text = page.outline
    for index in 0..<page.tree.count {
      text += "\n\(page.id(index)) \(page.tree[index].type) \(page.tree[index].id)"
      if let string = page.tree.string(index, "text") { text += " " + A2UITests.string(string) }
      text += " " + json { _ = page.tree.writeAction(index, id: "".utf8.span, at: 0, sendsObscured: false, into: &$0) }
    }
    return text + "\n" + page.sortedDump
  }

  @Test("messages in any order make the same picture", arguments: 0..<60 as Range<UInt64>)
  func order(seed: UInt64) {
    var random = Seeded(seed)
    let page = Page().push(text: Self.lines.shuffled(using: &random).joined(separator: "\n"))
    #expect(picture(page) == picture(Page().push(text: Self.lines.joined(separator: "\n"))))
  }

  @Test("so do pushes of any size, with the tree built after each or not", arguments: 0..<40 as Range<UInt64>)
  func chunks(seed: UInt64) throws {
    var random = Seeded(seed)
    let page = Page()
    var rest = Self.lines[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &random)
      let chunk = rest.prefix(count)
      if Bool.random(using: &random) {
        page.push(text: chunk.joined(separator: random.next() % 2 == 0 ? "\n" : "\r\n\n"), show: "main")
      } else {
        _ = try page.store.push(messages: "[\(chunk.joined(separator: ", "))]".utf8.span)
      }
      rest = rest.dropFirst(count)
    }
    #expect(picture(page) == picture(Page().push(text: Self.lines.joined(separator: "\n"))))
  }

  @Test("the same stream again changes nothing")
  func again() {
    let page = Page().push(text: Self.lines.joined(separator: "\n"))
    let before = picture(page)
    let revision = page.store.revision
    page.push(text: Self.lines.joined(separator: "\n"))
    #expect(page.store.revision == revision)
    #expect(picture(page) == before)
  }

  @Test("cut at any byte it is refused, or taken up to there, and nothing breaks")
  func truncated() {
    let bytes = Array(Self.lines.joined(separator: "\n").utf8)
    let page = Page()
    for length in 0..<bytes.count {
      page.store.reset()
      let isTaken = (try? page.store.push(jsonl: bytes.span.extracting(0..<length))) != nil
      // Whole lines are taken: only a cut at a line's end leaves those alone.
      let isWhole = bytes[length] == UInt8(ascii: "\n") || length > 0 && bytes[length - 1] == UInt8(ascii: "\n")
      #expect(isTaken == (isWhole && length > 0))
      check(page)
    }
  }

  @Test("damaged it breaks nothing", arguments: 0..<40 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = Seeded(seed)
    let page = Page()
    for _ in 0..<20 {
      for line in Self.lines {
        var bytes = Array(line.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) { damage(&bytes, &random) }
        _ = try? page.store.push(jsonl: bytes.span)
      }
      check(page)
    }
  }

  /// Swaps values and names, so that much of it stays JSON.
  private func damage(_ bytes: inout [UInt8], _ random: inout Seeded) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let other = Int.random(in: 0..<bytes.count, using: &random)
    switch random.next() % 4 {
    case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
    case 1: bytes.swapAt(place, other)
    case 2:
      let letters = bytes.indices.filter { (0x61...0x7A).contains(bytes[$0]) }
      if let letter = letters.randomElement(using: &random) {
        bytes[letter] = UInt8.random(in: 0x61...0x7A, using: &random)
      }
    default: bytes.replaceSubrange(min(place, other)..<max(place, other), with: Array(#"":{"path":"/x"},""#.utf8))
    }
  }

  /// What holds of any store and its trees.
  private func check(_ page: Page) {
    _ = sorted(page.dump)
    for place in 0..<page.store.count {
      _ = page.tree.update(page.store.surface(at: place))
      for index in 0..<page.tree.count {
        let instance = page.tree[index]
        #expect(instance.parent.map { $0 < index } ?? (index == 0))
        #expect(instance.nextSibling.map { $0 > index } ?? true)
        #expect(page.tree.index(of: instance.id) == index)
        _ = page.string(page.id(index))
      }
    }
    page.store.reset()
    #expect(page.store.data.count == 0)
    #expect(page.store.texts.end == 0)
    #expect(page.store.data.texts.end == 0)
  }
}
