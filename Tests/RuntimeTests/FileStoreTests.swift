import Glibc
import Runtime
import Testing

@Suite struct FileStoreTests {
  private let record: StoreUnderTest

  init() throws { record = try StoreUnderTest() }

  private func current(_ text: String) -> StoreUnderTest.Loaded { .init(text: text, origin: .current) }
  private func previous(_ text: String) -> StoreUnderTest.Loaded { .init(text: text, origin: .previous) }

  @Test("what was never saved is not there")
  func missing() throws {
    #expect(try record.load() == nil)
  }

  @Test("the newest contents are loaded, the generation before is kept")
  func generations() throws {
    for text in ["one", "two", "three"] { try record.save(text) }
    #expect(try record.load() == current("three"))
    #expect(entries(of: record.folder.file("state")) == ["key", "key.old"])
    unlink(record.file())
    #expect(try record.load() == previous("two"))
  }

  @Test("records of any length are kept", arguments: [0, 1, 4, 12, 4096, Budget.storeRecordBytes])
  func lengths(length: Int) throws {
    let text = String(repeating: "x", count: length)
    try record.save("before")
    try record.save(text)
    #expect(try record.load() == current(text))
  }

  @Test("a record larger than the budget is refused and changes nothing")
  func tooLarge() throws {
    try record.save("small")
    #expect(
      storeReason { () throws(StoreError) in
        try record.save(String(repeating: "x", count: Budget.storeRecordBytes + 1))
      } == .tooLarge)
    #expect(try record.load() == current("small"))
    #expect(entries(of: record.folder.file("state")) == ["key"])
  }

  @Test("a store for larger records takes them, beside one for smaller ones in the same folder")
  func largerRecords() throws {
    try record.save("small")
    let large = try FileStore(folder: record.folder.file("state"), recordBytes: 2 * Budget.storeRecordBytes)
    let name = ("large" as StaticString).path
    let bytes = [UInt8](repeating: 7, count: 2 * Budget.storeRecordBytes + 1)
    let buffer = FixedBuffer(capacity: bytes.count)
    try bytes.withUnsafeBufferPointer { all throws(StoreError) in
      #expect(storeReason { () throws(StoreError) in try large.save(name, all) } == .tooLarge)
      try large.save(name, UnsafeBufferPointer(rebasing: all.dropLast()))
    }
    #expect(try large.load(name, into: buffer.bytes)?.count == bytes.count - 1)
    #expect(buffer.bytes.dropLast().allSatisfy { $0 == 7 })
    #expect(try record.load() == current("small"))
  }

  @Test("a record larger than the buffer that shall take it is refused")
  func noRoom() throws {
    try record.save("12345")
    #expect(try record.load(room: 5) == current("12345"))
    #expect(storeReason { () throws(StoreError) in _ = try record.load(room: 4) } == .tooLarge)
  }

  @Test("a link, a hard link or a pipe in the place of a new generation is never written to")
  func planted() throws {
    try record.save("one")
    let precious = record.folder.file("precious")
    for plant in [
      { symlink(precious, self.record.file(".new")) }, { link(precious, self.record.file(".new")) },
      { symlink(self.record.folder.file("made"), self.record.file(".new")) },
      { mkfifo(self.record.file(".new"), 0o666) },
    ] as [() -> Int32] {
      put(Array("root's".utf8), at: precious)
      chmod(precious, 0o640)
      // Where the newest generation is torn, the one in the making is looked at as well.
      put([1, 2, 3], at: record.file())
      unlink(record.file(".new"))
      #expect(plant() == 0)
      do throws(StoreError) { try record.save("two") } catch {}
      #expect(contents(of: precious) == Array("root's".utf8))
      #expect(RuntimeTests.permissions(of: precious) == 0o640)
      #expect(access(record.folder.file("made"), F_OK) != 0)
      unlink(record.file(".new"))
      try record.save("three")
      #expect(try record.load() == current("three"))
    }
  }

  @Test("a link, a pipe or a folder in the place of a record is refused with what it is, and not waited for")
  func foreign() throws {
    for (plant, reason) in [
      ({ symlink("/dev/null", self.record.file()) }, Errno.tooManyLinks),
      ({ mkfifo(self.record.file(), 0o666) }, .notPlainFile),
      ({ mkdir(self.record.file(), 0o777) }, .notPlainFile),
    ] as [(() -> Int32, Errno)] {
      _ = mkdir(record.folder.file("state"), 0o700)
      #expect(plant() == 0)
      #expect(storeReason { () throws(StoreError) in _ = try record.load() } == .system(reason))
      #expect(storeReason { () throws(StoreError) in try record.save("x") } == .system(reason))
      if Glibc.unlink(record.file()) != 0 { rmdir(record.file()) }
    }
  }

  @Test("only the owner may look")
  func permissions() throws {
    try record.save("one")
    try record.save("two")
    #expect(RuntimeTests.permissions(of: record.folder.file("state")) == 0o700)
    #expect(RuntimeTests.permissions(of: record.file()) == 0o600)
    #expect(RuntimeTests.permissions(of: record.file(".old")) == 0o600)
  }

  @Test("a folder that cannot be made is an error with the kernel's reason")
  func noFolder() {
    #expect(
      storeReason { () throws(StoreError) in _ = try FileStore(folder: record.folder.file("no/such/parent")) }
        == .system(.noSuchFile))
    #expect(
      storeReason { () throws(StoreError) in
        _ = try FileStore(folder: "/" + String(repeating: "x", count: Budget.pathBytes))
      } == .system(Errno(36)))
  }

  @Test("records of other names are not touched")
  func names() throws {
    try record.save("one")
    let name = ("other" as StaticString).path
    try Array("two".utf8).withUnsafeBufferPointer { bytes throws(StoreError) in
      try record.store.save(name, bytes)
    }
    #expect(try record.load() == current("one"))
    #expect(entries(of: record.folder.file("state")) == ["key", "other"])
  }

  // MARK: Damage

  @Test("a record that is cut off anywhere is found torn, and the generation before is used")
  func truncated() throws {
    try record.save("before")
    try record.save("newest contents")
    let whole = try #require(contents(of: record.file()))
    for length in 0..<whole.count {
      put(Array(whole[..<length]), at: record.file())
      #expect(try record.load() == previous("before"), "\(length) bytes")
    }
    put(whole + [0], at: record.file())
    #expect(try record.load() == previous("before"))
    put(whole, at: record.file())
    #expect(try record.load() == current("newest contents"))
  }

  @Test("a record with any bit turned over is found torn, and the generation before is used")
  func flipped() throws {
    try record.save("before")
    try record.save("newest contents")
    let whole = try #require(contents(of: record.file()))
    for bit in 0..<8 * whole.count {
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      put(damaged, at: record.file())
      #expect(try record.load() == previous("before"), "bit \(bit)")
    }
  }

  @Test("when both generations are torn, that is reported and nothing is made up")
  func bothTorn() throws {
    try record.save("before")
    try record.save("newest")
    put(Array("rubbish".utf8), at: record.file())
    put([], at: record.file(".old"))
    #expect(storeReason { () throws(StoreError) in _ = try record.load() } == .torn)
    try record.save("again")
    #expect(try record.load() == current("again"))
  }

  @Test("a torn first record, and nothing else, is torn and not absent", arguments: ["", ".old"])
  func firstTorn(suffix: String) throws {
    put(Array("TLN1".utf8), at: record.file(suffix))
    #expect(storeReason { () throws(StoreError) in _ = try record.load() } == .torn)
  }

  @Test("a first save that was cut half way left nothing")
  func firstCut() throws {
    put(Array("TLN1".utf8), at: record.file(".new"))
    #expect(try record.load() == nil)
  }

  @Test("a file far larger than any record is torn")
  func hugeFile() throws {
    put([UInt8](repeating: 1, count: 4 * Budget.storeRecordBytes), at: record.file())
    #expect(storeReason { () throws(StoreError) in _ = try record.load() } == .torn)
  }

  @Test("an interrupted save over a torn record is found and finished by the next one")
  func interrupted() throws {
    try record.save("one")
    let whole = try #require(contents(of: record.file()))
    put([], at: record.file())
    put(whole, at: record.file(".new"))
    #expect(try record.load() == previous("one"))
    try record.save("two")
    #expect(try record.load() == current("two"))
    unlink(record.file())
    #expect(try record.load() == previous("one"))
  }

  @Test("a torn record never pushes out the generation before it")
  func tornStaysInPlace() throws {
    try record.save("one")
    try record.save("two")
    put([], at: record.file())
    try record.save("three")
    #expect(try record.load() == current("three"))
    unlink(record.file())
    #expect(try record.load() == previous("one"))
  }

  @Test("a file that root saves in another user's folder belongs to root", .enabled(if: getuid() == 0))
  func delegate() throws {
    try record.save("by root")
    chown(record.folder.file("state"), 65_534, 65_534)
    try record.save("by root again")
    var status = stat()
    #expect(stat(record.file(), &status) == 0)
    #expect(status.st_uid == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }
}
