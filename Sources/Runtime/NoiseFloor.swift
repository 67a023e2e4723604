/// Estimate of the background level of a room (node-commands 6.4, "level gate"). Levels are fractions of full scale.
public struct NoiseFloor: Sendable {
  /// Smoothing factors for a frame that is quieter than the estimate, and for a louder one.
  private static let down: Float = 0.08
  public static let up: Float = 0.01
  /// Speech is at least `factor` times louder than the floor, and at least `least` of full scale.
  private static let factor: Float = 6
  private static let least: Float = 0.001

  public private(set) var level: Float = least

  /// Starts with the floor of a quiet room.
  public init() {}

  /// Levels from here on are speech.
  public var threshold: Float { max(Self.factor * level, Self.least) }

  /// Updates the estimate by the level of a frame. `up`: the smoothing factor when it is louder.
  public mutating func follow(_ heard: Float, up: Float = NoiseFloor.up) {
    level += (heard - level) * (heard < level ? Self.down : up)
  }
}
