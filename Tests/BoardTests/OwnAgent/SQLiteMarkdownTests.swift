import Foundation
import Runtime
import Testing

@testable import Board
@testable import OwnAgent

extension SQLiteMemoryTests {
  @Test("a file of Markdown has the whole memory, and gives it to another")
  func markdown() throws {
    let desk = try SQLiteDesk(), other = try SQLiteDesk()
    var dice = SQLiteDice(4)
    for time in 0..<300 {
      let text =
        (0...dice.below(5)).map { _ in ["# Facts", "- x", "  ", "花", "end.", "**a**: "][dice.below(6)] }.joined(
          separator: "\n") + "!"
      let at = Int64(time) * 7_777_777
      desk.remember([.fact(at: at), .note(day: at % 9, at: at), .conversation(.tool, at: at)][dice.below(3)], text)
    }
    let path = desk.bench.folder + "/memory.md"
    guard case .written(300) = desk.export(try MarkdownFileSink(path: path)) else { throw MemoryFault(.markdown) }
    #expect(desk.bench.files.contains("memory.md") && !desk.bench.files.contains("memory.md.new"))
    guard case .read(let report) = other.take(try MarkdownFileSource(path: path)) else { throw MemoryFault(.markdown) }
    #expect(report.taken == 300 && report.refused == 0)
    _ = other.export(try MarkdownFileSink(path: path + "2"))
    #expect(FileManager.default.contents(atPath: path) == FileManager.default.contents(atPath: path + "2"))
    guard case .read(let again) = other.take(try MarkdownFileSource(path: path)) else { throw MemoryFault(.markdown) }
    #expect(again.taken == 0 && again.known == 300)
  }

  @Test("files of Markdown that cannot be opened or written are said, and no half of one stays")
  func markdownFailures() throws {
    let desk = try SQLiteDesk()
    desk.remember(.fact(at: 0), "x")
    #expect(throws: Errno.noSuchFile) { _ = try MarkdownFileSource(path: desk.bench.folder + "/none") }
    #expect(throws: Errno.notPlainFile) { _ = try MarkdownFileSource(path: desk.bench.folder) }
    #expect(desk.fault(desk.export(try MarkdownFileSink(path: desk.bench.folder + "/no/where.md"))) == .markdown)
  }
}
