import Canvas
import Codec
import Graphics
import Runtime

/// Runs scripts in a confined process, which runs this program (`ScriptServer`): one process per context, started with
/// the first evaluation and ended with the context. A script that exploits the engine finds a process without files,
/// network and keys; everything that the process sends is untrusted and checked.
public final class ScriptProcess: ScriptHost {
  /// The internal command name of the process.
  public static let name = "run-script"

  private let program: ConfinedProgram
  private let caller: any LoopCaller
  private let cancellation = Cancellation()
  private let question = ScratchMemory(capacity: Budget.scriptRequestBytes)
  private var process: ConfinedProcess?
  private var exchange: SharedMemory?
  private var surface: SharedMemory?
  private var drawing: PixelBuffer?

  /// A host that starts `program` when it needs a process.
  @export(interface)
  public init(
    caller: any LoopCaller, program: ConfinedProgram = ConfinedProgram(name), limit: Int64 = Budget.scriptMilliseconds
  ) throws(Errno) {
    self.caller = caller
    self.program = program
    try super.init(limit: limit)
  }

  override var pixels: PixelBuffer? { drawing }

  /// True while there is a process.
  var isAlive: Bool { process != nil }

  override func stop() { cancellation.request() }
  override func resume() { cancellation.reset() }

  // MARK: Orders

  override func perform(_ order: ScriptOrder) -> ScriptResult {
    hasDrawn = false
    if order.kind == .drop {
      end()
      forgetContext()
      drawing = nil
      return .done
    }
    if order.kind == .evaluate { outcome = nil }
    if process == nil {
      guard order.kind == .evaluate else { return .done }
      do throws(Errno) { try begin() } catch { return .noContext }
    }
    guard let process, let exchange else { return .noContext }
    write(order, to: exchange)
    process.send(ScriptExchange.Word.order)
    return listen(process, exchange)
  }

  private func begin() throws(Errno) {
    let exchange = try SharedMemory(capacity: ScriptExchange.bytes)
    let surface = try SharedMemory(capacity: ScriptExchange.surfaceBytes)
    process = try ConfinedProcess(program, files: exchange.descriptor, surface.descriptor)
    (self.exchange, self.surface) = (exchange, surface)
    forgetContext()
    drawing = nil
  }

  /// Ends the process and keeps its drawing.
  private func end() {
    process?.kill()
    (process, exchange, surface) = (nil, nil, nil)
    (nextTimer, wantsFrame) = (nil, false)
  }

  private func write(_ order: ScriptOrder, to exchange: SharedMemory) {
    typealias Order = ScriptExchange.Order
    exchange[word: Order.kind] = order.kind.rawValue
    exchange[word: Order.width] = Int64(bitPattern: order.screen.width.bitPattern)
    exchange[word: Order.height] = Int64(bitPattern: order.screen.height.bitPattern)
    exchange[word: Order.ratio] = Int64(bitPattern: order.screen.ratio.bitPattern)
    exchange[word: Order.drawsFrame] = order.drawsFrame ? 1 : 0
    exchange[word: Order.mustForget] = order.mustForget ? 1 : 0
    exchange[word: Order.limit] = limit
    guard order.kind == .evaluate else { return }
    exchange[word: Order.count] = exchange.write(order.program, at: ScriptExchange.text, most: Budget.scriptSourceBytes)
  }

  /// Answers requests until the order is done or the process has ended.
  private func listen(_ process: ConfinedProcess, _ exchange: SharedMemory) -> ScriptResult {
    let deadline = SystemClock().monotonic + Budget.scriptProcessMilliseconds
    while let word = process.listen(until: deadline, or: cancellation) {
      switch word {
      case ScriptExchange.Word.question where answer(exchange): process.send(ScriptExchange.Word.answer)
      case ScriptExchange.Word.report:
        let result = surface.map { take(exchange, $0) } ?? .noContext
        if result != .done { end() }
        return result
      default:
        end()
        return .lost(.invalidMessage)
      }
    }
    let reason = process.end ?? .cancelled
    end()
    return reason == .cancelled || reason == .timedOut ? .ended : .lost(reason)
  }

  // MARK: Requests

  /// False: that was no valid request.
  private func answer(_ exchange: SharedMemory) -> Bool {
    guard let kind = ScriptRequest.Kind(rawValue: exchange[word: ScriptExchange.Question.kind]) else { return false }
    // Shared memory may change while the loop reads it, so the loop reads a copy.
    let said = UnsafeBufferPointer(
      exchange.part(at: ScriptExchange.text, count: exchange[word: ScriptExchange.Question.count]))
    defer { question.release() }
    let count = said.copy(into: question.bytes)
    var verdict = ScriptExchange.unanswered
    if request.ask(kind, UnsafeBufferPointer(question.bytes).extracting(0..<count), caller) {
      verdict = request.isError ? ScriptExchange.failed : ScriptExchange.answered
    }
    exchange[word: ScriptExchange.Answer.verdict] = verdict
    exchange[word: ScriptExchange.Answer.count] = exchange.write(
      request.answered, at: ScriptExchange.text, most: Budget.scriptAnswerBytes)
    return true
  }

  // MARK: Reports

  /// Copies a report, after checking every value.
  func take(_ exchange: SharedMemory, _ surface: SharedMemory) -> ScriptResult {
    let number = exchange[word: ScriptExchange.Report.result]
    guard number >= 0, number < Int64(ScriptExchange.results.count), takeDrawing(exchange, surface),
      takeOutcome(exchange)
    else { return .lost(.invalidMessage) }
    takeTimes(exchange)
    takeConsole(exchange)
    if exchange[word: ScriptExchange.Report.hasDrawn] != 0 {
      hasDrawn = true
      takeCard(exchange)
    }
    return ScriptExchange.results[Int(number)]
  }

  private func takeDrawing(_ exchange: SharedMemory, _ surface: SharedMemory) -> Bool {
    let (width, height) = (exchange[word: ScriptExchange.Report.width], exchange[word: ScriptExchange.Report.height])
    if width == 0 {
      drawing = nil
      return true
    }
    let sides = 1...Int64(Budget.paintSidePixels)
    guard sides.contains(width), sides.contains(height) else { return false }
    let size = Size(Int32(width), Int32(height))
    if drawing?.size != size { drawing = PixelBuffer(size, in: surface) }
    return drawing != nil
  }

  private func takeOutcome(_ exchange: SharedMemory) -> Bool {
    switch exchange[word: ScriptExchange.Report.outcome] {
    case 0: return true
    case ScriptExchange.outcomeOfResult: outcome = .result
    case ScriptExchange.outcomeOfFailure:
      outcome = .failure(line: Int(clamping: max(exchange[word: ScriptExchange.Report.line], 0)))
    case ScriptExchange.outcomeTooLarge: outcome = .tooLarge
    default: return false
    }
    // At most as much as this host stores.
    _ = take(
      UnsafeBufferPointer(
        exchange.part(at: ScriptExchange.text, count: exchange[word: ScriptExchange.Report.textCount])))
    return true
  }

  private func takeTimes(_ exchange: SharedMemory) {
    let due = exchange[word: ScriptExchange.Report.nextTimer]
    nextTimer = due < 0 ? nil : min(due, Self.latestTimer)
    wantsFrame = exchange[word: ScriptExchange.Report.wantsFrame] != 0
  }

  private func takeConsole(_ exchange: SharedMemory) {
    typealias Report = ScriptExchange.Report
    let count = min(max(exchange[word: Report.consoleCount], 0), Int64(Budget.scriptLines))
    for index in 0..<Int(count) {
      let length = min(exchange[word: Report.consoleCounts + index], Int64(Budget.logLineBytes))
      let line = exchange.part(at: ScriptExchange.console + index * Budget.logLineBytes, count: length)
      console.add(level: exchange[word: Report.consoleLevels + index] == 0 ? 0 : 1, UnsafeBufferPointer(line))
    }
    console.add(left: Int(clamping: max(exchange[word: Report.consoleLeft], 0)))
  }

  private func takeCard(_ exchange: SharedMemory) {
    typealias Report = ScriptExchange.Report
    card.begin(ScriptCard.Kind(rawValue: exchange[word: Report.card]))
    // The host decides that something was drawn.
    card.hasChanged = false
    for index in 0..<ScriptExchange.cardLines {
      let length = min(exchange[word: Report.cardCounts + index], Int64(ScriptExchange.cardLineBytes))
      var line = InlineText<192>()
      // Copied first: the checked bytes must be the ones that are drawn.
      let said = exchange.part(at: ScriptExchange.card + index * ScriptExchange.cardLineBytes, count: length)
      line.fill { room in UnsafeBufferPointer(said).copy(into: room) }
      if UTF8Validator.isValid(line.span) { card.set(index, line.span) }
    }
  }
}
