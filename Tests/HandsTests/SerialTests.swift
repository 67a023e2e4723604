import Runtime
import Testing

@testable import Hands

@Suite("Requests on a serial line") struct SerialTests {
  private func exchange(_ line: ScriptedLine, _ terminator: String, room: Int = 64) -> (SerialExchange.Outcome, String)
  {
    let buffer = FixedBuffer(capacity: room)
    let request = Array("MEAS?\r\n".utf8)
    let outcome = request.withUnsafeBufferPointer {
      SerialExchange(terminator: EscapedText.bytes(terminator, limit: 8)!, timeout: 500)
        .run($0, over: line, into: buffer.bytes, clock: line.clock)
    }
    switch outcome {
    case .answer(let count), .cut(let count), .unfinished(let count):
      return (outcome, String(decoding: buffer.bytes[..<count], as: UTF8.self))
    default: return (outcome, "")
    }
  }

  @Test("the answer ends with its terminator, in whatever pieces it comes")
  func terminator() {
    let line = ScriptedLine()
    line.answers = [[Array("+2.34".utf8), Array("56E-3\r".utf8), Array("\nrest".utf8)]]
    #expect(exchange(line, "\\r\\n") == (.answer(10), "+2.3456E-3"))
    #expect(line.sent == [Array("MEAS?\r\n".utf8)])
  }

  @Test("without a terminator it ends with a pause")
  func quiet() {
    let line = ScriptedLine()
    line.answers = [[Array("12".utf8), Array("34".utf8)]]
    #expect(exchange(line, "none") == (.answer(4), "1234"))
    #expect(line.clock.monotonic < 100)
  }

  @Test("silence, half an answer, one that is too long, and a line that is gone are told apart")
  func failures() {
    let line = ScriptedLine()
    #expect(exchange(line, "\\n").0 == .silence)
    line.answers = [[Array("half".utf8)]]
    #expect(exchange(line, "\\n") == (.unfinished(4), "half"))
    line.answers = [[Array("a long answer".utf8)]]
    #expect(exchange(line, "\\n", room: 6) == (.cut(6), "a long"))
    line.failure = .noSuchFile
    #expect(exchange(line, "\\n").0 == .failed(.noSuchFile))
    #expect(line.closed == 1)
  }

  @Test("bytes that no line of a file can hold are written as escapes")
  func escapes() {
    #expect(EscapedText.bytes("\\x02AT\\r\\n\\0\\\\", limit: 10) == [2, 65, 84, 13, 10, 0, 92])
    #expect(EscapedText.bytes("none", limit: 1) == [])
    for wrong in ["\\", "\\x1", "\\xzz", "\\q", "abcdef"] { #expect(EscapedText.bytes(wrong, limit: 5) == nil) }
  }

  @Test("framing")
  func framing() {
    #expect(SerialFraming("8N1".utf8.span) == SerialFraming())
    #expect(SerialFraming("7E2".utf8.span)?.bits == 11)
    for wrong in ["", "8N", "9N1", "8X1", "8N3", "8N1 "] { #expect(SerialFraming(wrong.utf8.span) == nil) }
  }
}

@Suite("Patterns of what may be sent") struct TextPatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    let parsed = TextPattern(pattern.utf8.span)
    return try #require(parsed).matches(text.utf8.span)
  }

  @Test("the whole text must match")
  func whole() throws {
    #expect(try matches("MEAS[1-4]\\?", "MEAS3?"))
    #expect(try !matches("MEAS[1-4]\\?", "MEAS3?x") && !matches("MEAS[1-4]\\?", "MEAS5?"))
    #expect(try matches("SET [0-9]{1,3}|GET", "SET 120") && matches("SET [0-9]{1,3}|GET", "GET"))
    #expect(try !matches("SET [0-9]{1,3}|GET", "SET 1200") && !matches("SET [0-9]{1,3}|GET", "SET GET"))
    #expect(try matches("a?b*c+", "ccc") && matches("a?b*c+", "abbc") && !matches("a?b*c+", "ab"))
  }

  @Test("repetitions that overlap take no long")
  func bounded() throws {
    let pattern = String(repeating: "[a-z]*", count: 31) + "!"
    #expect(try !matches(pattern, String(repeating: "a", count: 256)))
    #expect(try !matches(pattern, String(repeating: "a", count: 257)))
  }

  @Test("control characters and bytes above ASCII never match")
  func controls() throws {
    #expect(try !matches(".*", "a\nb") && !matches(".*", "ü") && matches(".*", "a b"))
  }

  @Test(
    "what is no pattern is refused",
    arguments: [
      "", "[", "[]", "[z-a]", "*", "a{", "a{}", "a{2,1}", "a{999}", "(a)", "^a", "a\\", "[a-", "a\u{1}",
      String(repeating: "a", count: 33), "a|b|c|d|e|f|g|h|i",
    ])
  func wrong(text: String) { #expect(TextPattern(text.utf8.span) == nil) }

  @Test("a set may have ranges, a dash at its end, and escaped brackets")
  func sets() throws {
    #expect(try matches("[a-c-]+", "a-c") && matches("[\\]\\-]+", "]-") && matches("[ -~]", "~"))
  }
}
