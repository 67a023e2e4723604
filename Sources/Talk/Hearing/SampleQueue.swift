import Runtime

/// Sound that waits for a connection: a bounded queue of samples. Where more comes than goes, the oldest is dropped, for who listens
/// at the other end wants what is said now.
public final class SampleQueue {
  private let samples: UnsafeMutableBufferPointer<Int16>
  private var head = 0
  /// Samples waiting, and those that were dropped since the start.
  public private(set) var count = 0
  public private(set) var dropped: UInt64 = 0

  /// A queue of so many samples.
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

  /// Gives the oldest; how many.
  public func pop(into block: UnsafeMutableBufferPointer<Int16>) -> Int {
    let length = min(block.count, count)
    for index in 0..<length { block[index] = samples[(head + index) % samples.count] }
    skip(length)
    return length
  }

  /// Keeps no more than so many, the newest. Nobody was to hear the rest: it does not count as dropped.
  public func keep(_ most: Int) { skip(count - most) }

  /// Forgets all.
  public func clear() { (head, count) = (0, 0) }

  private func skip(_ length: Int) {
    guard length > 0 else { return }
    head = (head + length) % samples.count
    count -= length
  }
}
