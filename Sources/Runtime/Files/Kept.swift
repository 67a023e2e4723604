/// One write that a keeper is to make.
public struct RecordOrder {
  /// The record's name in the store, which ends in a zero.
  let path: InlineArray<32, UInt8>
  /// Bytes at the start of the keeper's memory.
  public var count: Int
  /// How often it is written: 2 where the generation before must not keep what was erased.
  public var writes: Int

  /// An order to write the first `count` bytes of the keeper's memory as the record of this name, of at most 31 bytes.
  public init(_ name: UnsafeBufferPointer<UInt8>, _ count: Int, writes: Int = 1) {
    var path = InlineArray<32, UInt8>(repeating: 0)
    for index in 0..<min(name.count, 31) { path[index] = name[index] }
    self.path = path
    self.count = count
    self.writes = writes
  }
}

/// Has records that a `Kept` keeps on flash.
public protocol RecordDelegate: AnyObject {
  /// Puts the next record that flash has not as it should be into `bytes`; nil: flash has all.
  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder?
  /// The last order has ended, on the loop's thread. `failure` nil: it is on flash. Otherwise it is tried again, and
  /// asked for with `nextRecord` then.
  func recordKept(_ failure: StoreError?)
}

/// Keeps the records of one delegate on flash: a worker writes them, one at a time, so that an fsync never holds up the
/// loop. What could not be written is tried again until it is, ever less often; when the program ends, often, and for
/// `Budget.flushMilliseconds` at most. The log tells each reason once (`ToldFailures`).
public final class Kept: Job {
  private let store: any RecordStore
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  /// The module and the records in lines of the log.
  private let (room, words): (StaticString, StaticString)
  private var told = ToldFailures()
  /// Where a record is read and written. Not while a write is pending.
  public let memory: UnsafeMutableBufferPointer<UInt8>
  private let pauses: ClosedRange<Int64>
  /// Lives as long as the keeper, or sets this to nil.
  public unowned(unsafe) var delegate: (any RecordDelegate)?
  private var order = RecordOrder(UnsafeBufferPointer(start: nil, count: 0), 0)
  private var failure: StoreError?
  /// Flash may lack something.
  private var isDirty = false
  private var pause: RetryPause
  /// The program ends: until when what fails is tried again.
  private var flushUntil: Int64?

  /// A keeper in `store`, which nothing else writes at the same time.
  /// - Parameters:
  ///   - memory: room for the largest record; its delegate owns it, and it outlives the keeper.
  ///   - room: the module that tells in the log what failed.
  ///   - words: what is kept, for that line: "the grants".
  ///   - pauses: milliseconds before a failed write is tried again: at first, and at most.
  @export(interface)
  public init(
    in memory: UnsafeMutableBufferPointer<UInt8>, store: any RecordStore, runner: any JobRunner, clock: any Clock,
    log: Log, _ room: StaticString, _ words: StaticString,
    pauses: ClosedRange<Int64> = Budget.recordRetryMilliseconds
  ) {
    self.memory = memory
    self.store = store
    self.runner = runner
    self.clock = clock
    self.log = log
    (self.room, self.words) = (room, words)
    self.pauses = pauses
    pause = RetryPause(pauses)
  }

  /// Reads what the last run left into `memory`; nil when it left nothing. Blocks: at start only.
  public func load(_ name: StaticString) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    try store.load(name.path, into: memory)
  }

  /// The same for the record that an order names.
  public func load(_ order: RecordOrder) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    try order.path.span.withUnsafeBytes { (path) throws(StoreError) in
      try store.load(path.baseAddress!.assumingMemoryBound(to: CChar.self), into: memory)
    }
  }

  /// Keeps the first `count` bytes of `memory` aside, as the record `NAME.aside`: contents that this release does not
  /// understand, before its own take their place. Blocks: at start only.
  public func setAside(_ name: StaticString, _ count: Int) {
    setAside(RecordOrder(name.bytes, count))
  }

  /// The same for the record that an order names.
  public func setAside(_ order: RecordOrder) {
    let aside: StaticString = ".aside"
    var path = order.path
    var end = 0
    while end < 31, path[end] != 0 { end += 1 }
    guard end + aside.utf8CodeUnitCount < 32 else { return }
    for index in 0..<aside.utf8CodeUnitCount { path[end + index] = aside.utf8Start[index] }
    // What cannot be kept is lost in any case: the record itself is read, and no more.
    do throws(StoreError) {
      try path.span.withUnsafeBytes { (path) throws(StoreError) in
        try store.save(path.baseAddress!.assumingMemoryBound(to: CChar.self), prefix(order.count))
      }
    } catch {}
  }

  /// The first bytes of `memory`.
  public func prefix(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<count])
  }

  /// Something is to be written: now, or when the write that is under way has ended.
  /// - Parameter waits: not before the pause after a write that failed is over.
  public func changed(waits: Bool = false) {
    isDirty = true
    if !waits || pause.dueAt == nil { write() }
  }

  /// The program ends: what flash lacks is written without waiting.
  public func flush() {
    flushUntil = clock.monotonic + Budget.flushMilliseconds
    if isDirty { write() }
  }

  /// True while a worker writes.
  public var isWriting: Bool { isPending }

  /// Writes that failed since the last one that did not.
  public private(set) var failures = 0

  /// Nothing is being written, and flash has all, or the time for it is over.
  public var isSettled: Bool {
    if isPending { return false }
    guard isDirty, let flushUntil else { return !isDirty }
    return clock.monotonic >= flushUntil
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { isPending ? nil : pause.dueAt }

  /// Writes again what could not be written, when that is due.
  public func advance(to now: Int64) {
    guard let due = pause.dueAt, now >= due, !isPending else { return }
    if let flushUntil, now >= flushUntil { return pause.begin() }
    write()
  }

  private func write() {
    guard !isPending else { return }
    pause.begin()
    guard let next = delegate?.nextRecord(into: memory) else { return isDirty = false }
    order = next
    failure = nil
    if !runner.submit(self) { ended(.system(.busy)) }
  }

  public override func run() {
    do throws(StoreError) {
      for _ in 0..<order.writes { try save() }
    } catch {
      failure = error
    }
  }

  private func save() throws(StoreError) {
    guard order.count <= memory.count else { throw .tooLarge }
    let bytes = prefix(order.count)
    try order.path.span.withUnsafeBytes { (path) throws(StoreError) in
      try store.save(path.baseAddress!.assumingMemoryBound(to: CChar.self), bytes)
    }
  }

  public override func finish() { ended(failure) }

  private func ended(_ failure: StoreError?) {
    guard let failure else {
      failures = 0
      pause.succeeded()
      delegate?.recordKept(nil)
      return write()
    }
    failures += 1
    // A full queue of jobs empties itself.
    let isFlash = failure != .system(.busy)
    if isFlash, told.mustTell(failure, at: clock.monotonic) { tell(failure) }
    if flushUntil == nil, isFlash {
      pause.failed(at: clock.monotonic)
    } else {
      pause.failed(at: clock.monotonic, pausing: Budget.flushRetryMilliseconds)
    }
    delegate?.recordKept(failure)
  }

  private func tell(_ failure: StoreError) {
    log.write(.error, room) { line in
      line.add(words)
      line.add(" could not be written to flash: ")
      switch failure {
      case .system(let reason): line.add(reason)
      case .torn: line.add("what is there is damaged")
      case .newer: line.add("a newer release has written what is there")
      case .tooLarge: line.add("it is too large")
      }
      line.add("; it is tried again")
    }
  }
}

/// Which failures of a store the log has told: each reason once, so that a card which refuses every write, or every
/// second one, does not fill the log. All are told anew when none was seen for `Budget.recordQuietMilliseconds`.
struct ToldFailures {
  /// One bit for each number of errno(3), and one for each reason of Talon's own. Linux has 133 numbers.
  private var seen = InlineArray<3, UInt64>(repeating: 0)
  private var lastAt: Int64?

  /// True when this one was not told yet, and counts it as told. `now`: milliseconds of `Clock.monotonic`.
  mutating func mustTell(_ failure: StoreError, at now: Int64) -> Bool {
    if let lastAt, now - lastAt >= Budget.recordQuietMilliseconds { seen = InlineArray(repeating: 0) }
    lastAt = now
    let number = Self.number(of: failure)
    let bit: UInt64 = 1 << UInt64(number % 64)
    if seen[number / 64] & bit != 0 { return false }
    seen[number / 64] |= bit
    return true
  }

  private static func number(of failure: StoreError) -> Int {
    switch failure {
    case .torn: 189
    case .newer: 190
    case .tooLarge: 191
    case .system(let reason): min(max(Int(reason.number), 0), 188)
    }
  }
}

/// When something that failed is tried again: what goes on failing is tried ever less often.
public struct RetryPause {
  private let pauses: ClosedRange<Int64>
  private var pause: Int64
  /// Milliseconds of `Clock.monotonic`; nil: nothing has failed, or it is being tried.
  public private(set) var dueAt: Int64?

  /// Pauses in milliseconds: the first one, and the longest.
  public init(_ pauses: ClosedRange<Int64> = Budget.recordRetryMilliseconds) {
    self.pauses = pauses
    pause = pauses.lowerBound
  }

  /// True since the last failure until the next success.
  public private(set) var hasFailed = false

  /// It failed.
  public mutating func failed(at now: Int64) {
    hasFailed = true
    dueAt = now + pause
    pause = min(pause * 2, pauses.upperBound)
  }

  /// It failed, and is tried again after this pause in milliseconds.
  public mutating func failed(at now: Int64, pausing milliseconds: Int64) {
    hasFailed = true
    dueAt = now + milliseconds
  }

  /// It is being tried.
  public mutating func begin() { dueAt = nil }

  /// It is done.
  public mutating func succeeded() { self = RetryPause(pauses) }
}
