import Codec
import Consent
import ConsentPart
import Gateway
import Node
import Runtime
import Simulated

/// A board whose gateway asks for its camera, microphone and the rest all day, and whose people grant, refuse, go away
/// and cut the power. The router and the consent part are the real ones; `ConsentOracle` knows by other means what may
/// be used when, and notes each use that may not be, each second answer, and each late one.
public final class ConsentLife {
  /// What happened.
  public struct Report: Sendable {
    public var requests = 0, begun = 0, answered = 0, refused = 0, dropped = 0
    public var questions = 0, grants = 0, refusals = 0, ignored = 0
    public var powerCuts = 0, restarts = 0, panics = 0, reconnects = 0, takenBack = 0
    /// What must not happen; the first of them.
    public var violations: [String] = []

    /// Nothing has happened.
    public init() {}

    /// Adds what happened in another life.
    public mutating func add(_ other: Report) {
      requests += other.requests
      begun += other.begun
      answered += other.answered
      refused += other.refused
      dropped += other.dropped
      questions += other.questions
      grants += other.grants
      refusals += other.refusals
      ignored += other.ignored
      powerCuts += other.powerCuts
      restarts += other.restarts
      panics += other.panics
      reconnects += other.reconnects
      takenBack += other.takenBack
      violations += other.violations
    }
  }

  let dice: SeededRandom
  public private(set) var report = Report()
  /// Milliseconds since the beginning, whatever the board's clocks say.
  private(set) var now: Int64 = 0
  private let grants = MemoryStore(), uses = MemoryStore()
  private(set) var board: ConsentBoard! = nil
  let oracle: ConsentOracle
  /// When the next request comes, and when the person at the board does something.
  private var requestAt: Int64 = 1_000
  private var personAt: Int64?
  private var answered: Int = -1
  /// A fault that the simulation commits, to see that it is noticed: a grant that no person gave.
  var isBetrayed = false

  /// A life that begins with `run`.
  public init(seed: UInt64) {
    dice = SeededRandom(seed: seed)
    oracle = ConsentOracle(rules: Self.rules(dice))
    board = ConsentBoard(self, grants: grants, uses: uses, boot: 1, monotonic: 0)
  }

  /// Most permissions are asked about; some are allowed or denied.
  private static func rules(_ dice: SeededRandom) -> ConsentRules {
    var rules = ConsentRules()
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      let number = dice.next() % 8
      rules[permission] = number == 0 ? .allow : number == 1 ? .deny : .ask
    }
    return rules
  }

  func random(below bound: Int64) -> Int64 { Int64((dice.next() >> 33) % UInt64(bound)) }

  func chance(_ count: Int64, in all: Int64) -> Bool { random(below: all) < count }

  func violated(_ text: String) {
    if report.violations.count < 20 { report.violations.append("at \(now) ms: \(text)") }
  }

  /// Lives until so many requests were made.
  public func run(requests: Int) {
    while report.requests < requests, report.violations.isEmpty {
      var next = requestAt
      next = min(next, personAt ?? .max, board.deadline.map { max($0, now) } ?? .max)
      pass(next - now)
      board.advance()
      if now >= requestAt { request() }
      if let at = personAt, now >= at { act() }
      watchQuestion()
      oracle.check(self)
      if chance(1, in: 150) { incident() }
    }
  }

  private func pass(_ milliseconds: Int64) {
    now += milliseconds
    board.clock.advance(milliseconds)
  }

  private func request() {
    requestAt = now + 1 + random(below: chance(1, in: 4) ? 60_000 : 2_000)
    report.requests += 1
    board.request(ConsentRequestModel(self, number: report.requests))
  }

  // MARK: People

  /// A person comes to a new question after a while, or nobody does.
  private func watchQuestion() {
    guard let question = board.part.question else { return personAt = nil }
    guard question.number != answered else { return }
    answered = question.number
    report.questions += 1
    oracle.asked(question.permissions, self)
    personAt = chance(1, in: 4) ? nil : now + Budget.consentArmMilliseconds + random(below: 40_000)
    if personAt == nil { report.ignored += 1 }
  }

  private func act() {
    personAt = nil
    // A person answers what they have read, not what was asked in its place.
    guard let question = board.part.question, question.number == answered else { return }
    let answers: [ConsentAnswer] = [.once, .once, .minute, .session, .today, .no]
    let answer = answers[Int(random(below: Int64(answers.count)))]
    let source: Grant.Source = [.screen, .button, .console][Int(random(below: 3))]
    if answer == .no { report.refusals += 1 } else { report.grants += 1 }
    oracle.answered(answer, question.permissions, self)
    board.part.answer(answer, to: question.number, by: source)
  }

  // MARK: What else happens

  private func incident() {
    switch random(below: 12) {
    case 0: cutPower()
    case 1: restart()
    case 2: panic()
    case 3, 4: reconnect()
    case 5, 6: takeBack()
    case 7: giveAtConsole()
    // Somebody, or NTP, sets the date.
    case 8: board.clock.jump(to: ConsentBoard.beginning + now + random(below: 7_200_000) - 3_600_000)
    case 9: board.isDateRight = chance(3, in: 4) && board.setDate(self)
    default: board.storesFail.toggle()
    }
  }

  private func cutPower() {
    report.powerCuts += 1
    // What was being written is lost, or is on flash. Only what was taken back has been written: a cut within the
    // milliseconds that flash needs can bring it back, as it can the state of any other switch.
    if oracle.hasEnded || chance(1, in: 2) { board.runner.runAll() }
    oracle.powerCut()
    pass(1_000 + random(below: chance(1, in: 3) ? 40_000_000 : 60_000))
    begin(boot: board.boot + 1, monotonic: random(below: 20_000))
    board.clock.jump(to: ConsentBoard.beginning + random(below: now + 1))
  }

  private func restart() {
    report.restarts += 1
    if oracle.hasEnded || chance(1, in: 2) { board.runner.runAll() }
    oracle.restarted()
    let wall = board.clock.wall
    begin(boot: board.boot, monotonic: board.clock.monotonic)
    board.clock.jump(to: wall)
  }

  private func begin(boot: Int64, monotonic: Int64) {
    report.dropped += board.open
    (personAt, answered) = (nil, -1)
    board = ConsentBoard(self, grants: grants, uses: uses, boot: boot, monotonic: monotonic)
    requestAt = max(requestAt, now + 1)
  }

  private func panic() {
    report.panics += 1
    oracle.ended(.all)
    board.table.hold()
    oracle.check(self)
    board.table.letGo()
  }

  private func reconnect() {
    report.reconnects += 1
    oracle.sessionEnded()
    report.dropped += board.disconnect()
  }

  private func takeBack() {
    if isBetrayed { return board.give(oracle.rules.those(of: .all, with: .ask), .session) }
    report.takenBack += 1
    let permissions = PermissionSet(rawValue: UInt8(truncatingIfNeeded: dice.next()))
    oracle.ended(permissions)
    board.takeBack(permissions)
  }

  private func giveAtConsole() {
    let permissions = oracle.rules.those(
      of: PermissionSet(rawValue: UInt8(truncatingIfNeeded: dice.next())), with: .ask)
    guard !permissions.isEmpty else { return }
    report.grants += 1
    let answer: ConsentAnswer = [.once, .minute, .session, .today][Int(random(below: 4))]
    oracle.answered(answer, permissions, self)
    board.give(permissions, answer)
  }

  func count(_ change: (inout Report) -> Void) { change(&report) }
}
