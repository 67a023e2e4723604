import Runtime

/// Told when what it asked to keep is on flash, or cannot be.
protocol RecordWaiter: AnyObject {
  /// A save that covers this waiter's changes has ended; `failure` is nil on success.
  func recordSaved(failure: StoreError?)
}

/// Keeps a gateway's record on flash for both sessions. Changes that come while it is written are covered by the next
/// write. What could not be written is tried again until it is: a token that stands in memory alone is lost with the
/// next power cut.
public final class RecordKeeper: RecordDelegate {
  public let record: GatewayRecord
  private let memory = FixedBuffer(capacity: Budget.gatewayRecordBytes)
  private let kept: Kept
  /// The session of each role, as long as it waits, and since which change.
  private var waiters: (node: (any RecordWaiter)?, operator: (any RecordWaiter)?) = (nil, nil)
  private var waitingSince = InlineArray<2, UInt64>(repeating: 0)
  private var changes: UInt64 = 0
  private var written: UInt64 = 0
  /// The last write failed.
  private var isBehind = false
  /// The write that is under way erases a secret.
  private var isErasing = false

  /// A keeper of `record` in `store`, which nothing else writes at the same time.
  @export(interface)
  public init(record: GatewayRecord, store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    self.record = record
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "gateway", "the gateway's record")
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Writes the record as it is now, and tells the waiter of this role afterwards; within this call when no worker
  /// takes the job.
  func save(for role: Role, _ waiter: any RecordWaiter) {
    changes += 1
    waitingSince[role.rawValue] = changes
    if role == .node { waiters.node = waiter } else { waiters.operator = waiter }
    kept.changed()
  }

  /// When `advance` is to be called; nil when all is on flash, or on its way.
  public var nextDeadline: Int64? { kept.nextDeadline }

  /// Writes again what could not be written, when that is due.
  public func advance(to now: Int64) { kept.advance(to: now) }

  /// The program ends: what could not be written is tried again without waiting.
  public func flush() { kept.flush() }

  /// Nothing is on its way to flash.
  public var isSettled: Bool { kept.isSettled }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard isBehind || changes > written else { return nil }
    written = changes
    isErasing = record.mustErase
    record.mustErase = false
    // The generation before has what is to be erased: it is written over as well.
    let count = record.encode(into: bytes)
    return record.name.span.withUnsafeBufferPointer { RecordOrder($0, count, writes: isErasing ? 2 : 1) }
  }

  public func recordKept(_ failure: StoreError?) {
    isBehind = failure != nil
    if isBehind, isErasing { record.mustErase = true }
    if let waiter = waiters.node, waitingSince[0] <= written {
      waiters.node = nil
      waiter.recordSaved(failure: failure)
    }
    if let waiter = waiters.operator, waitingSince[1] <= written {
      waiters.operator = nil
      waiter.recordSaved(failure: failure)
    }
    // Who waits for a later change is told of it, too, without a pause.
    if isBehind, changes > written { kept.changed() }
  }
}
