import Foundation
import Runtime

@testable import Board
@testable import OwnAgent

/// A memory in a folder of its own, which goes with it.
final class SQLiteMemoryBench {
  let folder: String
  let limit: Int64
  var memory: SQLiteMemory

  init(limit: Int64 = 1 << 20) throws {
    folder = NSTemporaryDirectory() + "memory-" + UUID().uuidString
    self.limit = limit
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    memory = try SQLiteMemory(path: folder + "/memory.db", limit: limit)
  }

  deinit {
    memory.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { folder + "/memory.db" }
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
  func bytes(_ suffix: String = "") -> [UInt8] {
    FileManager.default.contents(atPath: path + suffix).map { Array($0) } ?? []
  }
  func write(_ bytes: [UInt8], _ suffix: String = "") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + suffix))
  }

  /// True when the bytes of a text stand in one of the files.
  func holds(_ text: String) -> Bool {
    let wanted = Data(text.utf8)
    return files.contains { FileManager.default.contents(atPath: folder + "/" + $0)?.range(of: wanted) != nil }
  }

  /// Closes the memory, as the end of a process does, and opens it again.
  func reopen() throws -> MemoryOpening {
    memory.close()
    memory = try SQLiteMemory(path: path, limit: limit)
    return try memory.open()
  }

  @discardableResult
  func add(_ entry: MemoryEntry, _ text: String, about subject: String = "") throws -> Int64 {
    try Self.add(memory, entry, Array(text.utf8), about: subject)
  }

  @discardableResult
  static func add(_ memory: SQLiteMemory, _ entry: MemoryEntry, _ text: [UInt8], about subject: String = "") throws
    -> Int64
  {
    try memory.begin()
    do {
      let subject = Array(subject.utf8)
      let id = try subject.withUnsafeBufferPointer { subject in
        try text.withUnsafeBufferPointer { try memory.add(MemoryRow(entry, subject: subject, text: $0)) }
      }
      try memory.commit()
      return id
    } catch {
      memory.rollback()
      throw error
    }
  }

  func texts(_ selection: MemorySelection, limit: Int = .max) throws -> [String] {
    var texts: [String] = []
    try memory.select(selection, limit: limit) { row in
      texts.append(String(decoding: row.text, as: UTF8.self))
      return true
    }
    return texts
  }

  func found(_ question: String, _ matching: MemoryQuery.Matching = .any) throws -> [Int64] {
    var room = [UInt8](repeating: 0, count: Budget.memoryQueryBytes)
    var best = BestList()
    let bytes = Array(question.utf8)
    try room.withUnsafeMutableBufferPointer { room in
      try bytes.withUnsafeBufferPointer { bytes in
        try memory.search(MemoryQuery(bytes, matching: matching, into: room).text, &best)
      }
    }
    return (0..<best.count).map { best.id($0) }
  }

  func inTransaction(_ body: () throws -> Void) throws {
    try memory.begin()
    try body()
    try memory.commit()
  }

  func attach(_ code: [UInt8], to id: Int64) throws -> Bool {
    try code.withUnsafeBufferPointer { try memory.attach($0, to: id) }
  }
}

/// What a memory threw, in words.
func memoryFault(_ body: () throws -> Void) -> MemoryFault? {
  do { try body() } catch { return error as? MemoryFault }
  return nil
}

/// SplitMix64 (Steele, Lea, Flood, 2014).
struct SQLiteDice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ value >> 31) % UInt64(bound))
  }
}
