import Foundation
import Runtime
import Testing

@testable import Board
@testable import OwnAgent

extension SQLiteMemoryTests {
  // MARK: Forgetting

  @Test("nothing of what is forgotten is left in the files, wherever it stood, and the rest is there", arguments: 0..<2)
  func forgotten(seed: Int) throws {
    let desk = try SQLiteDesk(limit: 4 << 20)
    var dice = SQLiteDice(UInt64(seed))
    // The names of those who are forgotten stand in short and long texts, between others that come and go.
    for time in 0..<300 {
      let long = String(repeating: "filler\(dice.below(50)) ", count: dice.below(200))
      let isSecret = dice.below(9) == 0
      let text = isSecret ? "\(long) zwiebelfisch\(time) tells \(long)" : "\(long) plain\(time) word"
      desk.remember(dice.below(3) == 0 ? .fact(at: Int64(time)) : .conversation(.person, at: Int64(time)), text)
      if dice.below(20) == 0 { _ = desk.forget("plain\(dice.below(time + 1))") }
    }
    desk.remember(.conversation(.person, at: 9999), "Zwiebelfisch moves")
    #expect(desk.bench.holds("zwiebelfisch") && desk.bench.holds("Zwiebelfisch"))
    let before = try desk.bench.memory.count()
    var count = desk.forget("zwiebelfisch")
    for time in 0..<300 { count += desk.forget("zwiebelfisch\(time)") }
    #expect(count > 20)
    #expect(try desk.bench.memory.count() == before - count)
    #expect(!desk.bench.holds("wiebelfisch"))
    #expect(desk.bench.files.allSatisfy { ["memory.db", "memory.db-wal"].contains($0) })
    #expect(desk.search("word").count == 5)
    desk.bench.memory.close()
    #expect(!desk.bench.holds("wiebelfisch"))
    #expect(try desk.bench.memory.open() == .opened)
  }

  @Test("everything can be forgotten, and then remembered anew")
  func forgetsAll() throws {
    let desk = try SQLiteDesk()
    for time in 0..<50 { desk.remember(.conversation(.person, at: Int64(time)), "geheim \(time)", vector: [1, 2]) }
    guard case .forgotten(50) = desk.forgetAll() else { throw MemoryFault(.system) }
    #expect(!desk.bench.holds("geheim"))
    #expect(try desk.bench.memory.count() == 0 && desk.bench.memory.vectorCount() == 0)
    desk.remember(.fact(at: 1), "new start")
    #expect(desk.search("start") == ["new start"])
  }

  @Test("what the power cut off is wiped at the next start")
  func wipedLater() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    try bench.add(.fact(at: 0), "geheimnis")
    try bench.add(.fact(at: 0), "other")
    try bench.inTransaction {
      _ = try bench.memory.remove(1)
      try bench.memory.markForWiping()
    }
    // As a wipe leaves them that has not come to its end.
    let (main, log) = (bench.bytes(), bench.bytes("-wal"))
    bench.memory.close()
    try bench.write(main)
    try bench.write(log, "-wal")
    try bench.write(Array("geheimnis half".utf8), ".new")
    #expect(bench.holds("geheimnis"))
    #expect(try bench.reopen() == .opened && bench.texts(.facts) == ["other"])
    #expect(!bench.holds("geheimnis") && !bench.files.contains("memory.db.new"))
    #expect(try bench.reopen() == .opened && bench.found("other") == [2])
  }

  // MARK: Room

  @Test("the file stays within its limit, the oldest go, and there is room for ever", arguments: [0, 64])
  func limit(dimensions: Int) throws {
    let desk = try SQLiteDesk()
    var dice = SQLiteDice(9)
    var refused = 0
    desk.remember(.fact(at: 0), "the first fact")
    for time in 1..<1300 {
      let text = (0..<(1 + dice.below(dice.below(10) == 0 ? 900 : 60))).map { _ in "w\(dice.below(3000))" }.joined(
        separator: " ")
      let vector = (0..<dimensions).map { _ in Float(dice.below(200) - 100) + 0.5 }
      let outcome = desk.remember(
        dice.below(10) == 0 ? .note(day: Int64(time), at: Int64(time)) : .conversation(.person, at: Int64(time)), text,
        vector: vector)
      if desk.fault(outcome) != nil { refused += 1 }
    }
    let size = desk.bench.bytes().count, log = desk.bench.bytes("-wal").count
    #expect(size <= 1 << 20 && log <= 4 << 20, "\(size) \(log)")
    #expect(refused == 0)
    let texts = try desk.bench.texts(.all(.conversation))
    let bytes = texts.reduce(0) { $0 + $1.utf8.count }
    print(
      "a memory of 1 MB, \(dimensions) dimensions: \(texts.count) entries of conversation, \(bytes) bytes, log \(log)")
    #expect(bytes > 100_000)
    #expect(desk.search("first fact").first == "the first fact")
    #expect(SQLiteDatabase.memoryPeak <= Budget.memorySQLiteBytes)
    #expect(try desk.bench.reopen() == .opened)
  }

  @Test("a memory full of facts refuses conversation, takes another fact for the oldest that was never found")
  func fullOfFacts() throws {
    let desk = try SQLiteDesk()
    let rest = String(repeating: "lorem ipsum ", count: 300)
    var time: Int64 = 0
    let target = MemoryTrimmer.target(1 << 20)
    while true {
      desk.remember(.fact(at: time), "fact\(time) " + rest)
      if time == 0 { _ = desk.search("fact0") }
      time += 1
      let used = try desk.bench.memory.usedBytes()
      if time > 400, used > target - 4096 { break }
      try #require(time < 2000)
    }
    #expect(desk.fault(desk.remember(.conversation(.agent, at: 999), "hello " + rest + rest)) == .full)
    #expect(desk.fault(desk.remember(.fact(at: 9999), "fact9999 " + rest)) == nil)
    #expect(desk.search("fact0 fact1 fact9999").map { $0.prefix(6) }.sorted() == ["fact0 ", "fact99"])
    #expect(desk.forget("lorem") > 50)
    #expect(desk.fault(desk.remember(.conversation(.agent, at: 999), "hello")) == nil)
  }

  @Test("a store that is full says so, and loses nothing")
  func fullFile() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    var count = 0
    var fault: MemoryFault?
    while fault == nil, count < 2000 {
      fault = memoryFault { try bench.add(.fact(at: 0), String(repeating: "word\(count) ", count: 500)) }
      if fault == nil { count += 1 }
    }
    #expect(fault?.kind == .full && count > 50)
    #expect(try bench.memory.count() == count && bench.found("word1").count > 0)
    #expect(try bench.reopen() == .opened && bench.memory.count() == count)
    for id in 1...30 { try bench.inTransaction { _ = try bench.memory.remove(Int64(id)) } }
    #expect(memoryFault { try bench.add(.fact(at: 0), "room") } == nil)
    #expect(bench.bytes().count <= 1 << 20)
  }
}
