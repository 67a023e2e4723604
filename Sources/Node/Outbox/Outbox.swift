import Codec
import Device
import Gateway
import Runtime

/// Events for the gateway that must not get lost: they wait while it is not reachable, on flash, and are delivered one
/// at a time, each until the gateway has acknowledged it. Events of one name keep their order. Those of a name that the
/// gateway does not accept now hold up no others.
///
/// *Limits.* 64 events, 32 KiB, and an age limit for each event; the oldest is dropped first, and counted.
///
/// *Flash.* Changes are written together, 2 s after the first one. An event that is acknowledged before that is never
/// written. The record is replaced as a whole, so a power cut leaves the old or the new one. Events up to
/// `durableSequence` are safe.
///
/// *Repeats.* Within a run, an acknowledged event is not sent again. After a power cut, events whose removal had not
/// reached the flash are sent again; so are those whose acknowledgement was lost with the connection. Where the event
/// has an `eventId`, it is the same each time.
///
/// *Age.* A board may have no reliable clock, so age is time that Talon ran: the rest of the limit is stored with the
/// event, and again every hour. Time without power does not count; payloads have their own timestamp if it matters.
/// Jumps of the wall clock have no effect.
public final class Outbox: Part, RequestDelegate {
  /// Age limit in milliseconds of what a person said: an answer after more than 5 minutes would confuse that person.
  public static let speechAge: Int64 = 300_000
  /// Milliseconds from the first change to the write.
  static let gathering: Int64 = 2_000
  /// Milliseconds between writes of only the ages.
  static let agesPeriod: Int64 = 3_600_000
  /// Milliseconds before a failed write is tried again.
  static let storePause: Int64 = 30_000
  /// First and longest pause in milliseconds before an event is sent again to a busy gateway.
  static let deliveryPauses: ClosedRange<Int64> = 5_000...300_000

  /// The result of posting an event.
  public enum Post: Equatable {
    /// It will be delivered. It is safe from power cuts once `durableSequence` has reached this number.
    case accepted(UInt64)
    /// Its name and payload are larger than `Budget.outboxEventBytes`.
    case tooLarge
  }

  /// Counts since start. Every accepted event is waiting, or counted here once.
  public struct Counters: Equatable, Sendable {
    /// Acknowledged by the gateway.
    public var delivered: UInt64 = 0
    /// Dropped: too many events, too many bytes, too old.
    public var droppedByCount: UInt64 = 0
    public var droppedByBytes: UInt64 = 0
    public var droppedByAge: UInt64 = 0
    /// Refused by the gateway for good.
    public var refused: UInt64 = 0
    /// Writes to flash, and those that failed.
    public var writes: UInt64 = 0
    public var failedWrites: UInt64 = 0

    /// Dropped for any reason.
    public var dropped: UInt64 { droppedByCount + droppedByBytes + droppedByAge }
  }

  let clock: any Clock
  private let random: any RandomSource
  let log: Log
  private let memory: ReservedBuffer
  let kept: Kept
  private let scratch = FixedBuffer(capacity: Budget.outboxEventBytes)
  var queue: OutboxQueue
  private(set) var lastSequence: UInt64 = 0
  /// See the type.
  public internal(set) var counters = Counters()

  var channel: (any RequestChannel)?
  /// The event that may not be sent yet, nor those of its name after it.
  var heldSequence: UInt64?
  /// The event that is being sent, and the number of the request.
  var inFlight: UInt64?
  var tag = 0
  /// Not before this: the connection had no room.
  var roomAt: Int64?

  /// Events on flash that were removed from the queue: before the write under way, and during it.
  var stale = 0
  var staleDuringWrite = 0
  /// True when the record is to be written at once.
  var mustStore = false
  var storeDue: Int64?
  var agesDue: Int64?
  var isDropLogged = false

  /// An empty outbox, which keeps its record "outbox" in `store`: one of its own, because a worker writes there.
  @export(interface)
  public init(
    store: any RecordStore, runner: any JobRunner, clock: any Clock, random: any RandomSource, log: Log
  ) throws(Errno) {
    self.clock = clock
    self.random = random
    self.log = log
    memory = try ReservedBuffer(capacity: Budget.outboxRecordBytes)
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log, "outbox", "the outbox",
      pauses: Self.storePause...Self.storePause)
    queue = try OutboxQueue()
    super.init()
    kept.delegate = self
  }

  public override func start() { load() }

  public override var isStopped: Bool { kept.isSettled }

  /// Writes at once what is not on flash yet.
  public override func flush() {
    if isDirty { store() }
    kept.flush()
  }

  public override func online(_ session: Session) { online(session as any RequestChannel) }

  /// The event that was being sent stays, and is sent again over the next connection.
  public override func offline() {
    channel = nil
    inFlight = nil
    roomAt = nil
  }

  /// Reads the stored events. Blocks: only at start.
  public func load() {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.record) else { return }
      if !queue.decode(kept.prefix(count), at: clock.monotonic) {
        kept.setAside(Self.record, count)
        log.write(.warning, "outbox", "the stored outbox has invalid events, which were dropped")
        stale = 1
        changed()
      }
    } catch {
      log.write(.error, "outbox", "the stored outbox cannot be read: its events are lost")
    }
    lastSequence = UInt64(queue.count)
    if queue.count > 0 { agesDue = clock.monotonic + Self.agesPeriod }
  }

  // MARK: Reports

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("outbox")
    writer.beginObject()
    writer.key("waiting")
    writer.int(Int64(count))
    writer.key("delivered")
    writer.uint(counters.delivered)
    writer.key("dropped")
    writer.uint(counters.dropped)
    writer.key("refused")
    writer.uint(counters.refused)
    writer.key("writes")
    writer.uint(counters.writes)
    writer.key("failedWrites")
    writer.uint(counters.failedWrites)
    writer.endObject()
  }

  public override func report(to report: inout HardwareReport) {
    report.services.waiting = UInt64(count)
    report.services.delivered = counters.delivered
    report.services.dropped = counters.dropped
    if counters.failedWrites > 0 {
      report.services.outbox = HardwareState(.error, detail: "could not be written to flash at some time")
    }
  }

  // MARK: Posting

  /// Posts an event whose payload is an object: a new `eventId`, if the gateway reads that member in this event, and
  /// what `members` writes. `ageLimit` is in milliseconds, at most a week. `isHeld`: as `hold`.
  public func post(
    _ event: StaticString, ageLimit: Int64, hasID: Bool = true, isHeld: Bool = false,
    _ members: (inout JSONWriter) -> Void
  ) -> Post {
    var writer = JSONWriter(into: scratch.bytes)
    writer.beginObject()
    if hasID {
      writer.key("eventId")
      writer.string(newID().span)
    }
    members(&writer)
    writer.endObject()
    let count = event.utf8CodeUnitCount + writer.count
    guard writer.isComplete, count <= Budget.outboxEventBytes else { return .tooLarge }
    while queue.isFull { drop(oldest, .byCount) }
    while !queue.hasRoom(count) { drop(oldest, .byBytes) }
    lastSequence += 1
    let age = min(max(ageLimit, 1000), Budget.outboxAge)
    queue.append(
      OutboxQueue.Entry(sequence: lastSequence, expiry: clock.monotonic + age), event.bytes,
      UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<writer.count]))
    if isHeld { heldSequence = lastSequence }
    changed()
    deliver()
    return .accepted(lastSequence)
  }

  /// Posts an event whose payload is this object, with an `eventId` as above. Returns its number; nil when it is too
  /// large.
  public func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64? {
    // The object's members, without its brackets.
    let text = payload.rawText
    let members = text.extracting(1..<(text.count - 1))
    let isEmpty = Self.isBlank(members)
    let posted = members.withUnsafeBufferPointer { bytes in
      post(event, ageLimit: ageLimit, hasID: hasID) { writer in
        if !isEmpty { writer.raw(Span(_unsafeElements: bytes)) }
      }
    }
    if case .accepted(let number) = posted { return number }
    return nil
  }

  private static func isBlank(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count where text[index] > 0x20 { return false }
    return true
  }

  /// 128 random bits: unique over restarts and boards.
  private func newID() -> InlineArray<32, UInt8> {
    var bits = InlineArray<16, UInt8>(repeating: 0)
    var span = bits.mutableSpan
    span.withUnsafeMutableBytes { random.fill($0) }
    var text = InlineArray<32, UInt8>(repeating: 0)
    var output = text.mutableSpan
    output.withUnsafeMutableBufferPointer { _ = Hex.encode(bits.span, into: $0) }
    return text
  }

  // MARK: Dropping

  /// Why an event is not delivered.
  enum Drop { case byCount, byBytes, byAge, refused }

  /// The oldest event that is not being sent: an event that the gateway may just acknowledge is not dropped.
  private var oldest: Int { inFlight == queue[0].sequence ? 1 : 0 }

  /// Drops an event, and counts it.
  func drop(_ index: Int, _ reason: Drop) {
    let text: StaticString
    switch reason {
    case .byCount:
      counters.droppedByCount += 1
      text = ": too many events wait"
    case .byBytes:
      counters.droppedByBytes += 1
      text = ": too much waits"
    case .byAge:
      counters.droppedByAge += 1
      text = ": it became too old"
    case .refused:
      counters.refused += 1
      text = ": the gateway does not take it"
    }
    // Logged once until an event gets through: an outage of a week is one line.
    log.write(isDropLogged && reason != .refused ? .debug : .warning, "outbox") { line in
      line.add("an event was dropped, ")
      line.add(self.queue.name(index))
      line.add(text)
    }
    isDropLogged = true
    remove(index)
  }

  /// Removes an event, and notes whether flash still has it.
  func remove(_ index: Int) {
    let entry = queue[index]
    if entry.isBeingStored {
      staleDuringWrite += 1
    } else if entry.isStored {
      stale += 1
    }
    queue.remove(index)
    changed()
  }

  // MARK: Time

  public override var nextDeadline: Int64? {
    var earliest = Int64.max
    if let instant = kept.nextDeadline { earliest = min(earliest, instant) }
    if let storeDue, !kept.isWriting { earliest = min(earliest, storeDue) }
    if let agesDue, !kept.isWriting, queue.count > 0 { earliest = min(earliest, agesDue) }
    if channel != nil, inFlight == nil, queue.count > 0 {
      if let roomAt {
        // Nothing is sent before, whatever is due.
        earliest = min(earliest, roomAt)
      } else {
        for index in 0..<queue.count where queue[index].sequence != heldSequence {
          if let instant = queue[index].retryAt { earliest = min(earliest, instant) }
        }
      }
    }
    for index in 0..<queue.count where queue[index].sequence != inFlight {
      earliest = min(earliest, queue[index].expiry)
    }
    return earliest == .max ? nil : earliest
  }

  /// Drops events that are too old, writes what is due, and sends again.
  public override func advance(to now: Int64) {
    var index = 0
    while index < queue.count {
      if queue[index].expiry <= now, queue[index].sequence != inFlight {
        drop(index, .byAge)
      } else {
        index += 1
      }
    }
    kept.advance(to: now)
    storeIfDue(now)
    if let roomAt, now >= roomAt { self.roomAt = nil }
    deliver()
  }
}
