import Canvas
import Codec
import Graphics
import Runtime

/// The process that runs the scripts of one context: descriptor 0 is the shared memory of orders, descriptor 1 that of
/// the drawing, and descriptor 2 the socket that passes the turn. Before the first order it has given up all rights
/// except memory, processor time and that socket.
public final class ScriptServer {
  private let exchange: SharedMemory
  private let line: Descriptor
  private let engine: ScriptEngine
  private let caller: AgentCaller
  private let program: ReservedBuffer

  /// Runs scripts until the agent has ended; returns the exit code.
  public static func run(
    exchange: Descriptor = Descriptor(0), surface: Descriptor = Descriptor(1), line: Descriptor = Descriptor(2),
    outlines: (any OutlineSource)?,
    pictures: (any PictureReader)?
  ) -> Int32 {
    Process.preferOutOfMemoryKill()
    do throws(Errno) {
      let exchange = try SharedMemory(inherited: exchange)
      let surface = try SharedMemory(inherited: surface)
      guard exchange.bytes.count >= ScriptExchange.bytes, surface.bytes.count >= ScriptExchange.surfaceBytes else {
        return Confinement.refused
      }
      try Confinement.enter(
        .talking, dataBytes: Budget.scriptProcessBytes, addressBytes: Budget.scriptProcessAddressBytes, seconds: nil)
      let server = try ScriptServer(exchange, surface, line, outlines, pictures)
      server.serve()
      return 0
    } catch {
      return Confinement.refused
    }
  }

  init(
    _ exchange: SharedMemory, _ surface: SharedMemory, _ line: Descriptor, _ outlines: (any OutlineSource)?,
    _ pictures: (any PictureReader)?
  ) throws(Errno) {
    self.exchange = exchange
    self.line = line
    caller = AgentCaller(exchange, line)
    // The agent sends the time limit with each order.
    engine = try ScriptEngine(caller: caller, outlines: outlines, pictures: pictures, surface: surface)
    program = try ReservedBuffer(capacity: Budget.scriptSourceBytes + 1)
    caller.request = engine.request
  }

  private func serve() {
    while line.receiveByte() == ScriptExchange.Word.order {
      guard let order = readOrder() else { return }
      let result = engine.perform(order)
      write(result)
      guard line.send(ScriptExchange.Word.report) else { return }
    }
  }

  private func readOrder() -> ScriptOrder? {
    typealias Order = ScriptExchange.Order
    guard let kind = ScriptOrder.Kind(rawValue: exchange[word: Order.kind]) else { return nil }
    var order = ScriptOrder()
    order.kind = kind
    order.screen = ScriptScreen(
      width: number(Order.width), height: number(Order.height), ratio: number(Order.ratio))
    order.drawsFrame = exchange[word: Order.drawsFrame] != 0
    order.mustForget = exchange[word: Order.mustForget] != 0
    engine.limit = exchange[word: Order.limit]
    guard kind == .evaluate else { return order }
    // Copied, because requests and results use the same memory.
    let text = UnsafeBufferPointer(exchange.part(at: ScriptExchange.text, count: exchange[word: Order.count]))
    let count = text.copy(into: program.bytes.extracting(0..<Budget.scriptSourceBytes))
    program.bytes[count] = 0
    order.program = UnsafeBufferPointer(program.bytes).extracting(0..<count)
    return order
  }

  private func number(_ index: Int) -> Double { Double(bitPattern: UInt64(bitPattern: exchange[word: index])) }

  // MARK: Reports

  private func write(_ result: ScriptResult) {
    typealias Report = ScriptExchange.Report
    for index in 0..<ScriptExchange.results.count where ScriptExchange.results[index] == result {
      exchange[word: Report.result] = Int64(index)
    }
    exchange[word: Report.hasDrawn] = engine.hasDrawn ? 1 : 0
    exchange[word: Report.nextTimer] = engine.nextTimer ?? -1
    exchange[word: Report.wantsFrame] = engine.wantsFrame ? 1 : 0
    exchange[word: Report.width] = Int64(engine.pixels?.size.width ?? 0)
    exchange[word: Report.height] = Int64(engine.pixels?.size.height ?? 0)
    writeOutcome()
    writeCard()
    writeConsole()
  }

  private func writeOutcome() {
    typealias Report = ScriptExchange.Report
    exchange[word: Report.outcome] = 0
    switch engine.outcome {
    case nil: return
    case .result: exchange[word: Report.outcome] = ScriptExchange.outcomeOfResult
    case .failure(let line):
      exchange[word: Report.outcome] = ScriptExchange.outcomeOfFailure
      exchange[word: Report.line] = Int64(line)
    case .tooLarge: exchange[word: Report.outcome] = ScriptExchange.outcomeTooLarge
    }
    exchange[word: Report.textCount] = exchange.write(
      engine.text, at: ScriptExchange.text, most: Budget.scriptResultBytes)
    engine.outcome = nil
    engine.releaseText()
  }

  private func writeCard() {
    typealias Report = ScriptExchange.Report
    exchange[word: Report.card] = engine.card.kind?.rawValue ?? 0
    for index in 0..<ScriptExchange.cardLines {
      let line = engine.card.lines[index]
      exchange[word: Report.cardCounts + index] = line.span.withUnsafeBufferPointer {
        exchange.write(
          $0, at: ScriptExchange.card + index * ScriptExchange.cardLineBytes, most: ScriptExchange.cardLineBytes)
      }
    }
  }

  private func writeConsole() {
    typealias Report = ScriptExchange.Report
    var count = 0
    let left = engine.console.drain { level, text in
      exchange[word: Report.consoleLevels + count] = level == .info ? 0 : 1
      exchange[word: Report.consoleCounts + count] = exchange.write(
        text, at: ScriptExchange.console + count * Budget.logLineBytes, most: Budget.logLineBytes)
      count += 1
    }
    exchange[word: Report.consoleCount] = Int64(count)
    exchange[word: Report.consoleLeft] = Int64(left)
  }
}

/// Sends a script's requests to the agent.
private final class AgentCaller: LoopCaller {
  private let exchange: SharedMemory
  private let line: Descriptor
  /// Outlives this object.
  unowned(unsafe) var request: ScriptRequest?

  init(_ exchange: SharedMemory, _ line: Descriptor) {
    self.exchange = exchange
    self.line = line
  }

  func call(_ call: LoopCall) -> Bool {
    guard let request else { return false }
    guard request.text.count <= Budget.scriptRequestBytes else {
      request.fail { $0.text("a script sends at most 6 MiB at once") }
      return true
    }
    exchange[word: ScriptExchange.Question.kind] = request.kind.rawValue
    exchange[word: ScriptExchange.Question.count] = exchange.write(
      request.text, at: ScriptExchange.text, most: Budget.scriptRequestBytes)
    guard line.send(ScriptExchange.Word.question), line.receiveByte() == ScriptExchange.Word.answer else {
      return false
    }
    let verdict = exchange[word: ScriptExchange.Answer.verdict]
    guard verdict != ScriptExchange.unanswered else { return false }
    let text = exchange.part(at: ScriptExchange.text, count: exchange[word: ScriptExchange.Answer.count])
    request.settle(UnsafeBufferPointer(text), isError: verdict == ScriptExchange.failed)
    return true
  }
}

extension Descriptor {
  /// Receives one byte; nil: the peer has closed.
  fileprivate func receiveByte() -> UInt8? {
    var byte: UInt8 = 0
    do throws(Errno) {
      let count = try withUnsafeMutableBytes(of: &byte) { (room) throws(Errno) in try Syscall.read(self, into: room) }
      return count == 1 ? byte : nil
    } catch {
      return nil
    }
  }

  /// Sends one byte. False: the peer has closed.
  fileprivate func send(_ byte: UInt8) -> Bool {
    var byte = byte
    do throws(Errno) {
      return try withUnsafeBytes(of: &byte) { (bytes) throws(Errno) in try Syscall.write(self, bytes) } == 1
    } catch {
      return false
    }
  }
}
