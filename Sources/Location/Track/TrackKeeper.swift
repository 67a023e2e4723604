import Runtime

/// Keeps the track on flash: what has changed, a page at a time, at most once in `Budget.trackWriteMilliseconds`, and
/// when the program ends. What is erased is erased at once.
///
/// After a power cut the track goes on from the last write. A page that cannot be read is lost, and no other.
public final class TrackKeeper: RecordDelegate {
  private static let name: StaticString = "track"

  /// The points.
  public let track: Track
  private let memory = FixedBuffer(capacity: TrackPages.recordBytes)
  private let kept: Kept
  private let log: Log
  /// The page that is being written, and whether it is without points.
  private var writing: (slot: Int, erases: Bool)?
  /// When what has changed is to be written; nil: flash has all. And when the last write began.
  private var dueAt: Int64?
  private var writtenAt = Int64.min / 2
  private var thinnings = 0

  /// A keeper whose records "track00" to "track15" are in `store`: one of its own, because a worker writes there.
  /// - Parameter window: how far back the track goes, in milliseconds.
  @export(interface)
  public init(window: Int64, store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    track = Track(window: window)
    // A flash that is full or broken is not tried more often than a good one is written.
    let pause = Budget.trackWriteMilliseconds
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log, "location", "the track",
      pauses: pause...pause)
    self.log = log
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// The order to write `count` bytes as the record of a page.
  private static func order(_ slot: Int, _ count: Int, writes: Int = 1) -> RecordOrder {
    var name = InlineText<8>(cutting: "track00")
    name.fill { buffer in
      for index in 0..<5 { buffer[index] = Self.name.utf8Start[index] }
      buffer[5] = UInt8(ascii: "0") + UInt8(slot / 10)
      buffer[6] = UInt8(ascii: "0") + UInt8(slot % 10)
      return 7
    }
    return name.span.withUnsafeBufferPointer { RecordOrder($0, count, writes: writes) }
  }

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    var lost = 0
    for slot in 0..<Budget.trackPages {
      do throws(StoreError) {
        guard let (count, _) = try kept.load(Self.order(slot, 0)) else { continue }
        guard !track.record.receive(slot, Span(_unsafeElements: kept.prefix(count))) else { continue }
      } catch {}
      // No copy is set aside: what was erased must not be there.
      track.record.wasLost(slot)
      lost += 1
    }
    track.record.resume()
    guard lost > 0 else { return }
    log.write(.warning, "location") { line in
      line.add(lost)
      line.add(" of the track's ")
      line.add(Budget.trackPages)
      line.add(" pages cannot be read, and their points are lost; the rest goes on")
    }
  }

  /// Adds a fix; see `Track`.
  public func receive(_ fix: Fix, now: Int64) {
    track.receive(fix)
    changed(now)
    guard track.thinnings != thinnings else { return }
    thinnings = track.thinnings
    log.write(.notice, "location", "the track is full: of its older half every second point was dropped")
  }

  /// Drops the points that have left the window until `moment`, in milliseconds since the Unix epoch.
  public func expire(at moment: Int64, now: Int64) { if track.expire(at: moment) { changed(now) } }

  /// Erases all points, from flash as well.
  public func removeAll(now: Int64) {
    track.removeAll()
    write(now)
  }

  private func changed(_ now: Int64) {
    guard track.isUnwritten, dueAt == nil else { return }
    dueAt = max(now, writtenAt + Budget.trackWriteMilliseconds)
    writeIfDue(now)
  }

  private func writeIfDue(_ now: Int64) {
    guard let due = dueAt, now >= due, !kept.isWriting else { return }
    write(now, waits: true)
  }

  private func write(_ now: Int64, waits: Bool = false) {
    (dueAt, writtenAt) = (nil, now)
    track.record.pledge()
    kept.changed(waits: waits)
  }

  // MARK: Time

  /// Nothing is on its way to flash.
  public var isSettled: Bool { kept.isSettled }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { kept.isWriting ? nil : earliest(kept.nextDeadline, dueAt) }

  /// Writes what is due, and again what could not be written.
  public func advance(to now: Int64) {
    kept.advance(to: now)
    writeIfDue(now)
  }

  /// Writes what is not on flash yet: the program ends.
  public func flush() {
    dueAt = nil
    track.record.pledge()
    kept.changed()
    kept.flush()
  }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard let (slot, count, erases) = track.record.nextPage(into: bytes) else { return nil }
    writing = (slot, erases)
    // The generation before would keep what was erased.
    return Self.order(slot, count, writes: erases ? 2 : 1)
  }

  public func recordKept(_ failure: StoreError?) {
    guard let (slot, erases) = writing else { return }
    writing = nil
    if failure == nil { track.record.wasWritten(slot, isErased: erases) } else { track.record.wasNotWritten(slot) }
  }
}
