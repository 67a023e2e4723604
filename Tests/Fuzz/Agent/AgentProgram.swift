import Canvas
import Codec
import Gateway
import Motion
import Runtime
import Simulated

@testable import Agent

/// Plays everybody around a board, one message at a time, each of which follows from its dice alone: a message that is
/// left out changes no other. After each the board must be alive and within its bounds, and every invoke is answered
/// exactly once in time.
final class AgentProgram {
  let board: FuzzBoard
  /// Invokes without an answer.
  private(set) var waiting: [String: String] = [:]
  /// Answered or forgotten ones, which no answer may come for any more.
  private var done: Set<String> = []
  private var number = 0
  /// Told what each message was.
  var tell: ((String) -> Void)?
  private let commandBag: [String]

  init(_ board: FuzzBoard) {
    self.board = board
    commandBag = board.commands.flatMap { Array(repeating: $0, count: CommandGrammar.weight($0)) }
    board.node.answered = { [unowned self] in answered($0) }
    connect()
  }

  // MARK: Messages

  /// One message, and what follows from it. `message`: what it is when the board is online; nil: any.
  func step(_ dice: Dice, _ message: ((Maker) -> Void)? = nil) {
    number += 1
    board.clock.advance(1)
    if board.agent.session.state != .online || board.node.stage != .online {
      reconnect(dice)
    } else if let message {
      message(Maker(dice))
    } else {
      act(dice)
    }
    board.settle()
    check()
  }

  private func act(_ dice: Dice) {
    let maker = Maker(dice)
    switch dice.below(100) {
    case 0..<40: invoke(maker)
    case 40..<52: answer(dice.chance(1, in: 2) ? board.node : board.desk, maker)
    case 52..<60: event(board.node, maker)
    case 60..<72: board.desk.stage == .online ? event(board.desk, maker) : connectDesk(maker)
    case 72..<80: line(maker)
    case 80..<86: pass(dice)
    case 86..<93: devices(maker)
    case 93, 94: web(maker)
    case 95: Course(self, maker).play()
    case 96: dice.chance(1, in: 4) ? vast(maker) : Course(self, maker).play()
    case 97: frames(dice.chance(1, in: 3) ? board.desk : board.node, maker)
    case 98: dice.chance(1, in: 3) ? lose(dice) : connectDesk(maker)
    default: odd(maker)
    }
  }

  private func invoke(_ maker: Maker) {
    let id = "i\(number)"
    let command = maker.dice.pick(commandBag)
    CommandGrammar.write(command, id: id, node: board.nodeID, into: maker)
    waiting[id] = command
    deliver(board.node, maker)
    if maker.dice.chance(1, in: 12) {
      let other = Maker(maker.dice)
      let target = waiting.keys.sorted().first ?? "i1"
      EventGrammar.writeCancel(target, node: board.nodeID, into: other)
      deliver(board.node, other)
    }
  }

  /// Invokes `command` with parameters that are made apart; its id.
  @discardableResult
  func invoke(_ command: String, _ parameters: [UInt8], _ dice: Dice, session: String = "main") -> String {
    number += 1
    let id = "i\(number)"
    waiting[id] = command
    let maker = Maker(dice)
    maker.add(#"{"type":"event","event":"node.invoke.request","payload":{"id":"\#(id)","nodeId":""#)
    maker.add(board.nodeID)
    maker.add(#"","command":"\#(command)","timeoutMs":120000,"sessionKey":"\#(session)","paramsJSON":"#)
    maker.quote(parameters)
    maker.add("}}")
    deliver(board.node, maker)
    return id
  }

  /// Something that becomes much more than it looks.
  func vast(_ maker: Maker) {
    var command = ""
    let parameters = maker.apart { command = VastGrammar.write(into: maker) }
    invoke(command, parameters, maker.dice)
  }

  /// Sends text; where it is no JSON, the board takes no notice, and nobody is answered.
  func deliver(_ gateway: FuzzGateway, _ maker: Maker) {
    let text = maker.bytes
    tell?(String(decoding: text, as: UTF8.self))
    var isJSON = true
    do throws(JSONError) { try JSONValidator.check(text.span, depthLimit: Budget.jsonDepth) } catch { isJSON = false }
    if !isJSON, gateway === board.node { waiting["i\(number)"] = nil }
    gateway.send(text, pieces: maker.dice.chance(1, in: 30) ? 3 : 1)
  }

  private func answer(_ gateway: FuzzGateway, _ maker: Maker) {
    guard let request = gateway.request(maker.dice) else { return event(gateway, maker) }
    tell?("answer to \(request.method)")
    AnswerGrammar.write(request.method, id: request.id, commands: board.commands, into: maker)
    deliver(gateway, maker)
  }

  private func event(_ gateway: FuzzGateway, _ maker: Maker) {
    guard gateway.stage == .online else { return pass(maker.dice) }
    EventGrammar.write(into: maker)
    deliver(gateway, maker)
  }

  private func line(_ maker: Maker) {
    if maker.dice.chance(1, in: 12) {
      tell?("a program is gone")
      return board.control.lineClientDisconnected(maker.dice.below(3))
    }
    let isCanvas = maker.dice.chance(1, in: 4)
    isCanvas
      ? LineGrammar.writeCanvas(board.canvasCommands, into: maker) : LineGrammar.write(board.operations, into: maker)
    tell?((isCanvas ? "door: " : "line: ") + String(decoding: maker.bytes, as: UTF8.self))
    (isCanvas ? board.canvasSocket : board.console).say(maker.bytes.filter { $0 != 0x0A }, from: maker.dice.below(3))
  }

  private func pass(_ dice: Dice) {
    let time = dice.pick([1, 20, 100, 500, 1_000, 1_000, 3_000, 10_000, 14_000, 40_000])
    tell?("\(time) ms pass")
    // A gateway that answers pings.
    for gateway in [board.node, board.desk] where gateway.stage == .online {
      gateway.deliver(LoopbackGateway.frame(0x8A, []))
    }
    board.pass(Int64(time))
  }

  private func web(_ maker: Maker) {
    let open = [board.documents, board.pages, board.videos].filter { $0.isOpen }
    guard !open.isEmpty else { return invokePage(maker) }
    let web = maker.dice.pick(open)
    if maker.dice.chance(1, in: 10) { return web.fail() }
    LineGrammar.writeHTTP(into: maker)
    tell?("web: " + String(decoding: maker.bytes, as: UTF8.self))
    web.answer(maker.bytes)
  }

  private func invokePage(_ maker: Maker) {
    let id = "i\(number)"
    waiting[id] = "canvas.navigate"
    CommandGrammar.write("canvas.navigate", id: id, node: board.nodeID, into: maker)
    deliver(board.node, maker)
  }

  /// Frames that are none of a gateway's usual ones.
  private func frames(_ gateway: FuzzGateway, _ maker: Maker) {
    let dice = maker.dice
    tell?("odd frames")
    switch dice.below(8) {
    case 0: gateway.deliver(LoopbackGateway.frame(0x89, (0..<dice.below(126)).map { _ in dice.byte() }))
    case 1: gateway.deliver(LoopbackGateway.frame(0x8A, []))
    case 2: gateway.deliver(LoopbackGateway.frame(0x82, (0..<dice.below(200)).map { _ in dice.byte() }))
    case 3:
      gateway.deliver(
        LoopbackGateway.frame(
          0x88, dice.chance(1, in: 2) ? [] : [dice.byte(), dice.byte()] + (0..<dice.below(20)).map { _ in dice.byte() })
      )
    case 4:
      gateway.deliver(LoopbackGateway.frame(0x81, [UInt8](repeating: 0x20, count: dice.pick([0, 65_536, 600_000]))))
    case 5: gateway.deliver((0..<(2 + dice.below(12))).map { _ in dice.byte() })
    case 6: gateway.deliver([0x81, 127] + (0..<8).map { _ in dice.pick([0, 0xFF, 0x7F, 1]) })
    default:
      EventGrammar.write(into: maker)
      gateway.send(maker.bytes, pieces: 5)
    }
    // Half a frame would swallow all that follows: whoever sends it is soon gone.
    if gateway.transport.isOpen, dice.chance(1, in: 2) { gateway.transport.fail(TransportFailure(.broken)) }
    lost(gateway)
  }

  private func odd(_ maker: Maker) {
    switch maker.dice.below(4) {
    case 0:
      EventGrammar.writeShutdown(into: maker)
      deliver(board.node, maker)
      if maker.dice.chance(1, in: 2) { lose(maker.dice) }
    case 1:
      maker.soup(4)
      deliver(maker.dice.chance(1, in: 2) ? board.node : board.desk, maker)
    case 2:
      // A command of another board, or none at all.
      maker.whole([
        ("type", .raw(#""event""#)), ("event", .raw(#""node.invoke.request""#)),
        (
          "payload",
          .object([("id", .text), ("nodeId", .text), ("command", .word(board.commands)), ("paramsJSON", .soup)])
        ),
      ])
      deliver(board.node, maker)
    default:
      maker.anything()
      deliver(board.node, maker)
    }
  }

  // MARK: Connections

  /// Both connections as they should be.
  func connect() {
    for _ in 0..<200 where board.agent.session.state != .online || board.node.stage != .online {
      if board.node.transport.isOpen { open(board.node) } else { board.pass(max(untilDeadline, 1)) }
      board.settle()
    }
    let session = board.agent.session!
    expect(
      session.state == .online,
      "the board does not come back: \(session.state) \(session.explanation.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })"
    )
    for _ in 0..<20 where board.desk.stage != .online { openDesk() }
  }

  private func openDesk() {
    if board.desk.transport.isOpen { open(board.desk) }
    board.settle()
  }

  /// Until the board tries again.
  private var untilDeadline: Int64 {
    (board.agent.session.deadline ?? board.clock.monotonic + 1_000) - board.clock.monotonic
  }

  /// One whole handshake.
  private func open(_ gateway: FuzzGateway) {
    gateway.secure()
    board.settle()
    gateway.accept()
    gateway.send(AnswerGrammar.challenge)
    board.settle()
    gateway.send(AnswerGrammar.hello)
    gateway.isOnline()
    board.settle()
    gateway.follow()
    if gateway === board.node { forgetInvokes() }
  }

  private func connectDesk(_ maker: Maker) {
    if board.desk.stage == .online {
      tell?("the desk's connection breaks")
      board.desk.transport.fail(TransportFailure(.broken))
      return lost(board.desk)
    }
    board.desk.transport.isOpen ? handshake(board.desk, maker) : pass(maker.dice)
  }

  /// The node is not online: a handshake that may go wrong, or time until it tries again.
  private func reconnect(_ dice: Dice) {
    let maker = Maker(dice)
    lost(board.node)
    if !board.node.transport.isOpen {
      if dice.chance(1, in: 40) { return board.node.transport.fail(TransportFailure(.connect)) }
      tell?("\(untilDeadline) ms until the board tries again")
      return board.pass(max(untilDeadline, 1))
    }
    if dice.chance(1, in: 2) { return connect() }
    handshake(board.node, maker)
  }

  private func handshake(_ gateway: FuzzGateway, _ maker: Maker) {
    let dice = maker.dice
    gateway.secure()
    board.settle()
    if dice.chance(1, in: 8) {
      LineGrammar.writeHTTP(into: maker)
      tell?("upgrade: " + String(decoding: maker.bytes, as: UTF8.self))
      return gateway.deliver(maker.bytes)
    }
    gateway.accept()
    if dice.chance(1, in: 4) {
      AnswerGrammar.writeChallenge(into: maker)
      deliver(gateway, maker)
    } else {
      gateway.send(AnswerGrammar.challenge)
    }
    board.settle()
    let second = Maker(dice)
    if dice.chance(1, in: 6) {
      EventGrammar.write(into: second)
      deliver(gateway, second)
    }
    let third = Maker(dice)
    AnswerGrammar.writeHello(into: third)
    deliver(gateway, third)
    gateway.isOnline()
    board.settle()
    gateway.follow()
    if gateway === board.node { forgetInvokes() }
    // A refusal ends with the connection.
    let isNode = gateway === board.node
    if isNode ? board.agent.session.state != .online : board.agent.desk?.session.state != .online {
      gateway.transport.fail(TransportFailure(.closedByPeer))
    }
    lost(gateway)
  }

  private func lose(_ dice: Dice) {
    tell?("the connection breaks")
    board.node.transport.fail(TransportFailure(dice.pick([.broken, .closedByPeer, .tls, .resolve])))
    lost(board.node)
  }

  func lost(_ gateway: FuzzGateway) {
    gateway.follow()
    if gateway === board.node, !gateway.transport.isOpen || gateway.isClosing { forgetInvokes() }
  }

  // MARK: What must hold

  private func answered(_ id: String) {
    guard id.first == "i", Int(id.dropFirst()) != nil else { return }
    expect(!done.contains(id), "\(id) was answered twice")
    if waiting.removeValue(forKey: id) != nil { done.insert(id) }
    if done.count > 4_000 { done.removeAll() }
  }

  private func forgetInvokes() {
    waiting.removeAll()
    done.removeAll()
  }

  private func check() {
    let agent = board.agent
    lost(board.node)
    expect(agent.router.count <= 64, "\(agent.router.count) invokes run")
    expect(
      waiting.count <= 64 || board.node.transport.heldCount > 0,
      "\(waiting.count) invokes wait for their answers: \(waiting.prefix(3))")
    if waiting.count > 64 { forgetInvokes() }
    guard agent.session.state != .online, agent.session.state != .stopped, let deadline = agent.session.deadline else {
      return
    }
    expect(
      deadline - board.clock.monotonic <= 3_600_000 + 1_000,
      "the board comes back in \(deadline - board.clock.monotonic) ms")
  }

  /// Everything comes to rest: all invokes are answered, and nothing of what was shown is left.
  func rest() {
    if board.agent.session.state == .online {
      for _ in 0..<80 where board.agent.session.state == .online && !waiting.isEmpty {
        for gateway in [board.node, board.desk] where gateway.stage == .online {
          gateway.send(Array(#"{"type":"event","event":"tick","payload":{}}"#.utf8))
        }
        board.documents.fail()
        board.pages.fail()
        board.videos.fail()
        board.pass(10_000)
        board.settle()
        lost(board.node)
      }
      expect(waiting.isEmpty || board.node.stage != .online, "never answered: \(waiting.prefix(3))")
    }
    forgetInvokes()
    board.agent.letGo("by the fuzzer")
    board.node.transport.fail(TransportFailure(.broken))
    board.desk.transport.fail(TransportFailure(.broken))
    for client in 0..<3 { board.control.lineClientDisconnected(client) }
    for gateway in [board.node, board.desk] { gateway.follow() }
    connect()
    for command in ["canvas.a2ui.reset", "canvas.hide", "canvas.draw", "canvas.present"] {
      number += 1
      let maker = Maker(Dice([]))
      maker.add(#"{"type":"event","event":"node.invoke.request","payload":{"id":"x\#(number)","nodeId":""#)
      maker.add(board.nodeID)
      maker.add(#"","command":"\#(command)","paramsJSON":"{\"op\":\"clear\"}"}}"#)
      board.node.send(maker.bytes)
      board.settle()
    }
    board.pass(2_000)
  }
}
