import Runtime
import Testing

@testable import A2UI

/// Children are found in a number of steps that grows with the logarithm of how many there are.
@Suite("Finding children")
struct DataTreeTests {
  private let data = try! DataStore()

  private func map(_ keys: some Sequence<String>) throws -> NodeIndex {
    let map = try data.take()
    data[map].kind = .map
    for key in keys { _ = try bytes(key) { bytes throws(DataLimit) in try data.make(key: bytes, in: map) } }
    return map
  }

  private func bytes<T>(_ text: String, _ body: (Bytes) throws(DataLimit) -> T) throws(DataLimit) -> T {
    var key = InlineText<256>()
    key.set(text.utf8.span)
    return try key.withBytes(body)
  }

  private func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

  private func found(_ key: String, in map: NodeIndex) throws -> String? {
    try bytes(key) { bytes throws(DataLimit) in data.child(of: map, named: bytes, .key).map { text(data.key($0)) } }
  }

  @Test("keys in any order are found, in few steps", arguments: [0, 1, 2])
  func keys(order: Int) throws {
    var keys = (0..<20_000).map { "key \($0)" }
    if order == 1 { keys.reverse() }
    if order == 2 {
      keys.sort { UInt32(truncatingIfNeeded: $0.utf8.hashed) < UInt32(truncatingIfNeeded: $1.utf8.hashed) }
    }
    let map = try map(keys)
    #expect(data.depth(below: data[map].root) <= 30)
    for key in stride(from: 0, to: 20_000, by: 97) { #expect(try found("key \(key)", in: map) == "key \(key)") }
    #expect(try found("key 20000", in: map) == nil)
    #expect(data[map].count == 20_000)
  }

  @Test("keys with the same hash are told apart")
  func collisions() throws {
    let map = try data.take()
    data[map].kind = .map
    for number in 0..<1000 {
      let child = try data.take()
      try bytes("k\(number)") { bytes throws(DataLimit) in try data.setKey(child, bytes) }
      data[child].keyHash = 7
      data.add(child, to: map)
    }
    #expect(data.depth(below: data[map].root) <= 20)
    for number in 0..<1000 {
      let child = try bytes("k\(number)") { bytes throws(DataLimit) in data.child(of: map, bytes, hash: 7) }
      #expect(child.map { text(data.key($0)) } == "k\(number)")
    }
    #expect(try bytes("k1000") { bytes throws(DataLimit) in data.child(of: map, bytes, hash: 7) } == nil)
  }

  @Test("an element is found by its place, also after its array went elsewhere")
  func places() throws {
    let array = try data.take()
    data[array].kind = .array
    for number in 0..<5000 {
      let child = try data.take()
      data.setNumber(child, Double(number))
      data.add(child, to: array)
    }
    #expect(data.depth(below: data[array].root) <= 26)
    let map = try map(["before", "list", "after"])
    let place = try bytes("list") { bytes throws(DataLimit) in try data.make(key: bytes, in: map) }
    #expect(data.replace(place, with: array))
    for number in stride(from: 0, to: 5000, by: 13) {
      let found = try bytes("list/\(number)") { path throws(DataLimit) in data.find(path, from: map) }
      #expect(found.map { data[$0].number } == Double(number))
    }
    #expect(try bytes("list/5000") { path throws(DataLimit) in data.find(path, from: map) } == nil)
    for key in ["before", "list", "after"] { #expect(try found(key, in: map) == key) }
  }

  @Test("a value of a map is found by its place up to a number of places")
  func placesOfMap() throws {
    let map = try map((0...DataStore.placesOfMap).map { "item\($0)" })
    func key(at place: Int) throws -> String? {
      try bytes("\(place)") { bytes throws(DataLimit) in
        data.child(of: map, named: bytes, .keyOrPlace).map { text(data.key($0)) }
      }
    }
    #expect(try key(at: DataStore.placesOfMap - 1) == "item\(DataStore.placesOfMap - 1)")
    #expect(try key(at: DataStore.placesOfMap) == nil)
  }

  @Test("a model with as many values as there may be, all in one map, is taken")
  func full() {
    let page = Page()
    var next = 0
    while next < Budget.a2uiValues - 2 * Budget.a2uiEntries {
      let entries = (next..<next + Budget.a2uiEntries).map { entry("k\($0)", Double($0)) }.joined(separator: ",")
      page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/m","contents":[\#(entries)]}}"#)
      next += Budget.a2uiEntries
    }
    #expect(page.store.warnings.stopped == 0)
    page.push(update(component("root", "Text", #""text":{"path":"/m/k60000"}"#)), begin())
    #expect(page.string("root") == "60000")
  }

  @Test("texts are moved together only so often in one push, however full their memory is")
  func moves() {
    let page = Page()
    for number in 0..<63 { page.push(line("t\(number)", 65_000)) }
    // What is left has room for one of two.
    let left = page.store.data.texts.room
    page.push(line("a", left - 600), line("b", 200))
    let before = page.store.data.texts.moves
    page.push(text: (0..<2000).map { line("b", 200 + $0 % 2) }.joined(separator: "\n"))
    #expect(page.store.data.texts.moves - before <= 2 * TextArena.movesForLittle)
    page.push(line("b", 201))
    #expect(page.model().contains("\"b\":\"\(String(repeating: "x", count: 201))\""))
  }

  private func line(_ key: String, _ count: Int) -> String {
    #"{"dataModelUpdate":{"surfaceId":"main","path":"/m/\#(key)","contents":[\#(entry(".", String(repeating: "x", count: count)))]}}"#
  }
}

extension DataStore {
  /// How many children one looks at, at most, to find one.
  fileprivate func depth(below node: NodeIndex) -> Int {
    node == .none ? 0 : 1 + max(depth(below: self[node].left), depth(below: self[node].right))
  }
}

extension String.UTF8View {
  fileprivate var hashed: UInt64 { Array(self).withUnsafeBufferPointer { $0.hash } }
}
