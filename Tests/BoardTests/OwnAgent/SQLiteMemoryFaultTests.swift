import Foundation
import Runtime
import Testing

@testable import Board
@testable import OwnAgent

extension SQLiteMemoryTests {
  /// A memory with entries of every kind, closed; and what it has.
  private func filled(_ count: Int = 60) throws -> (bench: SQLiteMemoryBench, texts: [String]) {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    var dice = SQLiteDice(3)
    for time in 0..<count {
      let words = (0..<(1 + dice.below(60))).map { _ in "word\(dice.below(400))" }.joined(separator: " ")
      let entry: MemoryEntry =
        switch time % 3 {
        case 0: .conversation(.person, at: Int64(time))
        case 1: .note(day: Int64(time), at: Int64(time))
        default: .fact(at: Int64(time))
        }
      let id = try bench.add(entry, words, about: time % 3 == 2 ? "subject\(time)" : "")
      if time % 2 == 0 { try bench.inTransaction { _ = try bench.attach([0, 0, 0x80, 0x3F, UInt8(time), 7], to: id) } }
    }
    let texts = try all(bench)
    bench.memory.close()
    return (bench, texts)
  }

  private func all(_ bench: SQLiteMemoryBench) throws -> [String] {
    try [MemoryKind.conversation, .note, .fact].flatMap { try bench.texts(.all($0)) }
  }

  /// Does with the memory all that can be done; what is thrown is a fault in words.
  private func useAll(_ bench: SQLiteMemoryBench, wipes: Bool) {
    _ = memoryFault {
      try bench.add(.fact(at: 1), "word1 more")
      _ = try bench.found("word1 word2 more")
      try bench.memory.forEachVector { _, _ in }
      for selection in [MemorySelection.conversation, .facts, .recentNotes, .withoutVector, .all(.note)] {
        _ = try bench.texts(selection, limit: 50)
      }
    }
    for group in [MemoryGroup.conversation, .notes, .factsNeverFound, .facts] {
      _ = memoryFault {
        try bench.inTransaction { if let id = try bench.memory.oldest(group) { _ = try bench.memory.remove(id) } }
      }
      bench.memory.rollback()
    }
    _ = memoryFault { try bench.memory.removeVectors(3) }
    _ = memoryFault { try bench.memory.compact() }
    if wipes { _ = memoryFault { try bench.memory.wipe() } }
  }

  // MARK: Damage

  @Test("a file that is no memory is set aside, with its log, and a new one begins")
  func setAside() throws {
    let bench = try SQLiteMemoryBench()
    let junk =
      [UInt8]("this is no database, and has more than a hundred bytes of text".utf8)
      + [UInt8](repeating: 7, count: 9000)
    try bench.write(junk)
    try bench.write([1, 2, 3], "-wal")
    #expect(try bench.memory.open() == .setAside)
    #expect(bench.bytes(".damaged") == junk)
    try bench.add(.fact(at: 0), "new")
    #expect(try bench.reopen() == .opened && bench.texts(.facts) == ["new"])
    bench.memory.close()
    try bench.write(junk.reversed())
    #expect(try bench.memory.open() == .setAside)
    #expect(bench.bytes(".damaged") == junk.reversed())
    bench.memory.close()
    try bench.write([])
    #expect(try bench.memory.open() == .fresh)
  }

  @Test("a database of somebody else is set aside as well")
  func foreign() throws {
    let bench = try SQLiteMemoryBench()
    let other = try SQLiteDatabase(Path(bench.path))
    try other.run("CREATE TABLE entries(id INTEGER PRIMARY KEY, secret TEXT)")
    other.close()
    let before = bench.bytes()
    #expect(try bench.memory.open() == .setAside && bench.bytes(".damaged") == before)
  }

  @Test("damaged bytes and cut files never trap, and the file that is not damaged is never lost", arguments: 0..<3)
  func damage(seed: Int) throws {
    let (bench, texts) = try filled()
    let whole = bench.bytes()
    var dice = SQLiteDice(UInt64(seed))
    var ends: [String: Int] = [:]
    for round in 0..<20 {
      var bytes = whole
      if round % 5 == 4 {
        bytes.removeLast(dice.below(bytes.count))
      } else {
        let page = dice.below(bytes.count / 4096) * 4096
        for _ in 0...dice.below(round % 2 == 0 ? 3 : 60) {
          let place = round % 3 == 0 ? page + dice.below(100) : dice.below(bytes.count)
          bytes[place] = UInt8(truncatingIfNeeded: dice.below(256))
        }
      }
      try bench.write(bytes)
      do {
        let opening = try bench.reopen()
        ends["\(opening)", default: 0] += 1
        if opening == .setAside {
          #expect(bench.bytes(".damaged") == bytes || bench.files.contains("memory.db.damaged"))
        }
      } catch let fault as MemoryFault {
        ends["\(fault.kind)", default: 0] += 1
        #expect([.newer, .damaged, .system, .memory, .full].contains(fault.kind), "\(fault.code)")
      }
      useAll(bench, wipes: round % 4 == 0)
      bench.memory.close()
      for suffix in ["-wal", ".damaged", ".damaged-wal", ".new"] {
        try? FileManager.default.removeItem(atPath: bench.path + suffix)
      }
      if round % 10 == 0 {
        try bench.write(whole)
        #expect(try bench.reopen() == .opened && all(bench) == texts)
        bench.memory.close()
      }
    }
    #expect(ends["setAside", default: 0] > 2, "\(ends)")
  }

  @Test("a damaged index of words is made again from the texts")
  func damagedIndex() throws {
    let (bench, texts) = try filled()
    let database = try SQLiteDatabase(Path(bench.path))
    // The tables of the index are refused to everybody else; so its largest page is overwritten in the file.
    let roots = try database.number("SELECT rootpage FROM sqlite_schema WHERE name = 'words_docsize'")
    database.close()
    var bytes = bench.bytes()
    // The first cell's content, not its head: the page stays in order.
    let page = Int(roots - 1) * 4096
    let cells = Int(bytes[page + 5]) << 8 | Int(bytes[page + 6])
    for index in (page + cells)..<(page + 4096) where bytes[index] > 20 { bytes[index] = 9 }
    try bench.write(bytes)
    let opening = try bench.reopen()
    #expect(opening == .indexed || opening == .setAside)
    if opening == .indexed { #expect(try all(bench) == texts && !bench.found("word1").isEmpty) }
  }

  @Test("a file of a newer release is not touched, and the failure says so")
  func newer() throws {
    let (bench, _) = try filled(5)
    let database = try SQLiteDatabase(Path(bench.path))
    try database.run("PRAGMA user_version = 2")
    database.close()
    let before = bench.bytes()
    let fault = memoryFault { _ = try bench.reopen() }
    #expect(fault?.kind == .newer && fault?.code == 2)
    #expect(memoryFault { _ = try bench.memory.count() }?.kind == .system)
    bench.memory.close()
    #expect(bench.bytes() == before && bench.files == ["memory.db"])
  }
}
