import Codec
import Completion
import Fetch
import Runtime
import Simulated

@testable import OwnAgent

/// The board's own agent without its process: frames of a node, answers of a model, of the web and of Telegram, and
/// time, as the input says. Each message of a person has one end, no frame is longer than the node takes, what was
/// called is answered or dropped, and in the end the agent is idle.
func checkAgentServer(_ bytes: [UInt8]) {
  let dice = Dice(bytes)
  guard let world = try? AgentWorld() else { return expect(false, "no memory for an agent") }
  var steps = 0
  while !dice.isSpent, steps < 300 {
    steps += 1
    world.step(dice)
  }
  world.rest()
}

private final class AgentWorld: AgentHost, MemoryTransfers {
  let clock = VirtualClock()
  private let runner = FuzzRunner()
  private let (model, web, polling, sending, listing) = (FuzzWeb(), FuzzWeb(), FuzzWeb(), FuzzWeb(), FuzzWeb())
  private var server: AgentServer! = nil
  private let room = FixedBuffer(capacity: 4 * Budget.agentFrameBytes)
  private(set) var isConnected = false
  var transfers: any MemoryTransfers { self }
  private var lastTurn: UInt64 = 0
  /// Messages of a person without an end, and calls of the board's tools without an answer.
  private var open: Set<UInt64> = []
  private var calls: [UInt64] = []

  init() throws {
    let base = try WebURL("https://model.example/v1".utf8.span)
    let models = ["a", "b"].compactMap { ModelSettings(base: base, name: $0, key: "sk-fuzz") }
    var settings = AgentSettings(models: models, tools: Array(OwnTool.allCases))
    (settings.hasGatewayRoute, settings.telegramChat) = (true, 7)
    let random = SeededRandom(seed: 5)
    var means = AgentMeans(
      models: try ModelClient(models, retries: 1, transport: model, clock: clock, random: random))
    means.lister = try ModelLister(models, transport: listing, clock: clock)
    means.pages = try PageClient(
      web, clock: clock, allowed: AllowList(), search: nil, agent: InlineText(cutting: "Talon"))
    means.telegram = try TelegramClient(
      TelegramSettings(token: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", chats: [7]), polling: polling,
      sending: sending, clock: clock, random: random)
    let log = Log(output: nil)
    let keeper = AgentKeeper(store: MemoryStore(), runner: runner, clock: clock, log: log)
    server = try AgentServer(settings, means, keeper: keeper, host: self, clock: clock, random: random, log: log)
    server.start()
  }

  // MARK: Steps

  func step(_ dice: Dice) {
    switch dice.below(16) {
    case 0...2: isConnected ? say(dice) : connect(dice)
    case 3, 4, 5: modelAnswers(dice)
    case 6: webAnswers(web, dice)
    case 7: webAnswers(dice.pick([polling, sending, listing]), dice)
    case 8, 9: boardAnswers(dice)
    case 10: give(.gateway, [UInt8(dice.below(2))])
    case 11: give(.cancel, number(UInt64(dice.below(4)) &+ max(lastTurn, 2) - 2, 4))
    case 12: give(.ask, number(UInt64(dice.below(100)), 4) + [UInt8(dice.below(12))] + text(dice))
    case 13: odd(dice)
    default: pass(dice.pick([1, 100, 2_000, 20_000, 130_000]))
    }
    settle()
    let state = server.machine.state
    expect(open.isEmpty || state != .idle, "\(open.count) messages wait while the agent is idle")
  }

  private func connect(_ dice: Dice) {
    isConnected = true
    server.connected()
    give(.board, Array(#"{"name":"Fuzz","language":"de","utcOffsetMinutes":60}"#.utf8))
    for name in ["photo", "say"] {
      give(.tool, Array(#"{"name":"\#(name)","description":"","parameters":{"type":"object"},"effect":2}"#.utf8))
    }
    give(.ready, [])
    give(.gateway, [UInt8(dice.below(2))])
  }

  private func say(_ dice: Dice) {
    lastTurn += 1
    open.insert(lastTurn)
    give(.say, number(lastTurn, 4) + Array("look at http://a.example/x and ".utf8) + text(dice))
  }

  private func boardAnswers(_ dice: Dice) {
    guard let call = calls.popLast() else { return }
    if dice.chance(1, in: 3) { give(.picturePiece, number(call, 4) + (0..<dice.below(200)).map { _ in dice.byte() }) }
    for _ in 0..<dice.below(3) { give(.resultPiece, number(call, 4) + text(dice)) }
    give(.result, number(call, 4) + [UInt8(dice.below(2))])
  }

  private func odd(_ dice: Dice) {
    if dice.chance(1, in: 4), isConnected {
      isConnected = false
      server.disconnected()
      open.removeAll()
      return calls.removeAll()
    }
    let kinds: [AgentFrame.Kind] = [.board, .tool, .say, .cancel, .resultPiece, .result, .picturePiece, .handedOver]
    let kind = dice.pick(kinds)
    // A message whose number is cut is none.
    give(kind, (0..<dice.below(kind == .say ? 4 : 60)).map { _ in dice.byte() })
  }

  private func text(_ dice: Dice) -> [UInt8] {
    switch dice.below(6) {
    case 0: (0..<dice.below(60)).map { _ in dice.byte() }
    case 1: [UInt8](repeating: 0x78, count: dice.pick([0, 1, 6_000, 12_000]))
    default: Array(dice.pick(Maker.texts).utf8)
    }
  }

  // MARK: Servers

  private func webAnswers(_ server: FuzzWeb, _ dice: Dice) {
    guard server.isOpen else { return }
    if dice.chance(1, in: 8) { return server.fail() }
    let maker = Maker(dice)
    LineGrammar.writeHTTP(into: maker)
    server.answer(maker.bytes)
    if dice.chance(1, in: 2) { server.fail() }
  }

  private func modelAnswers(_ dice: Dice) {
    guard model.isOpen else { return }
    if dice.chance(1, in: 6) { return webAnswers(model, dice) }
    var body = ""
    for _ in 0..<dice.below(4) { body += event(dice) }
    if dice.chance(3, in: 4) {
      body += #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n"
    }
    model.answer(Array(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + body).utf8))
    if dice.chance(7, in: 8) { model.fail() }
  }

  private func event(_ dice: Dice) -> String {
    if dice.chance(1, in: 2) {
      let maker = Maker(dice)
      maker.quote(text(dice))
      return #"data: {"choices":[{"delta":{"content":"# + String(decoding: maker.bytes, as: UTF8.self) + "}}]}\n\n"
    }
    let names = OwnTool.allCases.map { "\($0.name)" } + ["photo", "say", "fly"]
    let arguments = [
      "{}", #"{"url":"http://a.example/x"}"#, #"{"url":"http://127.0.0.1/"}"#, #"{"text":"x","inSeconds":5}"#,
      #"{"text":"x","at":"2026-01-01T00:00:01Z","everySeconds":60}"#, #"{"query":"x"}"#, #"{"id":1}"#, #"{"text":"#,
    ]
    let maker = Maker(dice)
    maker.quote(dice.pick(arguments))
    let call =
      #"{"index":\#(dice.below(9)),"id":"c\#(dice.below(9))","type":"function","function":{"#
      + #""name":"\#(dice.pick(names))","arguments":\#(String(decoding: maker.bytes, as: UTF8.self))}}"#
    return #"data: {"choices":[{"delta":{"tool_calls":[\#(call)]}}]}"# + "\n\n"
  }

  // MARK: Time

  private func settle() {
    for _ in 0..<100 {
      let hadJobs = runner.runAll()
      guard let due = server.nextDeadline, due <= clock.monotonic else {
        if hadJobs { continue }
        return
      }
      server.advance(to: clock.monotonic)
    }
  }

  private func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    var steps = 0
    while let next = server.nextDeadline, next <= end, steps < 200 {
      steps += 1
      clock.advance(max(next - clock.monotonic, 0))
      server.advance(to: clock.monotonic)
      _ = runner.runAll()
    }
    clock.advance(max(end - clock.monotonic, 0))
  }

  /// No server answers any more.
  func rest() {
    for _ in 0..<12 {
      for server in [model, web, polling, sending, listing] where server.isOpen { server.fail() }
      pass(Budget.agentTurnMilliseconds / 10)
      settle()
    }
    expect(server.machine.state == .idle, "the agent is \(server.machine.state) for ever")
    expect(open.isEmpty, "a message has no end")
  }

  // MARK: The node

  private func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private func give(_ kind: AgentFrame.Kind, _ body: [UInt8]) {
    guard isConnected, body.count <= Budget.agentFrameBytes else { return }
    body.withUnsafeBufferPointer { server.received(kind, $0) }
  }

  func send(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) {
    guard isConnected else { return }
    var writer = ByteWriter(into: room.bytes)
    body(&writer)
    expect(writer.count <= Budget.agentFrameBytes, "a frame \(kind) of \(writer.count) bytes is cut")
    var fields = FrameFields(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bytes)[..<writer.count]).span)
    let number = fields.number(bytes: 4)
    switch kind {
    case .ended: expect(open.remove(number) != nil, "message \(number) ends twice, or was never said")
    case .call, .message:
      calls.append(number)
      expect(calls.count <= 64, "calls are neither answered nor dropped")
    case .drop: calls.removeAll { $0 == number }
    default: return
    }
  }

  func read(_ file: AgentFile, into room: UnsafeMutableBufferPointer<UInt8>) -> Int { 0 }

  // MARK: MemoryTransfers: there are no files.

  func makeExport() -> (any MarkdownSink)? { nil }
  func readExport(at place: Int64, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? { nil }
  func writeImport(_ piece: UnsafeBufferPointer<UInt8>, at place: Int64) -> Bool { false }
  func openImport() -> (any MarkdownSource)? { nil }
  func removeAll() {}
}
