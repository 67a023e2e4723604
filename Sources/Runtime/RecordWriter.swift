/// Told how the write of a record has ended.
public protocol RecordWriterOwner: AnyObject {
  /// On the loop's thread. `failure` nil: what `bytes` held is on flash.
  func recordWritten(_ failure: StoreError?)
}

/// Writes one small record to flash on a worker, one write at a time.
public final class RecordWriter: Job {
  private let store: any RecordStore
  private let name: StaticString
  private let runner: any JobRunner
  private var count = 0
  private var failure: StoreError?
  /// The record, for its owner to fill and to read while no write is pending.
  public let bytes: FixedBuffer
  public unowned(unsafe) var owner: (any RecordWriterOwner)?

  /// A record of at most `capacity` bytes in a store of its own, because a worker writes there.
  public init(_ name: StaticString, capacity: Int, store: any RecordStore, runner: any JobRunner) {
    (self.name, self.store, self.runner) = (name, store, runner)
    bytes = FixedBuffer(capacity: capacity)
  }

  /// Reads what the last run left into `bytes`; nil when it left nothing. Blocks: at start only.
  public func load() throws(StoreError) -> (count: Int, origin: RecordOrigin)? { try store.load(name.path, into: bytes.bytes) }

  /// The first bytes of the record.
  public func prefix(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes.bytes)[..<count])
  }

  /// Writes the first `count` bytes; false when no worker takes it.
  public func write(_ count: Int) -> Bool {
    (self.count, failure) = (count, nil)
    return runner.submit(self)
  }

  public override func run() {
    do throws(StoreError) {
      try store.save(name.path, prefix(count))
    } catch {
      failure = error
    }
  }

  public override func finish() { owner?.recordWritten(failure) }
}

/// When something that failed on flash is tried again: a flash that stays full is asked ever more rarely.
public struct FlashPatience {
  private var pause = Budget.recordRetryMilliseconds.lowerBound
  /// Milliseconds of `Clock.monotonic`; nil: nothing has failed, or it is being tried.
  public private(set) var dueAt: Int64?

  public init() {}

  /// True since the last failure until the next success.
  public var hasFailed: Bool { pause > Budget.recordRetryMilliseconds.lowerBound }

  /// It failed.
  public mutating func failed(at now: Int64) {
    dueAt = now + pause
    pause = min(pause * 2, Budget.recordRetryMilliseconds.upperBound)
  }

  /// It is being tried.
  public mutating func begin() { dueAt = nil }

  /// All is on flash.
  public mutating func succeeded() { self = FlashPatience() }
}
