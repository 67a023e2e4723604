import Codec
import Foundation
import Node
import Runtime
import Testing
@testable import Benches
@testable import ToolsPart

@Suite("A question to whoever is at the board")
struct QuestionTests {
  /// The ways to ask and to answer, each a command that does what the test says.
  private final class Ways: CommandHandler {
    let names: [String]
    /// The commands that run, with their parameters.
    var running: [(name: String, token: InvokeToken, parameters: String)] = []

    init(_ names: [String], _ router: Router) {
      self.names = names
      router.add(forTools: names.map { CommandRow($0, limit: 1) }, self)
    }

    func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
      let text = parameters.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      running.append((names[command], token, text))
    }

    func cancel(_ token: InvokeToken) { running.removeAll { $0.token == token } }

    var now: [String] { running.map(\.name) }

    func take(_ name: String) throws -> InvokeToken {
      let index = try #require(running.firstIndex { $0.name == name })
      return running.remove(at: index).token
    }
  }

  private let bench: RouterBench
  private let ways: Ways
  private let part: ToolsPart

  /// A board with these commands, whose owner lets the agent have everything.
  private init(_ names: [String], choice: ToolChoice = .all) throws {
    bench = try RouterBench()
    ways = Ways(names, bench.router)
    var settings = ToolSettings()
    settings.choice = choice
    part = try ToolsPart(
      settings: settings, displayName: InlineText(cutting: "Test"), router: bench.router, clock: bench.clock,
      log: Log(level: .error, output: nil))
    part.addCommands(to: bench.router)
  }

  init() throws { try self.init(["tool.choose", "tool.say", "tool.press", "tool.listen"]) }

  private func ask(_ arguments: String = #"{"question":"Is it dry?"}"#, id: String = "1") {
    bench.invoke(
      id, "mcp.tools.call.v1", key: nil, timeout: 120_000,
      params: #"{"server":"talon","tool":"ask","arguments":\#(arguments)}"#)
  }

  private func pass(_ milliseconds: Int64) {
    bench.pass(milliseconds)
    part.advance(to: bench.clock.monotonic)
  }

  private func answer(_ way: String, _ facts: String) throws {
    let text = Array(facts.utf8)
    bench.router.succeed(try ways.take(way)) { $0.raw(text.span) }
  }

  @Test("it is shown and spoken, and answered by the first press")
  func pressed() throws {
    ask(#"{"question":"Is it dry?","buttons":["Yes","No","A \"bit\""]}"#)
    #expect(ways.now == ["tool.press", "tool.choose", "tool.say"])
    #expect(ways.running[1].parameters == #"{"text":"Is it dry?","buttons":["Yes","No","A \"bit\""]}"#)
    try answer("tool.choose", #"{"answer":"A \"bit\""}"#)
    #expect(ways.now.isEmpty)
    #expect(
      bench.take() == [
        #"1: {"content":[{"type":"text","text":"Somebody answered: A \"bit\""}],"#
          + #""structuredContent":{"text":"Somebody answered: A \"bit\"","answer":"A \"bit\"","by":"screen"}}"#
      ])
    #expect(bench.router.count == 0)
  }

  @Test("it listens once the question was spoken, again when nothing was understood, until the time is over")
  func spoken() throws {
    ask(#"{"question":"Is it dry?","seconds":20}"#)
    try answer("tool.say", #"{"ok":true}"#)
    #expect(ways.now == ["tool.press", "tool.choose", "tool.listen"])
    try answer("tool.listen", #"{"text":"Nobody","transcript":null}"#)
    #expect(ways.now == ["tool.press", "tool.choose", "tool.listen"])
    pass(19_000)
    #expect(bench.take().isEmpty)
    pass(1_000)
    #expect(ways.now.isEmpty)
    #expect(bench.take().first?.contains("Nobody answered") == true)
  }

  @Test("words are an answer")
  func voice() throws {
    ask(#"{"question":"Is it dry?","speak":false}"#)
    #expect(ways.now == ["tool.press", "tool.choose", "tool.listen"])
    try answer("tool.listen", #"{"text":"x","transcript":"no, it is wet"}"#)
    #expect(bench.take().first?.contains(#""answer":"no, it is wet","by":"voice""#) == true)
  }

  @Test("one at a time; what the agent does not wait for any more is asked no more")
  func one() throws {
    ask()
    ask(id: "2")
    #expect(bench.take().first?.contains("asks another question") == true)
    bench.cancelInvoke("1")
    #expect(ways.now.isEmpty && bench.router.count == 0)
    ask(id: "3")
    #expect(ways.now.count == 3)
  }

  @Test("wrong buttons are told; a voice that fails is not missed")
  func failures() throws {
    ask()
    bench.router.fail(try ways.take("tool.choose"), code: "INVALID_REQUEST") { $0.text("there are 6 buttons at most") }
    #expect(bench.take().first?.contains("there are 6 buttons at most") == true)
    #expect(ways.now.isEmpty)
    ask(id: "2")
    bench.router.fail(try ways.take("tool.say"), code: "BUSY") { $0.text("busy") }
    #expect(ways.now == ["tool.press", "tool.choose", "tool.listen"])
    #expect(bench.take().isEmpty)
  }

  @Test(
    "what makes no sense is told",
    arguments: [
      ("{}", "question is a text"), (#"{"question":7}"#, "question is a text"),
      (#"{"question":""}"#, "question is a text"),
      (#"{"question":"\#(String(repeating: "x", count: 1100))"}"#, "question is a text"),
      (#"{"question":"a","seconds":4}"#, "from 5 to 110"), (#"{"question":"a","seconds":"x"}"#, "from 5 to 110"),
      (#"{"question":"a","buttons":["\#(String(repeating: "x", count: 2200))"]}"#, "buttons are at most"),
    ])
  func nonsense(arguments: String, complaint: String) throws {
    ask(arguments)
    #expect(bench.take().first?.contains(complaint) == true)
    #expect(ways.now.isEmpty && bench.router.count == 0)
  }

  @Test("it exists where somebody could be asked and could answer")
  func existence() throws {
    #expect(try asks(["tool.choose"]))
    #expect(try !asks(["tool.say"]))
    #expect(try asks(["tool.say", "tool.press"]))
    #expect(try asks(["tool.say", "tool.listen"]))
    // Without the owner's leave to listen nobody could answer.
    #expect(try !asks(["tool.say", "tool.listen"], choice: .safe))
  }

  /// Whether a board with these commands publishes the tool.
  private func asks(_ commands: [String], choice: ToolChoice = .all) throws -> Bool {
    let part = try QuestionTests(commands, choice: choice).part
    return part.published.contains { part.tools[$0].name == "ask" }
  }

  @Test("a lost connection ends it, and what a person tests too")
  func lost() throws {
    ask()
    bench.router.offline()
    part.offline()
    #expect(ways.now.isEmpty && bench.router.count == 0)
    ask(id: "2")
    #expect(ways.now.count == 3)
  }
}
