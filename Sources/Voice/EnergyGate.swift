import Runtime

/// Tells whether it is worth listening: open while something is louder than the room.
///
/// The room's noise is the quietest moment of the last four seconds (R. Martin, "Noise power spectral density estimation based on optimal
/// smoothing and minimum statistics", 2001, without its refinements), so a fan that is switched on is part of the room after that.
public struct EnergyGate {
  /// How many times the room's level opens the gate.
  public static let factor: Float = 2.5
  /// The least level that does, of 1: a quiet voice at a poor microphone.
  public static let least: Float = 4e-4
  /// How much of a new hop the smoothed power takes.
  private static let smoothing: Float = 0.25

  private var looks = InlineArray<8, Float>(repeating: .infinity)
  private var look = 0
  private var hops = 0
  private var quietest = Float.infinity
  private var smoothed: Float = 0
  private var hang = 0

  /// A gate that is closed and knows no room yet: whatever is not silence opens it.
  public init() {}

  /// True while one should listen.
  public var isOpen: Bool { hang > 0 }
  /// The room's level, of 1: the root of the least power heard.
  public var floor: Float {
    var least = quietest
    for index in 0..<Budget.wakeFloorLooks { least = min(least, looks[index]) }
    return least.isFinite ? least.squareRoot() : 0
  }

  /// Takes a hop; true when the gate is open behind it. A constant offset is no sound.
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
    looks[look] = quietest
    look = (look + 1) % Budget.wakeFloorLooks
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
