import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("The operator desk")
struct DeskTests {
  // MARK: Connection

  @Test("it connects when the node was online, as an operator with its scopes, and asks for what is shown")
  func connects() throws {
    let bench = try DeskBench()
    #expect(!bench.transport.isOpen)
    let params = try bench.connect()["params"] as? [String: Any]
    #expect(params?["role"] as? String == "operator")
    #expect(params?["scopes"] as? [String] == ["operator.read", "operator.write"])
    #expect(params?["commands"] == nil)
    let asked = try bench.requests()
    #expect(asked.map(\.method) == ["voicewake.get", "node.describe"])
    #expect((asked[1].params["nodeId"] as? String)?.count == 64)
    #expect(bench.transport.opens == 1)
    bench.desk.nodeOnline(at: nil)
    #expect(bench.transport.opens == 1)
    #expect(try bench.requests().map(\.method) == ["node.describe"])
  }

  private func refuse(_ bench: DeskBench, request: String) throws {
    bench.gateway.accept()
    bench.gateway.pump()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    _ = bench.gateway.take()
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","#
        + #""details":{"code":"PAIRING_REQUIRED","reason":"role-upgrade","requestId":"\#(request)"}}}"#)
    bench.transport.fail(.init(.closedByPeer))
  }

  @Test("while the node connection is not online nothing is asked, and no request of its own is shown")
  func waitsForNode() throws {
    let bench = try DeskBench()
    #expect(bench.desk.stateWord.description == "waiting")
    #expect(NotingListener.text(bench.desk.explanation.span) == "waits until the node connection is online")
    bench.desk.nodeOnline(at: nil)
    try refuse(bench, request: "r-1")
    #expect(bench.desk.stateWord.description == "awaiting-approval")
    // The gateway forgets the board, and the node asks for approval of its own.
    bench.desk.nodeLost()
    #expect(bench.desk.stateWord.description == "waiting" && bench.desk.session.requestID.isEmpty)
    let opens = bench.transport.opens
    bench.pass(3_600_000)
    #expect(bench.transport.opens == opens)
    bench.desk.boardChanged(.network)
    bench.pass(60_000)
    #expect(bench.transport.opens == opens)
    bench.desk.nodeOnline(at: nil)
    #expect(bench.transport.opens == opens + 1)
    try refuse(bench, request: "r-2")
    #expect(NotingListener.text(bench.desk.explanation.span).hasSuffix("openclaw devices approve r-2"))
  }

  @Test("an attempt under way ends with the node connection, and so does the wish to come back")
  func endsWithNode() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.desk.nodeLost()
    #expect(bench.desk.stateWord.description == "online", "what stands leads its own life")
    bench.pass(60_000)
    #expect(bench.desk.stateWord.description == "online")
    bench.lose()
    let opens = bench.transport.opens
    bench.pass(600_000)
    #expect(bench.transport.opens == opens && bench.desk.stateWord.description == "waiting")
    bench.desk.nodeOnline(at: nil)
    #expect(bench.transport.opens == opens + 1 && bench.transport.isOpen)
    bench.desk.nodeLost()
    #expect(!bench.transport.isOpen)
  }

  @Test("without a connection a question is answered at once, with what to do")
  func offline() throws {
    let bench = try DeskBench()
    bench.ask("sessions.list")
    try bench.chat()
    #expect(bench.listener.heard.count == 2)
    #expect(bench.listener.heard.allSatisfy { $0.hasPrefix("1 NO_OPERATOR: the board's node connection") })
    bench.desk.nodeOnline(at: nil)
    bench.gateway.accept()
    bench.gateway.pump()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","#
        + #""details":{"code":"PAIRING_REQUIRED","reason":"scope-upgrade","requestId":"r-9"}}}"#)
    bench.transport.fail(.init(.closedByPeer))
    bench.ask("sessions.list")
    #expect(bench.listener.heard.last?.contains("openclaw devices approve r-9") == true)
  }

  @Test("it stops with the node")
  func stops() throws {
    let bench = try DeskBench()
    bench.desk.stop()
    #expect(bench.desk.isStopped)
    try bench.connect()
    #expect(!bench.desk.isStopped)
    bench.desk.stop()
    bench.transport.fail(.init(.closedByPeer))
    #expect(bench.desk.isStopped)
  }

  // MARK: Questions

  @Test("answers reach who asked, in any order")
  func answers() throws {
    let bench = try DeskBench()
    try bench.connect()
    _ = try bench.requests()
    bench.ask("sessions.list", tag: 4)
    bench.ask("gateway.identity.get", tag: 5)
    let asked = try bench.requests()
    bench.answer(asked[1], #"{"deviceId":"d"}"#)
    bench.answer(asked[0], #"{"sessions":[]}"#)
    bench.answer(asked[0], "{}")
    #expect(bench.listener.heard == [#"5 answer {"deviceId":"d"}"#, #"4 answer {"sessions":[]}"#])
  }

  @Test(
    "a missing scope is said in one sentence, in both forms",
    arguments: [
      #"{"code":"FORBIDDEN","message":"missing scope: operator.write","details":{"code":"MISSING_SCOPE","missingScope":"operator.write","requiredScopes":["operator.write"]}}"#,
      #"{"code":"INVALID_REQUEST","message":"missing scope: operator.write"}"#,
    ])
  func missingScope(error: String) throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.ask("talk.speak")
    bench.refuse(try bench.request("talk.speak"), error)
    #expect(
      bench.listener.heard == [
        "1 MISSING_SCOPE: the gateway lets nobody use talk.speak without the scope operator.write: add it to "
          + "[operator] scopes, and approve the board's console connection again on the gateway"
      ])
  }

  @Test("refusals, silence and loss are told apart")
  func failures() throws {
    let bench = try DeskBench()
    try bench.connect()
    _ = try bench.requests()
    bench.ask("talk.speak", tag: 1)
    bench.refuse(
      try bench.request("talk.speak"),
      #"{"code":"UNAVAILABLE","message":"no provider","details":{"reason":"talk_unconfigured","fallbackEligible":true}}"#
    )
    bench.ask("sessions.list", tag: 2)
    bench.pass(31_000)
    bench.ask("sessions.list", tag: 3)
    bench.lose()
    #expect(
      bench.listener.heard.map { $0.split(separator: ":")[0] } == ["1 UNAVAILABLE", "2 TIMEOUT", "3 LOST"])
  }

  @Test(
    "each kind of question has a patience of its own",
    arguments: [("chat.send", 30_000), ("chat.history", 15_000), ("sessions.list", 15_000), ("chat.abort", 10_000)])
  func timeout(_ kind: (method: String, milliseconds: Int64)) throws {
    let bench = try DeskBench()
    try bench.connect()
    _ = try bench.requests()
    switch kind.method {
    case "chat.send": try bench.chat()
    case "chat.history": bench.ask("chat.history")
    case "sessions.list": bench.ask("sessions.list")
    default: bench.ask("chat.abort")
    }
    bench.pass(kind.milliseconds - 1)
    #expect(bench.listener.heard == [])
    bench.pass(1)
    // What became of a message that was sent is looked for in the history for as long as a run may take.
    if kind.method != "chat.send" { #expect(bench.listener.heard.first?.hasPrefix("1 TIMEOUT: ") == true) }
    #expect(OperatorDesk.timeout(of: "chat.send") == 30_000)
  }

  @Test("more questions than there are slots are refused, and the slots come back")
  func bounds() throws {
    let bench = try DeskBench()
    try bench.connect()
    for tag in 0..<(Budget.requests + 4) { bench.ask("sessions.list", tag: tag) }
    // Two are taken by what the desk asked by itself.
    #expect(bench.listener.heard.filter { $0.contains("BUSY") }.count >= 6)
    for request in try bench.requests() { bench.answer(request, "{}") }
    bench.listener.heard.removeAll()
    bench.ask("sessions.list", tag: 99)
    bench.answer(try bench.request("sessions.list"), "{}")
    #expect(bench.listener.heard == ["99 answer {}"])
  }

  @Test("who has gone hears nothing more")
  func forgotten() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.ask("sessions.list", tag: 7)
    bench.desk.forget(bench.listener, 7)
    bench.answer(try bench.request("sessions.list"), "{}")
    #expect(bench.listener.heard.isEmpty)
  }

  @Test("a delegate that forgets a tag takes no answer from another one that has the same tag")
  func otherDelegate() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.ask("sessions.list", tag: 7)
    bench.desk.forget(NotingListener(), 7)
    bench.answer(try bench.request("sessions.list"), "{}")
    #expect(bench.listener.heard == ["7 answer {}"])
  }

  // MARK: What is shown

  @Test("wake phrases come from answers and events, and news are told once")
  func wakePhrases() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("voicewake.get"), #"{"triggers":["openclaw","h\u00e9 board"]}"#)
    #expect(Self.phrases(bench) == ["openclaw", "hé board"])
    let before = bench.log.written
    bench.event("voicewake.changed", #"{"triggers":["openclaw","h\u00e9 board"]}"#)
    #expect(bench.log.written == before)
    bench.event("voicewake.changed", #"{"triggers":["one"]}"#)
    #expect(Self.phrases(bench) == ["one"])
    #expect(bench.log.written == before + 1)
    let long = String(repeating: "é", count: 65)
    let many = (0..<40).map { #""p\#($0)""# }.joined(separator: ",")
    bench.event("voicewake.changed", #"{"triggers":[7,"\#(long)",\#(many)]}"#)
    #expect(Self.phrases(bench) == (0..<32).map { "p\($0)" })
    bench.event("voicewake.changed", #"{"triggers":"no"}"#)
    bench.event("voicewake.changed", "7")
    #expect(Self.phrases(bench).count == 32)
  }

  private static func phrases(_ bench: DeskBench) -> [String] {
    (0..<bench.desk.wakePhrases.count).map { String(decoding: bench.desk.wakePhrases[$0], as: UTF8.self) }
  }

  @Test("32 phrases of 64 UTF-16 units are taken, one more of either is not")
  func phraseBounds() {
    func isValid(_ phrases: [String]) -> Bool {
      let bytes = try! JSONEncoder().encode(phrases)
      return WakePhrases.areValid(JSONView(Array(bytes).span))
    }
    #expect(isValid([]))
    #expect(isValid(Array(repeating: String(repeating: "字", count: 64), count: 32)))
    #expect(!isValid(Array(repeating: "a", count: 33)))
    #expect(!isValid([String(repeating: "a", count: 65)]))
    #expect(isValid([String(repeating: "😀", count: 32)]))
    #expect(!isValid([String(repeating: "😀", count: 33)]))
    let text = Array("[7]".utf8)
    let isTaken = WakePhrases.areValid(JSONView(text.span))
    #expect(!isTaken)
  }

  @Test("what the gateway lets through is known, and asked again until it is everything: each minute after an approval")
  func policy() throws {
    let bench = try DeskBench()
    try bench.connect()
    #expect(bench.desk.policy.verdict == .unknown)
    bench.answer(
      try bench.request("node.describe"),
      #"{"connected":true,"commands":["system.notify","other"],"approvalState":"pending-reapproval","pendingRequestId":"p-1"}"#
    )
    bench.refuse(try bench.request("node.invoke"), #"{"code":"INVALID_REQUEST","message":"m"}"#)
    #expect(bench.desk.policy.verdict == .some)
    #expect(bench.desk.policy.approval == .pendingAgain)
    #expect(NotingListener.text(bench.desk.policy.pendingRequest.span) == "p-1")
    #expect((0..<4).map { bench.desk.policy.isMissing($0) } == [true, true, false, false])
    bench.pass(59_000)
    #expect(try bench.requests().isEmpty)
    bench.pass(2_000)
    bench.answer(try bench.request("node.describe"), #"{"commands":[]}"#)
    #expect(bench.desk.policy.verdict == .none)
    #expect(bench.desk.policy.approval == .unknown)
    bench.pass(301_000)
    // A node that is away says nothing.
    bench.answer(try bench.request("node.describe"), #"{"connected":false,"commands":[]}"#)
    #expect(bench.desk.policy.verdict == .none)
    bench.desk.nodeOnline(at: nil)
    bench.answer(
      try bench.request("node.describe"),
      #"{"connected":true,"commands":["system.notify","camera.snap","camera.list"],"approvalState":"approved"}"#)
    #expect(bench.desk.policy.verdict == .all)
    bench.pass(900_000)
    #expect(try bench.requests().isEmpty)
  }

  @Test("a decision that the node is told of is read at once, and while an answer is awaited once more after it")
  func decided() throws {
    let bench = try DeskBench()
    try bench.connect()
    let name = #""node.pair.resolved""#
    func tell() { bench.desk.received(JSONView(name.utf8.span), JSONView("{}".utf8.span)) }
    let before = #"{"commands":[],"approvalState":"unapproved","pendingDeclaredCommands":[]}"#
    let first = try bench.request("node.describe")
    // The answer that was on its way is from before.
    for _ in 0..<50 { tell() }
    #expect(try bench.requests().isEmpty)
    bench.answer(first, before)
    bench.pass(500)
    bench.answer(
      try bench.request("node.describe"),
      #"{"commands":["camera.list"],"approvalState":"pending-reapproval","pendingDeclaredCommands":["camera.snap"]}"#)
    #expect(bench.desk.policy.verdict == .some)
    bench.pass(5_000)
    tell()
    bench.answer(
      try bench.request("node.describe"),
      #"{"commands":["system.notify","camera.snap","camera.list"],"approvalState":"approved"}"#)
    #expect(bench.desk.policy.verdict == .all)
    bench.pass(900_000)
    #expect(try bench.requests().isEmpty)
  }

  private static let awaited = #"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-1"}"#

  private func steps(_ bench: DeskBench) -> [String] {
    var lines: [String] = []
    PolicyAdvice(
      bench.desk.policy, commands: DeskBench.commands, serverVersion: "2026.6.11".utf8.span, hasBeenInvoked: false
    )
    .forEachStep { lines.append(NotingListener.text($0)) }
    return lines
  }

  @Test("where only an approval is missing the desk finds that out, says only that, and soon sees it given")
  func approvalOnly() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("node.describe"), Self.awaited)
    let probe = try bench.request("node.invoke")
    #expect(probe.params["command"] as? String == "camera.list")
    #expect(probe.run.count == 36 && (probe.params["nodeId"] as? String)?.count == 64)
    bench.refuse(
      probe,
      #"{"code":"INVALID_REQUEST","message":"m","details":{"reason":"node did not declare commands","command":"camera.list"}}"#
    )
    #expect(
      steps(bench) == [
        "on the gateway's machine: openclaw nodes approve p-1",
        "   or, where that one has expired, on the gateway's machine: openclaw nodes pending",
      ])
    // A person has read that, and types.
    bench.desk.stateShown()
    bench.pass(5_000)
    bench.answer(
      try bench.request("node.describe"),
      #"{"commands":["camera.list","camera.snap","system.notify"],"approvalState":"approved"}"#)
    #expect(steps(bench).isEmpty)
    bench.desk.stateShown()
    bench.pass(600_000)
    #expect(try bench.requests().isEmpty)
  }

  @Test("where the gateway's list lacks the command too, all steps are told")
  func listingIncomplete() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("node.describe"), Self.awaited)
    bench.refuse(
      try bench.request("node.invoke"),
      #"{"code":"INVALID_REQUEST","message":"m","details":{"reason":"command not allowlisted","command":"camera.list"}}"#
    )
    #expect(steps(bench).count == 6)
  }

  @Test("looking at the state again and again asks the gateway no more often than every 5 s")
  func shown() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("node.describe"), Self.awaited)
    var asked = 0
    for _ in 0..<60 {
      bench.desk.stateShown()
      bench.pass(1_000)
      for request in try bench.requests() {
        if request.method == "node.describe" { asked += 1 }
        request.method == "node.describe"
          ? bench.answer(request, Self.awaited) : bench.refuse(request, #"{"code":"INVALID_REQUEST","message":"m"}"#)
      }
    }
    #expect((10...12).contains(asked))
  }

  @Test("a command that arrives after all lets the desk look again, but not for each one")
  func invoked() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("node.describe"), #"{"commands":[]}"#)
    for _ in 0..<3 { bench.desk.nodeInvoked() }
    bench.pass(4_000)
    #expect(try bench.requests().isEmpty)
    bench.pass(2_000)
    bench.answer(try bench.request("node.describe"), #"{"commands":["camera.list","camera.snap","system.notify"]}"#)
    #expect(bench.desk.policy.verdict == .all)
    bench.desk.nodeInvoked()
    bench.pass(600_000)
    #expect(try bench.requests().isEmpty)
  }

  @Test("a row that is no row changes nothing", arguments: ["7", "[]", #"{"commands":7}"#, "null", "{}"])
  func badRow(row: String) throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.answer(try bench.request("node.describe"), row)
    #expect(bench.desk.policy == CommandPolicy())
  }
}
