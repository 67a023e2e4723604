import Codec
import Consent
import Runtime

/// Where consent is kept, and the board's date.
public struct ConsentStorage {
  /// The stores of grants and of the journal. They must not be shared, because a worker writes there.
  public var grants: any RecordStore
  public var uses: any RecordStore
  /// The run of the kernel; empty when unknown.
  public var boot: GrantRecord.Boot
  /// Whether something has set the wall clock.
  public var isDateRight: () -> Bool
  /// Minutes by which local time is ahead of UTC, at a time in milliseconds since the Unix epoch.
  public var offset: (Int64) -> Int64

  /// The largest record of the journal in bytes.
  public static var useRecordBytes: Int { UseJournal.recordBytes }

  /// See the properties.
  public init(
    grants: any RecordStore, uses: any RecordStore, boot: GrantRecord.Boot, isDateRight: @escaping () -> Bool,
    offset: @escaping (Int64) -> Int64
  ) {
    self.grants = grants
    self.uses = uses
    self.boot = boot
    self.isDateRight = isDateRight
    self.offset = offset
  }
}

/// Keeps grants on flash, and brings back what is still in force after a start.
final class GrantKeeper: RecordDelegate {
  private static let name: StaticString = "grants"
  /// Milliseconds between two looks at whether the clock has been set.
  private static let pause: Int64 = 5_000

  let boot: GrantRecord.Boot
  private let memory = FixedBuffer(capacity: Budget.grantRecordBytes)
  private let kept: Kept
  private let storage: ConsentStorage
  private let clock: any Clock
  private let log: Log
  /// What flash shall have; nil: what it has.
  private var wanted: GrantRecord?
  private var writing: GrantRecord?
  private var isOnFlash = false
  /// What another run of the kernel left, until something has set the clock or its time is over.
  private var waiting: GrantRecord?
  private var lookAt: Int64 = 0
  private var giveUpAt: Int64 = 0

  init(_ storage: ConsentStorage, runner: any JobRunner, clock: any Clock, log: Log) {
    self.storage = storage
    boot = storage.boot
    self.clock = clock
    self.log = log
    kept = Kept(
      in: memory.bytes, store: storage.grants, runner: runner, clock: clock, log: log,
      "consent", "the grants")
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads what the last run left. Blocks: at start only.
  func load(into table: inout GrantTable, at now: Int64) {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.name) else { return }
      guard let record = GrantRecord(Span(_unsafeElements: kept.prefix(count))) else { throw .torn }
      isOnFlash = !record.isEmpty
      switch record.use(in: boot) {
      case .same: record.restore(to: &table, wall: nil, at: now)
      case .waits where !record.isEmpty:
        (waiting, lookAt, giveUpAt) = (record, now, now + Budget.grantMilliseconds)
      case .waits, .never: break
      }
    } catch {
      log.write(.warning, "consent", "the grants on flash cannot be read: whoever is at the board is asked again")
    }
  }

  /// The grants have changed. What another run has left counts no more: a person has decided since.
  func changed(_ record: GrantRecord) {
    waiting = nil
    if record.isEmpty, !isOnFlash, wanted == nil { return }
    wanted = record
    kept.changed()
  }

  func flush() { kept.flush() }

  var isSettled: Bool { kept.isSettled }

  var nextDeadline: Int64? { earliest(kept.nextDeadline, waiting == nil ? nil : lookAt) }

  /// Brings back what another run of the kernel left, once the date is right.
  func advance(to now: Int64, _ table: inout GrantTable) {
    kept.advance(to: now)
    guard let record = waiting, now >= lookAt else { return }
    lookAt = now + Self.pause
    if now >= giveUpAt { return waiting = nil }
    guard storage.isDateRight() else { return }
    waiting = nil
    record.restore(to: &table, wall: clock.wall, at: now)
  }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard let record = wanted else { return nil }
    (wanted, writing) = (nil, record)
    isOnFlash = !record.isEmpty
    // Twice: the generation before must not bring back what was taken back.
    return RecordOrder(Self.name.bytes, record.encode(into: bytes), writes: 2)
  }

  func recordKept(_ failure: StoreError?) {
    if failure != nil { wanted = wanted ?? writing }
  }
}
