import Metrics
import Runtime

/// Keeps the samples that wait on flash, while the server does not take them: each segment of the ring is a record, and
/// one more says up to where they were taken. While the server answers, nothing is written.
final class SampleKeeper: RecordDelegate {
  /// The record with the mark: version, sequence of the first segment that was not taken as a whole, and how many
  /// intervals of it were; little-endian.
  private static let mark: StaticString = "metrics"
  private static let markBytes = 11
  private static let markVersion: UInt8 = 1

  private let ring: SampleRing
  private let clock: any Clock
  private let memory = FixedBuffer(capacity: Budget.metricSegmentBytes)
  private let kept: Kept
  /// Flash has segments that were not taken.
  private var hasStored = false
  /// The segment that is being written; nil: the mark.
  private var pending: SampleRing.Sequence?
  private var mustMark = false
  private var mustStore = false
  /// Segments before this one are on flash; it may be as well, with fewer intervals.
  private var next: SampleRing.Sequence = 0
  private var storeDue: Int64?

  init(_ ring: SampleRing, store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    (self.ring, self.clock) = (ring, clock)
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "metrics", "samples that wait")
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  // MARK: Start

  /// Reads what the last run left. Blocks.
  func load() {
    var (first, consumed): (UInt64, Int) = (0, 0)
    if let (count, _) = try? kept.load(Self.mark), count == Self.markBytes, kept.memory[0] == Self.markVersion {
      let raw = UnsafeRawBufferPointer(kept.memory)
      first = min(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 1, as: UInt64.self)), .max / 2)
      consumed = Int(UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: 9, as: UInt16.self)))
    }
    for index in 0..<Budget.metricSegments {
      guard let (count, _) = try? kept.load(Self.order(index, 0)) else { continue }
      ring.restore(kept.prefix(count), at: index)
    }
    ring.begin(first: first, consumed: consumed)
    hasStored = ring.count > 0
    next = ring.segments.upperBound
  }

  /// `metrics-00` to `metrics-63`.
  private static func order(_ index: Int, _ count: Int) -> RecordOrder {
    var name = InlineText<16>()
    name.fill { buffer in
      let prefix: StaticString = "metrics-"
      for place in 0..<prefix.utf8CodeUnitCount { buffer[place] = prefix.utf8Start[place] }
      buffer[8] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: index / 10)
      buffer[9] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: index % 10)
      return 10
    }
    return name.span.withUnsafeBufferPointer { RecordOrder($0, count) }
  }

  // MARK: Changes

  /// The server did not take what waits: it goes to flash, now and then.
  func serverIsAway() {
    if storeDue == nil { storeDue = clock.monotonic + Budget.metricStoreMilliseconds }
  }

  /// Intervals were taken: what flash has of them must not be sent again.
  func taken() {
    if ring.count == 0 { storeDue = nil }
    guard hasStored else { return }
    mustMark = true
    if ring.count == 0 { hasStored = false }
    kept.changed(waits: true)
  }

  /// The program ends: everything that waits goes to flash.
  func flush() {
    if ring.count > 0 {
      mustStore = true
      kept.changed()
    }
    kept.flush()
  }

  var isSettled: Bool { kept.isSettled }

  var nextDeadline: Int64? { earliest(storeDue, kept.nextDeadline) }

  func advance(to now: Int64) {
    kept.advance(to: now)
    guard let due = storeDue, now >= due else { return }
    storeDue = ring.count > 0 ? now + Budget.metricStoreMilliseconds : nil
    guard ring.count > 0 else { return }
    mustStore = true
    kept.changed(waits: true)
  }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    if mustStore {
      next = max(next, ring.segments.lowerBound)
      // Those without a date are the last.
      if let count = ring.copy(next, into: bytes) {
        pending = next
        return Self.order(SampleRing.index(next), count)
      }
      mustStore = false
      // The last segment may grow: it is written again the next time.
      if next == ring.segments.upperBound, !ring.segments.isEmpty { next -= 1 }
    }
    guard mustMark else { return nil }
    pending = nil
    let raw = UnsafeMutableRawBufferPointer(bytes)
    raw[0] = Self.markVersion
    raw.storeBytes(of: ring.segments.lowerBound.littleEndian, toByteOffset: 1, as: UInt64.self)
    raw.storeBytes(of: UInt16(clamping: ring.consumed).littleEndian, toByteOffset: 9, as: UInt16.self)
    mustMark = false
    return RecordOrder(Self.mark.bytes, Self.markBytes)
  }

  func recordKept(_ failure: StoreError?) {
    guard let pending else {
      if failure != nil { mustMark = true }
      return
    }
    guard failure == nil else { return }
    hasStored = true
    next = max(next, pending + 1)
  }
}
