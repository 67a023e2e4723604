import Runtime

/// The rules of a drawing's `style` elements whose selectors are an element, a class, an id, or an element with a class
/// or id. Others are passed over.
final class SVGRules {
  private struct Rule {
    var element: Range<Int>
    var name: Range<Int>
    /// '.', '#', or 0: the element alone; with neither, all elements.
    var mark: UInt8
    var declarations: Range<Int>
    /// What elements it is of, and its place in the document.
    var kind = SVGTree.Kind.other
    var place = 0

    /// The more exactly a rule names an element, the later it is applied.
    var weight: Int { (mark == UInt8(ascii: "#") ? 100 : mark == 0 ? 0 : 10) + (element.isEmpty ? 0 : 1) }
  }

  private let memory: ReservedBuffer
  private let rules: UnsafeMutableBufferPointer<Rule>
  private(set) var count = 0
  /// There were more than there is room for.
  private(set) var isCut = false
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Reads all style elements.
  init(_ tree: SVGTree) throws(Errno) {
    bytes = tree.bytes
    memory = try ReservedBuffer(capacity: Budget.svgRules * MemoryLayout<Rule>.stride)
    rules = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Rule.self)
    for node in 0..<tree.count where tree[node].kind == .style {
      var child = Int(tree[node].firstChild)
      while child >= 0 {
        read(Int(tree[child].start)..<Int(tree[child].end))
        child = Int(tree[child].next)
      }
    }
    let rules = rules
    HeapSort.sort(count, by: { Self.precedes(rules[$0], rules[$1]) }, swap: { rules.swapAt($0, $1) })
  }

  private static func precedes(_ a: Rule, _ b: Rule) -> Bool {
    a.weight != b.weight ? a.weight < b.weight : a.place < b.place
  }

  private func read(_ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      skipComments(&place, range.upperBound)
      let start = place
      while place < range.upperBound, bytes[place] != UInt8(ascii: "{") { place += 1 }
      let selectors = start..<place
      guard place < range.upperBound else { return }
      place += 1
      let first = place
      var depth = 1
      while place < range.upperBound, depth > 0 {
        if bytes[place] == UInt8(ascii: "{") { depth += 1 }
        if bytes[place] == UInt8(ascii: "}") { depth -= 1 }
        place += 1
      }
      let declarations = first..<max(place - 1, first)
      // Rules for media and fonts begin with '@'.
      if !selectors.isEmpty, bytes[selectors.lowerBound] != UInt8(ascii: "@") { add(selectors, declarations) }
    }
  }

  private func skipComments(_ place: inout Int, _ end: Int) {
    while place < end {
      if TextReader.isBlank(bytes[place]) {
        place += 1
      } else if place + 1 < end, bytes[place] == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "*") {
        place += 2
        while place + 1 < end, bytes[place] != UInt8(ascii: "*") || bytes[place + 1] != UInt8(ascii: "/") { place += 1 }
        place = min(place + 2, end)
      } else {
        return
      }
    }
  }

  private func add(_ selectors: Range<Int>, _ declarations: Range<Int>) {
    var place = selectors.lowerBound
    while place < selectors.upperBound {
      let start = place
      while place < selectors.upperBound, bytes[place] != UInt8(ascii: ",") { place += 1 }
      add(selector: start..<place, declarations)
      place += 1
    }
  }

  private func add(selector range: Range<Int>, _ declarations: Range<Int>) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, TextReader.isBlank(bytes[start]) { start += 1 }
    while end > start, TextReader.isBlank(bytes[end - 1]) { end -= 1 }
    guard start < end else { return }
    guard count < Budget.svgRules else { return isCut = true }
    var rule = Rule(element: start..<start, name: start..<start, mark: 0, declarations: declarations)
    var place = start
    while place < end, isName(bytes[place]) { place += 1 }
    rule.element = start..<place
    rule.kind = SVGTree.kind(of: bytes.extracting(rule.element))
    rule.place = count
    if place == start, bytes[place] == UInt8(ascii: "*") { place += 1 }
    if place < end, bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "#") {
      rule.mark = bytes[place]
      let first = place + 1
      place = first
      while place < end, isName(bytes[place]) { place += 1 }
      rule.name = first..<place
    }
    guard place == end else { return }
    rules[count] = rule
    count += 1
  }

  private func isName(_ byte: UInt8) -> Bool {
    let lower = TextReader.lower(byte)
    return lower >= 0x61 && lower <= 0x7A || TextReader.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte >= 0x80
  }

  /// Gives the declarations that hold for an element, the weightiest last.
  func forEach(_ node: Int, _ tree: SVGTree, _ take: (UnsafeBufferPointer<UInt8>) -> Void) {
    let (id, list) = (tree.value(node, "id"), tree.value(node, "class"))
    for index in 0..<count {
      let rule = rules[index]
      guard rule.element.isEmpty || rule.kind == tree[node].kind else { continue }
      if rule.mark == UInt8(ascii: "#") {
        guard let id, SVGTree.isSame(id, bytes.extracting(rule.name)) else { continue }
      } else if rule.mark != 0 {
        guard let list, tree.limit.spend(list.count), holds(list, rule.name) else { continue }
      }
      guard tree.limit.spend(rule.declarations.count) else { return }
      take(bytes.extracting(rule.declarations))
    }
  }

  /// Is the name one of a list with blanks?
  private func holds(_ list: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> Bool {
    var place = 0
    while place < list.count {
      while place < list.count, TextReader.isBlank(list[place]) { place += 1 }
      let start = place
      while place < list.count, !TextReader.isBlank(list[place]) { place += 1 }
      if SVGTree.isSame(list.extracting(start..<place), bytes.extracting(name)) { return true }
    }
    return false
  }
}
