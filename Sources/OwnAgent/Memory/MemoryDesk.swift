import Runtime

/// Gets the end of each request, on the loop's thread.
public protocol MemoryDelegate: AnyObject {
  /// The request with this ticket has ended. `results` has what it found, until this returns.
  func memoryEnded(_ ticket: UInt32, _ outcome: MemoryOutcome, _ results: MemoryResults)
}

/// The memory as the loop sees it: requests wait in their order, a worker does one at a time, and its delegate gets the
/// end of each. Nothing here blocks.
///
/// Each request returns a ticket, by which the delegate knows its end; nil when too many wait.
public final class MemoryDesk: Job {
  private let worker: MemoryWorker
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log?
  private let memory: ReservedBuffer
  private var waiting: BoundedQueue<MemorySlot>
  /// Which part of `memory` the next request gets.
  private var next = 0
  private var lastTicket: UInt32 = 0
  /// What the worker does, or did last.
  private var current: MemorySlot?
  private var outcome = MemoryOutcome.listed
  /// Lives as long as the desk, or sets this to nil.
  public unowned(unsafe) var delegate: (any MemoryDelegate)?
  /// When `advance` is to be called; nil when nothing waits for it.
  public private(set) var nextDeadline: Int64?
  private var isStopped = false
  /// The delegate gets an end: what it asks for meanwhile is begun afterwards.
  private var isDelivering = false

  /// A desk for `store`, which nobody else uses, and which may take `limit` bytes. It is opened by the first request.
  /// Throws when there is no memory for those that wait.
  @export(interface)
  public init(store: any MemoryStore, limit: Int64, runner: any JobRunner, clock: any Clock, log: Log?) throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.memoryRequests * MemorySlot.bytes)
    worker = MemoryWorker(store, limit: limit)
    self.runner = runner
    self.clock = clock
    self.log = log
    waiting = BoundedQueue(capacity: Budget.memoryRequests)
  }

  // MARK: Requests

  /// Remembers what was said or noted, or a fact about a subject. A vector may be empty, and come later (`attach`).
  public func remember(
    _ entry: MemoryEntry, subject: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>,
    vector: UnsafeBufferPointer<Float>
  ) -> UInt32? {
    submit(.remember(entry), subject: subject, text: text, vector: vector)
  }

  /// Gives an entry a vector.
  public func attach(_ vector: UnsafeBufferPointer<Float>, to id: Int64) -> UInt32? {
    submit(.attach(id), vector: vector)
  }

  /// Looks for entries that have words of a text, or whose vectors are near: the best first, `limit` at most.
  public func search(_ text: UnsafeBufferPointer<UInt8>, vector: UnsafeBufferPointer<Float>, limit: Int) -> UInt32? {
    submit(.search(limit: limit), text: text, vector: vector)
  }

  /// The last entries of a selection, `limit` at most. A conversation is in its order, others are newest first.
  public func list(_ selection: MemorySelection, limit: Int) -> UInt32? { submit(.list(selection, limit: limit)) }

  /// Forgets all entries that have each of these words.
  public func forget(words: UnsafeBufferPointer<UInt8>) -> UInt32? { submit(.forgetWords, text: words) }

  /// Forgets an entry.
  public func forget(_ id: Int64) -> UInt32? { submit(.forgetEntry(id)) }

  /// Forgets everything.
  public func forgetAll() -> UInt32? { submit(.forgetAll) }

  /// Removes entries in the order of `MemoryTrimmer` until they take at most so many bytes.
  public func trim(to bytes: Int64) -> UInt32? { submit(.trim(bytes)) }

  /// Writes the memory as Markdown into `sink`, which is used on a worker.
  public func write(to sink: any MarkdownSink) -> UInt32? { submit(.write(sink)) }

  /// Takes what a Markdown file says, from `source`, which is used on a worker.
  public func read(from source: any MarkdownSource) -> UInt32? { submit(.read(source, now: clock.wall)) }

  private static var nothing: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

  private func submit(
    _ request: MemoryRequest, subject: UnsafeBufferPointer<UInt8> = nothing,
    text: UnsafeBufferPointer<UInt8> = nothing,
    vector: UnsafeBufferPointer<Float> = UnsafeBufferPointer(start: nil, count: 0)
  ) -> UInt32? {
    guard !isStopped, waiting.count + (current == nil ? 0 : 1) < Budget.memoryRequests else { return nil }
    lastTicket &+= 1
    let start = next * MemorySlot.bytes
    next = (next + 1) % Budget.memoryRequests
    let room = UnsafeMutableBufferPointer(rebasing: memory.bytes[start..<(start + MemorySlot.bytes)])
    var slot = MemorySlot(lastTicket, request, room)
    slot.setSubject(subject)
    slot.setText(text)
    // What is no vector becomes none: an entry is remembered, and found by its words.
    if !slot.setVector(vector) { _ = slot.setVector(UnsafeBufferPointer(start: nil, count: 0)) }
    _ = waiting.push(slot)
    begin()
    return lastTicket
  }

  // MARK: The worker

  /// True while requests wait or are done.
  public var isBusy: Bool { current != nil || !waiting.isEmpty }

  private func begin() {
    guard !isPending, !isStopped, !isDelivering else { return }
    if current == nil { current = waiting.pop() }
    guard current != nil else { return nextDeadline = nil }
    nextDeadline = runner.submit(self) ? nil : clock.monotonic + Budget.memoryRetryMilliseconds
  }

  /// Tries again what found no free worker, when that is due.
  public func advance(to now: Int64) {
    guard let nextDeadline, now >= nextDeadline else { return }
    begin()
  }

  public override func run() {
    if let current { outcome = worker.perform(current) }
  }

  public override func finish() {
    guard let done = current else { return }
    report()
    isDelivering = true
    delegate?.memoryEnded(done.ticket, outcome, worker.results)
    isDelivering = false
    current = nil
    begin()
  }

  private func report() {
    if let opening = worker.opening {
      worker.opening = nil
      switch opening {
      case .opened, .fresh: break
      case .setAside:
        log?.write(.error, "memory", "the file was damaged and has been set aside as NAME.damaged; a new one begins")
      case .indexed: log?.write(.warning, "memory", "the index of words was damaged, and has been made again")
      }
    }
    if case .failed(let fault) = outcome { log?.write(.warning, "memory") { fault.write(to: &$0) } }
  }

  /// The program ends: nothing more is begun, and the store is closed. Call it when no worker runs any longer.
  public func stop() {
    guard !isStopped else { return }
    isStopped = true
    nextDeadline = nil
    worker.close()
  }
}
