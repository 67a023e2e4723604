import Runtime
import Testing

@testable import OwnAgent

/// Runs a job when it is told to, or not at all.
final class HeldRunner: JobRunner {
  var held: [Job] = []
  var isFull = false
  func submit(_ job: Job) -> Bool {
    guard !isFull, !job.isPending else { return false }
    job.isPending = true
    held.append(job)
    return true
  }
  func runOne() {
    guard !held.isEmpty else { return }
    let job = held.removeFirst()
    job.run()
    job.isPending = false
    job.finish()
  }
  func runAll() { while !held.isEmpty { runOne() } }
}

final class StillClock: Clock {
  var monotonic: Int64 = 1000
  var wall: Int64 = 1_795_478_400_000
}

/// A desk with a store of which everything is known.
final class MemoryBench: MemoryDelegate {
  let store: any MemoryStore
  let runner = HeldRunner()
  let clock = StillClock()
  let log = Log(output: nil)
  let desk: MemoryDesk
  var ends: [(ticket: UInt32, outcome: MemoryOutcome, rows: [TableStore.Row])] = []
  var atEnd: (() -> Void)?

  init(_ store: any MemoryStore = TableStore(), limit: Int64 = 1 << 20) throws {
    self.store = store
    desk = try MemoryDesk(store: store, limit: limit, runner: runner, clock: clock, log: log)
    desk.delegate = self
  }

  var table: TableStore { store as! TableStore }

  func memoryEnded(_ ticket: UInt32, _ outcome: MemoryOutcome, _ results: MemoryResults) {
    let rows = (0..<results.count).map { index in
      let row = results.row(index)
      return TableStore.Row(entry: row.entry, subject: Array(row.subject), text: Array(row.text))
    }
    ends.append((ticket, outcome, rows))
    atEnd?()
  }

  /// The end of a request, in words, and the texts of what it found.
  func end(_ ticket: UInt32?) -> (said: String, texts: [String]) {
    guard let ticket else { return ("refused", []) }
    runner.runAll()
    guard let end = ends.last(where: { $0.ticket == ticket }) else { return ("no end", []) }
    return (Self.words(end.outcome), end.rows.map { String(decoding: $0.text, as: UTF8.self) })
  }

  static func words(_ outcome: MemoryOutcome) -> String {
    switch outcome {
    case .stored(let id, let isCut): "stored \(id)\(isCut ? " cut" : "")"
    case .attached(let isThere): "attached \(isThere)"
    case .listed: "listed"
    case .forgotten(let count): "forgotten \(count)"
    case .trimmed(let count): "trimmed \(count)"
    case .written(let count): "written \(count)"
    case .read(let report): "read \(report.taken) \(report.known) \(report.refused)"
    case .failed(let fault): "failed \(fault.kind)"
    }
  }

  func remember(_ entry: MemoryEntry, _ text: [UInt8], about subject: String = "", vector: [Float] = []) -> UInt32? {
    subject.withBytes { subject in
      text.withUnsafeBufferPointer { text in
        vector.withUnsafeBufferPointer { desk.remember(entry, subject: subject, text: text, vector: $0) }
      }
    }
  }

  @discardableResult
  func say(_ text: String, at time: Int64 = 0, vector: [Float] = []) -> String {
    end(remember(.conversation(.person, at: time), Array(text.utf8), vector: vector)).said
  }
  @discardableResult
  func note(_ text: String, day: Int64 = 0, at time: Int64 = 0) -> String {
    end(remember(.note(day: day, at: time), Array(text.utf8))).said
  }
  @discardableResult
  func learn(_ text: String, about subject: String = "", at time: Int64 = 0) -> String {
    end(remember(.fact(at: time), Array(text.utf8), about: subject)).said
  }

  func search(_ text: String, vector: [Float] = [], limit: Int = 8) -> [String] {
    end(
      text.withBytes { text in
        vector.withUnsafeBufferPointer { desk.search(text, vector: $0, limit: limit) }
      }
    ).texts
  }

  func forget(_ words: String) -> String { end(words.withBytes { desk.forget(words: $0) }).said }
  func list(_ selection: MemorySelection, limit: Int = 48) -> [String] { end(desk.list(selection, limit: limit)).texts }

  var logged: String {
    var text = ""
    log.forEachLine { text += String(decoding: $0, as: UTF8.self) + "\n" }
    return text
  }
}

/// Markdown in memory.
final class TextSink: MarkdownSink {
  var bytes: [UInt8] = []
  var pieces = 0
  var state = ""
  var failsAfter = Int.max
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(MemoryFault) {
    if self.bytes.count >= failsAfter { throw MemoryFault(.markdown, Errno.noSpace) }
    self.bytes += bytes
    pieces = max(pieces, bytes.count)
  }
  func finish() throws(MemoryFault) { state = "finished" }
  func cancel() { state = "cancelled" }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

final class TextSource: MarkdownSource {
  var bytes: [UInt8]
  let piece: Int
  var failsAtEnd = false
  init(_ bytes: [UInt8], piece: Int = .max) {
    self.bytes = bytes
    self.piece = piece
  }
  func read(into room: UnsafeMutableBufferPointer<UInt8>) throws(MemoryFault) -> Int {
    let count = min(room.count, piece, bytes.count)
    if count == 0, failsAtEnd { throw MemoryFault(.markdown, Errno.inputOutput) }
    for index in 0..<count { room[index] = bytes[index] }
    bytes.removeFirst(count)
    return count
  }
}

/// SplitMix64 (Steele, Lea, Flood, 2014).
struct MemoryDice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ value >> 31) % UInt64(bound))
  }
}
