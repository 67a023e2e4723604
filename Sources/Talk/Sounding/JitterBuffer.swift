import Runtime

/// Sound that comes over a network in pieces, and is played without end: a bounded queue of samples. It gathers a little before it
/// lets any out; where nothing is there in time, it plays silence and gathers again; where more comes than it holds, the oldest
/// goes, for who listens wants what is said now.
public final class JitterBuffer {
  /// What happened since start. In samples.
  public struct Counters: Equatable, Sendable {
    public var taken: UInt64 = 0
    public var played: UInt64 = 0
    /// Silence that was played because nothing was there.
    public var concealed: UInt64 = 0
    /// The oldest, for which there was no room.
    public var dropped: UInt64 = 0
  }

  private let storage: ReservedBuffer
  private let capacity: Int
  private var start: Int
  private var head = 0
  private var isGathering = true
  private var isOver = false
  /// The last sample that was played: what follows silence comes down to it, and never jumps.
  private var last: Int16 = 0
  /// Samples waiting.
  public private(set) var count = 0
  public private(set) var counters = Counters()

  /// A buffer of `capacity` samples that plays once `start` are there.
  public init(capacity: Int, start: Int = 0) throws(Errno) {
    precondition(start < capacity)
    self.capacity = capacity
    self.start = start
    storage = try ReservedBuffer(capacity: 2 * capacity)
  }

  private var samples: UnsafeMutableBufferPointer<Int16> { UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self) }

  /// True when all that will come has been played.
  public var isDone: Bool { isOver && count == 0 }

  /// Takes samples that came.
  public func push(_ block: UnsafeBufferPointer<Int16>) {
    isOver = false
    counters.taken += UInt64(block.count)
    let block = block.count > capacity ? UnsafeBufferPointer(rebasing: block.suffix(dropping(block.count - capacity))) : block
    let excess = count + block.count - capacity
    if excess > 0 {
      head = (head + excess) % capacity
      count -= excess
      counters.dropped += UInt64(excess)
    }
    let samples = self.samples
    var place = (head + count) % capacity
    for sample in block {
      samples[place] = sample
      place = place + 1 == capacity ? 0 : place + 1
    }
    count += block.count
    if count >= start { isGathering = false }
  }

  private func dropping(_ excess: Int) -> Int {
    counters.dropped += UInt64(excess)
    return capacity
  }

  /// The speaker wants a block: fills all of it.
  public func pull(_ block: UnsafeMutableBufferPointer<Int16>) {
    var filled = 0
    if !isGathering {
      let samples = self.samples
      filled = min(block.count, count)
      for index in 0..<filled {
        block[index] = samples[head]
        head = head + 1 == capacity ? 0 : head + 1
      }
      count -= filled
      counters.played += UInt64(filled)
      if filled > 0 { last = block[filled - 1] }
      if count == 0 { rest() }
    }
    conceal(UnsafeMutableBufferPointer(rebasing: block[filled...]))
  }

  /// Silence, into which the last sample fades within 2 ms or so.
  private func conceal(_ block: UnsafeMutableBufferPointer<Int16>) {
    if !isOver { counters.concealed += UInt64(block.count) }
    for index in 0..<block.count {
      last = Int16(Int(last) * 7 / 8)
      block[index] = last
    }
  }

  /// All was played: what comes next is gathered first, unless nothing comes.
  private func rest() {
    if !isOver { isGathering = true }
    head = 0
    storage.release()
  }

  /// Nothing more comes: what is there is played, however little it is.
  public func finish() {
    isOver = true
    isGathering = false
  }

  /// Forgets what waits, and plays from here on once `start` are there: at another rate that is another time.
  public func begin(start: Int) {
    precondition(start < capacity)
    self.start = start
    clear()
  }

  /// Forgets what waits: somebody interrupted.
  public func clear() {
    (count, head, isGathering, isOver) = (0, 0, true, false)
    storage.release()
  }
}
