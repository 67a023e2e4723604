import Foundation
import Runtime
import Testing

@Suite("Formats of records on flash")
struct RecordFormatTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-formats-\(UUID())").path

  private func store(_ recordBytes: Int = 64) throws -> FileStore {
    try FileStore(folder: folder, recordBytes: recordBytes)
  }

  private func load(_ store: FileStore) throws -> (text: String, origin: RecordOrigin)? {
    var bytes = [UInt8](repeating: 0, count: 64)
    return try bytes.withUnsafeMutableBufferPointer { bytes in
      try ("record" as StaticString).path.load(store, bytes)
    }
  }

  private func save(_ text: String, in store: FileStore) throws {
    try Array(text.utf8).withUnsafeBufferPointer { try store.save(("record" as StaticString).path, $0) }
  }

  private func contents(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
  }

  /// Makes a file the work of a release that writes format 2, which keeps header and checksum where they are.
  private func age(_ name: String) throws {
    var bytes = try #require(contents(name))
    bytes[3] = UInt8(ascii: "2")
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  @Test("what this release writes has format 1, as the releases before wrote it")
  func header() throws {
    try save("abc", in: store())
    // Magic and version, length, CRC-32 (IEEE 802.3) of "abc", contents.
    #expect(contents("record") == Array("TLN1".utf8) + [3, 0, 0, 0, 0xC2, 0x41, 0x24, 0x35] + Array("abc".utf8))
  }

  @Test("a newer release's record is not read, and the generation before it is")
  func previous() throws {
    let store = try store()
    try save("old", in: store)
    try save("new", in: store)
    try age("record")
    let found = try #require(try load(store))
    #expect(found.text == "old" && found.origin == .previous)
    #expect(contents("record.newer") == nil)
  }

  @Test("it is set aside, whole, before a record of this release takes its place")
  func aside() throws {
    let store = try store()
    try save("old", in: store)
    try save("new", in: store)
    try age("record")
    let newer = contents("record")
    try save("ours", in: store)
    #expect(contents("record.newer") == newer)
    #expect(try load(store)?.text == "ours")
    try save("ours again", in: store)
    #expect(contents("record.newer") == newer)
  }

  @Test("without a generation of this release reading fails by name, and nothing is lost by saving")
  func newer() throws {
    let store = try store()
    try save("old", in: store)
    try save("new", in: store)
    try age("record")
    try age("record.old")
    #expect(throws: StoreError.newer) { try load(store) }
    let newest = contents("record")
    try save("ours", in: store)
    #expect(contents("record.newer") == newest)
    #expect(try load(store)?.text == "ours")
  }

  @Test("a record that is larger than any of this release is a newer one's, and set aside as well")
  func larger() throws {
    try save(String(repeating: "x", count: 60), in: store())
    let small = try store(8)
    #expect(throws: StoreError.newer) { try load(small) }
    let larger = contents("record")
    try save("ours", in: small)
    #expect(contents("record.newer") == larger)
    #expect(try load(small)?.text == "ours")
  }

  @Test("a newer version with a wrong checksum, or an older magic, is damage")
  func damage() throws {
    let store = try store()
    try save("abc", in: store)
    try age("record")
    var torn = try #require(contents("record"))
    torn[12] ^= 1
    try Data(torn).write(to: URL(fileURLWithPath: folder + "/record"))
    #expect(throws: StoreError.torn) { try load(store) }
    torn[12] ^= 1
    torn[3] = UInt8(ascii: "0")
    try Data(torn).write(to: URL(fileURLWithPath: folder + "/record"))
    #expect(throws: StoreError.torn) { try load(store) }
  }
}

extension UnsafePointer<CChar> {
  fileprivate func load(
    _ store: FileStore, _ bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (text: String, origin: RecordOrigin)? {
    guard let found = try store.load(self, into: bytes) else { return nil }
    return (String(decoding: bytes[..<found.count], as: UTF8.self), found.origin)
  }
}
