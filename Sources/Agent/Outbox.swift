import Codec
import Gateway
import Runtime

/// Events for the gateway that must not get lost: they wait here while it is not reachable, on flash, and are delivered
/// in order, one at a time, each until the gateway has acknowledged it.
///
/// *Bounds.* 64 events, 32 KiB, and an age limit for each event; the oldest goes first, and is counted.
///
/// *Flash.* What changed is written together, 2 s after the first change. An event that is acknowledged before that is
/// never written. The record is replaced as a whole, so a power cut leaves the old or the new one. `durableSequence`
/// tells how far events are safe.
///
/// *Repeats.* Within a run, what was acknowledged is not sent again. After a power cut, those events come again
/// whose removal had not reached the flash yet; so may those whose acknowledgement was lost with its connection. Where
/// the event has an `eventId`, it is the same as the first time.
///
/// *Age.* A board may have no clock worth believing, so age is time that Talon ran: what is left of the limit is
/// stored with the event, and again every hour. Time without power does not count; payloads carry their own
/// timestamp if it matters. Jumps of the wall clock change nothing.
public final class Outbox: RequestOwner {
  /// Age limit for what was said: an answer after more than 5 minutes would puzzle whoever spoke. Milliseconds.
  public static let speechAge: Int64 = 300_000
  /// Milliseconds from the first change to the write of all.
  static let gathering: Int64 = 2_000
  /// Milliseconds between writes of ages alone.
  static let agesPeriod: Int64 = 3_600_000
  /// Milliseconds before a write that failed is tried again.
  static let storePause: Int64 = 30_000
  /// First and longest pause in milliseconds before an event is sent again to a gateway that could not take it.
  static let deliveryPauses: ClosedRange<Int64> = 5_000...300_000

  /// What became of an event.
  public enum Post: Equatable {
    /// It will be delivered. It is safe from power cuts once `durableSequence` has reached this number.
    case accepted(UInt64)
    /// Its name and payload are larger than `Budget.outboxEventBytes`.
    case tooLarge
  }

  /// What happened since start. Every event that was accepted is waiting, or counted here once.
  public struct Counters: Equatable, Sendable {
    /// Acknowledged by the gateway.
    public var delivered: UInt64 = 0
    /// Dropped: too many, too large together, too old.
    public var droppedByCount: UInt64 = 0
    public var droppedByBytes: UInt64 = 0
    public var droppedByAge: UInt64 = 0
    /// Refused by the gateway for good.
    public var refused: UInt64 = 0
    /// Writes to flash, and those that failed.
    public var writes: UInt64 = 0
    public var failedWrites: UInt64 = 0
  }

  let runner: any JobRunner
  let clock: any Clock
  private let random: any RandomSource
  let log: Log
  let job: OutboxJob
  private let scratch = FixedBuffer(capacity: Budget.outboxEventBytes)
  var queue: OutboxQueue
  private(set) var lastSequence: UInt64 = 0
  /// See the type.
  public internal(set) var counters = Counters()

  var channel: (any RequestChannel)?
  /// The event that is on its way, and the number of the request.
  var inFlight: UInt64?
  var tag = 0
  var pause = Outbox.deliveryPauses.lowerBound
  var retryAt: Int64?

  /// Events on flash that were removed here: before the write that is under way, and during it.
  var stale = 0
  var staleDuringWrite = 0
  var isStoring = false
  var storeDue: Int64?
  var agesDue: Int64?
  var isDropLogged = false
  var isFailureLogged = false

  /// An empty outbox, which keeps its record "outbox" in `store`: one of its own, because a worker writes there.
  public init(
    store: any RecordStore, runner: any JobRunner, clock: any Clock, random: any RandomSource, log: Log
  ) throws(Errno) {
    self.runner = runner
    self.clock = clock
    self.random = random
    self.log = log
    job = try OutboxJob(store: store)
    queue = try OutboxQueue()
    job.owner = self
  }

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    do throws(StoreError) {
      guard let record = try job.load() else { return }
      if !queue.decode(record, at: clock.monotonic) {
        log.write(.warning, "outbox", "the stored outbox holds what is no event; it was left out")
        stale = 1
        changed()
      }
    } catch {
      log.write(.error, "outbox", "the stored outbox cannot be read: its events are lost")
    }
    lastSequence = UInt64(queue.count)
    if queue.count > 0 { agesDue = clock.monotonic + Self.agesPeriod }
  }

  // MARK: Posting

  /// Takes an event whose payload is an object: an `eventId` of its own, if the gateway knows that member in this event,
  /// and what `members` writes. `ageLimit` is in milliseconds, at most a week.
  public func post(
    _ event: StaticString, ageLimit: Int64, hasID: Bool = true, _ members: (inout JSONWriter) -> Void
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
    changed()
    deliver()
    return .accepted(lastSequence)
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

  /// Why an event goes undelivered.
  enum Drop { case byCount, byBytes, byAge, refused }

  /// The oldest event that is not on its way: what the gateway may just be acknowledging is not dropped.
  private var oldest: Int { inFlight == queue[0].sequence ? 1 : 0 }

  /// Gives an event up, and counts it.
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
    // Once, until an event got through: an outage of a week leaves a line.
    log.write(isDropLogged && reason != .refused ? .debug : .warning, "outbox") { line in
      line.add("an event was dropped, ")
      line.add(self.queue.name(index))
      line.add(text)
    }
    isDropLogged = true
    remove(index)
  }

  /// Takes an event out, and remembers if flash still has it.
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

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    var earliest = Int64.max
    if let storeDue, !isStoring { earliest = min(earliest, storeDue) }
    if let agesDue, !isStoring, queue.count > 0 { earliest = min(earliest, agesDue) }
    if let retryAt, channel != nil, inFlight == nil, queue.count > 0 { earliest = min(earliest, retryAt) }
    for index in 0..<queue.count where queue[index].sequence != inFlight {
      earliest = min(earliest, queue[index].expiry)
    }
    return earliest == .max ? nil : earliest
  }

  /// Drops what is too old, writes what is due, and sends again.
  public func advance(to now: Int64) {
    var index = 0
    while index < queue.count {
      if queue[index].expiry <= now, queue[index].sequence != inFlight {
        drop(index, .byAge)
      } else {
        index += 1
      }
    }
    storeIfDue(now)
    if let retryAt, now >= retryAt {
      self.retryAt = nil
      deliver()
    }
  }
}
