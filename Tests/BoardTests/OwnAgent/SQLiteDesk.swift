import Runtime

@testable import Board
@testable import OwnAgent

/// Runs jobs at once, and keeps what came of them.
private final class MemoryTeller: JobRunner, MemoryDelegate {
  var outcome = MemoryOutcome.listed
  var texts: [String] = []
  private var held: Job?

  func submit(_ job: Job) -> Bool {
    held = job
    return true
  }
  func end() -> MemoryOutcome {
    while let job = held {
      held = nil
      job.run()
      job.finish()
    }
    return outcome
  }
  func memoryEnded(_ ticket: UInt32, _ outcome: MemoryOutcome, _ results: MemoryResults) {
    self.outcome = outcome
    texts = (0..<results.count).map { String(decoding: results.row($0).text, as: UTF8.self) }
  }
}

/// A desk with a memory in SQLite.
final class SQLiteDesk {
  let bench: SQLiteMemoryBench
  let desk: MemoryDesk
  private let teller = MemoryTeller()
  private let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  init(limit: Int64 = 1 << 20) throws {
    bench = try SQLiteMemoryBench(limit: limit)
    desk = try MemoryDesk(store: bench.memory, limit: limit, runner: teller, clock: SystemClock(), log: nil)
    desk.delegate = teller
  }

  deinit { desk.stop() }

  func fault(_ outcome: MemoryOutcome) -> MemoryFault.Kind? {
    if case .failed(let fault) = outcome { return fault.kind }
    return nil
  }

  @discardableResult
  func remember(_ entry: MemoryEntry, _ text: String, vector: [Float] = []) -> MemoryOutcome {
    text.withBytes { text in
      vector.withUnsafeBufferPointer { _ = desk.remember(entry, subject: none, text: text, vector: $0) }
    }
    return teller.end()
  }

  func forget(_ words: String) -> Int {
    words.withBytes { _ = desk.forget(words: $0) }
    if case .forgotten(let count) = teller.end() { return count }
    return -1
  }

  func search(_ text: String, vector: [Float] = []) -> [String] {
    text.withBytes { text in vector.withUnsafeBufferPointer { _ = desk.search(text, vector: $0, limit: 5) } }
    _ = teller.end()
    return teller.texts
  }

  func export(_ sink: any MarkdownSink) -> MemoryOutcome {
    _ = desk.write(to: sink)
    return teller.end()
  }

  func take(_ source: any MarkdownSource) -> MemoryOutcome {
    _ = desk.read(from: source)
    return teller.end()
  }

  func forgetAll() -> MemoryOutcome {
    _ = desk.forgetAll()
    return teller.end()
  }
}
