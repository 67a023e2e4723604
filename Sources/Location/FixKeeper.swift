import Runtime

/// Keeps the last fix on flash, written by a worker: when the board has moved, at most once a minute, and otherwise every
/// quarter of an hour, so that flash bears it for decades: 100 writes a day where the board stands still.
public final class FixKeeper: RecordWriterOwner {
  /// Metres that are worth a write.
  static let moveMeters = 100.0
  /// Milliseconds between writes of a board that moves, and of one that stands.
  static let movingSpacing: Int64 = 60_000
  static let standingSpacing: Int64 = 900_000

  private let writer: RecordWriter
  private let boot: LastFix.Boot
  private let log: Log
  private var newest: Fix?
  /// What is being written; what is on flash.
  private var writing: Fix?
  private var written: Fix?
  private var lastWrite: Int64?
  private var isFailureLogged = false
  /// What the last run left; nil when it left nothing.
  public private(set) var restored: LastFix?

  /// A keeper whose record "fix" is in `store`: one of its own, because a worker writes there.
  /// - Parameter boot: this run of the kernel; empty when it has no name.
  public init(store: any RecordStore, runner: any JobRunner, boot: LastFix.Boot, log: Log) {
    writer = RecordWriter("fix", capacity: Budget.fixRecordBytes, store: store, runner: runner)
    self.boot = boot
    self.log = log
    writer.owner = self
  }

  deinit { writer.owner = nil }

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    do throws(StoreError) {
      guard let (count, _) = try writer.load() else { return }
      guard let last = LastFix(Span(_unsafeElements: writer.prefix(count))) else { throw .torn }
      restored = last
    } catch {
      log.write(.warning, "location", "the stored position cannot be read: it is forgotten")
    }
  }

  /// True while a worker writes.
  public var isWriting: Bool { writer.isPending }

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
    guard let newest, !writer.isPending else { return }
    // Even when it fails: a flash that is full or broken is not tried at every fix.
    lastWrite = now
    writing = newest
    _ = writer.write(LastFix(fix: newest, boot: boot).encode(into: writer.bytes.bytes))
  }

  public func recordWritten(_ failure: StoreError?) {
    if failure == nil {
      written = writing
      isFailureLogged = false
    } else if !isFailureLogged {
      isFailureLogged = true
      log.write(.warning, "location", "the position could not be written to flash; it is tried again later")
    }
  }
}
