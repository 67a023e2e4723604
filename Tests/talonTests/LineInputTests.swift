import Glibc
import Runtime
import Testing

@testable import talon

@Suite("Lines of a person") struct LineInputTests {
  /// What comes of a text, to its end.
  private func lines(_ text: String, most: Int = 8) throws -> [LineInput.Line] {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let bytes = Array(text.utf8)
    try #require(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    let input = try LineInput(most: most, of: Descriptor(ends[0]))
    var lines: [LineInput.Line] = []
    while lines.last != .ended { lines.append(try input.next()) }
    return lines
  }

  @Test(
    "lines come without the space around them, whatever ends them",
    arguments: [
      ("", []), ("a\n", [.text("a")]), (" a b \r\n\nc", [.text("a b"), .text(""), .text("c")]),
      ("12345678\n", [.text("12345678")]), ("12345678\r\nx\n", [.text("12345678"), .text("x")]),
    ] as [(String, [LineInput.Line])])
  func lines(text: String, lines: [LineInput.Line]) throws {
    #expect(try self.lines(text) == lines + [.ended])
  }

  @Test("of a line that is too long nothing is read, and the next one is whole")
  func long() throws {
    let long = String(repeating: "x", count: 1000)
    #expect(try lines("\(long)\nno\n") == [.tooLong, .text("no"), .ended])
    #expect(try lines(long) == [.tooLong, .ended])
  }

  @Test("Ctrl-C ends a pause, and a mere look finds it", arguments: [0, 60_000] as [Int64])
  func interrupted(milliseconds: Int64) throws {
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let input = try LineInput(most: 8)
    // From here on the signal waits for whoever looks.
    #expect(try input.pause(milliseconds: 0))
    raise(SIGINT)
    // A look that is held up by the machine for a millisecond may miss it once.
    var looks = 1
    while looks < 100, try input.pause(milliseconds: milliseconds) { looks += 1 }
    #expect(try looks < 100 && input.next() == .interrupted)
  }
}
