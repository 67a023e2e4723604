/// The level of a room in which nobody speaks, learnt from the levels of what is heard (node-commands 6.4, "level gate"). Levels are parts
/// of full scale.
public struct NoiseFloor: Sendable {
  /// How much of the difference it takes from a frame that is quieter, and from one that is louder.
  private static let down: Float = 0.08
  public static let up: Float = 0.01
  /// Speech has at least so many times its level, and at least so much of full scale.
  private static let factor: Float = 6
  private static let least: Float = 0.001

  public private(set) var level: Float = least

  /// That of a quiet room.
  public init() {}

  /// From here on a level is speech.
  public var threshold: Float { max(Self.factor * level, Self.least) }

  /// Takes the level of a frame. `up`: how much of it, where it is louder.
  public mutating func follow(_ heard: Float, up: Float = NoiseFloor.up) {
    level += (heard - level) * (heard < level ? Self.down : up)
  }
}
