import Completion
import Runtime

/// Gives the memory its vectors: that of a text that is looked for, and those of entries that have none, some at a time
/// while nothing else is to be done.
final class MemoryVectors: EmbeddingDelegate {
  private enum Phase: Equatable {
    case idle
    /// Of a text that is looked for, for this place of the turn's calls.
    case search(Int)
    /// The entries without vectors are awaited from the memory.
    case listing(UInt32)
    case entries
  }

  let client: EmbeddingClient
  private let memory: MemoryDesk
  private let clock: any Clock
  private let log: Log
  private var phase = Phase.idle
  /// The entries whose vectors are awaited.
  private var ids = InlineArray<16, Int64>(repeating: 0)
  private var count = 0
  /// The first of the entries before: when it comes again, the memory has not taken its vector.
  private var lastFirst: Int64 = 0
  /// When entries are looked at next; nil: all have their vectors.
  private var dueAt: Int64?
  private var pause = RetryPause(Budget.embeddingPause)
  /// A text may be looked for, with its vector or, where there is none, without.
  var found: (_ place: Int, _ vector: UnsafeBufferPointer<Float>) -> Void = { _, _ in }
  /// True when nothing else is to be done, and the day has tokens left.
  var mayWork: () -> Bool = { false }

  init(_ client: EmbeddingClient, _ memory: MemoryDesk, clock: any Clock, log: Log) {
    (self.client, self.memory, self.clock, self.log) = (client, memory, clock, log)
    precondition(ids.count >= Budget.memoryRequests)
    dueAt = clock.monotonic + Budget.embeddingPause.lowerBound
    client.delegate = self
  }

  /// Asks for the vector of a text that is looked for; `found` follows, from inside `advance`. False: look without.
  func search(_ text: UnsafeBufferPointer<UInt8>, for place: Int) -> Bool {
    // Entries can wait.
    if phase == .entries { rest() }
    guard phase == .idle else { return false }
    let isAsked = client.ask(milliseconds: Budget.embeddingSearchMilliseconds) { $0 == 0 ? text : nil } == 1
    if isAsked { phase = .search(place) }
    return isAsked
  }

  /// The text of this place is not looked for any more.
  func drop(_ place: Int) {
    guard phase == .search(place) else { return }
    client.cancel()
    rest()
  }

  /// The memory has one more entry.
  func remembered() { dueAt = dueAt ?? clock.monotonic + Budget.embeddingPause.lowerBound }

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    if client.isBusy { return client.nextDeadline }
    return phase == .idle && mayWork() ? dueAt : nil
  }

  func advance(to now: Int64) {
    client.advance(to: now)
    guard phase == .idle, let dueAt, dueAt <= now, mayWork() else { return }
    guard let ticket = memory.list(.withoutVector, limit: Self.entriesAtOnce) else { return rest() }
    phase = .listing(ticket)
  }

  /// As many as the memory takes vectors at once, with room for what else it is asked meanwhile.
  private static var entriesAtOnce: Int { min(Budget.memoryRequests - 4, Budget.embeddingTexts) }

  /// Nothing is awaited; entries come later.
  private func rest() {
    phase = .idle
    dueAt = clock.monotonic + Budget.embeddingPause.lowerBound
  }

  /// Something does not work: entries come after a pause.
  private func wait() {
    pause.failed(at: clock.monotonic)
    dueAt = pause.dueAt
  }

  /// Takes the end of a request to the memory; false when it is another's.
  func listed(_ ticket: UInt32, _ results: MemoryResults) -> Bool {
    guard phase == .listing(ticket) else { return false }
    phase = .idle
    count = min(results.count, ids.count)
    guard count > 0 else {
      dueAt = nil
      return true
    }
    for index in 0..<count { ids[index] = results.row(index).entry.id }
    guard ids[0] != lastFirst else {
      lastFirst = 0
      wait()
      return true
    }
    lastFirst = ids[0]
    let wanted = count
    count = client.ask(milliseconds: Budget.embeddingMilliseconds) { index in
      index < wanted ? results.row(index).text : nil
    }
    if count > 0 { phase = .entries } else { rest() }
    return true
  }

  // MARK: EmbeddingDelegate

  func embedded(_ vectors: UnsafeBufferPointer<Float>, dimensions: Int) {
    let ended = phase
    rest()
    pause.succeeded()
    if ended == .entries { dueAt = clock.monotonic }
    switch ended {
    case .search(let place): found(place, UnsafeBufferPointer(rebasing: vectors[..<dimensions]))
    case .entries:
      for index in 0..<count {
        let vector = UnsafeBufferPointer(rebasing: vectors[(index * dimensions)..<((index + 1) * dimensions)])
        // What the memory has no time for comes again.
        _ = memory.attach(vector, to: ids[index])
      }
    case .idle, .listing: return
    }
  }

  func embeddingFailed(_ fault: ModelFault) {
    let ended = phase
    rest()
    if case .search(let place) = ended { return found(place, UnsafeBufferPointer(start: nil, count: 0)) }
    if !pause.hasFailed {
      log.write(.warning, "agent") { line in
        line.add("no vectors for the memory, which is searched by words: ")
        line.add(fault)
      }
    }
    wait()
  }
}
