import Runtime
import Testing
import TestSupport

@testable import A2UI

/// A tree is built in turns of the loop, each of which makes so many instances and no more.
@Suite("Trees that are built in turns")
struct TreeTurnTests {
  /// Lets a tree take up a surface with so much work in a turn. In how many turns, and how many instances at most one
  /// of them adds.
  @discardableResult
  private static func build(_ page: Page, atMost work: Int) -> (turns: Int, most: Int) {
    guard page.store.count > 0 else {
      page.tree.clear()
      return (0, 0)
    }
    var (turns, most, isBuilt) = (0, 0, false)
    guard page.tree.begin(page.store.surface(at: 0)) else { return (0, 0) }
    while !isBuilt, turns < 1_000_000 {
      let before = page.tree.count
      var left = work
      isBuilt = page.tree.updateMore(atMost: &left)
      #expect(isBuilt == page.tree.isComplete && (isBuilt || left <= 0))
      most = max(most, page.tree.count - before)
      turns += 1
    }
    return (turns, most)
  }

  /// All that is known of a tree and what was left out of it.
  private static func state(_ page: Page) -> String {
    var lines = [page.outline, page.model(), page.sortedDump]
    for index in 0..<page.tree.count {
      let instance = page.tree[index]
      lines.append(
        "\(page.id(index)) \(instance.kind) \(instance.type) \(instance.scope) \(instance.element) "
          + "\(String(describing: instance.parent)) \(String(describing: instance.nextSibling)) "
          + "\(page.tree.index(of: instance.id) == index)")
    }
    page.tree.reportOmissions()
    return (lines + page.warnings).joined(separator: "\n")
  }

  private static let names = ["root", "a", "b", "c", "d", "e", "missing"]

  /// A component of any kind, with children of any kind.
  private static func random(_ id: String, _ random: inout Seeded) -> String {
    func name() -> String { names.randomElement(using: &random)! }
    func ids() -> String {
      "[" + (0..<Int.random(in: 0...4, using: &random)).map { _ in "\"\(name())\"" }.joined(separator: ",") + "]"
    }
    func template() -> String {
      let path = ["/rows", "rows", "/text", "/none", "inner"].randomElement(using: &random)!
      return #"{"componentId":"\#(name())","dataBinding":"\#(path)"}"#
    }
    func children() -> String {
      switch Int.random(in: 0...4, using: &random) {
      case 0: #"{"explicitList":\#(ids())}"#
      case 1: #"{"template":\#(template())}"#
      case 2: template()
      case 3: "\"\(name())\""
      default: ids()
      }
    }
    let type = ["Row", "Column", "List", "Card", "Button", "Tabs", "Modal", "Text", "TextField", "Odd"].randomElement(
      using: &random)!
    switch type {
    case "Tabs":
      let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in #"{"title":"t","child":"\#(name())"}"# }
      return component(id, type, #""tabItems":[\#(items.joined(separator: ","))]"#)
    case "Modal": return component(id, type, #""entryPointChild":"\#(name())","contentChild":"\#(name())""#)
    case "Text", "TextField":
      return component(id, type, #""text":{"path":"/made/\#(id)","literalString":"begun"},"textFieldType":"obscured""#)
    default:
      var members: [String] = []
      if Bool.random(using: &random) { members.append(#""child":"\#(name())""#) }
      if members.isEmpty || Bool.random(using: &random) { members.append(#""children":\#(children())"#) }
      return component(id, type, members.joined(separator: ","))
    }
  }

  private static func lines(_ seed: UInt64) -> [String] {
    var random = Seeded(seed)
    let inner = #"{"key":"inner","valueString":"[1,2]"}"#
    let rows = (0..<3).map { #"{"key":"\#($0)","valueMap":[\#(inner)]}"# }.joined(separator: ",")
    let components = names.dropLast().map { self.random($0, &random) }
    return [
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(components.joined(separator: ","))]}}"#,
      data(#"{"key":"rows","valueMap":[\#(rows)]}"#, #"{"key":"text","valueString":"[{\"inner\":[1]},2]"}"#), begin(),
    ]
  }

  private static func pushed(_ lines: [String]) throws -> Page {
    let page = Page()
    _ = try page.store.push(jsonl: lines.joined(separator: "\n").utf8.span)
    return page
  }

  @Test("a tree is the same in however many turns it is built", arguments: 0..<150 as Range<UInt64>)
  func same(seed: UInt64) throws {
    let lines = Self.lines(seed)
    let whole = try Self.pushed(lines)
    whole.update()
    // Cycles and templates in templates may have more than is worth comparing.
    guard whole.tree.count < 2_000 else { return }
    let state = Self.state(whole)
    for work in [1, 200, 1_000] {
      let sliced = try Self.pushed(lines)
      Self.build(sliced, atMost: work)
      #expect(Self.state(sliced) == state, "\(work) a turn: \(lines)")
    }
  }

  @Test("no turn makes more than its share, whatever the tree is made of")
  func bounded() throws {
    let count = 8_191
    let same = Array(repeating: "\"x\"", count: count).joined(separator: ",")
    let rows = (0..<count).map { #"{"key":"r\#($0)","valueString":"x"}"# }.joined(separator: ",")
    let pages = [
      [update(component("root", "Column", #""children":{"explicitList":[\#(same)]}"#), label("x")), begin()],
      [update(list("root", of: "x", at: "/"), label("x")), data(rows), begin()],
      [
        update(list("root", of: "y", at: "/"), column("y", "x"), label("x")), data(rows), begin(),
      ],
    ]
    for lines in pages {
      let (whole, sliced) = (try Self.pushed(lines), try Self.pushed(lines))
      whole.update()
      let (turns, most) = Self.build(sliced, atMost: Budget.arrangedBytes)
      #expect(most <= Budget.arrangedBytes / Budget.a2uiBuiltStep)
      #expect(turns >= count * Budget.a2uiBuiltStep / Budget.arrangedBytes && turns < 1_000, "\(turns)")
      #expect(sliced.tree.count == whole.tree.count && whole.tree.count > count)
      #expect(Self.state(sliced) == Self.state(whole))
    }
  }

  @Test("where there is no room for all, the same elements are left out in however many turns")
  func cut() throws {
    let rows = (0..<6_000).map { #"{"key":"r\#($0)","valueString":"x"}"# }.joined(separator: ",")
    let lines = [update(list("root", of: "y", at: "/"), column("y", "x", "x"), label("x")), data(rows), begin()]
    let (whole, sliced) = (try Self.pushed(lines), try Self.pushed(lines))
    whole.update()
    Self.build(sliced, atMost: 500)
    #expect(whole.tree.isTruncated && sliced.tree.count == whole.tree.count)
    #expect(Self.state(sliced) == Self.state(whole))
  }

  @Test("a push in between begins the tree anew, and texts may move")
  func pushBetween() throws {
    for seed in 0..<40 as Range<UInt64> {
      let (first, second) = (Self.lines(seed), Self.lines(seed + 1_000))
      let whole = try Self.pushed(first)
      _ = try whole.store.push(jsonl: second.joined(separator: "\n").utf8.span)
      whole.update()
      guard whole.tree.count < 2_000 else { continue }
      let sliced = try Self.pushed(first)
      let surface = sliced.store.surface(at: 0)
      var left = 300
      if sliced.tree.begin(surface) { _ = sliced.tree.updateMore(atMost: &left) }
      sliced.store.compact()
      left = 300
      _ = sliced.tree.updateMore(atMost: &left)
      _ = try sliced.store.push(jsonl: second.joined(separator: "\n").utf8.span)
      Self.build(sliced, atMost: 100)
      #expect(sliced.outline == whole.outline && sliced.tree.isComplete)
    }
  }

  @Test("it goes on where it was when it is begun again for the same, and ends with its surface")
  func goesOn() throws {
    let ids = Array(repeating: "\"x\"", count: 100).joined(separator: ",")
    let page = try Self.pushed([
      update(component("root", "Column", #""children":{"explicitList":[\#(ids)]}"#), label("x")), begin(),
    ])
    let surface = page.store.surface(at: 0)
    var left = 10 * Budget.a2uiBuiltStep
    #expect(page.tree.begin(surface) && !page.tree.updateMore(atMost: &left))
    let count = page.tree.count
    #expect(count > 5 && page.tree.begin(surface) && page.tree.count == count)
    // Nothing is said of what is not known yet.
    page.tree.reportOmissions()
    #expect(page.warnings.isEmpty)
    page.store.reset()
    left = 1
    #expect(page.tree.updateMore(atMost: &left) && page.tree.count == 0)
  }
}
