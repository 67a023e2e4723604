import Runtime

/// Decides whether detection runs: open while the sound is louder than the room.
///
/// The room's noise is the minimum of the last four seconds (R. Martin, "Noise power spectral density estimation based
/// on optimal smoothing and minimum statistics", 2001, without its refinements), so a fan that is switched on becomes
/// part of it.
public struct EnergyGate {
  /// The gate opens at this multiple of the room's level.
  public static let factor: Float = 2.5
  /// The least level that opens it, of 1: a quiet voice at a poor microphone.
  public static let least: Float = 4e-4
  /// Smoothing factor of the power.
  private static let smoothing: Float = 0.25

  private var windows = InlineArray<8, Float>(repeating: .infinity)
  private var look = 0
  private var hops = 0
  private var quietest = Float.infinity
  private var smoothed: Float = 0
  private var hang = 0

  /// A closed gate without a noise estimate: anything but silence opens it.
  public init() {}

  /// True while detection should run.
  public var isOpen: Bool { hang > 0 }
  /// The room's level, of 1: the root of the minimum power.
  public var floor: Float {
    var least = quietest
    for index in 0..<Budget.wakeFloorWindows { least = min(least, windows[index]) }
    return least.isFinite ? least.squareRoot() : 0
  }

  /// Takes a hop; true when the gate is open after it. A DC offset is ignored.
  public mutating func update(_ samples: UnsafePointer<Int16>, count: Int) -> Bool {
    let power = Self.power(samples, count)
    let room = floor
    smoothed += Self.smoothing * (power - smoothed)
    remember(smoothed)
    let level = max(power, smoothed).squareRoot()
    if level > max(Self.factor * room, Self.least) {
      hang = Budget.wakeHangHops
    } else if hang > 0 {
      hang -= 1
    }
    return isOpen
  }

  private mutating func remember(_ power: Float) {
    quietest = min(quietest, max(power, 1e-10))
    hops += 1
    guard hops == Budget.wakeFloorHops else { return }
    windows[look] = quietest
    look = (look + 1) % Budget.wakeFloorWindows
    (hops, quietest) = (0, .infinity)
  }

  /// The variance of samples that are between -1 and 1.
  private static func power(_ samples: UnsafePointer<Int16>, _ count: Int) -> Float {
    var (sum, squares): (Int64, Int64) = (0, 0)
    for index in 0..<count {
      let sample = Int64(samples[index])
      sum += sample
      squares += sample * sample
    }
    let size = Float(max(count, 1))
    let mean = Float(sum) / size
    return max(0, Float(squares) / size - mean * mean) / (32_768 * 32_768)
  }
}
