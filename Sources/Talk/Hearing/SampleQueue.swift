import Runtime

/// Sound queued for a connection, of limited length. When it is full the oldest is dropped, because the other end needs
/// the current sound.
public final class SampleQueue {
  private let samples: UnsafeMutableBufferPointer<Int16>
  private var head = 0
  /// Samples in the queue, and those dropped since the start.
  public private(set) var count = 0
  public private(set) var dropped: UInt64 = 0

  /// A queue of `capacity` samples.
  @export(interface)
  public init(capacity: Int) {
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  /// Takes samples.
  public func push(_ block: UnsafeBufferPointer<Int16>) {
    dropped += UInt64(max(count + block.count - samples.count, 0))
    let block = UnsafeBufferPointer(rebasing: block.suffix(samples.count))
    skip(count + block.count - samples.count)
    var place = (head + count) % samples.count
    for sample in block {
      samples[place] = sample
      place = place + 1 == samples.count ? 0 : place + 1
    }
    count += block.count
  }

  /// Removes the oldest samples, and returns how many.
  public func pop(into block: UnsafeMutableBufferPointer<Int16>) -> Int {
    let length = min(block.count, count)
    for index in 0..<length { block[index] = samples[(head + index) % samples.count] }
    skip(length)
    return length
  }

  /// Keeps at most `most` samples, the newest. The others were not meant to be sent and do not count as dropped.
  public func keep(_ most: Int) { skip(count - most) }

  /// Clears the queue.
  public func clear() { (head, count) = (0, 0) }

  private func skip(_ length: Int) {
    guard length > 0 else { return }
    head = (head + length) % samples.count
    count -= length
  }
}
