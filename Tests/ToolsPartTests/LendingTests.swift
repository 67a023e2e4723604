import Codec
import Foundation
import Gateway
import Node
import Runtime
import Testing

@testable import Benches
@testable import Node
@testable import ToolsPart

/// Notes how calls end.
private final class Borrower: ToolBorrower {
  private(set) var ends: [String] = []
  private(set) var pictures: [OutboundBlob] = []
  var takesPictures = true

  func toolEnded(_ tag: Int, _ result: UnsafeBufferPointer<UInt8>, isError: Bool, picture: OutboundBlob?) -> Bool {
    ends.append("\(tag) \(isError ? "error" : "done") \(String(decoding: result, as: UTF8.self))")
    if let picture, takesPictures { pictures.append(picture) }
    return picture != nil && takesPictures
  }
}

/// A blob that is lent.
private final class Blob: BlobDelegate {
  let bytes: [UInt8]
  private(set) var released = 0
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  func blobRead(upTo count: Int) {}
  func blobReleased() { released += 1 }
}

@Suite("Tools for the board's own agent") struct LendingTests {
  /// Commands that do what the test says.
  private final class Commands: CommandHandler {
    let names: [String]
    var begun: [(name: String, token: InvokeToken, parameters: String)] = []
    var cancelled: [InvokeToken] = []

    init(_ names: [String], _ router: Router) {
      self.names = names
      router.add(forTools: names.map { CommandRow($0, limit: 8) }, self)
    }

    func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
      let text = parameters.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      begun.append((names[command], token, text))
    }

    func cancel(_ token: InvokeToken) { cancelled.append(token) }
  }

  private let bench: RouterBench
  private let commands: Commands
  private let part: ToolsPart
  private let borrower = Borrower()

  private init(
    _ names: [String], choice: ToolChoice = .none, lends: Bool = true, tools: [Tool] = Tool.all
  ) throws {
    bench = try RouterBench()
    commands = Commands(names, bench.router)
    var settings = ToolSettings()
    settings.choice = choice
    part = try ToolsPart(
      settings: settings, tools: tools, lends: lends, displayName: InlineText(cutting: "Test"), router: bench.router,
      clock: bench.clock, log: Log(level: .error, output: nil))
    part.addCommands(to: bench.router)
  }

  init() throws { try self.init(["camera.snap", "device.health", "screen.snapshot", "tool.light", "tool.say"]) }

  @discardableResult
  private func call(_ name: String, _ arguments: String = "{}", isTainted: Bool = false, tag: Int = 1) -> Bool {
    let text = Array(arguments.utf8)
    return name.withBytes {
      part.begin(
        $0, JSONView(text.span), deadline: bench.clock.monotonic + 60_000, isTainted: isTainted, borrower, tag)
    }
  }

  private func tools(_ part: ToolsPart) throws -> [[String: Any]] {
    var found: [[String: Any]] = []
    part.forEachTool { bytes in found.append((try? AgentBench.object(Array(bytes))) ?? [:]) }
    return found
  }

  @Test func `Each tool that exists here is described, whether or not gateways get it, with what it does`() throws {
    let tools = try tools(part)
    #expect(tools.map { $0["name"] as? String } == ["photo", "health", "screen", "say", "light"])
    #expect(tools.map { $0["effect"] as? Int } == [2, 0, 0, 0, 0])
    for tool in tools {
      #expect((tool["description"] as? String)?.isEmpty == false)
      let schema = try #require(tool["parameters"] as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: Any])
      // Of what may be asked about, people read why.
      #expect((properties["purpose"] != nil) == (tool["effect"] as? Int == 2))
    }
  }

  @Test func `Only what tools of servers answer is said to be words of others`() throws {
    let server = Tool(
      name: "home_lamp", command: "mcp.home.0", description: "", parameters: #"{"type":"object","properties":{}}"#,
      isSafe: true, server: "home")
    let both = try LendingTests(["device.health", "mcp.home.0"], tools: Tool.all + [server])
    #expect(try both.tools(both.part).map { $0["brings"] as? Bool } == [nil, true])
  }

  @Test func `Every tool of a board fits where the agent keeps it`() throws {
    let all = Set(Tool.all.map(\.command).filter { $0 != Questions.command } + ["tool.choose"])
    let whole = try LendingTests(Array(all))
    var sizes: [Int] = []
    whole.part.forEachTool { sizes.append($0.count) }
    #expect(sizes.count == Tool.all.count)
    #expect(sizes.allSatisfy { $0 <= Budget.agentToolBytes })
  }

  @Test func `A part that lends nothing has no tools for anybody`() throws {
    let none = try LendingTests(["device.health"], lends: false)
    #expect(try none.tools(none.part).isEmpty)
    #expect(!none.call("health"))
    #expect(!call("motion") && !call("steps") && !call("") && !call("test_health"))
  }

  @Test func `Facts come with their sentence, and a failure with that of the command`() throws {
    #expect(call("health", tag: 7))
    bench.router.succeed(commands.begun[0].token) { $0.string("fine") }
    call("light", #"{"seconds":5}"#, tag: 8)
    #expect(commands.begun[1].parameters == #"{"seconds":5}"#)
    bench.router.fail(commands.begun[1].token, code: "UNAVAILABLE") { $0.text("UNAVAILABLE: no light") }
    #expect(
      borrower.ends == [
        #"7 done {"content":[{"type":"text","text":"The health of this board."}],"structuredContent":"fine"}"#,
        #"8 error {"content":[{"type":"text","text":"UNAVAILABLE: no light"}],"isError":true}"#,
      ])
    #expect(part.calls.count == 2 && part.calls.failures == 1)
  }

  @Test func `A photo comes beside its result as bytes, small enough for a model, unless it asks for more`() throws {
    call("photo", #"{"facing":"front"}"#)
    #expect(commands.begun[0].parameters == #"{"maxWidth":1024,"facing":"front"}"#)
    let blob = Blob([0xFF, 0xD8, 1, 2])
    let isTaken = blob.bytes.withUnsafeBufferPointer { bytes in
      bench.router.succeed(commands.begun[0].token, blob: bytes, delegate: blob) { _ in }
    }
    #expect(isTaken && borrower.pictures.count == 1 && borrower.pictures[0].bytes.count == 4)
    #expect(blob.released == 0)
    let end = try #require(borrower.ends.first)
    #expect(end.contains("A photo of this moment.") && end.contains(#""mimeType":"image/jpeg","bytes":4"#))
    call("photo", #"{ "maxWidth" : 2000 }"#, tag: 2)
    #expect(commands.begun[1].parameters.contains("2000") && !commands.begun[1].parameters.contains("1024"))
    call("photo", " { } ", tag: 3)
    #expect(commands.begun[2].parameters.filter { $0 != " " } == #"{"maxWidth":1024}"#)
    call("screen", tag: 4)
    #expect(commands.begun[3].parameters == #"{"format":"jpeg","maxWidth":1024}"#)
  }

  @Test func `A picture that is no JPEG, or that the borrower does not take, stays with its owner`() throws {
    for (tag, first) in [UInt8(0x89), 0xFF].enumerated() {
      borrower.takesPictures = first == 0x89
      call("photo", tag: tag)
      let blob = Blob([first, 2, 3])
      let isTaken = blob.bytes.withUnsafeBufferPointer { bytes in
        bench.router.succeed(commands.begun[tag].token, blob: bytes, delegate: blob) { _ in }
      }
      #expect(!isTaken && borrower.ends.count == tag + 1 && borrower.pictures.isEmpty)
    }
    #expect(bench.router.count == 0)
  }

  @Test func `A result that is JSON already becomes the facts`() throws {
    call("health")
    let json = Blob(Array(#"{"rows":[1,2]}"#.utf8))
    let isTaken = json.bytes.withUnsafeBufferPointer { bytes in
      bench.router.succeed(commands.begun[0].token, json: bytes, delegate: json)
    }
    #expect(!isTaken)
    #expect(
      borrower.ends == [
        #"1 done {"content":[{"type":"text","text":"The health of this board."}],"structuredContent":{"rows":[1,2]}}"#
      ])
  }

  @Test func `A result that is too long is a failure that says so`() throws {
    call("health")
    let long = String(repeating: "x", count: Budget.lentResultBytes)
    bench.router.succeed(commands.begun[0].token) { $0.string(long) }
    #expect(borrower.ends.count == 1 && borrower.ends[0].contains("the answer is too long"))
  }

  @Test func `Calls stop when they are dropped, and go on when the gateway goes`() throws {
    call("health", tag: 1)
    call("light", tag: 2)
    part.offline()
    bench.router.cancelAll()
    #expect(commands.cancelled.isEmpty)
    part.cancel(borrower, 1)
    #expect(commands.cancelled == [commands.begun[0].token])
    part.cancel(Borrower(), 2)
    bench.router.succeed(commands.begun[1].token) { $0.bool(true) }
    #expect(borrower.ends.count == 1)
  }

  @Test func `One call more than may run is told to try again`() throws {
    for tag in 0..<Budget.toolCalls { call("health", tag: tag) }
    #expect(borrower.ends.isEmpty)
    call("health", tag: 99)
    #expect(borrower.ends.count == 1 && borrower.ends[0].hasPrefix("99 error") && borrower.ends[0].contains("busy"))
  }

  @Test func `A question is asked as for a gateway's agent, and does not end with the connection`() throws {
    let ways = try LendingTests(["tool.choose", "tool.say", "tool.press"])
    #expect(ways.call("ask", #"{"question":"Is it dry?"}"#))
    #expect(ways.commands.begun.map(\.name) == ["tool.press", "tool.choose", "tool.say"])
    ways.bench.router.cancelAll()
    #expect(ways.commands.cancelled.isEmpty)
    let text = Array(#"{"answer":"Yes"}"#.utf8)
    ways.bench.router.succeed(ways.commands.begun[1].token) { $0.raw(text.span) }
    #expect(ways.borrower.ends.count == 1 && ways.borrower.ends[0].contains("Somebody answered: Yes"))
  }

  @Test func `Arguments that do not fit beside the defaults are refused`() throws {
    call("photo", #"{"facing":"\#(String(repeating: "x", count: Budget.lentArgumentBytes))"}"#)
    #expect(commands.begun.isEmpty && borrower.ends.first?.contains("the arguments are too long") == true)
  }
}
