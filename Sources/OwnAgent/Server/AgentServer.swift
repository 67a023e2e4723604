import Codec
import Completion
import Runtime

/// What the agent works with; nil: the owner has not configured it.
public struct AgentMeans {
  public var models: ModelClient
  public var memory: MemoryDesk?
  /// Makes vectors for the memory.
  public var embeddings: EmbeddingClient?
  /// Asks whether the models are on their servers.
  public var lister: ModelLister?
  public var pages: PageClient?
  public var mail: MailClient?
  public var telegram: TelegramClient?

  /// An agent with models and nothing else.
  public init(models: ModelClient) { self.models = models }
}

/// The board's own agent: frames of the node, bytes of servers and time go in; frames, requests and records come out.
/// One conversation at a time, whoever begins it: a person at the board, or the owner by Telegram.
public final class AgentServer {
  /// Who hears the answer of the turn that runs.
  enum Listener: Equatable {
    case nobody
    /// The node, which knows the turn by this number.
    case node(UInt32)
    case telegram
  }

  let settings: AgentSettings
  let means: AgentMeans
  let keeper: AgentKeeper
  unowned(unsafe) let host: any AgentHost
  let clock: any Clock
  let random: any RandomSource
  let log: Log
  let book: ToolBook
  let words = AgentWords()
  private let prompt = Prompt()
  private(set) var machine: TurnMachine! = nil
  var calls = OpenCalls()
  var listener = Listener.nobody
  /// The result of a call that the node sends in pieces, with its picture. Address space until it is used.
  let result = FixedBuffer(capacity: Budget.agentResultBytes)
  var resultCount = 0
  let picture: ReservedBuffer
  var pictureCount = 0
  /// The call to which the pieces belong.
  var collecting: UInt32 = 0
  /// The gateway is there, as far as the node has said.
  private(set) var isGatewayThere = true
  /// The board has described itself in the middle of a turn, so that tools are left that it has no more.
  private var hasOldTools = false
  /// The node was told of the sealed summary on this connection.
  private var isSummarySent = false
  /// A message of the owner by Telegram waits until a turn has ended.
  var telegramWaits = false
  /// The memory has this ticket for what was said before.
  var recallTicket: UInt32?
  /// The vectors of the memory; nil: it is searched by words alone.
  private(set) var vectors: MemoryVectors?
  /// The memory does this for the owner.
  var owner: OwnerCall?
  /// The request of the owner that waits for the lists of models.
  var listing: UInt32?

  /// An agent; nothing happens before `start`. `host` lives as long as it.
  @export(interface)
  public init(
    _ settings: AgentSettings, _ means: AgentMeans, keeper: AgentKeeper, host: any AgentHost, clock: any Clock,
    random: any RandomSource, log: Log
  ) throws(Errno) {
    (self.settings, self.means, self.keeper, self.host) = (settings, means, keeper, host)
    (self.clock, self.random, self.log) = (clock, random, log)
    picture = try ReservedBuffer(capacity: Budget.promptPictureBytes)
    book = ToolBook(settings.tools)
    machine = TurnMachine(prompt, book, self)
    means.models.delegate = self
    means.memory?.delegate = self
    means.pages?.delegate = self
    means.mail?.delegate = self
    means.telegram?.delegate = self
    means.lister?.ended = { [unowned(unsafe) self] in self.listed($0) }
    addVectors()
    keeper.changed = { [unowned(unsafe) self] in self.recordChanged() }
  }

  private func addVectors() {
    guard let client = means.embeddings, let memory = means.memory else { return }
    client.used = { [unowned(unsafe) self] in self.modelUsed($0, $1, milliseconds: $2) }
    let vectors = MemoryVectors(client, memory, clock: clock, log: log)
    vectors.found = { [unowned(unsafe) self] in self.lookUp($0, $1) }
    vectors.mayWork = { [unowned(unsafe) self] in
      self.machine.state == .idle && !self.keeper.usage.isSpent(self.settings.budget)
    }
    self.vectors = vectors
  }

  // MARK: Life

  /// Reads what the last run left. Blocks: at start only.
  public func start() {
    keeper.load()
    recallTicket = means.memory?.list(.conversation, limit: 2 * Budget.agentHistoryTurns)
  }

  /// The node has connected: it describes the board before it says anything.
  public func connected() {
    book.removeBoardTools()
    (isSummarySent, hasOldTools) = (false, false)
    sendState(machine.state)
  }

  /// The node has gone: nobody at the board hears the answer.
  public func disconnected() {
    if case .node = listener { machine.cancel() }
    dropListing()
    book.removeBoardTools()
  }

  /// The program ends.
  public func stop() {
    machine.cancel()
    means.telegram?.stop()
    keeper.flush()
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? {
    var earliest = machine.nextDeadline ?? .max
    earliest = min(earliest, means.models.nextDeadline ?? .max)
    earliest = min(earliest, means.memory?.nextDeadline ?? .max)
    earliest = min(earliest, vectors?.nextDeadline ?? .max)
    earliest = min(earliest, means.lister?.nextDeadline ?? .max)
    earliest = min(earliest, means.pages?.nextDeadline ?? .max)
    earliest = min(earliest, means.mail?.nextDeadline ?? .max)
    earliest = min(earliest, means.telegram?.nextDeadline ?? .max)
    earliest = min(earliest, keeper.nextDeadline ?? .max)
    if telegramWaits, machine.state == .idle { earliest = clock.monotonic }
    if host.isConnected, let due = keeper.reminders.nextDue { earliest = min(earliest, monotonic(of: due)) }
    return earliest == .max ? nil : earliest
  }

  /// When the wall clock will say this, as a monotonic time; looked at again once a minute, for that clock may be set.
  private func monotonic(of wall: Int64) -> Int64 {
    // By a date that cannot be nothing is ever due.
    let left = BelievableDate.of(clock.wall).map { wall.subtracting(clamping: $0) } ?? .max
    return clock.monotonic.adding(clamping: min(max(left, 0), 60_000))
  }

  /// Does what is due.
  @export(interface)
  public func advance(to now: Int64) {
    means.models.advance(to: now)
    means.pages?.advance(to: now)
    means.mail?.advance(to: now)
    means.telegram?.advance(to: now)
    means.memory?.advance(to: now)
    vectors?.advance(to: now)
    means.lister?.advance(to: now)
    machine.advance(to: now)
    takeTelegram()
    keeper.advance(to: now)
    remind()
  }

  // MARK: Frames

  /// A frame of the node. What is not well formed is ignored: the node is another program of this board, and what it
  /// sends may be cut by its end.
  @export(interface)
  public func received(_ kind: AgentFrame.Kind, _ body: UnsafeBufferPointer<UInt8>) {
    var fields = FrameFields(Span(_unsafeElements: body))
    switch kind {
    case .board:
      // A turn keeps the tools that it has begun with; new ones come beside them.
      hasOldTools = machine.state != .idle
      if !hasOldTools { book.removeBoardTools() }
      words.describe(fields.rest())
    case .tool: addTool(fields.rest())
    case .ready: sendSummary()
    case .gateway:
      let isThere = fields.number(bytes: 1) != 0
      if fields.isComplete { setGateway(isThere: isThere) }
    case .say:
      let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
      if fields.isComplete { say(fields.rest(), for: .node(number)) }
    case .cancel:
      let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
      if fields.isComplete, listener == .node(number) { machine.cancel() }
    case .handedOver:
      let serial = fields.number(bytes: 8)
      if fields.isComplete, keeper.handOver.taken(serial) {
        isSummarySent = false
        keeper.keep(.handOver)
        sealSummary()
      }
    case .resultPiece, .picturePiece, .result: boardAnswered(kind, body)
    case .ask: takeOwner(body)
    default: return
    }
  }

  private func addTool(_ json: Span<UInt8>) {
    do throws(ToolBook.Refusal) { try book.addBoardTool(json) } catch {
      if machine.state != .idle, error == .unfit(.twice) { return }
      log.write(.warning, "agent", "a tool of the board is left out: there are too many, or models cannot call it")
    }
  }

  // MARK: The gateway

  private func setGateway(isThere: Bool) {
    guard isThere != isGatewayThere else { return }
    isGatewayThere = isThere
    if isThere {
      // What waits comes again.
      telegramWaits = false
      means.telegram?.stop()
      sealSummary()
    } else {
      means.telegram?.start(from: keeper.telegramOffset)
    }
  }

  private func sealSummary() {
    guard isGatewayThere else { return }
    if keeper.handOver.seal() { keeper.keep(.handOver) }
    sendSummary()
  }

  /// A summary is sent when its number is on flash, so that after a power cut it has the same one.
  private func sendSummary() {
    guard isGatewayThere, host.isConnected, !isSummarySent, keeper.handOver.isSealed, keeper.isKept(.handOver) else {
      return
    }
    isSummarySent = true
    host.send(.summary) { writer in
      writer.littleEndian(self.keeper.handOver.serial, bytes: 8)
      self.keeper.handOver.writeSummary(to: &writer)
    }
  }

  private func recordChanged() {
    sendSummary()
    means.telegram?.offsetKept(keeper.telegramKept)
  }

  // MARK: Reminders

  private func remind() {
    guard host.isConnected else { return }
    while let text = keeper.reminders.takeDue(now: clock.wall) {
      keeper.keep(.reminders)
      host.send(.remind) { $0.bytes(text.span) }
    }
  }

  func sendState(_ state: AgentState) {
    host.send(.state) { $0.byte(state.rawValue) }
    // Once: the answer comes while nothing is done, or makes it old again.
    guard state == .idle, hasOldTools, host.isConnected else { return }
    hasOldTools = false
    host.send(.describe) { _ in }
  }
}
