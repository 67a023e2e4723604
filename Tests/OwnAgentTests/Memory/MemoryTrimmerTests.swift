import Completion
import Runtime
import Testing

@testable import OwnAgent

@Suite("What goes first when the memory is full") struct MemoryTrimmerTests {
  /// Four of each, of 100 bytes, newest added first, and two facts that were found.
  private func filled() throws -> MemoryBench {
    let bench = try MemoryBench()
    let rest = String(repeating: "x", count: 97)
    for time in (0..<4).reversed() {
      bench.say("c\(time) " + rest, at: Int64(time))
      bench.note("n\(time) " + rest, day: Int64(time), at: 100 - Int64(time))
      bench.learn("f\(time) " + rest, at: Int64(time))
    }
    _ = bench.search("f0")
    _ = bench.search("f2")
    return bench
  }

  private func left(_ bench: MemoryBench) -> [String] {
    bench.table.rows.map { String(decoding: $0.text.prefix(2), as: UTF8.self) }
  }

  @Test("conversation oldest first, notes by day, facts that were never found, then the others")
  func order() throws {
    let bench = try filled()
    var gone: [String] = []
    for bytes in stride(from: 1100, through: 0, by: -100) {
      let before = left(bench)
      #expect(bench.end(bench.desk.trim(to: Int64(bytes))).said == "trimmed 1")
      gone += before.filter { !left(bench).contains($0) }
    }
    #expect(gone == ["c0", "c1", "c2", "c3", "n0", "n1", "n2", "n3", "f1", "f3", "f0", "f2"])
    #expect(bench.end(bench.desk.trim(to: -1)).said == "trimmed 0")
  }

  @Test("remembering keeps the memory at three quarters of its file, and makes more room at once than it needs")
  func limit() throws {
    let bench = try MemoryBench(limit: 8192)
    for time in 0..<200 {
      bench.say(String(repeating: "x", count: 100), at: Int64(time))
      #expect(try bench.table.usedBytes() <= 6144)
    }
    #expect((53...61).contains(bench.table.rows.count) && bench.table.rows.last?.entry.time == 199)
    #expect(bench.table.rows.map(\.entry.time) == Array(Int64(200 - bench.table.rows.count)..<200))
    #expect(bench.table.calls.filter { $0 == "compact" }.count < 100)
  }

  @Test("conversation does not push facts out: it is refused when there is nothing but facts")
  func factsStay() throws {
    let bench = try MemoryBench(limit: 8192)
    for time in 0..<79 { bench.learn(String(repeating: "f", count: 100), at: Int64(time)) }
    let facts = bench.table.rows.count
    #expect(facts == 61)
    #expect(bench.say(String(repeating: "c", count: 100)) == "failed full")
    #expect(bench.table.rows.count == facts && bench.logged.contains("the memory is full"))
    #expect(bench.learn(String(repeating: "g", count: 100), at: 99) == "stored 81")
    #expect(bench.table.rows.count == 53 && bench.table.rows.allSatisfy { $0.entry.kind == .fact })
  }

  @Test("a vector goes with its entry; the vectors of the first to go make room for others")
  func vectors() throws {
    let bench = try MemoryBench()
    let vector = [Float](repeating: 0.5, count: 4)
    for index in 0..<Budget.memoryVectors {
      bench.table.rows.append(
        TableStore.Row(entry: .conversation(.person, at: Int64(index)), subject: [], text: [0x61], code: [1]))
    }
    bench.say("x", at: 99, vector: vector)
    #expect(bench.table.calls.filter { $0 == "removeVectors" }.count == 1)
    #expect(try bench.table.vectorCount() == Budget.memoryVectors - Budget.memoryTrimVectors + 1)
  }
}

@Suite("Searches of the memory") struct MemorySearchTests {
  @Test("words and vectors together: what both find comes first")
  func both() throws {
    let bench = try MemoryBench()
    bench.say("apple tree", vector: [0, 1])
    bench.say("apple pie", vector: [1, 0.1])
    bench.say("a cake", vector: [1, 0])
    bench.say("nothing")
    #expect(bench.search("apple", vector: [1, 0]) == ["apple pie", "a cake", "apple tree"])
    #expect(bench.search("", vector: [0, 1]) == ["apple tree", "apple pie"])
    #expect(bench.search("apple", vector: [1, 0], limit: 1) == ["apple pie"])
    #expect(bench.search("apple", limit: -1).isEmpty)
  }

  @Test("vectors of another model, and numbers that are no vector, are left out")
  func badVectors() throws {
    let bench = try MemoryBench()
    for vector: [Float] in [[1, 0, 0], [.nan, 1], [0, 0], [.infinity, 1], [Float](repeating: 1, count: 9999)] {
      #expect(bench.say("apple", vector: vector).hasPrefix("stored"))
      _ = bench.search("", vector: vector)
    }
    #expect(bench.table.rows.map { $0.code != nil } == [true, false, false, false, false])
    #expect(bench.search("", vector: [1, 0]).isEmpty)
    let nothing = [Float]().withUnsafeBufferPointer { bench.desk.attach($0, to: 1) }
    #expect(bench.end(nothing).said == "failed badVector")
  }

  @Test("a vector may come later, and not for an entry that is gone")
  func later() throws {
    let bench = try MemoryBench()
    bench.say("apple")
    func attach(_ id: Int64) -> String {
      bench.end([Float(3), 4].withUnsafeBufferPointer { bench.desk.attach($0, to: id) }).said
    }
    #expect(bench.list(.withoutVector) == ["apple"])
    #expect(attach(1) == "attached true" && attach(2) == "attached false")
    #expect(bench.list(.withoutVector).isEmpty && bench.search("", vector: [0.6, 0.8]) == ["apple"])
  }
}

@Suite("Lists of the best, and coded vectors") struct VectorCodeTests {
  @Test("a list keeps the best in their order, newer ones first where they are equal")
  func best() {
    var dice = MemoryDice(1)
    for _ in 0..<200 {
      let limit = 1 + dice.below(Budget.memoryCandidates)
      var list = BestList(limit: limit)
      var all: [(Float, Int64)] = []
      for id in 0..<dice.below(200) {
        let score = Float(dice.below(30)) / 7
        list.offer(Int64(id), score)
        list.offer(Int64(id), .nan)
        all.append((score, Int64(id)))
      }
      let expected = all.sorted { $0 > $1 }.prefix(limit).map(\.1)
      #expect((0..<list.count).map { list.id($0) } == Array(expected))
    }
    var none = BestList(limit: 0)
    none.offer(1, 1)
    #expect(none.count == 0 && BestList(limit: 9999).limit == Budget.memoryCandidates)
  }

  @Test("two rankings are joined by reciprocal ranks")
  func fusion() {
    func list(_ ids: [Int64]) -> BestList {
      var list = BestList()
      for (index, id) in ids.enumerated() { list.offer(id, -Float(index)) }
      return list
    }
    let joined = BestList.fused(list([1, 2, 3]), list([3, 4]), limit: 3)
    #expect((0..<joined.count).map { joined.id($0) } == [3, 1, 4])
    #expect(abs(joined.score(0) - (1 / 63 + 1 / 61)) < 1e-6)
    #expect(BestList.fused(list([]), list([]), limit: 5).count == 0)
  }

  private func code(_ vector: [Float]) -> [UInt8]? {
    var vector = vector
    var bytes = [UInt8](repeating: 0, count: 8192)
    return vector.withUnsafeMutableBufferPointer { vector in
      guard Embedding.normalize(vector) else { return nil }
      return bytes.withUnsafeMutableBufferPointer { VectorCode.encode(UnsafeBufferPointer(vector), into: $0) }
        .map { Array(bytes[..<$0]) }
    }
  }

  private func cosine(_ query: [Float], _ code: [UInt8]) -> Float? {
    var query = query
    return query.withUnsafeMutableBufferPointer { query in
      _ = Embedding.normalize(query)
      return code.withUnsafeBufferPointer { VectorCode.cosine(UnsafeBufferPointer(query), $0) }
    }
  }

  @Test("the cosine of a coded vector is that of the vector, to less than a hundredth")
  func cosines() throws {
    var dice = MemoryDice(2)
    for _ in 0..<200 {
      let count = 1 + dice.below(300)
      let (left, right) = (0..<count).reduce(into: ([Float](), [Float]())) { pair, _ in
        pair.0.append(Float(dice.below(2001) - 1000))
        pair.1.append(Float(dice.below(2001) - 1000) + 0.5)
      }
      guard let bytes = code(right), left.contains(where: { $0 != 0 }) else { continue }
      let dot = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      let lengths = [left, right].map { $0.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot() }
      #expect(abs(Double(cosine(left, bytes) ?? 9) - dot / lengths[0] / lengths[1]) < 0.01)
      #expect(bytes.count == VectorCode.bytes(dimensions: count))
    }
  }

  @Test("very large and very small numbers are vectors; none, infinite and all zero are not")
  func edges() throws {
    let large = try #require(code([3e38, 3e38])), small = try #require(code([.leastNormalMagnitude / 1024, 0]))
    #expect(abs((cosine([1e38, 1e38], large) ?? 0) - 1) < 0.01)
    #expect(abs((cosine([1, 0], small) ?? 0) - 1) < 0.01)
    #expect(code([]) == nil && code([0, 0]) == nil && code([.nan]) == nil && code([.infinity, 1]) == nil)
    #expect(code([Float](repeating: 1, count: Budget.embeddingDimensions)) != nil)
  }

  @Test("bytes that are no code, and codes of other dimensions, have no cosine")
  func damaged() {
    #expect(cosine([1, 0], []) == nil && cosine([1, 0], [0, 0, 0x80, 0x3F, 1]) == nil)
    #expect(cosine([1, 0], [0, 0, 0x80, 0x7F, 1, 1]) == nil && cosine([1, 0], [0, 0, 0, 0, 1, 1]) == nil)
    var dice = MemoryDice(3)
    for _ in 0..<2000 {
      let bytes = (0..<(4 + dice.below(6))).map { _ in UInt8(dice.below(256)) }
      if let cosine = cosine([1, 2, 3], bytes) { #expect((-1...1).contains(cosine)) }
    }
  }

  @Test("a code is decoded to the vector, to one part in 127 of its largest number")
  func decodes() throws {
    let bytes = try #require(code([3, -4]))
    var numbers = [Float](repeating: 0, count: 2)
    let count = bytes.withUnsafeBufferPointer { bytes in
      numbers.withUnsafeMutableBufferPointer { VectorCode.decode(bytes, into: $0) }
    }
    #expect(count == 2 && abs(numbers[0] - 0.6) < 0.004 && abs(numbers[1] + 0.8) < 0.004)
  }
}
