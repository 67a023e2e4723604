// OwnAgentPart: the node's side of the board's own agent, which answers people while the gateway is away. It passes on
// what people say and what the agent says, lends it the board's tools, and tells the gateway afterwards. Not in a lean
// build. It must not know the model, the memory, sockets, or how a tool does its work.

import Codec
import Device
import Gateway
import Node
import OwnAgent
import Runtime

/// Connects to the agent's process, and stands in for the gateway.
public final class OwnAgentPart: Part {
  /// A turn of the agent.
  struct Turn {
    var number: UInt32
    /// The desk's run.
    var run: StandInRun
    /// When it counts as lost, in milliseconds of the monotonic clock.
    var until: Int64
  }

  /// Failures of connecting after which a person should look.
  private static let failuresOfFault = 3

  let settings: OwnAgentSettings
  let board: OwnAgentBoard
  let desk: OperatorDesk
  /// Lends the board's tools. Lives as long as this.
  unowned(unsafe) let lender: any ToolLender
  let clock: any Clock
  let log: Log
  let outbox: Outbox
  let summaries: SummaryKeeper
  /// Shows reminders; nil: nothing can. Lives as long as this.
  public unowned(unsafe) var notifier: (any ReminderNotifier)?

  // The connection.
  var reader = AgentFrameReader()
  var queue: FrameQueue
  private(set) var isConnected = false
  /// Counts connections: what belonged to another one counts no more.
  private(set) var connection: UInt64 = 0
  private var retry = RetryPause(Budget.standInRetry)
  private var connectAt: Int64?
  private var attempts = 0
  var isFlushing = false
  private var isStopping = false

  // Turns.
  var state = AgentState.idle
  var turn: Turn?
  var lastTurn: UInt32 = 0
  var pieces: TextPieces
  var words: TextPieces
  private(set) var turns: UInt64 = 0
  private(set) var failures: UInt64 = 0
  private(set) var lastError = InlineText<256>()
  private(set) var isHeld = false
  /// Since when the gateway is away; nil: it is there.
  private var awaySince: Int64?
  private var hasAnswered = false

  // What the owner asks at a console.
  var question: OwnerQuestion?
  var lastQuestion: UInt32 = 0

  /// The board has other tools than the agent was told of.
  var areToolsOld = false

  // Calls and reminders.
  var calls = BorrowedCalls()
  var lastTag = 0
  var reminders = BoundedQueue<InlineText<240>>(capacity: Budget.spokenReminders)
  var spoken: SpokenReminder?

  /// A part that connects once it has started.
  @export(interface)
  public init(
    _ settings: OwnAgentSettings, _ board: OwnAgentBoard, desk: OperatorDesk, lender: any ToolLender, outbox: Outbox,
    runner: any JobRunner, clock: any Clock, log: Log
  ) throws(Errno) {
    precondition(Budget.agentReminderBytes == 240)
    self.settings = settings
    self.board = board
    self.desk = desk
    self.lender = lender
    self.outbox = outbox
    self.clock = clock
    self.log = log
    queue = try FrameQueue()
    pieces = try TextPieces()
    words = try TextPieces()
    summaries = SummaryKeeper(
      store: board.store, outbox: outbox, runner: runner, clock: clock, log: log, instance: board.instance
    ) { [unowned(unsafe) desk] in desk.mainSession }
    super.init()
    summaries.delegate = self
    desk.standIn = self
  }

  // MARK: Part

  public override func start() {
    summaries.load()
    awaySince = awaySince ?? clock.monotonic
    connectAt = clock.monotonic
  }

  public override func stop() {
    isStopping = true
    connectAt = nil
    end("the board stops", closes: true)
  }

  public override func flush() { summaries.flush() }

  public override var isStopped: Bool { !isConnected && summaries.isSettled }

  public override func hold() {
    isHeld = true
    stopReminders()
    if let turn { send(.cancel) { $0.littleEndian(UInt64(turn.number), bytes: 4) } }
    failTurn(DeskFailure("UNAVAILABLE", HoldError.sentence))
    failCalls(HoldError.reason)
    tellDesk()
  }

  public override func letGo() {
    isHeld = false
    tellDesk()
  }

  public override func online(_ session: Session) { gatewayCame() }

  public override func offline() { gatewayWent() }

  /// The node connection is open.
  func gatewayCame() {
    awaySince = nil
    tellGateway()
    tellDesk()
  }

  /// The node connection is lost.
  func gatewayWent() {
    awaySince = awaySince ?? clock.monotonic
    tellGateway()
  }

  func tellGateway() { send(.gateway) { $0.byte(self.isGatewayThere ? 1 : 0) } }

  public override var nextDeadline: Int64? {
    var next = earliest(connectAt, summaries.nextDeadline)
    next = earliest(next, turn?.until)
    next = earliest(next, question?.until)
    next = earliest(next, spoken?.dueAt)
    if answersNow != hasAnswered { return clock.monotonic }
    // Without the process, or while a person holds the board, there is nothing to begin.
    if !settings.answersAlways, !hasAnswered, isConnected, !isHeld, let awaySince {
      next = earliest(next, awaySince.adding(clamping: settings.patience))
    }
    return next
  }

  public override func advance(to now: Int64) {
    if let due = connectAt, due <= now { connect(now) }
    summaries.advance(to: now)
    if let turn, turn.until <= now {
      send(.cancel) { $0.littleEndian(UInt64(turn.number), bytes: 4) }
      failTurn(DeskFailure("RUN_FAILED", "the board's own agent took too long"))
    }
    if let question, question.until <= now { failQuestion("the board's own agent does not answer") }
    speak(at: now)
    tellDesk()
  }

  public override var operations: [ControlRow] { [ControlRow("agent") { self.ask($0, $1, $2) }] }

  public override func forget(_ control: Control, _ call: Int) { if question?.call == call { question = nil } }

  public override var isAwaited: Bool { turn != nil || question != nil }

  public override var hasFault: Bool { attempts >= Self.failuresOfFault }

  public override func report(to report: inout HardwareReport) {
    report.services.ownAgent =
      isConnected ? HardwareState(.ok) : HardwareState(.error, detail: "its process is not there")
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("ownAgent")
    writer.beginObject()
    writer.key("state")
    writer.string(state.word)
    writer.key("connected")
    writer.bool(isConnected)
    writer.key("answers")
    writer.bool(desk.standsIn)
    writer.key("turns")
    writer.uint(turns)
    writer.key("failures")
    writer.uint(failures)
    writer.key("lastError")
    writer.string(lastError.span)
    writer.endObject()
  }

  // MARK: Whether it answers

  var isGatewayThere: Bool { awaySince == nil }

  var isAway: Bool {
    guard let awaySince else { return false }
    return clock.monotonic >= awaySince.adding(clamping: settings.patience)
  }

  /// See `ChatStandIn`.
  public var answersNow: Bool { isConnected && !isHeld && (settings.answersAlways || isAway) }

  /// Whoever shows whether people can talk hears of a change.
  private func tellDesk() {
    guard answersNow != hasAnswered else { return }
    hasAnswered = answersNow
    desk.standInChanged()
  }

  /// A turn begins.
  func countTurn() { turns += 1 }

  /// A turn has ended with this failure.
  func note(_ failure: DeskFailure) {
    failures += 1
    lastError = InlineText(cutting: failure.sentence.span)
  }

  // MARK: The connection

  private func connect(_ now: Int64) {
    connectAt = nil
    guard !isStopping, !isConnected else { return }
    connection &+= 1
    reader.reset()
    queue.clear()
    guard board.link.open(self) else {
      attempts += 1
      if attempts == 1 {
        log.write(.warning, "agent", "the board's own agent is not there: systemctl enable --now talon-agent.socket")
      }
      return connectLater(now)
    }
    (isConnected, attempts) = (true, 0)
    log.write(.info, "agent", "connected to the board's own agent")
    describe()
    tellDesk()
  }

  private func connectLater(_ now: Int64) {
    guard !isStopping else { return }
    retry.failed(at: now)
    connectAt = retry.dueAt
  }

  /// The agent's process works: the next loss is not one of many.
  func heard() { if retry.hasFailed { retry.succeeded() } }

  /// Ends the connection, and all that belongs to it.
  func end(_ reason: StaticString, closes: Bool) {
    guard isConnected else { return }
    isConnected = false
    connection &+= 1
    if closes { board.link.close() }
    queue.clear()
    state = .idle
    dropCalls()
    failQuestion("the board's own agent was interrupted: try again in a moment")
    if !isStopping {
      log.write(.warning, "agent") { line in
        line.add("the connection to the board's own agent has ended: ")
        line.add(reason)
      }
    }
    failTurn(
      DeskFailure("RUN_FAILED") { line in
        line.add("the board's own agent was interrupted (")
        line.add(reason)
        line.add("): try again in a moment")
      })
    connectLater(clock.monotonic)
    tellDesk()
  }
}
