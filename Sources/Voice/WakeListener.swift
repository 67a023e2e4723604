import Runtime

/// Detects phrases in a stream of samples: gate, front end, network and detector.
///
/// All memory is allocated in `init`, a third of a megabyte. Belongs to one thread.
public final class WakeListener {
  /// The phrases. A phrase without a vector cannot be added.
  public let detector = WakeDetector()
  /// False: the gate is always open, for tests and measurements.
  public var isGated = true
  /// True while detection runs: false while the room is quiet.
  public var isAwake: Bool { isListening }
  /// The room's level, of 1.
  public var floor: Float { gate.floor }
  /// Hops of 10 ms that were processed by the network, and all hops.
  public private(set) var hopsHeard: Int64 = 0, hops: Int64 = 0

  private static let hop = MelFrontEnd.hop

  private let front: MelFrontEnd
  private let network: EmbeddingNetwork
  private var gate = EnergyGate()
  private let preroll: UnsafeMutablePointer<Int16>
  /// Hops in the pre-roll.
  private var kept = 0
  /// Samples of the current hop, which is in its place in the pre-roll.
  private var filled = 0
  private var isListening = false
  private var waiting = BoundedQueue<WakeDetection>(capacity: Budget.wakeDetections)

  /// A listener without phrases.
  @export(interface)
  public init(_ model: VoiceModel) {
    front = MelFrontEnd(model)
    network = EmbeddingNetwork(model)
    preroll = .allocate(capacity: Budget.wakePrerollHops * Self.hop)
    preroll.initialize(repeating: 0, count: Budget.wakePrerollHops * Self.hop)
  }

  deinit { preroll.deallocate() }

  /// Takes any number of samples at 16 kHz.
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

  /// The next detection, in order.
  public func next() -> WakeDetection? { waiting.pop() }

  /// Samples were lost, or the device was closed: clears everything except the noise estimate.
  public func interrupt() {
    (filled, kept) = (0, 0)
    fallAsleep()
  }

  /// The current hop in the ring of the pre-roll.
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

  /// Starts processing, with the pre-roll first.
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
