import Glibc
import Runtime
import Testing

@Suite struct TextFileTests {
  private let folder = TemporaryFolder()

  @Test("a file is read up to the limit; one byte more is refused")
  func limit() throws {
    put(Array("12345".utf8), at: folder.file("a"))
    #expect(try TextFile.read(folder.file("a"), limit: 5) == Array("12345".utf8))
    #expect(throws: Errno(27)) { try TextFile.read(folder.file("a"), limit: 4) }
    put([], at: folder.file("a"))
    #expect(try TextFile.read(folder.file("a"), limit: 0) == [])
  }

  @Test("what is no readable file is an error with the kernel's reason")
  func unreadable() {
    #expect(throws: Errno.noSuchFile) { try TextFile.read(folder.file("none"), limit: 5) }
    #expect(throws: Errno(21)) { try TextFile.read(folder.path, limit: 5) }
  }

  private func replace(_ text: String) throws(Errno) {
    let path = try Path(folder.file("a"))
    let temporary = try Path(folder.file("a.new"))
    try Array(text.utf8).span.withUnsafeBytes { bytes throws(Errno) in
      try TextFile.replace(path, temporary: temporary, bytes)
    }
  }

  @Test("a file is replaced as a whole")
  func replacing() throws {
    try replace("long before")
    try replace("now")
    #expect(contents(of: folder.file("a")) == Array("now".utf8))
    #expect(entries(of: folder.path) == ["a"])
  }

  @Test("another file in the place of the new one is never written to")
  func planted() throws {
    put([7], at: folder.file("precious"))
    #expect(symlink(folder.file("precious"), folder.file("a.new")) == 0)
    try replace("new")
    #expect(try TextFile.read(folder.file("a"), limit: 10) == Array("new".utf8))
    #expect(contents(of: folder.file("precious")) == [7])
  }

  @Test("a refused call leaves the old file and nothing open", arguments: 0..<4)
  func refusal(index: Int) throws {
    try replace("before")
    var failure: Errno?
    let injector = FaultInjector.fail(index, .noSpace) {
      failure = reason { () throws(Errno) in try replace("now") }
    }
    let isClose = injector.calls[index].name == "close"
    #expect(failure == (isClose ? nil : .noSpace))
    #expect(injector.leaked == [])
    #expect(contents(of: folder.file("a")) == Array((isClose ? "now" : "before").utf8))
  }
}
