import Runtime

/// Told when what it asked to keep is on flash, or cannot be.
protocol RecordWaiter: AnyObject {
  /// A save that covers this waiter's changes has ended; `failure` is nil on success.
  func recordSaved(failure: StoreError?)
}

/// Keeps a gateway's record on flash for both sessions: one writer, on a worker, so that an fsync never holds up
/// the loop. Changes that come while it writes are covered by the next write. What could not be written is tried again
/// until it is: a token that stands in memory alone is lost with the next power cut.
public final class RecordKeeper {
  public let record: GatewayRecord
  private let job: SaveJob
  private let runner: any JobRunner
  /// The session of each role, as long as it waits, and since which change.
  private var waiters: (node: (any RecordWaiter)?, operator: (any RecordWaiter)?) = (nil, nil)
  private var waitingSince = InlineArray<2, UInt64>(repeating: 0)
  private var changes: UInt64 = 0
  private var written: UInt64 = 0
  /// The last write failed.
  private var isBehind = false
  private var retryPause = Budget.recordRetryMilliseconds.lowerBound
  /// When `advance` wants to be called next; nil when all is on flash, or on its way.
  public private(set) var nextDeadline: Int64?

  /// A keeper of `record` in `store`, which nobody else writes at the same time.
  public init(record: GatewayRecord, store: any RecordStore, runner: any JobRunner) {
    self.record = record
    self.runner = runner
    job = SaveJob(store: store)
    job.keeper = self
  }

  deinit { job.keeper = nil }

  /// Writes the record as it is now, and tells the waiter of this role afterwards; within this call when no worker
  /// takes the job.
  func save(for role: Role, _ waiter: any RecordWaiter) {
    changes += 1
    waitingSince[role.rawValue] = changes
    if role == .node { waiters.node = waiter } else { waiters.operator = waiter }
    if !job.isPending { write() }
  }

  /// Writes again what could not be written, when that is due.
  public func advance(to now: Int64) {
    guard isBehind, !job.isPending else { return }
    guard let due = nextDeadline else {
      nextDeadline = now + retryPause
      retryPause = min(2 * retryPause, Budget.recordRetryMilliseconds.upperBound)
      return
    }
    if due <= now { write() }
  }

  /// One more attempt at what could not be written, without waiting: the program ends.
  public func flush() {
    if isBehind, !job.isPending { write() }
  }

  /// True while a worker writes.
  public var isWriting: Bool { job.isPending }

  private func write() {
    nextDeadline = nil
    written = changes
    job.prepare(record)
    if runner.submit(job) { return }
    job.giveUp(record)
    ended(failure: .system(.busy))
  }

  fileprivate func ended(failure: StoreError?) {
    isBehind = failure != nil
    if !isBehind { retryPause = Budget.recordRetryMilliseconds.lowerBound }
    if let waiter = waiters.node, waitingSince[0] <= written {
      waiters.node = nil
      waiter.recordSaved(failure: failure)
    }
    if let waiter = waiters.operator, waitingSince[1] <= written {
      waiters.operator = nil
      waiter.recordSaved(failure: failure)
    }
    if changes > written, !job.isPending { write() }
  }
}

/// The write itself: works on a copy.
private final class SaveJob: Job {
  private let store: any RecordStore
  private let buffer = FixedBuffer(capacity: Budget.gatewayRecordBytes)
  private var name = InlineArray<25, UInt8>(repeating: 0)
  private var count = 0
  private var mustErase = false
  private var failure: StoreError?
  unowned(unsafe) var keeper: RecordKeeper?

  init(store: any RecordStore) { self.store = store }

  func prepare(_ record: GatewayRecord) {
    name = record.name
    count = record.encode(into: buffer.bytes)
    mustErase = record.mustErase
    record.mustErase = false
    failure = nil
  }

  /// What had to be erased still has to.
  func giveUp(_ record: GatewayRecord) {
    if mustErase { record.mustErase = true }
  }

  override func run() {
    do throws(StoreError) {
      try GatewayRecord.save(name, buffer.bytes, count, to: store)
      if mustErase { try GatewayRecord.save(name, buffer.bytes, count, to: store) }
    } catch {
      failure = error
    }
  }

  override func finish() {
    guard let keeper else { return }
    if failure != nil { giveUp(keeper.record) }
    keeper.ended(failure: failure)
  }
}
