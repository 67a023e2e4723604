import Runtime
import Testing

@testable import MCP

/// Servers that lie, flood, stall and die.
@Suite("A hostile MCP server") struct HostileTests {
  @Test("ids that are unknown, repeated, or of another type answer nothing")
  func ids() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.call(1)
    let id = stage.id("tools/call")
    for wrong in ["\"\(id)\"", "null", "\(id + 1)", "-\(id)", "\(id).5", "1e300", "true", "[\(id)]", "{}", "1"] {
      stage.link.reply(#"{"jsonrpc":"2.0","id":\#(wrong),"result":{}}"#)
    }
    #expect(stage.caller.answers.isEmpty && stage.client.counts.strangeAnswers == 10)
    stage.link.reply(#"{"jsonrpc":"2.0","id":\#(id),"result":{"a":1}}"#)
    stage.link.reply(#"{"jsonrpc":"2.0","id":\#(id),"result":{"a":2}}"#)
    #expect(stage.caller.answers == [1: [#"+{"a":1}"#]] && stage.client.counts.strangeAnswers == 11)
  }

  @Test("a line that is no message is counted, and the next one read")
  func noise() throws {
    let stage = try Stage()
    stage.becomeReady()
    for line in ["INFO: started", "{", "\u{1}", "{}", "[]", "3", "\"x\"", "{\"method\":3}"] { stage.link.reply(line) }
    stage.link.feed([0xFF, 0xFE, 0x0A, 0x0D, 0x0A, 0x0A])
    stage.link.reply(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
    stage.call(1)
    stage.link.reply(#"{"id":\#(stage.id("tools/call")),"result":{}}"#)
    #expect(stage.caller.answers == [1: ["+{}"]] && stage.phase == .ready)
  }

  @Test("the answer that is too long fails its call, whether its id is seen or not", arguments: [true, false])
  func longLine(hasID: Bool) throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.call(1)
    let id = stage.id("tools/call")
    let text = String(repeating: "x", count: Budget.mcpLineBytes)
    let result = #""result":{"content":[{"type":"text","text":"\#(text)"}]}"#
    stage.link.reply(hasID ? #"{"id":\#(id),\#(result)}"# : #"{\#(result),"id":\#(id)}"#)
    #expect(stage.caller.kinds == [1: .longResult] && stage.client.counts.longLines == 1 && stage.phase == .ready)
    stage.call(2)
    stage.link.reply(#"{"id":\#(stage.id("tools/call")),"result":{}}"#)
    #expect(stage.caller.answers[2] == ["+{}"])
  }

  @Test("a line without end ends the server")
  func endless() throws {
    let stage = try Stage()
    stage.becomeReady()
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<20 where stage.link.isOpen { stage.link.feed(piece) }
    #expect(stage.phase == .resting && stage.client.session.trouble == .flood && !stage.link.isOpen)
  }

  @Test(
    "a flood is not read, and a larger one ends the server",
    arguments: [
      #"{"method":"notifications/message","params":{}}"#, #"{"id":1,"method":"ping"}"#, #"{"id":99,"result":{}}"#, "x",
    ])
  func flood(line: String) throws {
    let stage = try Stage()
    stage.becomeReady()
    _ = stage.link.messages()
    for _ in 0..<1_000 { stage.link.reply(line) }
    #expect(stage.phase == .ready && stage.client.ignoredLines == UInt64(1_000 - Budget.mcpLinesPerSecond))
    #expect(stage.link.sent.count <= Budget.mcpLinesPerSecond)
    for _ in 0..<5_000 where stage.link.isOpen { stage.link.reply(line) }
    #expect(stage.client.session.trouble == .flood && stage.link.closes == 1)
  }

  @Test(
    "long lines that nobody waits for are a flood before they are many",
    arguments: [
      (#"{"method":"notifications/message","params":{"data":""#, #""}}"#, 900), ("", "", 900),
      (#"{"id":99,"result":""#, #""}"#, 2_048),
    ])
  func longLines(begin: String, end: String, kilobytes: Int) throws {
    let stage = try Stage()
    stage.becomeReady()
    let line = begin + String(repeating: "x", count: kilobytes << 10) + end
    for _ in 0..<10 where stage.link.isOpen { stage.link.reply(line) }
    #expect(stage.client.session.trouble == .flood && stage.link.closes == 1)
  }

  @Test("blank lines without end are a flood", arguments: ["\n", "\r\n"])
  func blankLines(end: String) throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.link.feed(Array(String(repeating: end, count: 10_000).utf8))
    #expect(stage.client.session.trouble == .flood && stage.link.closes == 1)
  }

  @Test("a long line that nobody waits for does not hide the short one after it")
  func longThenShort() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.link.reply(#"{"id":99,"result":"\#(String(repeating: "x", count: 900 << 10))"}"#)
    _ = stage.link.messages()
    stage.link.reply(#"{"id":1,"method":"ping"}"#)
    #expect(stage.link.messages().count == 1)
  }

  @Test("one that is too slow, or refuses to tell its tools, is told of once, as one that dies is")
  func told() throws {
    let ways: [(MCPSession.Trouble, (Stage) -> Void)] = [
      (.slowStart, { $0.client.start() }),
      (
        .slowGreeting,
        { stage in
          stage.client.start()
          stage.link.delegate?.linkOpened()
        }
      ),
      (.slowList, { $0.greet() }),
      (
        .noList,
        { stage in
          stage.greet()
          stage.link.reply(#"{"id":\#(stage.id("tools/list")),"error":{"code":-1,"message":"no"}}"#)
        }
      ),
    ]
    for (trouble, way) in ways {
      let stage = try Stage()
      way(stage)
      // Up to the failure: afterwards it is begun again.
      while stage.phase != .resting, let due = stage.client.nextDeadline { stage.wait(due - stage.clock.monotonic) }
      #expect(stage.client.session.trouble == trouble && stage.caller.failures.count == 1, "\(trouble)")
    }
  }

  @Test("one that dies fails each call once, in every phase, and says whether it may have been carried out")
  func dies() throws {
    for phase in [MCPSession.Phase.opening, .greeting, .listing, .ready] {
      let stage = try Stage()
      stage.becomeReady()
      stage.wait(Budget.mcpIdleMilliseconds)
      stage.call(1)
      if phase != .opening { stage.link.delegate?.linkOpened() }
      if phase == .listing || phase == .ready { stage.greetAgain() }
      if phase == .ready {
        stage.link.reply(#"{"id":\#(stage.id("tools/list")),"result":{"tools":[\#(Stage.tool("lamp"))]}}"#)
      }
      #expect(stage.phase == phase)
      stage.link.die("Traceback\u{7} most recent")
      #expect(stage.caller.kinds == [1: phase == .ready ? .lost : .resting] && stage.caller.answers[1]?.count == 1)
      #expect(stage.caller.failures == ["Traceback most recent"])
      stage.call(2)
      #expect(stage.caller.kinds[2] == .resting)
      stage.wait(1_000)
      // Its tools are known: the next call begins it again.
      #expect(stage.phase == .asleep && stage.names() == ["home_lamp"])
    }
  }

  @Test("one that hangs is told to stop, asked whether it lives, and ended")
  func hangs() throws {
    let stage = try Stage { $0.timeout = 5_000 }
    stage.becomeReady()
    stage.call(1)
    _ = stage.link.messages()
    stage.wait(5_000)
    #expect(stage.caller.kinds == [1: .timedOut])
    #expect(stage.link.messages().compactMap { $0["method"] as? String } == ["notifications/cancelled", "ping"])
    stage.wait(Budget.mcpPingMilliseconds)
    #expect(stage.phase == .resting && stage.client.session.trouble == .hung)
  }

  @Test("progress keeps a call alive, but no longer than its caller waits")
  func progress() throws {
    let stage = try Stage { $0.timeout = 5_000 }
    stage.becomeReady()
    stage.call(1, within: 20_000)
    let id = stage.id("tools/call")
    for _ in 0..<6 {
      stage.wait(3_000)
      #expect(stage.caller.answers.isEmpty)
      for _ in 0..<10 {
        stage.link.reply(#"{"method":"notifications/progress","params":{"progressToken":\#(id),"progress":1}}"#)
      }
    }
    stage.wait(2_000)
    #expect(stage.caller.kinds == [1: .timedOut] && stage.caller.progress.count == 6)
  }

  @Test("one that does not read fails the call, and one that cannot be begun rests")
  func deaf() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.link.canSend = false
    stage.call(1)
    #expect(stage.caller.kinds == [1: .deaf])
    let other = try Stage()
    other.link.canOpen = false
    other.client.start()
    #expect(other.phase == .resting && other.client.session.trouble == .noService)
  }

  @Test("more calls than it may have, and arguments that are too long or no object, are refused at once")
  func limits() throws {
    let stage = try Stage()
    stage.becomeReady()
    for tag in 0..<6 { stage.call(tag) }
    #expect(stage.caller.kinds == [4: .busy, 5: .busy])
    stage.client.cancel(0)
    stage.call(6, #"{"a":"\#(String(repeating: "x", count: Budget.mcpRequestBytes))"}"#)
    stage.call(7, "[]")
    stage.call(8, tool: 1)
    #expect(stage.caller.kinds[6] == .longArguments && stage.caller.kinds[7] == .noObject)
    #expect(stage.caller.kinds[8] == .gone)
  }

  @Test("a list without end is asked for no more than its pages, and its tools are bounded")
  func pages() throws {
    let stage = try Stage()
    stage.greet()
    var asked = 0
    while stage.phase == .listing, asked < 1_000 {
      let id = stage.id("tools/list")
      asked += 1
      stage.link.reply(#"{"id":\#(id),"result":{"tools":[\#(Stage.tool("t\(asked)"))],"nextCursor":"n"}}"#)
    }
    #expect(asked == Budget.mcpPages && stage.client.tools.count == Budget.mcpTools)
    #expect(stage.client.tools.refusal?.reason == .longList)
  }

  @Test("a list that goes on at a place that is too long is taken as far as it came, and that is told")
  func longPlace() throws {
    let stage = try Stage()
    stage.greet()
    let place = String(repeating: "n", count: Budget.mcpCursorBytes)
    stage.link.reply(
      #"{"id":\#(stage.id("tools/list")),"result":{"tools":[\#(Stage.tool("a"))],"nextCursor":"\#(place)"}}"#)
    #expect(stage.phase == .ready && stage.names() == ["home_a"])
    #expect(stage.client.tools.refusal?.reason == .longList)
  }

  @Test("a list that goes on at an empty place has ended")
  func emptyPlace() throws {
    let stage = try Stage()
    stage.greet()
    stage.link.reply(
      #"{"id":\#(stage.id("tools/list")),"result":{"tools":[\#(Stage.tool("a"))],"nextCursor":""}}"#)
    #expect(stage.phase == .ready && stage.client.tools.refusal == nil)
    #expect(!stage.link.messages().contains { $0["method"] as? String == "tools/list" })
  }

  @Test("a person who holds the board ends it, and it begins again after")
  func held() throws {
    let stage = try Stage()
    stage.becomeReady()
    stage.call(1)
    stage.client.hold()
    stage.call(2)
    #expect(stage.caller.kinds == [1: .held, 2: .held] && !stage.link.isOpen)
    stage.client.letGo()
    #expect(stage.phase == .asleep)
  }

  @Test("whatever happens, each call is answered exactly once, or never when it was cancelled", arguments: 0..<200)
  func exactlyOnce(seed: Int) throws {
    var random = Seeded(seed)
    let stage = try Stage { $0.timeout = 5_000 }
    stage.becomeReady()
    var (tag, cancelled, calls) = (0, Set<Int>(), [Int]())
    for _ in 0..<120 {
      switch random.next(12) {
      case 0, 1, 2:
        stage.call(tag, within: Int64(1 + random.next(20_000)))
        tag += 1
      case 3, 4, 5:
        let id = calls.isEmpty ? random.next(40) : calls[random.next(calls.count)]
        stage.link.reply(random.next(2) == 0 ? #"{"id":\#(id),"result":{}}"# : #"{"id":\#(id),"error":{}}"#)
      case 6: stage.link.die()
      case 7: stage.wait(Int64(random.next(4_000)))
      case 8 where tag > 0:
        let one = random.next(tag)
        if stage.caller.answers[one] == nil { cancelled.insert(one) }
        stage.client.cancel(one)
      case 9: stage.link.delegate?.linkOpened()
      case 10 where random.next(4) == 0:
        stage.client.hold()
        stage.client.letGo()
      default: stage.answerSteps(&calls)
      }
    }
    stage.wait(200_000)
    for one in 0..<tag {
      #expect(stage.caller.answers[one]?.count == (cancelled.contains(one) ? nil : 1), "seed \(seed), call \(one)")
    }
    #expect(stage.client.callsUnderWay == 0)
  }
}

/// The same numbers for the same seed (xorshift).
struct Seeded {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }
}

extension Stage {
  /// Answers the greeting of a server that is begun again.
  func greetAgain() {
    link.reply(
      #"{"id":\#(id("initialize")),"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}"#)
  }

  /// Answers greetings and lists that wait, and collects the ids of calls.
  func answerSteps(_ calls: inout [Int]) {
    for message in link.messages() {
      guard let id = message["id"] as? Int else { continue }
      switch message["method"] as? String {
      case "initialize":
        link.reply(#"{"id":\#(id),"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}"#)
      case "tools/list": link.reply(#"{"id":\#(id),"result":{"tools":[\#(Stage.tool("lamp"))]}}"#)
      case "tools/call": calls.append(id)
      default: continue
      }
    }
  }
}
