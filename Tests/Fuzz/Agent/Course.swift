import Consent
import ConsentPart
import Gateway
import Runtime

@testable import Agent

/// What happens over time between a board and those around it: somebody asks, takes it back, asks for something else,
/// and answers, of which any may come late, twice, or in another order. One course is one message of a campaign, with
/// dice of its own, so that it is played again alone; it has at most `mostMoves` moves.
final class Course {
  private static let mostMoves = 12
  private let program: AgentProgram
  private let maker: Maker
  private var board: FuzzBoard { program.board }
  private var dice: Dice { maker.dice }
  /// Invokes of this course.
  private var invokes: [String] = []
  /// Questions that people have read, turns and questions of the board's own agent: late answers name one of these.
  private var questions: [QuestionName] = []
  private var turns: [UInt64] = []
  private var owned: [UInt64] = []
  /// The number of the next line of a program.
  private var line = 100

  init(_ program: AgentProgram, _ maker: Maker) {
    self.program = program
    self.maker = maker
  }

  func play() {
    let kind = dice.below(4)
    if kind == 0 { forget() }
    for _ in 0..<(4 + dice.below(Self.mostMoves - 3)) {
      guard board.node.stage == .online else { return }
      switch kind {
      case 0: consent()
      case 1: ownAgent()
      case 2: page()
      default: requests()
      }
      board.settle()
    }
  }

  /// A line of a program at the board.
  private func say(_ members: String, from client: Int = 0) {
    line += 1
    program.tell?("course: \(members)")
    board.console.say(Array(#"{"id":\#(line),\#(members)}"#.utf8), from: client)
    board.settle()
  }

  private func pass() {
    let time = dice.pick([1, 20, 599, 600, 1_000, 5_000, 30_000, 61_000])
    program.tell?("course: \(time) ms pass")
    board.pass(Int64(time))
  }

  /// Takes back an invoke of this course: one that waits, runs, was answered or was taken back before.
  private func cancel() {
    guard !invokes.isEmpty else { return }
    let cancellation = Maker(dice)
    EventGrammar.writeCancel(dice.pick(invokes), node: board.nodeID, into: cancellation)
    program.deliver(board.node, cancellation)
  }

  private func invoke(_ command: String, _ parameters: String, session: String = "main") {
    invokes.append(program.invoke(command, Array(parameters.utf8), dice, session: session))
  }

  // MARK: Questions to people

  /// What was granted or refused before is over, so that people are asked: a grant ends what was refused.
  private func forget() {
    if dice.chance(1, in: 4) { return }
    say(#""op":"grants-give","permissions":["camera"],"for":1"#)
    say(#""op":"grants-end","permissions":["camera"]"#)
  }

  private func consent() {
    switch dice.below(8) {
    case 0, 1:
      let purpose = maker.apart { maker.quote(dice.pick(Maker.texts)) }
      let parameters = #"{"deviceId":"fuzz","purpose":\#(String(decoding: purpose, as: UTF8.self))}"#
      invoke(dice.pick(["camera.snap", "camera.clip"]), parameters, session: dice.pick(["main", "other"]))
    case 2: cancel()
    case 3: pass()
    default: answer()
    }
    board.settle()
    if let name = board.agent.consent?.question?.name, questions.last != name { questions.append(name) }
  }

  /// An answer to a question that was read at some time. One that is over, or that nobody can have read yet, allows
  /// nothing, and leaves what is asked now as it is.
  private func answer() {
    guard let part = board.agent.consent, !questions.isEmpty else { return }
    let name = dice.chance(1, in: 2) ? questions[questions.count - 1] : dice.pick(questions)
    let word = dice.pick(["once", "60s", "session", "today", "no"])
    let (shown, before) = (part.question, part.granted)
    let isRead = shown.map { board.clock.monotonic - $0.shownAt >= Budget.consentArmMilliseconds } ?? false
    let text = name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    say(#""op":"grants-answer","question":"\#(text)","answer":"\#(word)""#)
    guard shown?.name != name || !isRead && word != "no" else { return }
    expect(part.granted == before, "an answer to \(text), which is not asked, allowed something")
    expect(part.question?.number == shown?.number, "an answer to \(text), which is not asked, ended another question")
  }

  // MARK: The board's own agent

  private func ownAgent() {
    let agent = board.ownAgent
    let client = dice.below(2)
    switch dice.below(9) {
    case 0, 1: say(#""op":"chat","text":"question \#(line)","own":true"#, from: client)
    case 2: say(#""op":"chat-abort","chat":\#(line - dice.below(4))"#, from: client)
    case 3: say(#""op":"agent","do":"\#(dice.pick(["status", "search", "models"]))","text":"a""#, from: client)
    case 4: board.control.lineClientDisconnected(client)
    case 5: pass()
    case 6 where !owned.isEmpty: agent.answer("answer \(line)", question: dice.pick(owned))
    default:
      guard !turns.isEmpty else { break }
      agent.say("text \(line)", turn: dice.pick(turns), ends: dice.chance(1, in: 3))
    }
    board.settle()
    if turns.last != agent.turn { turns.append(agent.turn) }
    if owned.last != agent.question { owned.append(agent.question) }
  }

  // MARK: Pages

  private func page() {
    switch dice.below(7) {
    case 0, 1, 2:
      let address = dice.pick(["a.html", "b.md", "c.svg", "d.png"])
      invoke(dice.pick(["canvas.navigate", "canvas.present"]), #"{"url":"http://93.184.216.34/\#(address)"}"#)
    case 3: dice.chance(1, in: 3) ? invoke(dice.pick(["canvas.hide", "canvas.a2ui.reset"]), "{}") : cancel()
    case 4: pass()
    default:
      // Half of an answer, or all of it; the rest of it comes when something else may be there.
      let open = [board.documents, board.pages, board.videos].filter { $0.isOpen }
      guard !open.isEmpty else { return }
      let answer = Maker(dice)
      LineGrammar.writeHTTP(into: answer)
      dice.pick(open).answer(dice.chance(1, in: 2) ? answer.bytes : Array(answer.bytes.prefix(answer.bytes.count / 2)))
    }
  }

  // MARK: The board's requests

  /// Answers to what the board has asked, in any order, twice, and after the connection of them is over.
  private func requests() {
    let gateway = dice.chance(1, in: 2) ? board.node : board.desk
    let asked = gateway.requests
    if dice.chance(1, in: 4) {
      program.tell?("course: the connection breaks, and is there again")
      gateway.transport.fail(TransportFailure(.broken))
      program.lost(gateway)
      program.connect()
    }
    for request in dice.chance(1, in: 2) ? asked : asked.reversed() where dice.chance(2, in: 3) {
      guard gateway.stage == .online else { return }
      let answer = Maker(dice)
      AnswerGrammar.write(request.method, id: request.id, commands: board.commands, into: answer)
      program.deliver(gateway, answer)
      board.settle()
    }
    if dice.chance(1, in: 2) { pass() }
  }
}
