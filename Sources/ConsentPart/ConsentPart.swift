// ConsentPart: asks whoever is at the board before commands begin, keeps what was granted, and writes a journal of what
// was used. It must not know how a person is asked: the screen, the light and the console see it as `ConsentDesk`.

import Codec
import Consent
import Device
import Gateway
import Node
import Runtime

/// Whoever is at the board decides what the gateway's agent may use, and for how long.
public final class ConsentPart: Part, ConsentGate, ConsentDesk {
  /// A use that runs.
  struct Running {
    var token: InvokeToken
    var permissions: PermissionSet
    /// What it relies on: grants that last, and grants for this one use.
    var lasting: PermissionSet
    var once: PermissionSet
    var entry: UseJournal.Entry?
  }

  /// A question that people see: since when, and its name.
  private struct Shown {
    var number = 0
    var since: Int64 = 0
    /// When a console had its words first; nil: none had.
    var readAt: Int64?
    var name = QuestionName()
  }

  public let settings: ConsentSettings
  let board: ConsentSurroundings
  let router: Router
  let clock: any Clock
  let log: Log
  let outbox: Outbox
  let cryptography: any Cryptography
  private let storage: ConsentStorage
  /// The parts, which are told when a grant ends. The table owns this part and outlives it.
  unowned(unsafe) let parts: PartTable
  var table = GrantTable()
  var refusals = Refusals()
  var queue: ConsentQueue
  /// The question that people see.
  private var shown = Shown()
  /// What the person used who gave the last grant for one use.
  private var lastSource = Grant.Source.console
  var running = BoundedQueue<Running>(capacity: Budget.consentUses)
  /// Devices that stay open after a request, or are used at the board.
  private var open = LiveUses()
  let journal: JournalKeeper?
  let keeper: GrantKeeper
  /// A person holds the board.
  private(set) var isHeld = false
  /// The board's own agent has asked for something since the gateway was there.
  private var hasLent = false

  /// A part that grants nothing by itself.
  @export(interface)
  public init(
    _ settings: ConsentSettings, _ board: ConsentSurroundings, storage: ConsentStorage, parts: PartTable,
    router: Router, outbox: Outbox, runner: any JobRunner, clock: any Clock, cryptography: any Cryptography, log: Log
  ) throws(Errno) {
    self.settings = settings
    self.board = board
    self.router = router
    self.outbox = outbox
    self.cryptography = cryptography
    self.parts = parts
    self.clock = clock
    self.log = log
    self.storage = storage
    queue = try ConsentQueue()
    keeper = GrantKeeper(storage, runner: runner, clock: clock, log: log)
    journal = settings.hasJournal ? try JournalKeeper(store: storage.uses, runner: runner, clock: clock, log: log) : nil
    super.init()
    router.gate = self
  }

  // MARK: ConsentGate

  public func admits(_ request: ConsentRequest, _ parameters: borrowing JSONView) -> Bool {
    // Of what is held still, each handler says so itself.
    if isHeld { return !request.mustAsk || failHeld(request.token) }
    guard let demand = demand(of: request, copy parameters) else { return true }
    let denied = settings.rules.those(of: demand.permissions, with: .deny)
    if let permission = denied.first { return refuse(request.token, permission, .denied) }
    let asked = settings.rules.those(of: demand.permissions, with: .ask)
    let now = clock.monotonic
    if request.lent != nil { hasLent = true }
    if request.mustAsk { return wait(request, demand, missing: demand.permissions, copy parameters, at: now) }
    let missing = asked.subtracting(covered(asked, demand, at: now))
    if missing.isEmpty {
      begin(request.token, demand, InlineText(cutting: request.name), request.sessionKey, relying: asked)
      return true
    }
    return wait(request, demand, missing: missing, copy parameters, at: now)
  }

  public func asks(about command: String) -> Bool {
    let nothing: StaticString = "{}"
    let demand = ConsentDemand(command, JSONView(nothing.utf8Bytes), hasFront: settings.rules.hasFront, board)
    guard let demand else { return false }
    return !settings.rules.those(of: demand.permissions, with: .ask).isEmpty
  }

  /// Asks somebody, unless that makes no sense now.
  private func wait(
    _ request: ConsentRequest, _ demand: ConsentDemand, missing: PermissionSet, _ parameters: borrowing JSONView,
    at now: Int64
  ) -> Bool {
    guard let permission = missing.first else { return true }
    if let (end, byPerson) = refusals.holding(missing, at: now) {
      return refuse(request.token, permission, byPerson ? .refused(end - now) : .unanswered(end - now))
    }
    let latest = request.deadline - demand.work - Budget.consentWorkMilliseconds
    let until = min(now + Budget.consentQuestionMilliseconds, latest)
    guard until - now >= 2 * Budget.consentArmMilliseconds else {
      let least = demand.work + Budget.consentWorkMilliseconds + Budget.consentQuestionMilliseconds / 2
      return refuse(request.token, permission, .hurried(least))
    }
    let before = question?.number
    switch queue.add(request, demand, missing: missing, copy parameters, until: until) {
    case .full: return refuse(request.token, permission, .crowded)
    case .large: return refuse(request.token, permission, .large)
    case nil: break
    }
    if before == nil { announce() }
    return false
  }

  /// Answers a request with an error; false, as `admits` returns it.
  @discardableResult
  private func refuse(_ token: InvokeToken, _ permission: Permission, _ refusal: ConsentRefusal) -> Bool {
    router.fail(token, code: ConsentRefusal.code(permission)) { refusal.write(for: permission, to: &$0) }
    return false
  }

  public func cancel(_ token: InvokeToken) {
    guard let place = queue.first(where: { $0.token == token }) else { return }
    let wasShown = question?.number == queue[place].number
    queue.free(place)
    if wasShown { announce() }
  }

  public func ended(_ token: InvokeToken) {
    for _ in 0..<running.count {
      guard let use = running.pop() else { return }
      if use.token == token { open.end(use, parts.live, journal) } else { _ = running.push(use) }
    }
  }

  /// A use begins: what was granted for one use is used up, and the journal has it.
  private func begin(
    _ token: InvokeToken, _ demand: ConsentDemand, _ command: InlineText<32>, _ sessionKey: SessionKey,
    relying asked: PermissionSet
  ) {
    let now = clock.monotonic
    var basis = Use.Basis.file
    if let first = asked.first, let grant = table.grant(first, at: now) { basis = .grant(grant.scope, grant.source) }
    let once = table.use(asked, demand.subject.digest, demand.kinds, for: demand.work, at: now)
    if !once.isEmpty { basis = .grant(.once, lastSource) }
    beginUse(token, demand, command, sessionKey, basis, lasting: asked.subtracting(once), once: once)
  }

  /// A use begins that relies on these.
  func beginUse(
    _ token: InvokeToken, _ demand: ConsentDemand, _ command: InlineText<32>, _ sessionKey: SessionKey,
    _ basis: Use.Basis, lasting: PermissionSet, once: PermissionSet
  ) {
    if settings.recordingEndsCamera, demand.permissions.contains(.screen) {
      takeBack([.camera, .frontCamera], "a recording of the screen began")
    }
    let use = Use(
      wall: max(clock.wall, 0), permissions: demand.permissions, basis: basis, command: command,
      who: InlineText(cutting: sessionKey.span))
    _ = running.push(
      Running(
        token: token, permissions: demand.permissions, lasting: lasting, once: once,
        entry: journal?.begin(use)))
  }

  // MARK: ConsentDesk

  public var question: ConsentQuestion? {
    guard let place = queue.first(where: { _ in true }) else { return nil }
    let waiting = queue[place]
    if shown.number != waiting.number {
      let now = clock.monotonic
      shown = Shown(number: waiting.number, since: now, name: name(of: waiting, place, at: now))
    }
    var question = ConsentQuestion(
      number: waiting.number, name: shown.name, permissions: waiting.missing, what: waiting.demand.what,
      subject: waiting.demand.subject, who: InlineText(cutting: waiting.sessionKey.span),
      purpose: waiting.demand.purpose, shownAt: shown.since, until: waiting.until)
    question.isOnceOnly = waiting.isOnceOnly
    question.isOwnAgent = waiting.isOwnAgent
    return question
  }

  /// The name has a digest of all that is asked, and of the time, so that no other question has it after a restart.
  private func name(of waiting: ConsentQueue.Waiting, _ place: Int, at now: Int64) -> QuestionName {
    let parameters = cryptography.sha256(Span(_unsafeElements: queue.text(place)))
    let session = cryptography.sha256(waiting.sessionKey.span)
    let what = cryptography.sha256(waiting.demand.what.span)
    var sums = InlineArray<136, UInt8>(repeating: 0)
    for index in 0..<32 {
      sums[index] = parameters[index]
      sums[32 + index] = session[index]
      sums[64 + index] = what[index]
      // Empty where no grant is for words alone.
      if index < waiting.demand.subject.digest.count { sums[96 + index] = waiting.demand.subject.digest.span[index] }
    }
    for index in 0..<8 { sums[128 + index] = UInt8(truncatingIfNeeded: now >> Int64(8 * index)) }
    let sum = cryptography.sha256(sums.span)
    let mark = UInt32(sum[0]) << 16 | UInt32(sum[1]) << 8 | UInt32(sum[2])
    return QuestionName(question: waiting.number, mark: mark)
  }

  @export(interface)
  public func answer(_ answer: ConsentAnswer, to number: Int, by source: Grant.Source) {
    guard let question, question.number == number else { return }
    guard answer != .no else { return refuseAll(question.permissions, by: source) }
    // Nobody has read what has only just appeared.
    guard isArmed(question), let place = queue.first(where: { $0.number == number }) else { return }
    if answer == .once || queue[place].isOnceOnly { return allow(place, by: source) }
    guard let grant = answer.grant(by: source, at: moment) else { return }
    give(question.permissions, grant, inAnswerTo: queue[place].demand)
  }

  /// Of these permissions, those that what is asked for may rely on now.
  func covered(_ asked: PermissionSet, _ demand: borrowing ConsentDemand, at now: Int64) -> PermissionSet {
    table.covered(asked, demand.subject.digest, demand.kinds, for: demand.work, at: now)
  }

  /// True when a question has been there for long enough to be read.
  func isArmed(_ question: ConsentQuestion) -> Bool {
    clock.monotonic - question.shownAt >= Budget.consentArmMilliseconds
  }

  /// Now, by the board's clocks.
  var moment: ConsentMoment {
    let wall = clock.wall
    return ConsentMoment(
      now: clock.monotonic, wall: wall, offset: storage.offset(wall), isDateRight: storage.isDateRight())
  }

  public var granted: PermissionSet {
    let now = clock.monotonic
    var (found, rest) = (PermissionSet(), PermissionSet.all)
    while let permission = rest.popFirst() {
      if table.grant(permission, at: now) != nil { found.insert(PermissionSet(permission)) }
    }
    return found
  }

  public var grantEnd: Int64? { table.nextEnd }

  public func use(back: Int) -> Use? { journal?.journal.use(back: back) }

  /// Since when nothing is asked, in milliseconds of the monotonic clock; nil while something is.
  public var idleSince: Int64? { shown.number == 0 ? shown.since : nil }

  /// When a console had the words of the question first, in milliseconds of the monotonic clock; nil: none had.
  public var readAt: Int64? { shown.readAt }

  /// A console has the words of the question.
  func wasRead(at now: Int64) { shown.readAt = shown.readAt ?? now }

  /// The question that is shown now, or none.
  func announce() {
    guard let question else { return shown = Shown(since: clock.monotonic) }
    log.write(.notice, "consent") { line in
      question.writeSentence(to: &line)
      line.add(" Answer on the screen, with the button, or with talon grants. ")
      question.subject.write(to: &line)
      line.add(question.subject.isEmpty ? "" : " ")
      question.writeWords(to: &line)
    }
  }

  // MARK: Answers

  /// A person allows it before anybody asks, or in answer to a question.
  public func give(_ permissions: PermissionSet, _ answer: ConsentAnswer, by source: Grant.Source) {
    if let grant = answer.grant(by: source, at: moment) { give(permissions, grant) }
  }

  /// The same with a grant: what waits for that, and lacks nothing else, begins. `demand`: what was asked, which is all
  /// that it is for; nil: nobody has asked.
  func give(_ permissions: PermissionSet, _ grant: Grant, inAnswerTo demand: ConsentDemand? = nil) {
    var rest = permissions
    while let permission = rest.popFirst() {
      table.give(permission, demand?.limited(grant, to: permission) ?? grant)
    }
    refusals.forget(permissions)
    if grant.scope == .once { lastSource = grant.source }
    changed(permissions, grant.scope == .until ? .granted(grant.duration) : grant.scope == .once ? .once : .session)
    log.write(.notice, "consent") { line in
      Self.write(permissions, to: &line)
      line.add(": granted at the ")
      line.add(grant.source.word)
      line.add(", ")
      line.add(grant.scope.word)
      guard grant.scope == .until else { return }
      line.add(" in ")
      line.add(grant.duration / 1000)
      line.add(" s")
    }
    beginCovered()
  }

  /// Begins what waits and is covered now, the oldest first: a grant for one use serves one.
  private func beginCovered() {
    let before = question?.number
    while true {
      let (now, rules) = (clock.monotonic, settings.rules)
      guard
        let place = queue.first(where: { waiting in
          if waiting.mustAsk { return false }
          let asked = rules.those(of: waiting.demand.permissions, with: .ask)
          return self.covered(asked, waiting.demand, at: now) == asked
        })
      else { break }
      let waiting = queue[place]
      queue.begin(place)
      let asked = rules.those(of: waiting.demand.permissions, with: .ask)
      begin(waiting.token, waiting.demand, waiting.command, waiting.sessionKey, relying: asked)
      let text = queue.text(place)
      router.resume(waiting.token, sessionKey: waiting.sessionKey, JSONView(Span(_unsafeElements: text)))
      queue.free(place)
    }
    if question?.number != before { announce() }
  }

  /// A person refuses it: all that waits for it ends.
  func refuseAll(_ permissions: PermissionSet, by source: Grant.Source) {
    let now = clock.monotonic
    refusals.add(permissions, until: now + settings.refusal, byPerson: true)
    log.write(.notice, "consent") { line in
      Self.write(permissions, to: &line)
      line.add(": refused at the ")
      line.add(source.word)
    }
    let pause = settings.refusal
    while let place = queue.first(where: { !$0.missing.isDisjoint(with: permissions) }) {
      fail(place, .refused(pause), permissions)
    }
    announce()
  }

  /// Ends what waits at a place with an error.
  func fail(_ place: Int, _ refusal: ConsentRefusal, _ permissions: PermissionSet) {
    let waiting = queue[place]
    queue.free(place)
    guard let permission = waiting.missing.intersection(permissions).first ?? waiting.missing.first else { return }
    refuse(waiting.token, permission, refusal)
  }

  // MARK: Part

  public override var operations: [ControlRow] { consentOperations }

  public override func start() {
    keeper.load(into: &table, at: clock.monotonic)
    journal?.load()
  }

  public override func flush() {
    keeper.flush()
    journal?.flush()
  }

  public override var isStopped: Bool { keeper.isSettled && journal?.isSettled ?? true }

  /// What was granted for a session of the board's own agent is not for one of the gateway's.
  public override func online(_ session: Session) {
    guard hasLent else { return }
    hasLent = false
    ended(table.endSession(), "the gateway is there again")
  }

  /// A session is over, and with it what was granted for it.
  public override func offline() { ended(table.endSession(), "the connection to the gateway has ended") }

  /// All grants end. What waits for an answer is ended by the router.
  public override func hold() {
    isHeld = true
    takeBack(.all, "a person holds the board")
  }

  public override func letGo() { isHeld = false }

  public override var nextDeadline: Int64? {
    earliest(earliest(queue.nextDeadline, table.nextEnd), earliest(keeper.nextDeadline, journal?.nextDeadline))
  }

  public override func advance(to now: Int64) {
    keeper.advance(to: now, &table)
    if let journal {
      journal.advance(to: now)
      open.look(parts.live, isRunning: uses, wall: max(clock.wall, 0), journal)
    }
    if let end = table.nextEnd, end <= now { ended(table.expire(at: now), "its time is up") }
    while let place = queue.first(where: { $0.until <= now }) {
      let missing = queue[place].missing
      refusals.add(missing, until: now + Budget.consentSilenceMilliseconds, byPerson: false)
      let wasShown = question?.number == queue[place].number
      fail(place, .unanswered(Budget.consentSilenceMilliseconds), missing)
      if wasShown { announce() }
    }
  }

  public override func report(to report: inout HardwareReport) {
    let now = clock.monotonic
    var rest = known
    while let permission = rest.popFirst() {
      let state: ConsentState =
        switch settings.rules[permission] {
        case .allow: .allowed
        case .deny: .denied
        // One for a single command line or call of a tool tells nothing of the next.
        case .ask: table.grant(permission, at: now)?.digest.isEmpty == true ? .granted : .asks
        }
      report.consent.append(ConsentEntry(word: permission.word, state: state))
    }
  }
}
