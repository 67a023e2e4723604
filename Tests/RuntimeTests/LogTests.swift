import Glibc
import Testing

@testable import Runtime

@Suite struct LogTests {
  private func lines(_ log: Log) -> [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  private func write(_ text: String, to log: Log) { log.write(.info, "t") { $0.add(text) } }

  @Test("a line has the form that journald understands")
  func form() {
    let log = Log(level: .debug, output: nil)
    log.write(.error, "camera", "gone")
    log.write(.debug, "gateway") { line in
      line.add("port ")
      line.add(443)
    }
    #expect(lines(log) == ["<3>camera: gone", "<7>gateway: port 443"])
  }

  @Test(
    "levels are those of syslog, and lines above the chosen one are dropped",
    arguments: [("error", 1), ("warning", 2), ("notice", 3), ("info", 4), ("debug", 5)])
  func levels(word: String, count: Int) throws {
    let log = Log(level: try #require(LogLevel(word: word)), output: nil)
    for level in [LogLevel.error, .warning, .notice, .info, .debug] { log.write(level, "t", "x") }
    #expect(lines(log) == ["<3>t: x", "<4>t: x", "<5>t: x", "<6>t: x", "<7>t: x"].prefix(count).map(\.self))
    #expect(log.written == UInt64(count))
  }

  @Test("a word that is no level is refused", arguments: ["", "Error", "warn", "fatal", "info "])
  func noLevel(word: String) {
    #expect(LogLevel(word: word) == nil)
  }

  @Test("the ring keeps the last lines, oldest first")
  func ring() {
    let log = Log(output: nil)
    let count = 2 * Budget.logLines + 3
    for number in 0..<count { write("\(number)", to: log) }
    #expect(lines(log) == (count - Budget.logLines..<count).map { "<6>t: \($0)" })
    #expect(log.written == UInt64(count))
  }

  @Test("a line that repeats the one before is counted, and the count is reported before the next")
  func repeats() {
    let log = Log(output: nil)
    for text in ["a", "a", "b", "a", "a", "a", "c"] { write(text, to: log) }
    #expect(
      lines(log) == [
        "<6>t: a", "<6>log: the last line was repeated 1 time", "<6>t: b", "<6>t: a",
        "<6>log: the last line was repeated 2 times", "<6>t: c",
      ])
    #expect(log.written == 6)
  }

  @Test("what happens again a minute later is written again")
  func laterRepeat() {
    let clock = ManualClock()
    let log = Log(output: nil, clock: clock)
    write("a", to: log)
    clock.monotonic += Log.repeatPeriod - 1
    write("a", to: log)
    #expect(lines(log) == ["<6>t: a"])
    clock.monotonic += 1
    write("a", to: log)
    #expect(lines(log) == ["<6>t: a", "<6>log: the last line was repeated 1 time", "<6>t: a"])
  }

  @Test("a line as long as the budget is whole, a longer one is cut and ends in dots")
  func longest() {
    let log = Log(output: nil)
    let room = Budget.logLineBytes - 1 - "<6>t: ".utf8.count
    write(String(repeating: "a", count: room), to: log)
    write(String(repeating: "a", count: room + 1), to: log)
    #expect(lines(log)[0] == "<6>t: " + String(repeating: "a", count: room))
    #expect(lines(log)[1] == "<6>t: " + String(repeating: "a", count: room - 3) + "...")
  }

  @Test("a line is cut between characters, never inside one", arguments: ["é", "€", "🚪"], 0..<4)
  func characters(character: String, shift: Int) throws {
    let log = Log(output: nil)
    write(String(repeating: "a", count: shift) + String(repeating: character, count: 200), to: log)
    let line = try #require(lines(log).first)
    #expect(line.utf8.count < Budget.logLineBytes)
    #expect(line.utf8.count > Budget.logLineBytes - 5)
    #expect(line.hasSuffix("\(character)..."))
    #expect(!line.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test("text that is no UTF-8 does not take the line with it")
  func noUTF8() {
    let log = Log(output: nil)
    log.write(.info, "t") { $0.add([UInt8](repeating: 0x80, count: 300).span) }
    var last: [UInt8] = []
    log.forEachLine { last = Array($0) }
    #expect(last.starts(with: "<6>t: ".utf8))
    #expect(last.count > Budget.logLineBytes - 8)
    #expect(last.suffix(3) == [46, 46, 46])
  }

  @Test("a secret is neither kept nor written, although a peer echoes it")
  func secret() {
    let pipe = Pipe()
    let log = Log(output: pipe.input)
    "t0ps3cret".withBytes { log.hide($0) }
    write("gateway says: bad token t0ps3cret, t0ps3cret", to: log)
    #expect(lines(log) == ["<6>t: gateway says: bad token [hidden], [hidden]"])
    #expect(pipe.read() == "<6>t: gateway says: bad token [hidden], [hidden]\n")
  }

  @Test("no part of a secret shows at the edge where a line is cut", arguments: 225...260)
  func secretAtEdge(position: Int) throws {
    let log = Log(output: nil)
    "t0ps3cret-t0ps3cret".withBytes { log.hide($0) }
    write(
      String(repeating: "a", count: position) + "t0ps3cret-t0ps3cret" + String(repeating: "b", count: 300),
      to: log)
    let line = try #require(lines(log).first)
    #expect(!line.contains("t0"))
    #expect(line.hasSuffix("..."))
  }

  @Test("no part of a secret shows when hiding others makes room for what a line had cut")
  func secretAtEndOfScratch() throws {
    let log = Log(output: nil)
    let secret = String(repeating: "0123456789", count: 20)
    secret.withBytes { log.hide($0) }
    write(String(repeating: secret + " ", count: 10), to: log)
    let line = try #require(lines(log).first)
    #expect(!line.contains("0123"))
  }

  @Test("each line is written as one line")
  func output() {
    let pipe = Pipe()
    let log = Log(output: pipe.input)
    log.write(.info, "gateway", "connected")
    log.write(.debug, "gateway", "not shown")
    write(String(repeating: "a", count: 1000), to: log)
    let written = pipe.read().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(written.count == 3)
    #expect(written[0] == "<6>gateway: connected")
    #expect(written[1].utf8.count == Budget.logLineBytes - 1)
    #expect(written[2] == "")
  }

  @Test("a full pipe loses the line and not the agent")
  func fullPipe() {
    let pipe = Pipe()
    let page = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(pipe.input.number, page, page.count) > 0 {}
    // As standard error is: a write would wait for ever.
    _ = fcntl(pipe.input.number, F_SETFL, 0)
    let log = Log(output: pipe.input)
    write("lost", to: log)
    #expect(lines(log) == ["<6>t: lost"])
    while !pipe.read().isEmpty {}
    write("found", to: log)
    #expect(pipe.read() == "<6>t: found\n")
  }
}
