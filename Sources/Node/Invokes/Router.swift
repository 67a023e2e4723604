import Codec
import Gateway
import Runtime

/// Gets the end of pending actions.
protocol ActionDelegate: AnyObject {
  /// The action that was begun as `number` has ended, with a result or an error.
  func actionEnded(_ number: Int)
}

/// Passes invokes from the session to their handlers, and answers each exactly once, before its deadline. Answers are
/// in `Router+Answers`, pending actions in `Router+Actions`.
public final class Router: Part {
  /// Timeout in milliseconds of an invoke for which the gateway gives none (gateway reference 9.2).
  static let defaultTimeout: Int64 = 30_000
  /// Milliseconds reserved for sending the answer.
  static let transportReserve: Int64 = 500

  let clock: any Clock
  let log: Log
  let nodeID: InlineArray<64, UInt8>
  var commands: [Command] = []
  var running = InvokeTable()
  var queue: InvokeQueue
  var memory: AnswerMemory
  let parameters: InvokeParameters
  /// Opens invokes that are too long for a turn of the loop; nil: none is.
  private var longInvoke: LongInvoke?
  /// The one that begins.
  private var decoded: LongInvoke?
  let message = FixedBuffer(capacity: 512)
  /// Set once the session exists, because each needs the other.
  public unowned(unsafe) var replies: (any ReplyChannel)! = nil
  /// Called when other commands are declared than before.
  public var declarationChanged: (() -> Void)?
  /// Sends answers to programs on this board. Lives as long as the router.
  public unowned(unsafe) var locals: (any ReplyChannel)? = nil
  /// Gets the answers of commands that tools begin. Lives as long as the router.
  public unowned(unsafe) var tools: (any ReplyChannel)? = nil
  /// Gets the progress of commands that tools begin, by their ids; an empty piece is a sign of life.
  public var toolProgressed: ((Span<UInt8>, Span<UInt8>) -> Void)?
  /// True while an invoke of a program on this board begins.
  public internal(set) var isLocal = false
  /// The work of an invoke changes what those after it find, and takes a while: nothing more of the gateway is read.
  public private(set) var isOccupied = false
  /// Decides whether a command may begin; nil: each may. Lives as long as the router.
  public unowned(unsafe) var gate: (any ConsentGate)? = nil
  /// Gets the end of pending actions. Lives as long as the router.
  unowned(unsafe) var actionDelegate: (any ActionDelegate)? = nil
  /// The agent session that caused the invoke that begins; empty when the gateway does not say (gateway reference 9.2).
  public internal(set) var sessionKey = SessionKey()
  /// Sends progress messages; nil while the gateway takes none.
  var progressChannel: (any RequestChannel)?
  /// Invokes answered since start: with a result, and with an error.
  public internal(set) var succeeded: UInt64 = 0
  public internal(set) var failed: UInt64 = 0
  /// Invokes answered from memory, or together with the first one with their key.
  public internal(set) var repeated: UInt64 = 0

  /// A router without commands, for the node of this id. `messageBytes` and `parameterBytes`: the largest messages of
  /// the gateway, and parameters, that it takes. `runner`: opens long invokes; nil: the loop opens all.
  @export(interface)
  public init(
    nodeID: InlineArray<64, UInt8>, messageBytes: Int = Budget.inboundMessageBytes,
    parameterBytes: Int = Budget.invokeParameterBytes, runner: (any JobRunner)? = nil, clock: any Clock, log: Log
  ) throws(Errno) {
    self.nodeID = nodeID
    self.clock = clock
    self.log = log
    memory = try AnswerMemory()
    queue = try InvokeQueue()
    parameters = try InvokeParameters(capacity: parameterBytes)
    super.init()
    guard let runner else { return }
    let opened = { [unowned(unsafe) self] in self.opened(self.longInvoke!) }
    longInvoke = try LongInvoke(
      frameBytes: messageBytes, parameterBytes: parameterBytes, runner: runner, opened: opened)
  }

  // MARK: Part

  public override func online(_ session: Session) {
    online(session, acceptsProgress: session.hello.features.hasInvokeProgress)
  }

  public override func offline() {
    longInvoke?.drop()
    cancelAll()
  }

  public override func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("node.invoke.request") { begin(InvokeFields(payload), at: clock.monotonic) }
    if event.equals("node.invoke.cancel") { cancel(payload) }
  }

  public override func hold() { endAll(HoldError.held) }

  public override var isAwaited: Bool { count > 0 || longInvoke?.isPending == true }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("invokes")
    writer.beginObject()
    writer.key("answered")
    writer.uint(succeeded)
    writer.key("refused")
    writer.uint(failed)
    writer.endObject()
  }

  // MARK: Commands

  /// Adds commands of one handler: row `n` is the handler's command `n`. At start only.
  public func add(_ rows: [CommandRow], capability: StaticString, _ handler: any CommandHandler) {
    for (number, row) in rows.enumerated() {
      commands.append(Command(row: row, capability: capability, handler: handler, number: number))
    }
  }

  /// True when people at the board are asked about some requests for a command.
  public func asks(about command: String) -> Bool { gate?.asks(about: command) == true }

  /// Adds commands of one handler that are not declared to the gateway: tools are made of them. At start only.
  public func add(forTools rows: [CommandRow], _ handler: any CommandHandler) {
    for (number, row) in rows.enumerated() {
      commands.append(Command(row: row, capability: nil, handler: handler, number: number))
    }
  }

  /// Keeps commands that the owner does not want declared from the gateway; tools of this board may still use them. At
  /// start only. `publishes`: the owner publishes tools.
  /// - Returns: names of the choice that no command has.
  public func declareOnly(_ choice: CommandChoice, publishes: Bool) -> [String] {
    for index in commands.indices {
      commands[index].isChosen = choice.includes(commands[index].row.name, publishes: publishes)
    }
    return choice.names.filter { !has($0) }
  }

  /// Keeps commands from the gateway that its release does not know. True when others are declared now.
  public func declareKnown(_ isKnown: (String) -> Bool) -> Bool {
    var isChanged = false
    for index in commands.indices {
      let isKnown = isKnown(commands[index].row.name)
      if commands[index].isKnown != isKnown { isChanged = true }
      commands[index].isKnown = isKnown
    }
    return isChanged
  }

  /// True when this board has a command of this name.
  public func has(_ name: String) -> Bool { index(of: name) != nil }

  /// True when it also has what the command needs.
  public func hasNeeds(of name: String) -> Bool { index(of: name).map { commands[$0].isDeclared } ?? false }

  /// True when it is also declared to the gateway.
  public func declares(_ name: String) -> Bool {
    index(of: name).map { commands[$0].isDeclared && commands[$0].isChosen } ?? false
  }

  private func index(of name: String) -> Int? {
    for index in commands.indices where commands[index].row.name == name { return index }
    return nil
  }

  /// True when this board has commands of a capability, and the owner keeps all of them from the gateway.
  public func keepsBack(_ capability: StaticString) -> Bool {
    let own = commands.filter { $0.capability?.bytes.elementsEqual(capability.bytes) == true }
    return !own.isEmpty && !own.contains { $0.isChosen }
  }

  /// The commands that are declared to the gateway.
  public var names: [String] { commands.filter { $0.declared != nil }.map { $0.row.name } }

  /// Declares the commands of a capability, or does not, because the board has not what they need. Who asks for one all
  /// the same gets its error.
  public func setDeclared(_ capability: StaticString, _ isDeclared: Bool) {
    for index in commands.indices {
      guard let own = commands[index].capability, own.bytes.elementsEqual(capability.bytes) else { continue }
      commands[index].isDeclared = isDeclared
    }
  }

  /// The capabilities of the commands, each once.
  public var capabilities: [StaticString] {
    var found: [StaticString] = []
    for command in commands {
      guard let capability = command.declared else { continue }
      if !found.contains(where: { $0.bytes.elementsEqual(capability.bytes) }) { found.append(capability) }
    }
    return found
  }

  // MARK: Invokes

  /// Running invokes, repeats that wait for them, and invokes that wait for room.
  public var count: Int { running.count + queue.count }

  /// Has a worker open an invoke whose frame is the first `count` bytes of `buffer`; see
  /// `SessionDelegate.sessionReceivedInvoke`.
  public func open(in buffer: inout ReservedBuffer, count: Int) -> Bool {
    guard let longInvoke, longInvoke.begin(in: &buffer, count: count, at: clock.monotonic) else { return false }
    occupy()
    return true
  }

  /// The worker has opened it.
  private func opened(_ invoke: LongInvoke) {
    isOccupied = false
    if !invoke.isDropped, let fields = invoke.fields {
      decoded = invoke
      begin(fields, at: invoke.arrival)
      decoded = nil
    }
    if !isOccupied { replies.replied() }
  }

  /// Begins an invoke that came at `arrival`.
  private func begin(_ fields: InvokeFields, at arrival: Int64) {
    let id = JSONView(fields.id)
    var slot = InvokeTable.Slot()
    guard id.kind == .string else { return }
    guard slot.id.fill({ id.copyString(into: $0) }) else { return refuseLongID(id) }
    // Without an id it cannot be answered.
    if slot.id.isEmpty { return }
    guard JSONView(fields.node).equals(nodeID.span) else { return refuse(slot.id, .otherNode) }
    guard let command = command(named: JSONView(fields.command)) else { return refuse(slot.id, .unknownCommand) }
    slot.command = command
    slot.deadline = arrival + timeout(JSONView(fields.timeout))
    // Behind those that came before.
    if queue.has(command), queue.add(slot, JSONView(fields.payload).rawText) { return }
    proceed(slot, fields)
  }

  /// Begins the work of an invoke, or answers it from memory. `hasWaited`: it has had its turn.
  private func proceed(_ slot: InvokeTable.Slot, _ fields: InvokeFields, hasWaited: Bool = false) {
    let command = slot.command
    guard commands[command].row.hasSideEffects else { return start(slot, fields, hasWaited: hasWaited) }
    var key = AnswerMemory.Key(command: command)
    let text = JSONView(fields.key)
    if text.kind == .string {
      guard key.text.fill({ text.copyString(into: $0) }) else { return refuse(slot.id, .longKey) }
    }
    if key.text.isEmpty { return start(slot, fields, hasWaited: hasWaited) }
    if let found = memory.find(key, at: clock.monotonic) { return repeatAnswer(slot, found.place, found.answer) }
    start(slot, fields, remembering: key, hasWaited: hasWaited)
  }

  private func start(
    _ slot: InvokeTable.Slot, _ fields: InvokeFields, remembering key: AnswerMemory.Key? = nil, hasWaited: Bool
  ) {
    switch run(slot, fields, remembering: key) {
    case .begun: return
    case .busy:
      if !hasWaited, commands[slot.command].row.queues, queue.add(slot, JSONView(fields.payload).rawText) { return }
      refuseBusy(slot.id)
    case .badParameters: refuse(slot.id, .badParameters)
    case .longSession: refuse(slot.id, .longSession)
    }
  }

  /// True when work has begun.
  enum Start { case begun, busy, badParameters, longSession }

  /// Begins the work of `slot` if there is room. Its answer is remembered under `key`.
  func run(_ slot: InvokeTable.Slot, _ fields: InvokeFields, remembering key: AnswerMemory.Key?) -> Start {
    sessionKey.clear()
    let session = JSONView(fields.session)
    if session.kind == .string, !sessionKey.fill({ session.copyString(into: $0) }) { return .longSession }
    guard decoded?.isValid ?? parameters.decode(fields) else { return .badParameters }
    let parameters = decoded?.parameters ?? self.parameters
    isLocal = slot.caller == .program
    let command = commands[slot.command]
    guard running.count(of: slot.command) < command.row.limit, let token = running.add(slot) else { return .busy }
    if let key { running.remember(token, at: memory.begin(key)) }
    launch(token, slot, JSONView(parameters.text))
    parameters.done()
    return .begun
  }

  /// Begins an invoke of a program on this board: `parameters` is JSON text in a string, or absent. Only canvas
  /// commands are allowed. `timeout` is in milliseconds.
  public func beginLocal(_ payload: borrowing JSONView, timeout: Int64) {
    var slot = InvokeTable.Slot()
    slot.caller = .program
    guard let id = payload.member("id"), id.kind == .string, slot.id.fill({ id.copyString(into: $0) }), !slot.id.isEmpty
    else { return }
    guard let command = command(of: payload, isLocal: true), let capability = commands[command].capability,
      capability.bytes.elementsEqual(("canvas" as StaticString).bytes)
    else {
      return refuse(slot, code: "INVALID_REQUEST", "INVALID_REQUEST: unknown command")
    }
    slot.command = command
    slot.deadline = clock.monotonic + timeout
    switch run(slot, InvokeFields(payload), remembering: nil) {
    case .begun: return
    case .busy: answer(slot, RouterError.busy)
    case .badParameters: refuse(slot, code: "INVALID_REQUEST", "INVALID_REQUEST: expected object params")
    case .longSession: refuse(slot, code: "INVALID_REQUEST", InvokeRefusal.longSession.text)
    }
  }

  /// The program on this board has disconnected, or connected anew: stops its work without answers.
  public func cancelLocal() {
    while let token = running.firstOfProgram, let slot = running[token] {
      remove(token)
      stopWork(of: token, slot)
    }
  }

  /// Begins a command that the call of a tool needs, within the handler's `begin` of that call: `parameters` are the
  /// command's. Its answer goes to `tools` under `id`, possibly before this returns. False when this board has not the
  /// command, or no room for it now. `lent`: it is for a call of the board's own agent, which no gateway has caused.
  public func begin(
    tool name: String, _ parameters: borrowing JSONView, id: InlineText<128>, deadline: Int64, lent: LentCall? = nil
  ) -> Bool {
    var slot = InvokeTable.Slot()
    (slot.caller, slot.id, slot.deadline, slot.lent) = (.tool, id, deadline, lent)
    guard let index = self.index(of: name) else { return false }
    slot.command = index
    guard running.count(of: index) < commands[index].row.limit, let token = running.add(slot) else { return false }
    if lent != nil { (sessionKey, isLocal) = (InlineText(cutting: LentCall.session), false) }
    launch(token, slot, copy parameters)
    return true
  }

  /// Stops the command that a tool began under `id`, without an answer.
  public func cancel(tool id: InlineText<128>) {
    guard let token = running.find(tool: id), let slot = running[token] else { return }
    remove(token)
    stopWork(of: token, slot)
  }

  /// True while a person is asked about the command that a tool began under `id`: its work has not begun.
  public func waits(tool id: InlineText<128>) -> Bool { running.find(tool: id).flatMap { running[$0] }?.waits == true }

  /// What the gateway sent after the invoke that begins waits until its work is done (`release`).
  public func occupy() { isOccupied = true }

  /// The work is done.
  public func release() {
    isOccupied = false
    replies.replied()
  }

  private func isForThisNode(_ payload: borrowing JSONView) -> Bool {
    guard let node = payload.member("nodeId") else { return false }
    return node.equals(nodeID.span)
  }

  /// The command that an invoke or an action names, of those that are declared; for a program on this board, of those
  /// that the owner keeps from the gateway as well.
  func command(of payload: borrowing JSONView, isLocal: Bool = false) -> Int? {
    guard let name = payload.member("command") else { return nil }
    return command(named: name, isLocal: isLocal)
  }

  private func command(named name: borrowing JSONView, isLocal: Bool = false) -> Int? {
    for index in commands.indices where commands[index].capability != nil && (isLocal || commands[index].isChosen) {
      if name.equals(commands[index].row.name.utf8.span) { return index }
    }
    return nil
  }

  /// Milliseconds until the answer must be sent: the gateway's timeout, less the time for sending. 0 is no limit of the
  /// gateway's (gateway reference 9.2), and then the longest time that any peer may name.
  private func timeout(_ wanted: borrowing JSONView) -> Int64 {
    var allowed = Self.defaultTimeout
    if let value = wanted.peerMilliseconds {
      allowed = value > 0 ? value : Budget.peerMilliseconds.upperBound
    }
    return max(allowed - Self.transportReserve, allowed / 2)
  }

  // MARK: Ends before the answer

  public override var nextDeadline: Int64? {
    nextInQueue != nil ? clock.monotonic : earliest(running.nextDeadline, queue.nextDeadline)
  }

  /// Answers invokes whose deadline has passed with an error, and stops their work.
  public override func advance(to now: Int64) {
    while let token = running.due(at: now) { give(up: token, .timedOut) }
    while let place = queue.first(where: { $0.deadline <= now }) { leave(place, .timedOut) }
    while let place = nextInQueue {
      // Its work may be done at once, and its answer let more invokes in, for which this place is not free yet.
      proceed(queue.slot(place), InvokeFields(JSONView(queue.payload(place))), hasWaited: true)
      queue.remove(place)
    }
  }

  /// The place of the first that waits and may begin.
  private var nextInQueue: Int? {
    guard queue.count > 0, running.hasRoom else { return nil }
    return queue.first { running.count(of: $0.command) < commands[$0.command].row.limit }
  }

  /// Answers one that waits with an error.
  private func leave(_ place: Int, _ error: RouterError) {
    let slot = queue.slot(place)
    queue.remove(place)
    answer(slot, error)
    replies.replied()
  }

  /// `node.invoke.cancel` (gateway reference 9.4): stops the work and answers. Unknown ids are ignored.
  public func cancel(_ payload: borrowing JSONView) {
    guard isForThisNode(payload), let text = payload.member("invokeId"), text.kind == .string else { return }
    var id = InlineText<128>()
    guard id.fill({ text.copyString(into: $0) }) else { return }
    if let token = running.find(id: id) { return give(up: token, .cancelled) }
    if let place = queue.first(where: { $0.id == id }) { leave(place, .cancelled) }
  }

  /// Answers with an error. The work continues if a repeat still waits for it, and is stopped otherwise.
  private func give(up token: InvokeToken, _ error: RouterError) {
    guard let slot = running[token] else { return }
    if slot.leader != nil {
      running.remove(token)
      return answer(slot, error)
    }
    if let follower = running.follower(of: token) {
      running.handOver(token, to: follower)
      return answer(slot, error)
    }
    stopWork(of: token, slot)
    fail(token, error)
  }

  /// Answers everything that runs with an error, and stops the work.
  func endAll(_ error: HoldError) {
    while let place = queue.first(where: { _ in true }) {
      let slot = queue.slot(place)
      queue.remove(place)
      answer(slot, code: error.code) { error.writeMessage(to: &$0) }
      replies.replied()
    }
    while let token = running.first, let slot = running[token] {
      if slot.leader == nil { stopWork(of: token, slot) }
      fail(token, error)
    }
  }

  /// The connection is lost: stops all work of the gateway without answers. The work of a key may have been done, so a
  /// repeat is answered with an error and not done.
  public func cancelAll() {
    progressChannel = nil
    while let place = queue.first(where: { _ in true }) { queue.remove(place) }
    while let token = running.firstOfGateway, let slot = running[token] {
      remove(token)
      if slot.leader != nil { continue }
      stopWork(of: token, slot)
      guard let place = slot.memory else { continue }
      if slot.waits { memory.forget(place) } else { remember(place, RouterError.interrupted) }
    }
  }
}
