import Codec
import Device
import Gateway
import Runtime

/// Gets the events of the operator connection.
public protocol OperatorDelegate: AnyObject {
  func operatorOnline()
  func operatorOffline()
  /// An event of the gateway.
  func operatorReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView)
  /// The gateway's wake phrases, from a response or an event.
  func wakePhrasesReceived(_ payload: borrowing JSONView)
}

/// The board's second connection, on which a person at the board talks to the gateway (gateway reference 9.9 to 9.12).
/// It knows no hardware and waits for none. It connects while the node connection is online, because a gateway keeps
/// one request for approval per device, and two connections that ask would replace each other's (5.3). Once online, it
/// is independent of the node connection.
public final class OperatorDesk: Part, SessionDelegate, RequestDelegate {
  /// Timeouts in milliseconds: of a request (gateway reference 2.2), of speech, and of a run that was not confirmed
  /// again.
  public static let timeout: Int64 = 30_000
  public static let speechTimeout: Int64 = 60_000
  /// Timeouts in milliseconds of requests that the gateway answers at once, and of a stop, which a person may ask for
  /// again.
  static let readTimeout: Int64 = 15_000
  static let abortTimeout: Int64 = 10_000
  static let runTimeout: Int64 = 600_000

  private let clock: any Clock
  /// The scopes that are asked for.
  let requested: Scopes
  /// The requests at the gateway that wait for a person.
  public private(set) var approvals: ApprovalBook! = nil
  public let random: any RandomSource
  let log: Log
  /// The commands that the node declares; `policy` refers to them by index.
  public private(set) var commands: [String] = []
  private var calls = DeskCalls()
  var runs = ChatRuns()
  var steps = ChatSteps()
  /// Answers people while the gateway is away; nil: nobody does. Lives as long as the desk.
  public unowned(unsafe) var standIn: (any ChatStandIn)?
  var owners = MessageOwners()
  /// The message that waits for its photo.
  private(set) var photo: ChatPhoto! = nil
  /// The feed of the main session's conversation; nil while it is not shown.
  private(set) var feed: ChatFeed?
  /// The list of conversations; nil while nobody can choose.
  private var directory: ChatDirectory?
  /// Gets the connection's events. Lives as long as the desk.
  public unowned(unsafe) var delegate: (any OperatorDelegate)?
  /// The buffer for the text of one event.
  public let text: ReservedBuffer
  var policyDue: Int64?
  var policyAsked: Int64 = 0
  /// The policy that is being read, until the gateway's configuration is known.
  var pendingPolicy = CommandPolicy()
  /// Somebody waits for a change until this time.
  var watchedUntil: Int64 = 0
  private var hasStarted = false
  private var isNodeOnline = false
  private static let waitSentence: StaticString = "waits until the node connection is online"

  /// The connection.
  public private(set) var session: Session! = nil
  /// Which of the node's commands the gateway lets through.
  public internal(set) var policy = CommandPolicy()
  /// The wake phrases.
  public private(set) var wakePhrases = WakePhrases()

  /// A desk that does nothing until `nodeOnline`. `configuration` is the node's. `approves`: people at the board answer
  /// requests of the gateway, which takes two more scopes.
  @export(interface)
  public init(
    configuration: SessionConfiguration, scopes: Scopes, approves: Bool = false, identity: NodeIdentity,
    keeper: RecordKeeper,
    transport: any Transport, clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log
  ) throws(Errno) {
    self.clock = clock
    requested = approves ? scopes.union(.approvals).union(.pairing) : scopes
    self.random = random
    self.log = log
    text = try ReservedBuffer(capacity: Budget.chatTextBytes)
    super.init()
    photo = try ChatPhoto(self)
    approvals = ApprovalBook(self, isWanted: approves)
    session = try Session(
      configuration: configuration.asOperator(requested), identity: identity, keeper: keeper, transport: transport,
      clock: clock, random: random, cryptography: cryptography, log: log, delegate: self)
  }

  /// Who takes the photos of people's messages; nil: nobody can. Lives as long as the desk.
  public func setPhotographer(_ photographer: (any ChatPhotographer)?) { photo.photographer = photographer }

  /// Sets the commands that the node declares. What is known of others is forgotten.
  public func declare(commands: [String]) {
    guard commands != self.commands else { return }
    self.commands = commands
    policy = CommandPolicy()
    pendingPolicy = policy
  }

  // MARK: Part

  public override func online(_ session: Session) { nodeOnline(at: session.onlineURL) }

  public override func offline() { nodeLost() }

  public override func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("node.invoke.request") { nodeInvoked() }
    if event.equals("node.pair.resolved") { commandsDecided() }
    if event.equals("voicewake.changed") { learnPhrases(payload) }
  }

  public override func boardChanged(_ change: BoardChange) { if change == .network { session.networkChanged() } }

  public override func stop() { stop("node stops", "stopped") }

  public override func writeStatus(to writer: inout JSONWriter) { writeConsole(to: &writer) }

  public override func report(to report: inout HardwareReport) { report.services.console = health }

  public override func hold() { stop(HoldError.reason, HoldError.sentence) }

  // MARK: Life

  /// The node connection is online, for the first time or again, at this address of the gateway.
  public func nodeOnline(at url: GatewayURL?) {
    isNodeOnline = true
    if let url { session.prefer(url) }
    if hasStarted, session.state != .stopped { return askPolicy() }
    hasStarted = true
    session.start()
  }

  /// The node connection is lost: perhaps the gateway has forgotten this board, so an operator connection that is not
  /// online waits.
  public func nodeLost() {
    isNodeOnline = false
    waitForNode()
  }

  private func waitForNode() {
    guard !isNodeOnline, session.state != .online, session.state != .stopped else { return }
    session.stop("node stops", Self.waitSentence)
  }

  /// True when there is no connection and no attempt, because the node connection is not online.
  private var waitsForNode: Bool { !isNodeOnline && session.state == .stopped }

  /// The state of the connection, as in `talon status`.
  public var stateWord: StaticString { waitsForNode ? SessionState.waiting.word : session.state.word }

  /// The state in one sentence.
  public var explanation: Explanation {
    waitsForNode && !hasStarted ? InlineText(cutting: Self.waitSentence) : session.explanation
  }

  /// Ends the connection; `isStopped` becomes true.
  private func stop(_ reason: StaticString, _ sentence: StaticString) {
    session.stop(reason, sentence)
  }

  /// True when the connection has ended.
  public override var isStopped: Bool { session.state == .stopped }

  public override var nextDeadline: Int64? {
    var earliest = session.deadline ?? .max
    if let policyDue { earliest = min(earliest, policyDue) }
    if let instant = runs.nextDeadline { earliest = min(earliest, instant) }
    if let instant = feed?.nextDeadline { earliest = min(earliest, instant) }
    if let instant = approvals.nextDeadline { earliest = min(earliest, instant) }
    if standIn != nil, hasUnconfirmedRuns { earliest = min(earliest, now) }
    return earliest == .max ? nil : earliest
  }

  public override func advance(to now: Int64) {
    waitForNode()
    session.advance(to: now)
    if let policyDue, policyDue <= now { askPolicy() }
    expireRuns(now)
    if standIn != nil { confirmRuns() }
    feed?.advance(to: now)
    approvals.advance(to: now)
  }

  /// Makes the feed of the main session's conversation.
  public func makeFeed() -> ChatFeed {
    let feed = ChatFeed(self)
    self.feed = feed
    return feed
  }

  /// Makes a list of the gateway's agents and conversations.
  public func makeDirectory() -> ChatDirectory {
    let directory = ChatDirectory(self)
    self.directory = directory
    return directory
  }

  /// The monotonic time.
  public var now: Int64 { clock.monotonic }

  /// Milliseconds since 1970, as far as the board knows.
  var wall: Int64 { clock.wall }

  // MARK: Requests

  /// Sends a request; `members` writes the members of the parameters, the same each time. The delegate gets the
  /// response or the failure, possibly within this call. Without `timeout` in milliseconds, the method's own is used.
  public func ask(
    _ method: StaticString, timeout: Int64? = nil, _ delegate: any DeskDelegate, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    ask(.person, method, timeout, delegate, tag, members)
  }

  /// Reads or replaces the wake phrases.
  public func askPhrases(
    _ method: StaticString, _ delegate: any DeskDelegate, _ tag: Int, _ members: (inout JSONWriter) -> Void
  ) {
    ask(.wakePhrases, method, nil, delegate, tag, members)
  }

  private func ask(
    _ purpose: DeskCalls.Purpose, _ method: StaticString, _ timeout: Int64?, _ delegate: any DeskDelegate, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    let call = DeskCalls.Call(purpose: purpose, method: method, delegate: delegate, tag: tag)
    if let failure = send(call, timeout: timeout, members) { delegate.deskFailed(tag, failure) }
  }

  /// Sends a request; returns the failure when it could not be sent.
  func send(
    _ call: DeskCalls.Call, timeout: Int64? = nil, _ members: (inout JSONWriter) -> Void
  ) -> DeskFailure? {
    let timeout = timeout ?? Self.timeout(of: call.method)
    guard session.state == .online else { return unavailable }
    guard let slot = calls.add(call) else { return Self.busy }
    if session.request(call.method, delegate: self, tag: slot, timeout: timeout, members) { return nil }
    _ = calls.take(slot)
    return Self.busy
  }

  /// Sends a request with a blob; `members` returns where it is inserted.
  func send(
    _ call: DeskCalls.Call, blob: OutboundBlob, _ members: (inout JSONWriter) -> Int
  ) -> DeskFailure? {
    guard session.state == .online else { return unavailable }
    guard let slot = calls.add(call) else { return Self.busy }
    let timeout = Self.speechTimeout
    if session.request(call.method, delegate: self, tag: slot, timeout: timeout, blob: blob, members) { return nil }
    _ = calls.take(slot)
    return Self.busy
  }

  /// Default timeout of a method in milliseconds.
  static func timeout(of method: StaticString) -> Int64 {
    func isMethod(_ name: StaticString) -> Bool { method.bytes.elementsEqual(name.bytes) }
    if isMethod("chat.history") || isMethod("sessions.list") { return readTimeout }
    return isMethod("chat.abort") ? abortTimeout : timeout
  }

  private static var busy: DeskFailure {
    DeskFailure("BUSY", "the connection takes no more requests now, or this one is too long; try again")
  }

  /// Why there is no connection, and what to do about it.
  public var unavailable: DeskFailure {
    DeskFailure(DeskFailure.noOperator) { line in
      if !self.hasStarted { return line.add("the board's node connection has not been online yet; see talon status") }
      line.add("the console connection is not online: ")
      line.add(self.session.explanation.span)
    }
  }

  /// The responses to these are not needed any more. A run continues at the gateway; the stand-in ends one that nobody
  /// follows, for it does one at a time.
  public func forget(_ delegate: any DeskDelegate, _ tag: Int) {
    calls.forget(delegate, tag)
    photo.forget(delegate, tag)
    guard let run = runs.index(of: delegate, tag) else { return }
    let (isLocal, serial) = (runs[run].isLocal, runs[run].serial)
    runs.remove(run)
    if isLocal { standIn?.cancel(StandInRun(slot: run, serial: serial)) }
  }

  // MARK: Answers

  @export(interface)
  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard let call = calls.take(tag) else { return }
    switch call.purpose {
    case .person: call.delegate?.deskAnswered(call.tag, payload)
    case .wakePhrases:
      phrasesReceived(payload)
      call.delegate?.deskAnswered(call.tag, payload)
    case .policy: learnPolicy(payload)
    case .listing:
      // A person has just approved it.
      settlePolicy()
      askPolicy(after: Self.policySpacing)
    case .send: runStarted(call, payload)
    case .catchUp: catchUp(call, payload)
    }
  }

  @export(interface)
  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard let call = calls.take(tag) else { return }
    switch call.purpose {
    case .person, .wakePhrases: call.delegate?.deskFailed(call.tag, DeskFailure(failure, of: call.method))
    case .send: runNotStarted(call, failure)
    case .policy: askPolicy(after: Self.policyPeriod)
    case .listing:
      // The next connection asks again.
      if failure.kind == .lost { return }
      pendingPolicy.learn(reason: failure.reason.span)
      return settlePolicy()
    case .catchUp: break
    }
    if failure.kind == .refused { logRefusal(call, failure) }
  }

  private func logRefusal(_ call: DeskCalls.Call, _ failure: RequestFailure) {
    log.write(.info, "operator") { line in
      line.add(call.method)
      line.add(" was refused: ")
      line.add(code: failure.code.span)
      line.add(" ")
      line.quote(failure.message.span)
    }
  }

  // MARK: Wake phrases

  private func phrasesReceived(_ payload: borrowing JSONView) {
    delegate?.wakePhrasesReceived(payload)
    learnPhrases(payload)
  }

  /// Takes the phrases from a response or a `voicewake.changed` event.
  private func learnPhrases(_ payload: borrowing JSONView) {
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
    approvals.opened()
    delegate?.operatorOnline()
  }

  public func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("chat") { return chatReceived(payload) }
    if event.equals("agent") || event.equals("session.tool") { return agentReceived(payload) }
    if event.equals("voicewake.changed") { phrasesReceived(payload) }
    if event.equals("session.message") { feed?.heard(payload) }
    if approvals.received(event, payload) { return }
    delegate?.operatorReceived(event, payload)
  }

  public func sessionLost() {
    policyDue = nil
    feed?.lost()
    approvals.lost()
    delegate?.operatorOffline()
  }
  public var repliesDue: Int { 0 }

  public func sessionReceivedInvoke(in buffer: inout ReservedBuffer, count: Int) -> Bool { false }

  public var isOccupied: Bool { false }
}
