import Codec
import Foundation
import Glibc
import Runtime
import Testing

@testable import talon

/// `talon journal` with an agent that gives two uses in an answer, and one answer on a connection.
@Suite("The journal at a console")
struct JournalCommandTests {
  private static let page = 2

  private static func use(_ number: Int) -> String {
    #"{"atMs":0,"command":"camera.snap","permissions":["camera"],"count":\#(number + 1),"lastedMs":90,"#
      + #""allowedBy":"screen","scope":"once","session":""}"#
  }

  /// Answers so many connections: a journal of `total` uses, of which that number `n` from the newest is counted
  /// `n + 1` times.
  private static func serve(_ file: Int32, total: Int, answers: Int) {
    listen(file, 4)
    for _ in 0..<answers {
      let client = accept(file, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &bytes, bytes.count, 0)
      let request = [UInt8](bytes[0..<max(count - 1, 0)])
      let back = JSONView(request.span).member("back")?.int64.map { Int($0) } ?? 0
      let uses = (back..<max(back, min(back + page, total))).map(use).joined(separator: ",")
      let answer = #"{"id":1,"type":"result","result":{"count":\#(total),"uses":[\#(uses)]}}"# + "\n"
      _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      close(client)
    }
    close(file)
  }

  private func lines(_ wanted: Int, total: Int, answers: Int) throws -> [String] {
    let folder = TemporaryFolder()
    let file = ConsoleClientTests.socket(at: folder.path + "/control")
    Thread.detachNewThread { Self.serve(file, total: total, answers: answers) }
    var lines: [String] = []
    try JournalCommand.show(wanted, folder: folder.path) { lines.append($0) }
    return lines
  }

  @Test("a journal of several answers is shown to its end")
  func several() throws {
    let lines = try lines(1000, total: 5, answers: 3)
    #expect(lines.count == 5)
    #expect(lines[0].hasSuffix("granted once at the screen"))
    #expect(!lines[0].contains(" x") && lines[4].contains(" x5"))
  }

  @Test("no more is shown than was asked for")
  func limited() throws {
    #expect(try lines(3, total: 5, answers: 2).count == 3)
  }

  @Test("an empty journal says so")
  func empty() throws {
    #expect(try lines(20, total: 0, answers: 1) == ["Nothing was used yet."])
  }
}
