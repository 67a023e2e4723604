import Foundation
import Runtime
import Testing

@testable import FilesPart

@Suite("Lists of folders") struct FolderListTests {
  private let bench: ShareBench

  init() throws { bench = try ShareBench() }

  private func entries() throws -> [[String: Any]] { try bench.list()["entries"] as? [[String: Any]] ?? [] }

  @Test("entries are sorted by name, with size, type and time; links are links")
  func entry() throws {
    mkdir(bench.path + "/share/b", 0o755)
    bench.put("share/a.txt", "hi")
    symlink("/etc", bench.path + "/share/c")
    bench.put("share/.talon-new", "half")
    bench.put("share/.hidden", "")
    #expect(bench.call(.list, "share") == nil)
    let list = try bench.list(), found = try entries()
    #expect(list["ok"] as? Bool == true && list["truncated"] as? Bool == false && list["nextPageToken"] == nil)
    #expect(found.map { $0["name"] as? String } == [".hidden", "a.txt", "b", "c"])
    #expect(found.map { $0["isDir"] as? Bool } == [false, false, true, false])
    #expect(
      found.map { $0["mimeType"] as? String } == [
        "application/octet-stream", "text/plain", "inode/directory", "inode/symlink",
      ])
    #expect(found.map { $0["size"] as? Int } == [0, 2, 0, 0])
    #expect(found[1]["path"] as? String == bench.path + "/share/a.txt")
    #expect((found[1]["mtime"] as? Int ?? 0) > 1_600_000_000_000)
  }

  @Test("a walk over the pages of a thousand names has each once, in order")
  func pages() throws {
    let names = (0..<1000).map { "n\(($0 * 7919) % 1000)-\"x\"" }
    for name in names { bench.put("share/" + name) }
    var (found, token, calls): ([String], String?, Int) = ([], "0", 0)
    while let page = token {
      #expect(bench.call(.list, "share", #","maxEntries":97,"pageToken":"\#(page)""#) == nil)
      let list = try bench.list()
      found += try entries().compactMap { $0["name"] as? String }
      token = list["nextPageToken"] as? String
      #expect(list["truncated"] as? Bool == (token != nil))
      calls += 1
      try #require(calls < 20)
    }
    #expect(calls == 11 && found == Set(names).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(bench.call(.list, "share") == nil)
    #expect(try entries().count == 200 && bench.list()["nextPageToken"] as? String == "200")
  }

  @Test("tokens that are none are refused, and one beyond the end lists nothing")
  func tokens() throws {
    bench.put("share/a")
    for token in [#""x""#, #""-1""#, "1", #""""#, #""99999999999999999""#] {
      #expect(bench.call(.list, "share", #","pageToken":\#(token)"#) == "INVALID_PATH", "\(token)")
    }
    #expect(bench.call(.list, "share", #","pageToken":"7""#) == nil)
    #expect(try entries().isEmpty && bench.list()["truncated"] as? Bool == false)
    #expect(bench.call(.list, "share", #","pageToken":null,"maxEntries":0"#) == nil)
    #expect(try entries().count == 1)
  }

  @Test("a page ends at the entries and at the bytes that the budget gives")
  func longPages() throws {
    let most = Int(Budget.listedEntryRange.upperBound)
    for number in 0...most { bench.put("share/\(number)") }
    #expect(bench.call(.list, "share", #","maxEntries":9999"#) == nil)
    #expect(try entries().count == most && bench.list()["nextPageToken"] as? String == "\(most)")
    #expect(bench.call(.list, "share") == nil)
    #expect(try entries().count == Int(Budget.listedEntries))
    // Each name is written twice.
    let name = String(repeating: "n", count: 200), many = Budget.listBytes / 400
    for number in 0..<many { bench.put("inbox/\(name)\(number)") }
    #expect(bench.call(.list, "inbox", #","maxEntries":\#(most)"#) == nil)
    let count = try entries().count
    let next = try bench.list()["nextPageToken"] as? String
    #expect(count < many && next == "\(count)")
    #expect(bench.job.count <= Budget.listBytes && bench.job.count > Budget.listBytes - 1024)
  }

  @Test("so many names are sorted as the budget gives, or so many bytes of them")
  func largeTables() {
    let names = FixedBuffer(capacity: Budget.listedNameBytes), index = FixedBuffer(capacity: 4 * Budget.listedNames)
    func fill(_ name: String) -> Int {
      var table = NameTable(names: names.bytes, index: UnsafeMutableRawBufferPointer(index.bytes))
      while name.withCString({ table.add($0) }) {}
      #expect(table.isFull)
      return table.count
    }
    #expect(fill("short") == Budget.listedNames)
    // With its end, a name is a power of two.
    #expect(fill(String(repeating: "n", count: Budget.fileNameBytes)) == Budget.listedNameBytes / 256)
  }

  @Test("names for which there is no room are left out, and it is said")
  func table() {
    let names = FixedBuffer(capacity: 11), index = FixedBuffer(capacity: 64)
    var table = NameTable(names: names.bytes, index: UnsafeMutableRawBufferPointer(index.bytes))
    let added = ["dd", "b", "a", "cc", "e"].map { name in name.withCString { table.add($0) } }
    #expect(added == [true, true, true, true, false] && table.isFull && table.count == 4)
    table.sort()
    #expect((0..<4).map { String(decoding: table.name($0), as: UTF8.self) } == ["a", "b", "cc", "dd"])
  }
}
