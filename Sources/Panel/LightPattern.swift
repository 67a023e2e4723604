/// A repeating pattern of a light: steps of a color and a duration. One step is a steady light.
public struct LightPattern: Sendable {
  /// A color for a time in milliseconds.
  public struct Step: Equatable, Sendable {
    public var color: LightColor
    public var duration: Int64

    /// A step; see the properties.
    public init(_ color: LightColor, _ duration: Int64) {
      self.color = color
      self.duration = duration
    }
  }

  public let steps: [Step]

  /// A pattern of these steps, at least one.
  public init(_ steps: [Step]) {
    precondition(!steps.isEmpty)
    self.steps = steps
  }

  /// True for a steady light, which needs no timer.
  public var isSteady: Bool { steps.count == 1 }
}
