import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import VoicePart

@Suite("The gateway's phrases on flash")
struct PhraseKeeperTests {
  /// A folder of its own, gone with it.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("talon-phrases-\(UUID().uuidString)").path
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func files(_ folder: Folder) throws -> FileStore {
    try FileStore(folder: folder.path, recordBytes: Budget.wakeRecordBytes)
  }

  @Test("a board that starts without its gateway listens for what that named last")
  func restart() throws {
    let folder = Folder()
    let before = WakeBench("hey kitchen", store: try files(folder))
    before.start()
    before.learn(#""Hey, Kitchen!","nobody""#)
    let after = WakeBench("hey kitchen", store: try files(folder))
    after.start()
    #expect(after.names == ["Hey, Kitchen!", "nobody"])
    after.speak()
    #expect(after.delegate.phrases.first == "Hey, Kitchen!")
    #expect(after.logs("read from flash"))
  }

  @Test("the list is written when it changed, and not when it is told again")
  func sparing() {
    let store = MemoryStore()
    let bench = WakeBench("a", store: store)
    bench.start()
    for _ in 0..<3 { bench.learn(#""a","b""#) }
    #expect(store.saves == 1)
    bench.learn(#""a""#)
    #expect(store.saves == 2)
    let again = WakeBench("a", store: store)
    again.start()
    again.learn(#""a""#)
    #expect(store.saves == 2)
    // What says no list says nothing.
    again.service.learn(JSONView(Array("{}".utf8).span))
    again.settle()
    #expect(store.saves == 2 && again.names == ["a"])
  }

  @Test("the usual list is kept too, for it is what the gateway said")
  func usual() {
    let store = MemoryStore()
    let bench = WakeBench("claude", store: store)
    bench.start()
    bench.learn("")
    #expect(store.saves == 1)
    #expect(bench.names == ["openclaw", "claude", "computer"])
  }

  @Test("where the board has phrases of its own, flash holds none")
  func own() {
    let store = MemoryStore()
    let bench = WakeBench("a", own: "a", store: store)
    bench.start()
    bench.learn(#""b""#)
    #expect(store.saves == 0 && bench.names == ["a"])
  }

  @Test("a damaged file is told and replaced, and other records stay as they are", arguments: ["", ".old"])
  func damaged(generation: String) throws {
    let folder = Folder()
    let store = try files(folder)
    let bench = WakeBench("hey kitchen", store: store)
    bench.start()
    bench.learn(#""first""#)
    bench.learn(#""hey kitchen""#)
    try [1, 2].withUnsafeBufferPointer { try store.save(("fix" as StaticString).path, $0) }
    // The newest alone, or both.
    for suffix in Set(["", generation]) {
      let path = folder.path + "/phrases" + suffix
      var bytes = try #require(FileManager.default.contents(atPath: path))
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let after = WakeBench("hey kitchen", store: try files(folder))
    after.start()
    #expect(after.logs(generation.isEmpty ? "previous generation is used" : "cannot be read"))
    #expect(after.names == (generation.isEmpty ? ["first"] : ["openclaw", "claude", "computer"]))
    after.learn(#""hey kitchen""#)
    let third = WakeBench("hey kitchen", store: try files(folder))
    third.start()
    #expect(third.names == ["hey kitchen"])
    let other = FixedBuffer(capacity: 8)
    let found = try #require(try store.load(("fix" as StaticString).path, into: other.bytes))
    #expect(Array(other.bytes[..<found.count]) == [1, 2])
  }

  @Test(
    "a record whose checksum is right and whose words make no sense is forgotten",
    arguments: [[], [33], [1], [1, 193], [1, 1, 0xFF], [0, 0]])
  func senseless(bytes: [UInt8]) throws {
    let store = MemoryStore()
    try bytes.withUnsafeBufferPointer { try store.save(("phrases" as StaticString).path, $0) }
    let bench = WakeBench("claude", store: store)
    bench.start()
    #expect(bench.names == ["openclaw", "claude", "computer"])
    #expect(bench.logs("cannot be read"))
    bench.learn("")
    // The record, itself kept aside, and the new one.
    #expect(store.saves == 3)
  }

  @Test("a flash that refuses is tried again until the list is on it; meanwhile it counts already")
  func fullFlash() {
    let store = MemoryStore()
    let bench = WakeBench("a", store: store)
    bench.start()
    store.failure = .system(.noSpace)
    bench.learn(#""a""#)
    #expect(bench.names == ["a"] && store.saves == 0)
    #expect(bench.logs("could not be written to flash"))
    // The next one, before the last is there.
    bench.learn(#""b""#)
    store.failure = nil
    bench.pass(2 * Budget.recordRetryMilliseconds.lowerBound)
    #expect(store.saves == 1)
    let after = WakeBench("a", store: store)
    after.start()
    #expect(after.names == ["b"])
  }

  @Test("32 phrases of 64 units of three bytes each fit")
  func largest() {
    let store = MemoryStore()
    let bench = WakeBench("a", store: store)
    bench.start()
    let phrases = (0..<32).map { String(repeating: "字", count: 63) + "\(["a", "b"][$0 % 2])" }
    bench.learn(phrases.map { "\"\($0)\"" }.joined(separator: ","))
    let after = WakeBench("a", store: store)
    after.start()
    #expect(after.names == phrases)
  }

  @Test("power that goes at any call of a write leaves the old list or the new")
  func powerCuts() throws {
    for call in 0..<12 {
      let folder = Folder()
      let store = try TornStore(files(folder), folder: folder.path)
      let bench = WakeBench("a", store: store)
      bench.start()
      bench.learn(#""old""#)
      store.cutAt = call
      bench.learn(#""new""#)
      let after = WakeBench("a", store: try files(folder))
      after.start()
      #expect(after.names == ["old"] || after.names == ["new"], "cut at \(call)")
      after.learn(#""newest""#)
      let last = WakeBench("a", store: try files(folder))
      last.start()
      #expect(last.names == ["newest"])
    }
  }
}

/// A store whose power goes while a record is written: of what the write leaves, a part is there.
private final class TornStore: RecordStore {
  private let store: FileStore
  private let folder: String
  /// Which part of the next write gets through, in twelfths of its new file; nil: all.
  var cutAt: Int?

  init(_ store: FileStore, folder: String) {
    (self.store, self.folder) = (store, folder)
  }

  func load(_ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(StoreError) -> (
    count: Int, origin: RecordOrigin
  )? { try store.load(name, into: bytes) }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    guard let cutAt else { return try store.save(name, bytes) }
    let path = folder + "/" + String(cString: name)
    let files = FileManager.default
    let old = files.contents(atPath: path)!
    try store.save(name, bytes)
    let new = files.contents(atPath: path)!
    // The order of FileStore: the new file is written, the old one steps aside, the new one takes its place.
    if cutAt < 10 {
      #expect(files.createFile(atPath: path, contents: old))
      #expect(files.createFile(atPath: path + ".new", contents: new.prefix(new.count * cutAt / 9)))
    } else if cutAt == 10 {
      try? files.removeItem(atPath: path)
      #expect(files.createFile(atPath: path + ".old", contents: old))
      #expect(files.createFile(atPath: path + ".new", contents: new))
    }
    throw .system(.inputOutput)
  }
}
