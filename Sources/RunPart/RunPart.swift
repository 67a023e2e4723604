// RunPart: `system.run`, `system.run.prepare` and `system.which`: programs that the owner's file allows, run by a
// service as a user of their own. Not in a lean build. It must not know sockets and processes.

import Codec
import Node
import Programs
import Runtime

/// Programs of this board for the gateway. There only with programs in the configuration.
public final class RunPart: Part, CommandHandler {
  private static let rows = [
    CommandRow("system.run", limit: Budget.runsAtOnce, hasSideEffects: true),
    CommandRow("system.run.prepare", limit: Budget.runQuestions),
    CommandRow("system.which", limit: Budget.runQuestions),
  ]
  /// Milliseconds before the end of a call at which the program is ended, so that its output can be told.
  private static let answerMilliseconds: Int64 = 500

  private let board: RunBoard
  private let router: Router
  private let events: RunEvents
  private let clock: any Clock
  private let log: Log
  private let words = CommandWords()
  private var slots: [RunSlot] = []
  private var runs: UInt64 = 0
  private var refused: UInt64 = 0
  /// There was no service when somebody asked; it is logged once.
  private var isServiceMissing = false

  /// A part that runs nothing yet. Takes the memory for the output of each run.
  @export(interface)
  public init(_ board: RunBoard, router: Router, outbox: Outbox, clock: any Clock, log: Log) throws(Errno) {
    self.board = board
    self.router = router
    self.clock = clock
    self.log = log
    events = RunEvents(outbox: outbox)
    super.init()
    for link in board.links.prefix(Budget.runsAtOnce) {
      slots.append(try RunSlot(link, limit: board.outputBytes, router: router, events: events, clock: clock))
    }
  }

  // MARK: Part

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "system", self) }

  public override func stop() {
    for index in 0..<slots.count { slots[index].stop() }
  }

  public override var isStopped: Bool { !isAwaited }

  public override var isAwaited: Bool {
    for index in 0..<slots.count where slots[index].isRunning { return true }
    return false
  }

  public override var nextDeadline: Int64? {
    var earliest: Int64?
    for index in 0..<slots.count {
      if let due = slots[index].beatAt { earliest = min(earliest ?? .max, due) }
    }
    return earliest
  }

  public override func advance(to now: Int64) {
    for index in 0..<slots.count { slots[index].beat(at: now) }
  }

  public override var hasFault: Bool { isServiceMissing }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("programs")
    writer.beginObject()
    writer.key("allowed")
    writer.int(Int64(board.list.paths.count))
    writer.key("runs")
    writer.uint(runs)
    writer.key("refused")
    writer.uint(refused)
    writer.key("hasService")
    // Nobody may have asked for it yet.
    writer.bool(!isServiceMissing && board.links.first?.hasService == true)
    writer.endObject()
  }

  // MARK: CommandHandler

  @export(interface)
  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(RunRefusal) {
      switch command {
      case 0: try run(token, parameters, deadline)
      case 1: try prepare(token, parameters)
      default: try which(token, parameters)
      }
    } catch {
      refuse(token, parameters, error)
    }
  }

  public func cancel(_ token: InvokeToken) {
    for index in 0..<slots.count { slots[index].cancel(token) }
  }

  private func run(_ token: InvokeToken, _ parameters: borrowing JSONView, _ deadline: Int64) throws(RunRefusal) {
    let request = try RunRequest(parameters, words: words, list: board.list)
    guard let slot = idleSlot else { return router.fail(token, RouterError.busy) }
    let left = max(deadline - clock.monotonic - Self.answerMilliseconds, 1)
    let milliseconds = min(board.milliseconds, request.milliseconds ?? .max, left)
    guard slot.begin(token, words, RunOrigin(parameters), milliseconds: milliseconds) else {
      noteService(isMissing: true)
      throw RunRefusal(.noService)
    }
    noteService(isMissing: false)
    runs += 1
    let text = words.text
    log.write(.notice, "run") { line in
      line.add("the gateway runs ")
      line.quote(Span(_unsafeElements: text), .exact)
    }
  }

  /// One whose answer is still on its way is not idle.
  private var idleSlot: RunSlot? {
    for index in 0..<slots.count where slots[index].isIdle { return slots[index] }
    return nil
  }

  private func noteService(isMissing: Bool) {
    if isMissing, !isServiceMissing {
      log.write(.warning, "run", "there is no service that runs programs: systemctl enable --now talon-run.socket")
    }
    isServiceMissing = isMissing
  }

  private func prepare(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(RunRefusal) {
    _ = try RunRequest(parameters, words: words, list: board.list)
    let origin = RunOrigin(parameters)
    router.succeed(token) { RunPlan.write(self.words, origin, to: &$0) }
  }

  private func which(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(RunRefusal) {
    let question = try ProgramQuestion(parameters, list: board.list)
    router.succeed(token) { writer in
      question.write(self.board.list, isInstalled: self.isInstalled, to: &writer)
    }
  }

  private func isInstalled(_ index: Int) -> Bool {
    !board.links.isEmpty && board.links[0].isInstalled(board.list.paths[index])
  }

  private func refuse(_ token: InvokeToken, _ parameters: borrowing JSONView, _ refusal: RunRefusal) {
    refused += 1
    if refusal.isDenial {
      events.denied(RunOrigin(parameters), InlineText(cutting: Span(_unsafeElements: words.text)), refusal)
    }
    router.fail(token, refusal)
  }
}
