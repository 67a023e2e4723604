import Runtime

/// A jitter buffer for sound from the network. It gathers a little before playback starts; on underrun it plays silence
/// and gathers again; when it is full the oldest samples are dropped, because current sound matters most.
public final class JitterBuffer {
  /// Statistics since the start, in samples.
  public struct Counters: Equatable, Sendable {
    public var taken: UInt64 = 0
    public var played: UInt64 = 0
    /// Silence played because of underruns.
    public var concealed: UInt64 = 0
    /// Dropped because the buffer was full.
    public var dropped: UInt64 = 0
  }

  private let storage: ReservedBuffer
  private let capacity: Int
  private var start: Int
  private var head = 0
  private var isGathering = true
  private var isOver = false
  /// The last sample that was played, from which silence fades.
  private var last: Int16 = 0
  /// Samples waiting.
  public private(set) var count = 0
  public private(set) var counters = Counters()

  /// A buffer of `capacity` samples that plays once `start` are there.
  @export(interface)
  public init(capacity: Int, start: Int = 0) throws(Errno) {
    precondition(start < capacity)
    self.capacity = capacity
    self.start = start
    storage = try ReservedBuffer(capacity: 2 * capacity)
  }

  private var samples: UnsafeMutableBufferPointer<Int16> {
    UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
  }

  /// True when all that will come has been played.
  public var isDone: Bool { isOver && count == 0 }

  /// Adds received samples.
  public func push(_ block: UnsafeBufferPointer<Int16>) {
    isOver = false
    counters.taken += UInt64(block.count)
    let block =
      block.count > capacity ? UnsafeBufferPointer(rebasing: block.suffix(dropping(block.count - capacity))) : block
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

  /// Fills a whole block for the speaker.
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
      if count == 0 { becomeIdle() }
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

  /// All was played: gathers again before continuing.
  private func becomeIdle() {
    if !isOver { isGathering = true }
    head = 0
    storage.release()
  }

  /// Nothing more comes: plays the rest.
  public func finish() {
    isOver = true
    isGathering = false
  }

  /// Clears the buffer, and sets the number of samples to gather, which depends on the sample rate.
  public func begin(start: Int) {
    precondition(start < capacity)
    self.start = start
    clear()
  }

  /// Clears the buffer after an interruption.
  public func clear() {
    (count, head, isGathering, isOver) = (0, 0, true, false)
    storage.release()
  }
}
