import Foundation
import Runtime
import Testing
@testable import talon

/// The file of `talon support`.
@Suite struct SupportTests {
  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  @Test("an archive has a block for each header, whole blocks of contents, and two empty ones at its end")
  func archive() {
    var archive = TarArchive(time: 1_700_000_000)
    archive.add("talon/a", Array("hello".utf8))
    archive.add("talon/b", [])
    archive.end()
    let bytes = archive.bytes
    #expect(bytes.count == 5 * 512)
    #expect(text(bytes[0..<100]) == "talon/a")
    #expect(text(bytes[124..<136]) == "00000000005")
    #expect(text(bytes[136..<148]) == "14524770400")
    #expect(text(bytes[257..<263]) == "ustar")
    var header = Array(bytes[0..<512])
    header.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
    #expect(Int(text(bytes[148..<154]), radix: 8) == header.reduce(0) { $0 + Int($1) })
    #expect(text(bytes[512..<1024]) == "hello")
    #expect(bytes[1536...].allSatisfy { $0 == 0 })
  }

  @Test("a clock before 1970 and a name that is too long are cut to what a header holds")
  func extremes() {
    var archive = TarArchive(time: .min)
    archive.add(String(repeating: "n", count: 300), [1])
    #expect(text(archive.bytes[136..<148]) == "00000000000")
    #expect(archive.bytes[99] == UInt8(ascii: "n") && archive.bytes[100] == UInt8(ascii: "0"))
    var late = TarArchive(time: .max)
    late.add("x", [])
    #expect(text(late.bytes[136..<148]) == "77777777777")
  }

  @Test("of a long file the end is kept, and the archive stays within its limit")
  func limits() {
    var archive = TarArchive(time: 0)
    let long = [UInt8](repeating: 1, count: Budget.supportFileBytes) + [2]
    let isFirst = archive.add("one", long)
    #expect(text(archive.bytes[124..<136]) == "00000500000")
    #expect(archive.bytes[511 + Budget.supportFileBytes] == 2)
    let others = ["two", "three", "four"].map { archive.add($0, long) }
    #expect(isFirst && others == [true, true, false])
    #expect(archive.bytes.count <= Budget.supportBytes + 1024)
  }

  @Test("without an agent the file has what there is, and no secret")
  func withoutAgent() throws {
    let folder = NSTemporaryDirectory() + "support-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/talon.conf"
    let text =
      "[gateway]\nurl = ws://127.0.0.1:9\ntoken = S3cret-token\n[update]\nserver = https://a/T\ntoken = S3cret-update\n"
      + "[node]\nstate_directory = \(folder)/state\nruntime_directory = \(folder)/run\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let bytes = SupportFiles(try ConfigCommand.read(path), path: path).archive()
    let all = String(decoding: bytes, as: UTF8.self)
    #expect(all.contains("talon-support/doctor.txt") && all.contains("talon-support/configuration.txt"))
    #expect(all.contains("token = (hidden)") && all.contains("not running"))
    #expect(!all.contains("S3cret"))
    #expect(bytes.count <= Budget.supportBytes + 20 * 1024)
  }
}
