import Codec
import Consent
import Foundation
import Gateway
import Hands
import Node
import Runtime
import Simulated
import Testing
import ToolsPart

@testable import Agent
@testable import Benches
@testable import ConsentPart
@testable import Node

/// Calls tools as the board's own agent does, and notes how that ends.
private final class Borrower: ToolBorrower {
  private(set) var ends: [Int: String] = [:]
  private(set) var pictures = 0

  func toolEnded(_ tag: Int, _ result: UnsafeBufferPointer<UInt8>, isError: Bool, picture: OutboundBlob?) -> Bool {
    ends[tag] = (isError ? "error: " : "done: ") + String(decoding: result, as: UTF8.self)
    if picture != nil { pictures += 1 }
    return false
  }
}

@Suite("Consent to what the board's own agent does") struct LentConsentTests {
  private let link = MemoryAgentLink()
  private let borrower = Borrower()

  private func bench(
    _ rules: [(Permission, ConsentRule)] = [], server: MemoryServer? = nil
  ) throws -> AgentBench {
    var settings = ConsentSettings()
    for (permission, rule) in rules { settings.rules[permission] = rule }
    var lamp = HandSettings(name: "lamp")
    lamp.kind = .gpio
    lamp.gpio.direction = .output
    return try AgentBench(
      servers: server.map { [$0.entry()] } ?? [], consent: settings,
      hands: { _ in [HandEntry(lamp, .output(MemoryOutput()))] }, ownAgent: link,
      operatorTransport: MemoryTransport(capacity: 1 << 20))
  }

  /// What becomes of a call at once: "done", "error", or the question that is asked.
  @discardableResult
  private func call(
    _ bench: AgentBench, _ name: String, isTainted: Bool, tag: Int = 1, _ arguments: String = "{}"
  ) throws -> String {
    let lender = try #require(bench.agent.table.parts.compactMap { $0 as? ToolsPart }.first)
    let text = Array(arguments.utf8)
    let deadline = bench.clock.monotonic + Budget.agentToolMilliseconds
    let isKnown = name.withBytes {
      lender.begin($0, JSONView(text.span), deadline: deadline, isTainted: isTainted, borrower, tag)
    }
    #expect(isKnown)
    _ = try bench.settle()
    if let end = borrower.ends[tag] { return end.hasPrefix("done") ? "done" : "error" }
    guard let question = try ConsentTests.part(bench).question else { return "waits" }
    let what = question.what.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let subject = question.subject.text
    return what + (subject.isEmpty ? "" : " " + NotingListener.text(subject.span))
  }

  @Test func `A photo: each rule, with and without a grant, with and without words of others`() throws {
    let ask = "take a photo"
    let cases: [(rule: ConsentRule, hasGrant: Bool, isTainted: Bool, end: String)] = [
      (.allow, false, false, "done"), (.allow, false, true, ask), (.allow, true, true, ask),
      (.ask, false, false, ask), (.ask, true, false, "done"), (.ask, false, true, ask), (.ask, true, true, ask),
      (.deny, false, false, "error"), (.deny, false, true, "error"), (.deny, true, true, "error"),
    ]
    for (index, one) in cases.enumerated() {
      let bench = try bench([(.camera, one.rule)])
      if one.hasGrant { try ConsentTests.part(bench).give([.camera], .minute, by: .console) }
      #expect(try call(bench, "photo", isTainted: one.isTainted, tag: index) == one.end, "\(one)")
      #expect((bench.camera.captures > 0) == (one.end == "done"))
    }
  }

  @Test func `What needs no permission, and is not safe, is asked about by its name once words of others were read`()
    throws
  {
    let ask = #"use a tool "lamp" "action" = "on""#
    let cases: [(rule: ConsentRule, isTainted: Bool, end: String)] = [
      (.allow, false, "done"), (.allow, true, ask), (.ask, false, ask), (.ask, true, ask), (.deny, false, "error"),
      (.deny, true, "error"),
    ]
    for (index, one) in cases.enumerated() {
      let bench = try bench([(.tools, one.rule)])
      #expect(try call(bench, "lamp", isTainted: one.isTainted, tag: index, #"{"action":"on"}"#) == one.end, "\(one)")
    }
  }

  @Test func `What is safe is not asked about, unless the owner wants that for all tools`() throws {
    let cases: [(rule: ConsentRule, isTainted: Bool, end: String)] = [
      (.allow, false, "done"), (.allow, true, "done"), (.ask, false, #"use a tool "health""#), (.deny, true, "error"),
    ]
    for (index, one) in cases.enumerated() {
      let bench = try bench([(.tools, one.rule)])
      #expect(try call(bench, "health", isTainted: one.isTainted, tag: index) == one.end, "\(one)")
    }
  }

  @Test func `A tool needs the permission for tools and that of its command`() throws {
    let bench = try bench([(.tools, .ask), (.camera, .ask)])
    #expect(try call(bench, "photo", isTainted: false) == "take a photo")
    #expect(try ConsentTests.part(bench).question?.permissions == [.camera, .tools])
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.hasPrefix("done") == true && borrower.pictures == 1)
  }

  @Test func `Once is for the call that was asked about, and no other can use it up`() throws {
    let bench = try bench([(.tools, .ask), (.camera, .ask)])
    try ConsentTests.part(bench).give([.camera], .minute, by: .console)
    bench.passAlive(59_000)
    #expect(try call(bench, "photo", isTainted: false) == "take a photo")
    #expect(try ConsentTests.part(bench).question?.permissions == [.tools])
    // The grant that it relied on beside the answer ends before that.
    bench.passAlive(1_000)
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.contains("is over, or was taken back") == true)
    #expect(try ConsentTests.part(bench).granted.isEmpty && bench.camera.captures == 0)
  }

  @Test func `A grant for one use is used up by the next use, also by one that was allowed in answer to its question`()
    throws
  {
    let bench = try bench([(.tools, .ask), (.camera, .ask)])
    #expect(try call(bench, "photo", isTainted: false) == "take a photo")
    try ConsentTests.part(bench).give([.camera], .once, by: .console)
    #expect(borrower.ends[1] == nil)
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.hasPrefix("done") == true)
    #expect(try ConsentTests.part(bench).granted.isEmpty)
  }

  @Test func `A grant of a tool for longer is for the same arguments`() throws {
    let bench = try bench([(.tools, .ask)])
    try call(bench, "lamp", isTainted: false, tag: 1, #"{"action":"on"}"#)
    try ConsentTests.answer(.session, bench)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.hasPrefix("done") == true)
    #expect(try call(bench, "lamp", isTainted: false, tag: 2, #"{"action":"on"}"#) == "done")
    #expect(
      try call(bench, "lamp", isTainted: false, tag: 3, #"{"action":"off"}"#)
        == #"use a tool "lamp" "action" = "off""#)
  }

  @Test func `A yes to what must be asked is for this once, however long it would be good for`() throws {
    for (tag, answer) in [ConsentAnswer.once, .minute, .session, .today].enumerated() {
      let bench = try bench()
      try call(bench, "photo", isTainted: true, tag: tag)
      try ConsentTests.answer(answer, bench)
      _ = try bench.settle()
      #expect(borrower.ends[tag]?.hasPrefix("done") == true)
      #expect(try ConsentTests.part(bench).granted.isEmpty)
      #expect(try call(bench, "photo", isTainted: true, tag: tag + 10) == "take a photo")
    }
  }

  @Test func `A no ends it with a reason, and nobody is asked about that again for a while`() throws {
    let bench = try bench()
    try call(bench, "photo", isTainted: true)
    try ConsentTests.answer(.no, bench)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.contains("a person at the board said no") == true)
    #expect(try call(bench, "photo", isTainted: true, tag: 2) == "error")
    // What the file allows is not touched by it.
    #expect(try call(bench, "photo", isTainted: false, tag: 3) == "done")
  }

  @Test func `Only the answer to its own question counts: no grant, and no answer to another one`() throws {
    let bench = try bench([(.camera, .ask)])
    try call(bench, "photo", isTainted: false, tag: 1)
    try call(bench, "photo", isTainted: true, tag: 2)
    try ConsentTests.answer(.today, bench)
    try ConsentTests.part(bench).give([.camera], .session, by: .console)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.hasPrefix("done") == true && borrower.ends[2] == nil)
    let question = try #require(try ConsentTests.part(bench).question)
    bench.passAlive(Budget.consentArmMilliseconds)
    try ConsentTests.part(bench).answer(.once, to: question.number - 1, by: .screen)
    #expect(borrower.ends[2] == nil)
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    #expect(borrower.ends[2]?.hasPrefix("done") == true)
  }

  /// A server whose second tool is asked about, and its tools after that.
  private func askAboutDoor(then tools: [String], tag: Int = 1) throws -> (AgentBench, MemoryServer) {
    let server = MemoryServer([MemoryServer.tool("lamp"), MemoryServer.tool("door")])
    let bench = try bench(server: server)
    server.settle()
    #expect(try call(bench, "home_door", isTainted: true, tag: tag) == #"use a tool "home_door""#)
    server.change(tools.map { MemoryServer.tool($0) })
    bench.passAlive(Budget.mcpListSpacing + Budget.mcpSettleMilliseconds)
    server.settle()
    return (bench, server)
  }

  @Test func `A tool that goes while a person is asked about it is not called, nor another at its place`() throws {
    for (tag, tools) in [["lamp", "lock"], ["door", "lamp"], ["lamp"]].enumerated() {
      let (bench, server) = try askAboutDoor(then: tools, tag: tag)
      #expect(borrower.ends[tag]?.hasPrefix("error") == true)
      #expect(borrower.ends[tag]?.contains("the tools of its server have changed") == true)
      #expect(try ConsentTests.part(bench).question == nil)
      #expect(server.calls.isEmpty)
    }
  }

  @Test func `A tool that stays at its place while a person is asked about it is called once that is allowed`() throws {
    let (bench, server) = try askAboutDoor(then: ["bulb", "door", "lamp"])
    #expect(borrower.ends[1] == nil)
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    #expect(server.calls.map(\.tool) == ["door"])
  }

  @Test func `The journal names a server's tool as people have read it, and not its place`() throws {
    let (bench, server) = try askAboutDoor(then: ["lamp", "door"])
    try ConsentTests.answer(.once, bench)
    _ = try bench.settle()
    server.answer(#"{"content":[]}"#)
    bench.passAlive(10_000)
    let use = try #require(try ConsentTests.part(bench).use(back: 0))
    #expect(use.command == InlineText(cutting: "home_door"))
  }

  @Test func `Where nobody answers it is refused`() throws {
    let bench = try bench()
    try call(bench, "lamp", isTainted: true)
    bench.passAlive(Budget.consentQuestionMilliseconds)
    _ = try bench.settle()
    #expect(borrower.ends[1]?.contains("nobody at the board has answered") == true)
  }

  @Test func `While a person holds the board it is refused, and nobody is asked`() throws {
    let bench = try bench()
    bench.agent.holdStill("in a test")
    #expect(try call(bench, "lamp", isTainted: true) == "error")
    #expect(try ConsentTests.part(bench).question == nil)
  }

  @Test func `A question stays when the gateway goes; a call that is dropped is asked about no longer`() throws {
    let bench = try bench()
    try call(bench, "photo", isTainted: true)
    bench.agent.sessionLost()
    #expect(try ConsentTests.part(bench).question != nil)
    let lender = try #require(bench.agent.table.parts.compactMap { $0 as? ToolsPart }.first)
    lender.cancel(borrower, 1)
    #expect(try ConsentTests.part(bench).question == nil)
    #expect(borrower.ends.isEmpty && bench.agent.router.count == 0)
  }

  @Test func `What was granted for a session of the board's own agent is not for the gateway's`() throws {
    let bench = try bench([(.camera, .ask)])
    bench.agent.sessionLost()
    try call(bench, "photo", isTainted: false)
    try ConsentTests.answer(.session, bench)
    _ = try bench.settle()
    #expect(try ConsentTests.part(bench).granted == [.camera])
    bench.agent.sessionOpened()
    #expect(try ConsentTests.part(bench).granted.isEmpty)
    // A grant at the console, before the gateway's agent has asked for anything, stays as before.
    bench.agent.sessionLost()
    try ConsentTests.part(bench).give([.camera], .session, by: .console)
    bench.agent.sessionOpened()
    #expect(try ConsentTests.part(bench).granted == [.camera])
  }

  @Test func `The journal and the question say whose session it is, and the purpose is shown`() throws {
    let bench = try bench([(.camera, .ask)])
    try call(bench, "photo", isTainted: false, #"{"purpose":"to see the parcel"}"#)
    let question = try #require(try ConsentTests.part(bench).question)
    #expect(NotingListener.text(question.purpose.span) == "to see the parcel")
    #expect(NotingListener.text(question.who.span) == "own agent" && question.isOwnAgent)
    try ConsentTests.answer(.once, bench, by: .button)
    _ = try bench.settle()
    let use = try #require(try ConsentTests.part(bench).journal?.journal.use(back: 0))
    #expect(NotingListener.text(use.who.span) == "own agent" && use.basis == .grant(.once, .button))
  }
}
