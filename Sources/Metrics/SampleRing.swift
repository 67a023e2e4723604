import Codec
import Runtime

/// The samples of past intervals in their order: a ring of segments in memory of fixed size, of which only touched
/// pages count. The oldest segment is dropped when all are in use, and its intervals are counted.
///
/// An interval has its time from `Clock.monotonic` until the date is known; `date` then gives all of them theirs.
public final class SampleRing {
  /// A segment's place in the order of all that ever were; its place in memory is the rest of a division.
  public typealias Sequence = UInt64

  private let memory: ReservedBuffer
  private var writer: SegmentWriter?
  /// The segments in use.
  public private(set) var segments: Range<Sequence> = 1..<1
  /// Segments of this run begin here: only their times are of this run's clock.
  private var firstOfRun: Sequence = 1
  /// Intervals of the first segment that were taken.
  public private(set) var consumed = 0
  /// Intervals that wait.
  public private(set) var count = 0
  /// Intervals that were dropped because others needed their place, or because their time was never known.
  public private(set) var dropped: UInt64 = 0
  /// Intervals, from the oldest on, that are on their way to a server.
  private var lent = 0
  private var lastTime = Int64.min

  /// Reserves the memory; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.metricSegments * Budget.metricSegmentBytes)
  }

  private func place(_ sequence: Sequence) -> UnsafeMutableBufferPointer<UInt8> {
    let start = Self.index(sequence) * Budget.metricSegmentBytes
    return UnsafeMutableBufferPointer(rebasing: memory.bytes[start..<(start + Budget.metricSegmentBytes)])
  }

  /// Where a segment stands, in memory and among the records on flash.
  public static func index(_ sequence: Sequence) -> Int { Int(sequence % UInt64(Budget.metricSegments)) }

  private func head(_ sequence: Sequence) -> SegmentHead? { SegmentHead(UnsafeRawBufferPointer(place(sequence))) }

  /// The intervals of a segment that still wait.
  private func waiting(_ sequence: Sequence) -> Int {
    let all = head(sequence)?.count ?? 0
    return sequence == segments.lowerBound ? max(all - consumed, 0) : all
  }

  // MARK: Adding

  /// Adds an interval. `isDated`: the time is the calendar's. False when it is not after the one before it, as after a
  /// clock was set back by less than an hour, which a server would refuse: it is dropped.
  @discardableResult
  public func append(_ values: MetricValues, at time: Int64, isDated: Bool) -> Bool {
    if isDated, time <= lastTime, lastTime.subtracting(clamping: time) < Budget.metricBackwards {
      dropped += 1
      return false
    }
    if !add(values, time, isDated) {
      begin(at: time, isDated)
      guard add(values, time, isDated) else { return false }
    }
    if isDated { lastTime = time }
    count += 1
    return true
  }

  private func add(_ values: MetricValues, _ time: Int64, _ isDated: Bool) -> Bool {
    guard var writer, !segments.isEmpty else { return false }
    let last = segments.upperBound - 1
    guard var head = head(last), head.isDated == isDated, head.count < Int(UInt16.max),
      writer.append(values, at: time, to: place(last))
    else { return false }
    head.count += 1
    head.write(to: UnsafeMutableRawBufferPointer(place(last)))
    self.writer = writer
    return true
  }

  /// Begins another segment, in the place of the oldest if there is no other.
  private func begin(at time: Int64, _ isDated: Bool) {
    if segments.count == Budget.metricSegments { dropOldest() }
    let sequence = segments.upperBound
    segments = segments.lowerBound..<(sequence + 1)
    SegmentHead(sequence: sequence, start: time, isDated: isDated).write(
      to: UnsafeMutableRawBufferPointer(place(sequence)))
    writer = SegmentWriter(start: time)
  }

  private func dropOldest() {
    let lost = waiting(segments.lowerBound)
    dropped += UInt64(lost)
    count -= lost
    lent = max(lent - lost, 0)
    leaveFirst()
  }

  private func leaveFirst() {
    segments = (segments.lowerBound + 1)..<segments.upperBound
    consumed = 0
    if segments.isEmpty { writer = nil }
  }

  // MARK: Dates

  /// The date is known: what has been taken in this run gets its date, `offset` milliseconds after its time.
  public func date(offset: Int64) {
    for sequence in segments where sequence >= firstOfRun {
      guard var head = head(sequence), !head.isDated else { continue }
      head.start = head.start.adding(clamping: offset)
      head.isDated = true
      head.write(to: UnsafeMutableRawBufferPointer(place(sequence)))
      // The writer's last time is of the other clock.
      writer = nil
    }
  }

  // MARK: Taking

  /// Calls `take` with the oldest intervals that have a date, `limit` at most, and returns how many. They are lent
  /// until `settle`.
  public func lend(_ limit: Int, _ take: (Int, borrowing MetricValues, Int64) -> Void) -> Int {
    lent = 0
    for sequence in segments {
      guard let head = head(sequence), head.isDated else { break }
      var reader = SegmentReader(head, UnsafeBufferPointer(place(sequence)))
      var skipped = sequence == segments.lowerBound ? consumed : 0
      while lent < limit, reader.next() {
        if skipped > 0 {
          skipped -= 1
          continue
        }
        take(lent, reader.values, reader.time)
        lent += 1
      }
      if lent == limit { break }
    }
    return lent
  }

  /// What was lent is done with, or stays. Returns how many intervals that are.
  @discardableResult
  public func settle(isDone: Bool) -> Int {
    defer { lent = 0 }
    guard isDone else { return 0 }
    var left = lent
    while !segments.isEmpty {
      let some = min(left, waiting(segments.lowerBound))
      consumed += some
      count -= some
      left -= some
      // The segment that is being written stays, unless nothing waits at all.
      guard waiting(segments.lowerBound) == 0, segments.count > 1 || count == 0 else { break }
      leaveFirst()
    }
    if count == 0 { memory.release() }
    return lent
  }

  // MARK: Flash

  /// Copies a segment as it is kept; nil when it is not in use, or has no date yet: what a run never gets to know, the
  /// next one cannot know either.
  public func copy(_ sequence: Sequence, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard segments.contains(sequence), let head = head(sequence), head.isDated else { return nil }
    let segment = place(sequence)
    var reader = SegmentReader(head, UnsafeBufferPointer(segment))
    while reader.next() {}
    guard reader.end <= bytes.count, let to = bytes.baseAddress, let from = segment.baseAddress else { return nil }
    to.update(from: from, count: reader.end)
    return reader.end
  }

  /// Takes a segment that was kept, at start: any order, before `begin`. What is not a segment of this place is left.
  public func restore(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    guard bytes.count <= Budget.metricSegmentBytes, let head = SegmentHead(UnsafeRawBufferPointer(bytes)), head.isDated,
      Self.index(head.sequence) == index, head.sequence < UInt64.max / 2
    else { return }
    let segment = place(head.sequence)
    guard let from = bytes.baseAddress else { return }
    segment.baseAddress?.update(from: from, count: bytes.count)
  }

  /// Puts what was restored in order. `first`: the first segment that was not taken as a whole, of which `consumed`
  /// intervals were.
  public func begin(first: Sequence, consumed: Int) {
    var newest = first == 0 ? 0 : first - 1
    for index in 0..<Budget.metricSegments {
      if let head = head(UInt64(index)) { newest = max(newest, head.sequence) }
    }
    let most = UInt64(Budget.metricSegments)
    let oldest = max(first, newest >= most ? newest - most + 1 : 1)
    segments = oldest..<max(newest + 1, oldest)
    self.consumed = first == oldest ? consumed : 0
    count = 0
    for sequence in segments {
      // A place that holds another turn's segment, or none.
      if head(sequence)?.sequence != sequence || !isWhole(sequence) {
        SegmentHead(sequence: sequence, start: 0, isDated: true).write(
          to: UnsafeMutableRawBufferPointer(place(sequence)))
      }
      count += waiting(sequence)
    }
    while !segments.isEmpty, waiting(segments.lowerBound) == 0 { leaveFirst() }
    if segments.isEmpty { segments = (newest + 1)..<(newest + 1) }
    firstOfRun = segments.upperBound
    writer = nil
    lastTime = newestTime
  }

  private func isWhole(_ sequence: Sequence) -> Bool {
    guard let head = head(sequence) else { return false }
    var reader = SegmentReader(head, UnsafeBufferPointer(place(sequence)))
    for _ in 0..<head.count where !reader.next() { return false }
    return true
  }

  private var newestTime: Int64 {
    var newest = Int64.min
    for sequence in segments {
      guard let head = head(sequence), head.count > 0 else { continue }
      var reader = SegmentReader(head, UnsafeBufferPointer(place(sequence)))
      while reader.next() { newest = max(newest, reader.time) }
    }
    return newest
  }
}
