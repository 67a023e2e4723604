import Foundation
import Completion
import Runtime
import Testing

@testable import Board
@testable import OwnAgent

/// One after the other: SQLite is compiled for one thread at a time.
@Suite("The memory in SQLite", .serialized) struct SQLiteMemoryTests {
  @Test("what is added is there after the end, in a file of its user alone")
  func keeps() throws {
    let bench = try SQLiteMemoryBench()
    #expect(try bench.memory.open() == .fresh)
    try bench.add(.conversation(.person, at: 5), "where is the key")
    try bench.add(.conversation(.agent, at: 6), "under the pot")
    try bench.add(.note(day: 20_000, at: 7), "watered")
    try bench.add(.note(day: 20_001, at: 1), "weeded")
    try bench.add(.fact(at: 8), "4711", about: "garden gate")
    #expect(bench.files.contains("memory.db-wal"))
    #expect(try bench.reopen() == .opened)
    #expect(try bench.texts(.conversation) == ["under the pot", "where is the key"])
    #expect(try bench.texts(.conversation, limit: 1) == ["under the pot"])
    #expect(try bench.texts(.notes(day: 20_000)) == ["watered"] && bench.texts(.recentNotes) == ["weeded", "watered"])
    #expect(try bench.texts(.all(.note)) == ["watered", "weeded"] && bench.texts(.facts) == ["4711"])
    #expect(try bench.texts(.one(3)) == ["watered"] && bench.texts(.one(9)).isEmpty)
    #expect(try bench.memory.count() == 5 && bench.found("gate") == [5])
    var row: MemoryEntry?
    try bench.memory.select(.one(4), limit: 1) {
      row = $0.entry
      return true
    }
    #expect(row == MemoryEntry(id: 4, kind: .note, speaker: .nobody, time: 1, day: 20_001))
    bench.memory.close()
    let mode = try FileManager.default.attributesOfItem(atPath: bench.path)[.posixPermissions] as? Int
    #expect(mode == 0o600 && bench.files == ["memory.db"])
  }

  @Test("numbers are never used twice in a run, and an entry is known by all that it has")
  func identity() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    #expect(try bench.add(.fact(at: 1), "a") == 1 && bench.add(.fact(at: 1), "b") == 2)
    var isRemoved = false
    try bench.inTransaction { isRemoved = try bench.memory.remove(2) }
    #expect(isRemoved)
    #expect(try bench.add(.fact(at: 1), "c") == 3 && !bench.memory.remove(2))
    func knows(_ entry: MemoryEntry, _ text: String) throws -> Bool {
      let bytes = Array(text.utf8)
      return try bytes.withUnsafeBufferPointer {
        try bench.memory.contains(MemoryRow(entry, subject: UnsafeBufferPointer(rebasing: $0[..<0]), text: $0))
      }
    }
    #expect(try knows(.fact(at: 1), "a") && !knows(.fact(at: 2), "a") && !knows(.fact(at: 1), "b"))
    #expect(try !knows(.conversation(.person, at: 1), "a"))
    try bench.memory.markFound(1)
    #expect(try knows(.fact(at: 1), "a"))
  }

  @Test("words are found whatever their case and accents, parts of sentences without spaces too, the rarer the better")
  func finds() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    for text in ["Die Straße ist naß", "the café is closed", "昨天我在花园里种了大蒜", "ガーデンの鍵", "정원 열쇠는 화분 아래", "🌱", "don't"] {
      try bench.add(.conversation(.person, at: 0), text)
    }
    #expect(try bench.found("CAFE") == [2] && bench.found("naß") == [1])
    #expect(try bench.found("花园在哪里") == [3] && bench.found("大蒜", .all) == [3] && bench.found("蒜大", .all).isEmpty)
    #expect(try bench.found("鍵") == [4] && bench.found("열쇠") == [5] && bench.found("don't", .all) == [7])
    #expect(try bench.found("clos") == [2] && bench.found("clos", .all).isEmpty)
    for text in ["the the", "the lamp"] { try bench.add(.conversation(.person, at: 0), text) }
    #expect(try bench.found("the lamp").first == 9)
  }

  @Test("no text that is asked is an error of the index's language", arguments: 0..<4)
  func anyQuestion(seed: Int) throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    try bench.add(.fact(at: 0), "a b c 花园 \"x\" *")
    var dice = SQLiteDice(UInt64(seed))
    let parts = [
      "\"", "*", "(", ")", " OR ", " AND ", " NOT ", "NEAR(", "^", ":", "-", "+", "{", "}", "a", "花", "园", "🌱", "\u{0}",
      "\u{300}",
      "、", "é", "'", "—", "ß", "\u{FFFD}", "\u{1F1E9}", "ก", "\u{0E49}", "subject", " ", "\\", ",", ";--", "\u{200D}",
      "①", "𝒳",
    ]
    for _ in 0..<400 {
      let question = (0..<dice.below(20)).map { _ in parts[dice.below(parts.count)] }.joined()
      for matching in [MemoryQuery.Matching.any, .all] {
        let fault = memoryFault { _ = try bench.found(question, matching) }
        let sentence = fault.map {
          String(decoding: $0.detail.span.withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
        }
        #expect(sentence == nil, "\(question)")
      }
    }
  }

  @Test("strange text comes back as it is: zero bytes, bytes that are no text, characters of four bytes")
  func strangeText() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    let all: [[UInt8]] = [[0x61, 0, 0x62], [0xFF, 0xC3, 0x28], Array("🌱𝒳花\u{10FFFF}".utf8), [], [0]]
    for bytes in all { try SQLiteMemoryBench.add(bench.memory, .fact(at: 0), bytes) }
    var back: [[UInt8]] = []
    try bench.memory.select(.all(.fact), limit: .max) {
      back.append(Array($0.text))
      return true
    }
    #expect(back == all)
    #expect(try bench.reopen() == .opened)
    var removed = 0
    for id in 1...5 { try bench.inTransaction { removed += try bench.memory.remove(Int64(id)) ? 1 : 0 } }
    #expect(removed == 5)
    #expect(try bench.reopen() == .opened && bench.memory.count() == 0)
  }

  @Test("the oldest of each group: conversation by time, notes by day, facts that were found apart")
  func oldest() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    for group in [MemoryGroup.conversation, .notes, .factsNeverFound, .facts] {
      #expect(try bench.memory.oldest(group) == nil)
    }
    try bench.add(.conversation(.tool, at: 9), "a")
    try bench.add(.conversation(.tool, at: 3), "b")
    try bench.add(.note(day: 2, at: 0), "c")
    try bench.add(.note(day: 1, at: 9), "d")
    for time: Int64 in [5, 4, 6] { try bench.add(.fact(at: time), "e") }
    try bench.memory.markFound(6)
    try bench.memory.markFound(2)
    #expect(try bench.memory.oldest(.conversation) == 2 && bench.memory.oldest(.notes) == 4)
    #expect(try bench.memory.oldest(.factsNeverFound) == 5 && bench.memory.oldest(.facts) == 6)
  }

  @Test("vectors go with their entries, and those of the first to go can be removed")
  func vectors() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    for time in 0..<6 { try bench.add(time == 0 ? .fact(at: 0) : .conversation(.agent, at: Int64(10 - time)), "x") }
    var isThere: [Bool] = []
    try bench.inTransaction {
      for id: Int64 in 1...6 { isThere.append(try bench.attach([UInt8(id), 7], to: id)) }
      isThere.append(try bench.attach([9, 9], to: 2))
      isThere.append(try bench.attach([1], to: 99))
    }
    #expect(isThere == [Bool](repeating: true, count: 7) + [false])
    #expect(try bench.memory.vectorCount() == 6 && bench.texts(.withoutVector).isEmpty)
    #expect(try bench.memory.remove(6) && bench.memory.vectorCount() == 5)
    try bench.memory.removeVectors(2)
    var left: [Int64: [UInt8]] = [:]
    try bench.memory.forEachVector { left[$0] = Array($1) }
    #expect(left == [1: [1, 7], 2: [9, 9], 3: [3, 7]])
    #expect(try bench.memory.vectorCount() == 3 && bench.texts(.withoutVector).count == 2)
    try bench.memory.begin()
    #expect(try bench.memory.remove(1) && bench.memory.vectorCount() == 2)
    bench.memory.rollback()
    #expect(try bench.memory.vectorCount() == 3 && bench.memory.count() == 5)
  }

  @Test("a second process, or a second opening, is told that the memory is in use, and the first goes on")
  func inUse() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    try bench.add(.fact(at: 0), "a")
    // The locks of the kernel are those of a process: a second opening in this one is refused by SQLite itself.
    let other = try SQLiteMemory(path: bench.path, limit: 1 << 20)
    #expect(memoryFault { _ = try other.open() }?.kind == .inUse)
    try bench.add(.fact(at: 0), "b")
    #expect(try bench.texts(.facts).count == 2)
  }

  @Test("before it is open, and in a folder that is not there, there is a failure that says so")
  func notOpen() throws {
    let bench = try SQLiteMemoryBench()
    #expect(memoryFault { _ = try bench.memory.count() }?.kind == .system)
    let nowhere = try SQLiteMemory(path: bench.folder + "/none/memory.db", limit: 0)
    let fault = memoryFault { _ = try nowhere.open() }
    #expect(fault?.kind == .system && fault.map { $0.code & 0xFF } == 14)
    #expect(
      fault.map { String(decoding: Array($0.detail.span.withUnsafeBufferPointer { Array($0) }), as: UTF8.self) }
        == "unable to open database file")
    #expect(memoryFault { _ = try SQLiteMemory(path: String(repeating: "x", count: 9999), limit: 0) }?.kind == .system)
  }

  @Test("ten thousand vectors are searched; SQLite takes no more memory than the budget has")
  func manyVectors() throws {
    let bench = try SQLiteMemoryBench(limit: 64 << 20)
    _ = try bench.memory.open()
    let dimensions = 384
    var dice = SQLiteDice(5)
    var code = [UInt8](repeating: 0, count: VectorCode.bytes(dimensions: dimensions))
    code.replaceSubrange(0..<4, with: [0, 0, 0, 0x3A])
    var wanted: [Float] = []
    try bench.inTransaction {
      for id in 1...Int64(Budget.memoryVectors) {
        let bytes = Array("entry \(id)".utf8)
        _ = try bytes.withUnsafeBufferPointer {
          try bench.memory.add(
            MemoryRow(.conversation(.person, at: id), subject: UnsafeBufferPointer(rebasing: $0[..<0]), text: $0))
        }
        for index in 4..<code.count { code[index] = UInt8(truncatingIfNeeded: dice.below(256)) }
        if id == 7777 { wanted = code[4...].map { Float(Int8(bitPattern: $0)) } }
        _ = try bench.attach(code, to: id)
      }
    }
    var best = BestList()
    let began = ContinuousClock.now
    try wanted.withUnsafeMutableBufferPointer { wanted in
      #expect(Embedding.normalize(wanted))
      try bench.memory.forEachVector { id, code in
        if let cosine = VectorCode.cosine(UnsafeBufferPointer(wanted), code) { best.offer(id, cosine) }
      }
    }
    print(
      "10,000 vectors of 384 numbers: \(ContinuousClock.now - began), SQLite's peak \(SQLiteDatabase.memoryPeak) bytes")
    #expect(try best.id(0) == 7777 && bench.memory.vectorCount() == Budget.memoryVectors)
    #expect(try bench.found("entry 7777").first == 7777)
    #expect(SQLiteDatabase.memoryPeak <= Budget.memorySQLiteBytes)
    #expect(try bench.reopen() == .opened)
  }
}
