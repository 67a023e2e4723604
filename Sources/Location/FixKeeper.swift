import Runtime

/// Keeps the last fix on flash: when the board has moved, at most once a minute, and otherwise every quarter of an
/// hour, so that flash bears it for decades: 100 writes a day where the board stands still.
public final class FixKeeper: RecordDelegate {
  private static let name: StaticString = "fix"
  /// Meters that are worth a write.
  static let moveMeters = 100.0
  /// Milliseconds between writes of a board that moves, and of one that stands.
  static let movingSpacing: Int64 = 60_000
  static let standingSpacing: Int64 = 900_000

  private let memory = FixedBuffer(capacity: Budget.fixRecordBytes)
  private let kept: Kept
  private let boot: LastFix.Boot
  private let log: Log
  private var newest: Fix?
  /// What is being written; what is on flash.
  private var writing: Fix?
  private var written: Fix?
  private var lastWrite: Int64?
  /// What the last run left; nil when it left nothing.
  public private(set) var restored: LastFix?

  /// A keeper whose record "fix" is in `store`: one of its own, because a worker writes there.
  /// - Parameter boot: this run of the kernel; empty when it has no name.
  @export(interface)
  public init(store: any RecordStore, runner: any JobRunner, clock: any Clock, boot: LastFix.Boot, log: Log) {
    // A flash that is full or broken is not tried more often than a board that moves writes.
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log, "location", "the position",
      pauses: Self.movingSpacing...Self.standingSpacing)
    self.boot = boot
    self.log = log
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.name) else { return }
      guard let last = LastFix(Span(_unsafeElements: kept.prefix(count))) else {
        kept.setAside(Self.name, count)
        throw .torn
      }
      restored = last
    } catch {
      log.write(.warning, "location", "the stored position cannot be read: it is forgotten")
    }
  }

  /// Nothing is on its way to flash.
  public var isSettled: Bool { kept.isSettled }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { kept.nextDeadline }

  /// Writes again what could not be written, when that is due.
  public func advance(to now: Int64) { kept.advance(to: now) }

  /// Takes a new fix, and writes it when that is due.
  public func take(_ fix: Fix, now: Int64) {
    newest = fix
    guard isDue(fix, now) else { return }
    lastWrite = now
    kept.changed(waits: true)
  }

  private func isDue(_ fix: Fix, _ now: Int64) -> Bool {
    guard let lastWrite else { return true }
    if now - lastWrite >= Self.standingSpacing { return true }
    guard now - lastWrite >= Self.movingSpacing else { return false }
    guard let written else { return true }
    return written.place.distance(to: fix.place) >= max(Self.moveMeters, fix.accuracy)
  }

  /// Writes what is not on flash yet: the program ends.
  public func flush() {
    if newest != written { kept.changed() }
    kept.flush()
  }

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard let newest, newest != written else { return nil }
    writing = newest
    return RecordOrder(Self.name.bytes, LastFix(fix: newest, boot: boot).encode(into: bytes))
  }

  public func recordKept(_ failure: StoreError?) { if failure == nil { written = writing } }
}
