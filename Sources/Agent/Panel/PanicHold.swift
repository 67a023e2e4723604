import Runtime

/// Told once whether flash took a record.
protocol FlashProofOwner: AnyObject {
  func flashProved(_ isGood: Bool)
}

/// Whether a person holds the board still, on flash: it stays held through a power cut, until a person lets it go.
final class PanicHold {
  /// True while the board is held. Counts at once, before it is on flash.
  private(set) var isHeld = false
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: HoldJob
  private var retryPause = Budget.recordRetryMilliseconds.lowerBound
  private var retryAt: Int64?
  /// Told whether the next write got through.
  private var proof: (any FlashProofOwner)?

  /// A hold whose record "hold" is in `store`: one of its own, because a worker writes there.
  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    self.runner = runner
    self.clock = clock
    self.log = log
    job = HoldJob(store: store)
    job.hold = self
  }

  deinit { job.hold = nil }

  /// Reads what the last run left. Blocks: at start only. A record that cannot be read was written by somebody who wanted
  /// the board held, or let go; the safe one of both counts.
  func load() {
    do throws(StoreError) {
      isHeld = try job.load()
    } catch {
      isHeld = error == .torn
      log.write(.error, "panel", "what is kept of the panic button cannot be read")
    }
  }

  /// Holds the board, or lets it go.
  func set(_ isHeld: Bool) {
    guard self.isHeld != isHeld else { return }
    self.isHeld = isHeld
    write()
  }

  /// Writes the state once more, to prove that flash takes it, and tells. False when a proof is under way.
  func prove(_ owner: any FlashProofOwner) -> Bool {
    guard proof == nil else { return false }
    proof = owner
    write()
    return true
  }

  /// True while the newest state is not on flash.
  var isWriting: Bool { job.isPending }

  var nextDeadline: Int64? { retryAt }

  func advance(to now: Int64) {
    guard let retryAt, now >= retryAt else { return }
    self.retryAt = nil
    write()
  }

  private func write() {
    guard !job.isPending else { return }
    job.isHeld = isHeld
    if !runner.submit(job) { retryLater() }
  }

  /// A flash that stays full is asked ever more rarely.
  private func retryLater() {
    retryAt = clock.monotonic + retryPause
    retryPause = min(retryPause * 2, Budget.recordRetryMilliseconds.upperBound)
  }

  fileprivate func ended(_ isHeld: Bool, _ failure: StoreError?) {
    let proof = self.proof
    self.proof = nil
    proof?.flashProved(failure == nil)
    if failure != nil {
      log.write(.error, "panel", "the state of the panic button could not be written to flash; it is tried again")
      return retryLater()
    }
    retryPause = Budget.recordRetryMilliseconds.lowerBound
    if isHeld != self.isHeld { write() }
  }
}

/// The write itself.
private final class HoldJob: Job {
  private let store: any RecordStore
  private let byte = FixedBuffer(capacity: Budget.holdRecordBytes)
  private var failure: StoreError?
  var isHeld = false
  unowned(unsafe) var hold: PanicHold?

  init(store: any RecordStore) { self.store = store }

  private static var name: UnsafePointer<CChar> { ("hold" as StaticString).path }

  func load() throws(StoreError) -> Bool {
    guard let (count, _) = try store.load(Self.name, into: byte.bytes) else { return false }
    guard count == 1, byte.bytes[0] <= 1 else { throw .torn }
    return byte.bytes[0] == 1
  }

  override func run() {
    failure = nil
    byte.bytes[0] = isHeld ? 1 : 0
    do throws(StoreError) {
      try store.save(Self.name, UnsafeBufferPointer(byte.bytes))
    } catch {
      failure = error
    }
  }

  override func finish() { hold?.ended(isHeld, failure) }
}
