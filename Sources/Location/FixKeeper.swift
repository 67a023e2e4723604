import Runtime

/// Keeps the last fix on flash, written by a worker: when the board has moved, at most once a minute, and otherwise every
/// quarter of an hour, so that flash bears it for decades: 100 writes a day where the board stands still.
public final class FixKeeper {
  /// Metres that are worth a write.
  static let moveMeters = 100.0
  /// Milliseconds between writes of a board that moves, and of one that stands.
  static let movingSpacing: Int64 = 60_000
  static let standingSpacing: Int64 = 900_000

  private let runner: any JobRunner
  private let boot: LastFix.Boot
  private let log: Log
  private let job: FixJob
  private var newest: Fix?
  private var written: Fix?
  private var lastWrite: Int64?
  private var isFailureLogged = false
  /// What the last run left; nil when it left nothing.
  public private(set) var restored: LastFix?

  /// A keeper whose record "fix" is in `store`: one of its own, because a worker writes there.
  /// - Parameter boot: this run of the kernel; empty when it has no name.
  public init(store: any RecordStore, runner: any JobRunner, boot: LastFix.Boot, log: Log) {
    self.runner = runner
    self.boot = boot
    self.log = log
    job = FixJob(store: store)
    job.keeper = self
  }

  deinit { job.keeper = nil }

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    do throws(StoreError) {
      restored = try job.load()
    } catch {
      log.write(.warning, "location", "the stored position cannot be read: it is forgotten")
    }
  }

  /// True while a worker writes.
  public var isWriting: Bool { job.isPending }

  /// Takes a new fix, and writes it when that is due.
  public func take(_ fix: Fix, now: Int64) {
    newest = fix
    if isDue(fix, now) { write(now) }
  }

  private func isDue(_ fix: Fix, _ now: Int64) -> Bool {
    guard let lastWrite else { return true }
    if now - lastWrite >= Self.standingSpacing { return true }
    guard now - lastWrite >= Self.movingSpacing else { return false }
    guard let written else { return true }
    return written.place.distance(to: fix.place) >= max(Self.moveMeters, fix.accuracy)
  }

  /// Writes what is not on flash yet: the program ends.
  public func flush(now: Int64) {
    if newest != written { write(now) }
  }

  private func write(_ now: Int64) {
    guard let newest, !job.isPending else { return }
    // Even when it fails: a flash that is full or broken is not tried at every fix.
    lastWrite = now
    job.record = LastFix(fix: newest, boot: boot)
    _ = runner.submit(job)
  }

  fileprivate func ended(_ record: LastFix, _ failure: StoreError?) {
    if failure == nil {
      written = record.fix
      isFailureLogged = false
    } else if !isFailureLogged {
      isFailureLogged = true
      log.write(.warning, "location", "the position could not be written to flash; it is tried again later")
    }
  }
}

/// The write itself.
private final class FixJob: Job {
  private let store: any RecordStore
  private let buffer = FixedBuffer(capacity: Budget.fixRecordBytes)
  private var failure: StoreError?
  var record: LastFix?
  unowned(unsafe) var keeper: FixKeeper?

  init(store: any RecordStore) { self.store = store }

  private static var name: UnsafePointer<CChar> { ("fix" as StaticString).path }

  func load() throws(StoreError) -> LastFix? {
    guard let (count, _) = try store.load(Self.name, into: buffer.bytes) else { return nil }
    guard let last = LastFix(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count]))) else {
      throw .torn
    }
    return last
  }

  override func run() {
    guard let record else { return }
    failure = nil
    let count = record.encode(into: buffer.bytes)
    do throws(StoreError) {
      try store.save(Self.name, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
    } catch {
      failure = error
    }
  }

  override func finish() {
    if let record { keeper?.ended(record, failure) }
  }
}
