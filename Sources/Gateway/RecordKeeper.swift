import Runtime

/// Told when what it asked to keep is on flash, or cannot be.
protocol RecordWaiter: AnyObject {
  /// A save that covers this waiter's changes has ended; `failure` is nil on success.
  func recordSaved(failure: StoreError?)
}

/// Keeps a gateway's record on flash for both sessions: one writer, on a worker, so that an fsync never holds up
/// the loop. Changes that come while it writes are covered by the next write.
public final class RecordKeeper {
  public let record: GatewayRecord
  private let job: SaveJob
  private let runner: any JobRunner
  /// The session of each role, as long as it waits, and since which change.
  private var waiters: (node: (any RecordWaiter)?, operator: (any RecordWaiter)?) = (nil, nil)
  private var waitingSince = InlineArray<2, UInt64>(repeating: 0)
  private var changes: UInt64 = 0
  private var written: UInt64 = 0

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

  private func write() {
    written = changes
    job.prepare(record)
    if !runner.submit(job) { ended(failure: .system(.busy)) }
  }

  fileprivate func ended(failure: StoreError?) {
    if failure != nil, job.mustErase { record.mustErase = true }
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
  fileprivate private(set) var mustErase = false
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

  override func run() {
    do throws(StoreError) {
      try GatewayRecord.save(name, buffer.bytes, count, to: store)
      if mustErase { try GatewayRecord.save(name, buffer.bytes, count, to: store) }
    } catch {
      failure = error
    }
  }

  override func finish() { keeper?.ended(failure: failure) }
}
