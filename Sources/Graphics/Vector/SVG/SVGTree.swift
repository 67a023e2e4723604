import Runtime

/// The elements of a drawing, as a table. Names and values stay in the document, which outlives it.
final class SVGTree {
  enum Kind: UInt8 {
    case svg, group, link, definitions, use, symbol, switching
    case path, rect, circle, ellipse, line, polyline, polygon, text, span, image
    case linearGradient, radialGradient, stop, clipPath, mask, marker
    case style, script, foreign
    /// Characters between tags.
    case characters
    /// Not drawn, and nothing in it.
    case other
  }

  struct Node {
    var kind: Kind
    /// Characters have no entities.
    var isRaw = false
    var firstAttribute: Int32 = 0
    var attributes: Int32 = 0
    /// Of characters.
    var start: Int32 = 0
    var end: Int32 = 0
    var firstChild: Int32 = -1
    var next: Int32 = -1
  }

  struct Attribute {
    var name: Int32
    var nameEnd: Int32
    var value: Int32
    var valueEnd: Int32
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Counts what is read, for an element is read each time that it is used.
  let limit: WorkLimit
  private let memory: ReservedBuffer
  private let nodes: UnsafeMutableBufferPointer<Node>
  private(set) var count = 0
  private let attributeMemory: ReservedBuffer
  private let attributes: UnsafeMutableBufferPointer<Attribute>
  private var attributeCount = 0
  /// The attributes that are ids, in the order of their values, and their nodes.
  private let idMemory: ReservedBuffer
  private let ids: UnsafeMutableBufferPointer<(attribute: Int32, node: Int32)>
  private var idCount = 0
  /// A value whose entities were resolved.
  private let scratch = FixedBuffer(capacity: Budget.svgValueBytes)
  /// The outermost `svg`; -1: there is none.
  private(set) var root = -1
  /// There was no room for all of it.
  private(set) var isCut = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: WorkLimit) throws(Errno) {
    (self.bytes, self.limit) = (bytes, limit)
    memory = try ReservedBuffer(capacity: Budget.svgNodes * MemoryLayout<Node>.stride)
    nodes = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Node.self)
    attributeMemory = try ReservedBuffer(capacity: Budget.svgAttributes * MemoryLayout<Attribute>.stride)
    attributes = UnsafeMutableRawBufferPointer(attributeMemory.bytes).bindMemory(to: Attribute.self)
    idMemory = try ReservedBuffer(capacity: Budget.svgNodes * MemoryLayout<(attribute: Int32, node: Int32)>.stride)
    ids = UnsafeMutableRawBufferPointer(idMemory.bytes).bindMemory(to: (attribute: Int32, node: Int32).self)
    read()
    let ids = ids
    HeapSort.sort(idCount, by: { self.order(ids[$0], ids[$1]) < 0 }, swap: { ids.swapAt($0, $1) })
  }

  subscript(index: Int) -> Node { nodes[index] }

  // MARK: Reading

  private func read() {
    var reader = MarkupReader(bytes, isHTML: false)
    // The nodes around the place, and the last child of each.
    var open = InlineArray<64, (node: Int32, last: Int32)>(repeating: (-1, -1))
    var depth = 0
    /// Elements deeper than that, or inside ones that are not kept.
    var lost = 0
    while let piece = reader.next() {
      switch piece {
      case .open(let name, let attributes, let isClosed):
        let kind = Self.kind(reader, name)
        if root < 0, kind != .svg { continue }
        if lost > 0 || kind == .other || depth == 64 {
          if !isClosed { lost += 1 }
          if depth == 64 { isCut = true }
          continue
        }
        guard let node = add(Node(kind: kind), &open, depth) else { return isCut = true }
        take(attributes, node)
        if root < 0 { root = node }
        if !isClosed {
          open[depth] = (Int32(node), -1)
          depth += 1
        }
      case .close:
        if lost > 0 {
          lost -= 1
        } else if depth > 0 {
          depth -= 1
          // What follows the drawing is no part of it.
          if depth == 0 { return }
        }
      case .text(let range), .raw(let range):
        guard depth > 0, lost == 0, holdsText(Int(open[depth - 1].node)) else { continue }
        var node = Node(kind: .characters)
        if case .raw = piece { node.isRaw = true }
        (node.start, node.end) = (Int32(range.lowerBound), Int32(range.upperBound))
        guard add(node, &open, depth) != nil else { return isCut = true }
      }
    }
  }

  private func holdsText(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .text, .span, .style, .link, .script: true
    default: false
    }
  }

  private func add(_ node: Node, _ open: inout InlineArray<64, (node: Int32, last: Int32)>, _ depth: Int) -> Int? {
    guard count < Budget.svgNodes else { return nil }
    nodes[count] = node
    if depth > 0 {
      let (parent, last) = open[depth - 1]
      if last < 0 { nodes[Int(parent)].firstChild = Int32(count) } else { nodes[Int(last)].next = Int32(count) }
      open[depth - 1].last = Int32(count)
    }
    count += 1
    return count - 1
  }

  private func take(_ range: Range<Int>, _ node: Int) {
    nodes[node].firstAttribute = Int32(attributeCount)
    var reader = MarkupAttributes(bytes, range)
    while let (name, value) = reader.next() {
      guard attributeCount < Budget.svgAttributes else { return isCut = true }
      attributes[attributeCount] = Attribute(
        name: Int32(name.lowerBound), nameEnd: Int32(name.upperBound), value: Int32(value.lowerBound),
        valueEnd: Int32(value.upperBound))
      if idCount < Budget.svgNodes, isName(attributes[attributeCount], "id") {
        ids.initializeElement(at: idCount, to: (Int32(attributeCount), Int32(node)))
        idCount += 1
      }
      attributeCount += 1
      nodes[node].attributes += 1
    }
  }

  private static func kind(_ reader: MarkupReader, _ name: Range<Int>) -> Kind {
    kind(of: reader.bytes.extracting(name))
  }

  /// Other vocabularies' elements have a prefix, and are none of ours; but for `svg:`.
  static func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
    var name = name
    if name.count > 4, name[3] == UInt8(ascii: ":"), name[0] == UInt8(ascii: "s") { name = name.extracting(4...) }
    let reader = TextReader(name.span)
    for index in 0..<names.count where reader.isWord(0..<name.count, names[index].0) { return names[index].1 }
    return .other
  }

  private static let names: InlineArray<28, (StaticString, Kind)> = [
    ("path", .path), ("g", .group), ("rect", .rect), ("circle", .circle), ("text", .text), ("tspan", .span),
    ("line", .line), ("polyline", .polyline), ("polygon", .polygon), ("ellipse", .ellipse), ("use", .use),
    ("svg", .svg), ("a", .link), ("defs", .definitions), ("symbol", .symbol), ("image", .image), ("stop", .stop),
    ("lineargradient", .linearGradient), ("radialgradient", .radialGradient), ("clippath", .clipPath),
    ("style", .style), ("script", .script), ("foreignobject", .foreign), ("switch", .switching), ("marker", .marker),
    ("animate", .other), ("mask", .mask), ("title", .other),
  ]

  // MARK: Attributes

  /// A value with its entities resolved. Valid until the next one is asked for.
  func value(_ node: Int, _ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    let node = nodes[node]
    limit.spend(Int(node.attributes))
    for index in Int(node.firstAttribute)..<Int(node.firstAttribute + node.attributes) {
      let attribute = attributes[index]
      if isName(attribute, name) { return resolved(Int(attribute.value)..<Int(attribute.valueEnd)) }
    }
    return nil
  }

  /// Goes over all attributes.
  func forEach(_ node: Int, _ take: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void) {
    let node = nodes[node]
    for index in Int(node.firstAttribute)..<Int(node.firstAttribute + node.attributes) {
      let attribute = attributes[index]
      take(
        bytes.extracting(Int(attribute.name)..<Int(attribute.nameEnd)),
        resolved(Int(attribute.value)..<Int(attribute.valueEnd)))
    }
  }

  private func isName(_ attribute: Attribute, _ name: StaticString) -> Bool {
    guard Int(attribute.nameEnd - attribute.name) == name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount where bytes[Int(attribute.name) + index] != name.utf8Start[index] {
      return false
    }
    return true
  }

  private func resolved(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    limit.spend(range.count)
    var hasEntity = false
    // Long values are paths and pictures, which have none.
    for place in range.lowerBound..<min(range.upperBound, range.lowerBound + Budget.svgValueBytes)
    where bytes[place] == UInt8(ascii: "&") {
      hasEntity = true
      break
    }
    guard hasEntity, range.count <= Budget.svgValueBytes else { return bytes.extracting(range) }
    var (place, length) = (range.lowerBound, 0)
    while place < range.upperBound {
      if bytes[place] == UInt8(ascii: "&"), let character = Entities.read(bytes, &place, end: range.upperBound) {
        Entities.write(character) { put($0, &length) }
      } else {
        put(bytes[place], &length)
        place += 1
      }
    }
    return UnsafeBufferPointer(scratch.bytes).extracting(0..<length)
  }

  private func put(_ byte: UInt8, _ length: inout Int) {
    guard length < Budget.svgValueBytes else { return }
    scratch.bytes[length] = byte
    length += 1
  }

  /// The element of an id, of several the first; nil when there is none.
  func find(id: UnsafeBufferPointer<UInt8>) -> Int? {
    guard id.count > 0, limit.spend(id.count + 64) else { return nil }
    var (low, high) = (0, idCount)
    while low < high {
      let middle = (low + high) / 2
      if Self.order(value(of: ids[middle]), id) < 0 { low = middle + 1 } else { high = middle }
    }
    return low < idCount && Self.isSame(value(of: ids[low]), id) ? Int(ids[low].node) : nil
  }

  private func value(of id: (attribute: Int32, node: Int32)) -> UnsafeBufferPointer<UInt8> {
    let attribute = attributes[Int(id.attribute)]
    return bytes.extracting(Int(attribute.value)..<Int(attribute.valueEnd))
  }

  private func order(_ a: (attribute: Int32, node: Int32), _ b: (attribute: Int32, node: Int32)) -> Int {
    let order = Self.order(value(of: a), value(of: b))
    return order != 0 ? order : Int(a.attribute - b.attribute)
  }

  /// Below 0 when the first stands before the second: the shorter one, or the one with the lower bytes.
  private static func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    guard a.count == b.count else { return a.count - b.count }
    for index in 0..<a.count where a[index] != b[index] { return Int(a[index]) - Int(b[index]) }
    return 0
  }

  static func isSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}
