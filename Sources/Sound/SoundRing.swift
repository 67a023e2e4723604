/// Samples on their way from who speaks to who plays. Of fixed size: who pushes learns how many found room.
public struct SoundRing: ~Copyable {
  private let samples: UnsafeMutableBufferPointer<Int16>
  private var head = 0
  /// Samples that wait.
  public private(set) var count = 0

  /// Takes room for so many.
  public init(capacity: Int) {
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  /// Samples that it still has room for.
  public var room: Int { samples.count - count }

  /// Adds samples; how many found room.
  public mutating func push(_ new: UnsafeBufferPointer<Int16>) -> Int {
    let taken = min(new.count, room)
    var at = (head + count) % samples.count
    for index in 0..<taken {
      samples[at] = new[index]
      at = at + 1 == samples.count ? 0 : at + 1
    }
    count += taken
    return taken
  }

  /// Takes the oldest samples out; how many there were.
  public mutating func pop(into target: UnsafeMutableBufferPointer<Int16>) -> Int {
    let taken = min(target.count, count)
    for index in 0..<taken {
      target[index] = samples[head]
      head = head + 1 == samples.count ? 0 : head + 1
    }
    count -= taken
    return taken
  }

  /// Forgets what waits.
  public mutating func clear() { (head, count) = (0, 0) }
}
