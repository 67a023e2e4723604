import Codec
import Gateway
import Runtime

/// The board's second connection, on which a person at the board talks to the gateway (gateway reference 9.9 to 9.12). It
/// knows no hardware and waits for none. It connects when the node connection has been online once, because two
/// connections that ask for approval would replace each other's request (5.3), and from then on leads its own life.
public final class OperatorDesk: SessionDelegate, RequestOwner {
  /// Milliseconds for an answer (gateway reference 2.2), for speech, and until a run without a sign is given up.
  public static let patience: Int64 = 30_000
  static let speechPatience: Int64 = 60_000
  static let runPatience: Int64 = 600_000
  /// Milliseconds between looks while the gateway does not let every command through.
  static let policyPeriod: Int64 = 300_000
  /// Milliseconds between looks at least, however many commands arrive.
  static let policySpacing: Int64 = 5_000

  private let clock: any Clock
  let random: any RandomSource
  private let log: Log
  /// The commands that the node declares, by which `policy` counts.
  public let commands: [StaticString]
  private var calls = DeskCalls()
  var runs = ChatRuns()
  /// For whoever looks at the main session's conversation; nil: nobody does.
  private(set) var feed: ChatFeed?
  #if TALON_SOUND
    /// Whoever talks with people. Lives as long as the desk.
    unowned(unsafe) var talk: TalkService?
    /// Whoever waits for the phrases, alike.
    unowned(unsafe) var wake: WakeService?
  #endif
  /// Where the text of one event is put together.
  let text: ReservedBuffer
  private var policyDue: Int64?
  private var policyAsked: Int64 = 0
  private var hasStarted = false

  /// The connection.
  public private(set) var session: Session! = nil
  /// What the gateway lets through of the node's commands.
  public private(set) var policy = CommandPolicy()
  /// The phrases that wake the agent.
  public private(set) var wakePhrases = WakePhrases()

  /// A desk that does nothing until `nodeOnline`. `configuration` is the node's, with the commands that it declares.
  public init(
    configuration: SessionConfiguration, scopes: Scopes, identity: NodeIdentity, keeper: RecordKeeper,
    transport: any Transport, clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log
  ) throws(Errno) {
    self.clock = clock
    self.random = random
    self.log = log
    commands = configuration.commands
    text = try ReservedBuffer(capacity: Budget.chatTextBytes)
    session = try Session(
      configuration: configuration.asOperator(scopes), identity: identity, keeper: keeper, transport: transport,
      clock: clock, random: random, cryptography: cryptography, log: log, delegate: self)
  }

  // MARK: Life

  /// The node connection is online, for the first time or again, at this address of the gateway.
  public func nodeOnline(at url: GatewayURL?) {
    if let url { session.prefer(url) }
    if hasStarted, session.state != .stopped { return askPolicy() }
    hasStarted = true
    session.start()
  }

  /// A command arrived: if some were held back, that may be over.
  public func nodeInvoked() {
    guard let due = policyDue, policy.verdict == .some || policy.verdict == .none else { return }
    policyDue = min(due, max(now, policyAsked + Self.policySpacing))
  }

  /// The network changed: a connection that waits tries at once.
  public func networkChanged() { session.networkChanged() }

  /// Says goodbye; `isStopped` becomes true.
  public func stop(_ reason: StaticString = "node stops", _ sentence: StaticString = "stopped") {
    session.stop(reason, sentence)
  }

  /// True when nothing is left of the connection.
  public var isStopped: Bool { session.state == .stopped }

  /// When `advance` wants to be called.
  public var deadline: Int64? {
    var earliest = session.deadline ?? .max
    if let policyDue { earliest = min(earliest, policyDue) }
    if let instant = runs.nextDeadline { earliest = min(earliest, instant) }
    if let instant = feed?.nextDeadline { earliest = min(earliest, instant) }
    return earliest == .max ? nil : earliest
  }

  /// Lets time pass.
  public func advance(to now: Int64) {
    session.advance(to: now)
    if let policyDue, policyDue <= now { askPolicy() }
    expireRuns(now)
    feed?.advance(to: now)
  }

  /// Follows the conversation of the main session, for one who looks at it.
  func makeFeed() -> ChatFeed {
    let feed = ChatFeed(self)
    self.feed = feed
    return feed
  }

  /// The monotonic instant.
  var now: Int64 { clock.monotonic }

  // MARK: Asking

  /// Asks the gateway; `members` writes the members of the parameters, the same each time. The listener hears of the
  /// answer, or why there is none, possibly within this call.
  public func ask(
    _ method: StaticString, patience: Int64 = OperatorDesk.patience, _ listener: any DeskListener, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    ask(.person, method, patience, listener, tag, members)
  }

  /// Asks for the wake phrases, or for others.
  public func askPhrases(
    _ method: StaticString, _ listener: any DeskListener, _ tag: Int, _ members: (inout JSONWriter) -> Void
  ) {
    ask(.wakePhrases, method, Self.patience, listener, tag, members)
  }

  private func ask(
    _ purpose: DeskCalls.Purpose, _ method: StaticString, _ patience: Int64, _ listener: any DeskListener, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    let call = DeskCalls.Call(purpose: purpose, method: method, listener: listener, tag: tag)
    if let failure = send(call, patience: patience, members) { listener.deskFailed(tag, failure) }
  }

  /// Asks, or says why not.
  func send(
    _ call: DeskCalls.Call, patience: Int64 = OperatorDesk.patience, _ members: (inout JSONWriter) -> Void
  ) -> DeskFailure? {
    guard session.state == .online else { return unavailable }
    guard let slot = calls.add(call) else { return Self.busy }
    if session.request(call.method, owner: self, tag: slot, timeout: patience, members) { return nil }
    _ = calls.take(slot)
    return Self.busy
  }

  private static var busy: DeskFailure {
    DeskFailure("BUSY", "the connection takes no more questions now, or this one is too long; try again")
  }

  /// Why there is nobody to ask, and what to do about it.
  var unavailable: DeskFailure {
    DeskFailure(DeskFailure.noOperator) { line in
      if !self.hasStarted { return line.add("the board's node connection has not been online yet; see talon status") }
      line.add("the console connection is not online: ")
      line.add(self.session.explanation.span)
    }
  }

  /// Nobody listens to these any more. A run goes on at the gateway.
  public func forget(_ listener: any DeskListener, _ tag: Int) {
    calls.forget(listener, tag)
    if let run = runs.index(of: listener, tag) { runs.remove(run) }
  }

  // MARK: Answers

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard let call = calls.take(tag) else { return }
    switch call.purpose {
    case .person: call.listener?.deskAnswered(call.tag, payload)
    case .wakePhrases:
      learnPhrases(payload)
      call.listener?.deskAnswered(call.tag, payload)
    case .policy: learnPolicy(payload)
    case .send: runStarted(call, payload)
    case .catchUp: catchUp(call, payload)
    }
  }

  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard let call = calls.take(tag) else { return }
    switch call.purpose {
    case .person, .wakePhrases: call.listener?.deskFailed(call.tag, DeskFailure(failure, of: call.method))
    case .send: runNotStarted(call, failure)
    case .policy: policyDue = now + Self.policyPeriod
    case .catchUp: break
    }
    if failure.kind == .refused { logRefusal(call, failure) }
  }

  private func logRefusal(_ call: DeskCalls.Call, _ failure: RequestFailure) {
    log.write(.info, "operator") { line in
      line.add(call.method)
      line.add(" was refused: ")
      line.add(failure.code.span)
      line.add(" ")
      line.add(failure.message.span)
    }
  }

  // MARK: What is shown

  private func askPolicy() {
    policyDue = nil
    policyAsked = now
    let node = session.identity.id
    let call = DeskCalls.Call(purpose: .policy, method: "node.describe")
    let failure = send(call) { writer in
      writer.key("nodeId")
      writer.string(node.span)
    }
    // Without a connection the next one asks.
    if failure != nil, session.state == .online { policyDue = now + Self.policyPeriod }
  }

  private func learnPolicy(_ row: borrowing JSONView) {
    var news = policy
    let isTold = news.read(row, declared: commands)
    if !isTold || news.verdict != .all { policyDue = now + Self.policyPeriod }
    guard isTold, news != policy else { return }
    policy = news
    logAdvice()
  }

  /// What a person would have to do now for the node's commands to get through.
  private var advice: PolicyAdvice {
    PolicyAdvice(
      policy, commands: commands, serverVersion: session.hello.serverVersion.span, hasBeenInvoked: false)
  }

  private func logAdvice() {
    let advice = self.advice
    log.write(advice.finding == .withheld ? .warning : .notice, "operator") { advice.writeSentence(to: &$0) }
    advice.forEachStep { step in
      log.write(.warning, "operator") { $0.add(step) }
    }
  }

  /// Takes the phrases from an answer or a `voicewake.changed`.
  public func learnPhrases(_ payload: borrowing JSONView) {
    #if TALON_SOUND
      wake?.learn(payload)
    #endif
    guard wakePhrases.read(payload) else { return }
    log.write(.info, "operator") { line in
      line.add("the gateway's wake phrases:")
      for index in 0..<self.wakePhrases.count {
        line.add(index == 0 ? " " : ", ")
        line.add(self.wakePhrases[index])
      }
    }
  }

  // MARK: SessionDelegate

  public func sessionOpened() {
    _ = send(DeskCalls.Call(purpose: .wakePhrases, method: "voicewake.get")) { _ in }
    askPolicy()
    catchUpRuns()
    feed?.opened()
    #if TALON_SOUND
      talk?.deskOpened()
    #endif
  }

  public func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("chat") { return chatReceived(payload) }
    if event.equals("voicewake.changed") { learnPhrases(payload) }
    if event.equals("session.message") { feed?.heard(payload) }
    #if TALON_SOUND
      if event.equals("talk.event") { talk?.deskReceived(payload) }
    #endif
  }

  public func sessionLost() {
    policyDue = nil
    feed?.lost()
    #if TALON_SOUND
      talk?.deskLost()
    #endif
  }
  public var repliesDue: Int { 0 }
}
