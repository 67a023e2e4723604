import Codec
import Node
import Runtime

/// The programs on the board that speak to the agent over its local socket. Every call gets exactly one last word, in
/// time, and a reply that is said to be complete is what the gateway's agent said.
final class Console: LineServer, Actor {
  private enum Step: Int { case ask, abort, due }

  private struct Call {
    let client: Int
    let operation: StaticString
    /// What was asked of the gateway's agent, and what was heard of its reply.
    let question: String
    var reply = ""
    var isCut = false
  }

  /// Milliseconds for a call: for speech, which has the longest of the desk's patience, and for a whole reply: the time
  /// to send it, the longest run of the simulated agent, and the desk's patience with a silent run.
  private static let timeout: Int64 = OperatorDesk.timeout * 2 + 1_000
  private static let chatTimeout: Int64 = 900_000
  /// Programs at a time.
  private static let clients: Int64 = 3

  unowned(unsafe) let life: Life
  private var control: Control?
  private var calls: [Int64: Call] = [:]
  private var last: Int64 = 0
  private let buffer = FixedBuffer(capacity: Budget.controlOutputBytes)

  init(_ life: Life) { self.life = life }

  func begin() { plan() }

  private func plan() {
    guard life.scenario.questionsPerDay > 0 else { return }
    life.schedule.add(
      self, Step.ask.rawValue, at: life.now + life.interval(86_400_000 / Int64(life.scenario.questionsPerDay)))
  }

  func boardStarted(_ control: Control) { self.control = control }

  /// The program has ended, and closed its socket.
  func boardStopped() {
    control = nil
    calls.removeAll()
  }

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .ask:
      plan()
      if life.board.isServing { ask() }
    case .abort: if let call = calls[number] { say("chat-abort", ",\"chat\":\(number)", call.client) }
    case .due:
      guard let call = calls[number] else { return }
      life.invariants.violated("a call of the local socket was not answered in time: \(call.operation)")
    }
  }

  // MARK: Asking

  private func ask() {
    let client = Int(life.random(below: Self.clients))
    if life.chance(1, in: 30) { return hangUp(client) }
    switch life.random(below: 12) {
    case 0: say("sessions", "", client)
    case 1: say("chat-history", ",\"limit\":5", client)
    case 2: say("voicewake-get", "", client)
    case 3: say("voicewake-set", ",\"phrases\":[\"talon\",\"computer\"]", client)
    case 4: say("speak", ",\"text\":\"hello\"", client)
    case 5: say("gateway-identity", "", client)
    case 6: say("beacon", "", client)
    default:
      let question = "question \(last + 1)"
      say("chat", ",\"text\":\"\(question)\"", client, question: question)
      if life.chance(1, in: 8) {
        life.schedule.add(self, Step.abort.rawValue, last, at: life.now + life.interval(3_000))
      }
    }
  }

  private func say(_ operation: StaticString, _ members: String, _ client: Int, question: String = "") {
    last += 1
    life.report.questions += 1
    calls[last] = Call(client: client, operation: operation, question: question)
    let wait = question.isEmpty ? Self.timeout : Self.chatTimeout
    life.schedule.add(self, Step.due.rawValue, last, at: life.now + wait)
    life.trace.note(life.now, operation, last)
    control?.lineReceived("{\"op\":\"\(operation)\",\"id\":\(last)\(members)}".utf8.span, from: client)
  }

  /// A program ends before its answers are there.
  func hangUp(_ client: Int) {
    for number in calls.keys where calls[number]!.client == client { calls[number] = nil }
    control?.lineClientDisconnected(client)
  }

  // MARK: Hearing

  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard let count = write(buffer.bytes) else { return false }
    let open = calls.count
    hear(count, client)
    if life.options.plant == .repeatsAnswer, calls.count < open { hear(count, client) }
    return true
  }

  private func hear(_ count: Int, _ client: Int) {
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
    let line = JSONView(Span(_unsafeElements: text))
    guard let type = line.member("type"), let id = line.member("id")?.int64 else {
      return life.invariants.violated("the local socket said what is no line")
    }
    guard let call = calls[id], call.client == client else {
      return life.invariants.violated("the local socket answered a call that was over")
    }
    if type.equals("started") { return }
    if let text = line.member("text") {
      return calls[id]!.reply = (type.equals("replacement") ? "" : call.reply) + text.string
    }
    if type.equals("cut") {
      return calls[id]!.isCut = true
    }
    over(id, call, isReply: type.equals("end") && line.member("state")?.equals("final") ?? false)
  }

  /// The last word on a call.
  private func over(_ id: Int64, _ call: Call, isReply: Bool) {
    if life.options.plant == .losesAnswer { return }
    calls[id] = nil
    life.trace.note(life.now, "call over", id)
    guard isReply, !call.isCut else { return }
    life.report.replies += 1
    var reply = call.reply
    if life.options.plant == .garblesReply { reply += "!" }
    if let whole = life.gateway.chats.reply(to: call.question), whole != reply {
      life.invariants.violated("the reply to \(call.question) was shown as \(reply), and was \(whole)")
    }
  }
}
