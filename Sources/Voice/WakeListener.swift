import Runtime

/// Hears phrases in a stream of samples: gate, front end, network and detector.
///
/// All memory is taken at the start, a third of a megabyte. Belongs to one thread.
public final class WakeListener {
  /// The phrases, and what is listened for. A phrase without a vector is in no list here: `add` says so.
  public let detector = WakeDetector()
  /// False listens always, for tests and for measuring.
  public var isGated = true
  /// Whether the listener works: false while the room is quiet.
  public var isAwake: Bool { isListening }
  /// The room's level, of 1.
  public var floor: Float { gate.floor }
  /// Hops of 10 ms that went through the network, and all.
  public private(set) var hopsHeard: Int64 = 0, hops: Int64 = 0

  private static let hop = MelFrontEnd.hop

  private let front: MelFrontEnd
  private let network: EmbeddingNetwork
  private var gate = EnergyGate()
  private let preroll: UnsafeMutablePointer<Int16>
  /// Hops that the pre-roll holds.
  private var kept = 0
  /// Samples of the hop that is being filled; it lies where the pre-roll wants it.
  private var filled = 0
  private var isListening = false
  private var waiting = BoundedQueue<WakeDetection>(capacity: Budget.wakeDetections)

  /// A listener for no phrase yet.
  public init(_ model: VoiceModel) {
    front = MelFrontEnd(model)
    network = EmbeddingNetwork(model)
    preroll = .allocate(capacity: Budget.wakePrerollHops * Self.hop)
    preroll.initialize(repeating: 0, count: Budget.wakePrerollHops * Self.hop)
  }

  deinit { preroll.deallocate() }

  /// Takes samples of 16 kHz, as many as there are.
  public func hear(_ samples: UnsafeBufferPointer<Int16>) {
    var rest = samples
    while rest.count > 0 {
      let count = min(rest.count, Self.hop - filled)
      (newest + filled).update(from: rest.baseAddress!, count: count)
      filled += count
      rest = UnsafeBufferPointer(rebasing: rest[count...])
      if filled == Self.hop { takeHop() }
    }
  }

  /// The next phrase heard, in order.
  public func next() -> WakeDetection? { waiting.pop() }

  /// Something was not heard: a device that stumbled or was closed. What came before is forgotten, the room is not.
  public func interrupt() {
    (filled, kept) = (0, 0)
    fallAsleep()
  }

  /// The hop that is being filled: hops go round.
  private var newest: UnsafeMutablePointer<Int16> {
    preroll + Int(hops % Int64(Budget.wakePrerollHops)) * Self.hop
  }

  private func takeHop() {
    let hop = newest
    let isOpen = gate.update(hop, count: Self.hop) || !isGated
    hops += 1
    (filled, kept) = (0, min(kept + 1, Budget.wakePrerollHops))
    guard isOpen else { return fallAsleep() }
    guard isListening else { return wake() }
    push(hop, endingAt: hops * Int64(Self.hop))
  }

  /// Hears what came before too.
  private func wake() {
    isListening = true
    for number in (hops - Int64(kept))..<hops {
      push(
        preroll + Int(number % Int64(Budget.wakePrerollHops)) * Self.hop,
        endingAt: (number + 1) * Int64(Self.hop))
    }
  }

  private func fallAsleep() {
    guard isListening else { return }
    isListening = false
    front.reset()
    network.reset()
    detector.reset()
  }

  private func push(_ hop: UnsafePointer<Int16>, endingAt sample: Int64) {
    hopsHeard += 1
    guard let row = front.push(hop), let vector = network.push(row) else { return }
    detector.push(vector, endingAt: sample) { _ = waiting.push($0) }
  }
}
