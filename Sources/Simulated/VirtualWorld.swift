import Runtime

/// A simulated clock that advances only by calls.
public final class VirtualClock: Clock {
  public private(set) var monotonic: Int64
  public var wall: Int64

  /// A clock at `monotonic` and `wall` milliseconds.
  @export(interface)
  public init(monotonic: Int64 = 1_000_000, wall: Int64 = 1_767_225_600_000) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Advances both clocks.
  public func advance(_ milliseconds: Int64) {
    monotonic += milliseconds
    wall += milliseconds
  }
}

/// Reproducible random bytes from a seed: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014).
public final class SeededRandom: RandomSource {
  private var state: UInt64

  /// The sequence of `seed`.
  @export(interface)
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  public func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: next() >> 32) }
  }
}

/// Runs jobs on the caller's thread, when a test calls it.
public final class DeferredRunner: JobRunner {
  /// What `hasIdleWorker` says.
  public var hasIdleWorker = true
  /// True: no job is accepted.
  public var isFull = false
  private var jobs = BoundedQueue<Job>(capacity: Budget.workerQueue)
  private let newestFirst: Bool
  private let beginsAtOnce: Bool

  /// A runner without jobs.
  /// - Parameters:
  ///   - newestFirst: true to run the newest job first, as may happen with two workers.
  ///   - beginsAtOnce: true to run a job before `submit` returns, as a worker of another thread may do. It is finished
  ///     by `runAll` all the same. Whoever sets an input of a job after `submit` fails with it.
  @export(interface)
  public init(newestFirst: Bool = false, beginsAtOnce: Bool = false) {
    self.newestFirst = newestFirst
    self.beginsAtOnce = beginsAtOnce
  }

  public func submit(_ job: Job) -> Bool {
    guard !isFull, !job.isPending, jobs.push(job) else { return false }
    job.isPending = true
    if beginsAtOnce { job.run() }
    return true
  }

  /// Runs all queued jobs, and those that they submit; returns how many.
  @discardableResult
  public func runAll(atMost most: Int = .max) -> Int {
    var count = 0
    while count < most, let job = next() {
      if !beginsAtOnce { job.run() }
      job.isPending = false
      job.finish()
      count += 1
    }
    return count
  }

  private func next() -> Job? {
    if newestFirst {
      for _ in 0..<max(jobs.count - 1, 0) {
        if let older = jobs.pop() { _ = jobs.push(older) }
      }
    }
    return jobs.pop()
  }
}

/// Records in memory; failures can be simulated.
public final class MemoryStore: RecordStore {
  private var records: [(name: [UInt8], bytes: [UInt8])] = []
  /// The error of `save`; nil: it works.
  public var failure: StoreError?
  /// Successful saves.
  public private(set) var saves = 0

  /// An empty store.
  @export(interface)
  public init() {}

  public func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    guard let index = index(of: name) else { return nil }
    let record = records[index].bytes
    guard record.count <= bytes.count else { throw .tooLarge }
    for offset in record.indices { bytes[offset] = record[offset] }
    return (record.count, .current)
  }

  public func save(
    _ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(StoreError) {
    if let failure { throw failure }
    saves += 1
    if let index = index(of: name) {
      records[index].bytes = Array(bytes)
    } else {
      records.append((Self.key(name), Array(bytes)))
    }
  }

  private func index(of name: UnsafePointer<CChar>) -> Int? {
    let key = Self.key(name)
    return records.firstIndex { $0.name == key }
  }

  private static func key(_ name: UnsafePointer<CChar>) -> [UInt8] {
    var key: [UInt8] = []
    while name[key.count] != 0 { key.append(UInt8(bitPattern: name[key.count])) }
    return key
  }
}
