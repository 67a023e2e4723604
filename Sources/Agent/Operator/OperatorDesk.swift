import Codec
import Gateway
import Runtime

/// The board's second connection, on which a person at the board talks to the gateway (gateway reference 9.9 to 9.12). It
/// knows no hardware and waits for none. It connects while the node connection is online, because a gateway keeps one request
/// for approval per device, and two connections that ask would replace each other's (5.3). Once it stands it leads its own
/// life.
public final class OperatorDesk: SessionDelegate, RequestOwner {
  /// Milliseconds for an answer (gateway reference 2.2), for speech, and until a run without a sign is given up.
  public static let patience: Int64 = 30_000
  static let speechPatience: Int64 = 60_000
  /// Milliseconds for what the gateway has at hand, and for a stop, which a person wants at once and may ask for again.
  static let readPatience: Int64 = 15_000
  static let abortPatience: Int64 = 10_000
  static let runPatience: Int64 = 600_000

  private let clock: any Clock
  let random: any RandomSource
  let log: Log
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
  var policyDue: Int64?
  var policyAsked: Int64 = 0
  /// What the gateway told, while it is found out whether its configuration is right.
  var told = CommandPolicy()
  /// Somebody waits for a change until then.
  var watchedUntil: Int64 = 0
  private var hasStarted = false
  private var isNodeOnline = false
  private static let waitSentence: StaticString = "waits until the node connection is online"

  /// The connection.
  public private(set) var session: Session! = nil
  /// What the gateway lets through of the node's commands.
  public internal(set) var policy = CommandPolicy()
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
    isNodeOnline = true
    if let url { session.prefer(url) }
    if hasStarted, session.state != .stopped { return askPolicy() }
    hasStarted = true
    session.start()
  }

  /// The node connection has ended: perhaps the gateway has forgotten this board, so whatever is not connected waits.
  public func nodeLost() {
    isNodeOnline = false
    waitForNode()
  }

  private func waitForNode() {
    guard !isNodeOnline, session.state != .online, session.state != .stopped else { return }
    session.stop("node stops", Self.waitSentence)
  }

  /// Nothing is connected or tried, because the node connection is not online.
  private var waitsForNode: Bool { !isNodeOnline && session.state == .stopped }

  /// The state of the connection, as `talon status` has it.
  public var stateWord: StaticString { waitsForNode ? SessionState.waiting.word : session.state.word }

  /// The same in one plain sentence.
  public var explanation: Explanation {
    waitsForNode && !hasStarted ? InlineText(cutting: Self.waitSentence) : session.explanation
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
    waitForNode()
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
  /// answer, or why there is none, possibly within this call. Without a `patience` in milliseconds the method's own counts.
  public func ask(
    _ method: StaticString, patience: Int64? = nil, _ listener: any DeskListener, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    ask(.person, method, patience, listener, tag, members)
  }

  /// Asks for the wake phrases, or for others.
  public func askPhrases(
    _ method: StaticString, _ listener: any DeskListener, _ tag: Int, _ members: (inout JSONWriter) -> Void
  ) {
    ask(.wakePhrases, method, nil, listener, tag, members)
  }

  private func ask(
    _ purpose: DeskCalls.Purpose, _ method: StaticString, _ patience: Int64?, _ listener: any DeskListener, _ tag: Int,
    _ members: (inout JSONWriter) -> Void
  ) {
    let call = DeskCalls.Call(purpose: purpose, method: method, listener: listener, tag: tag)
    if let failure = send(call, patience: patience, members) { listener.deskFailed(tag, failure) }
  }

  /// Asks, or says why not.
  func send(
    _ call: DeskCalls.Call, patience: Int64? = nil, _ members: (inout JSONWriter) -> Void
  ) -> DeskFailure? {
    let patience = patience ?? Self.patience(of: call.method)
    guard session.state == .online else { return unavailable }
    guard let slot = calls.add(call) else { return Self.busy }
    if session.request(call.method, owner: self, tag: slot, timeout: patience, members) { return nil }
    _ = calls.take(slot)
    return Self.busy
  }

  /// Milliseconds that a method has when its caller names none.
  static func patience(of method: StaticString) -> Int64 {
    func isMethod(_ name: StaticString) -> Bool { method.bytes.elementsEqual(name.bytes) }
    if isMethod("chat.history") || isMethod("sessions.list") { return readPatience }
    return isMethod("chat.abort") ? abortPatience : patience
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
    case .listing:
      // Approved just now.
      settlePolicy()
      policyDue = now + Self.policySpacing
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
    case .listing:
      // The next connection asks anew.
      if failure.kind == .lost { return }
      told.learn(reason: failure.reason.span)
      return settlePolicy()
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
