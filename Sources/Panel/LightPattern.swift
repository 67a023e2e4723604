/// What a light does over time, again and again: each step a colour and its length. One step is a steady light.
public struct LightPattern: Sendable {
  /// A colour for a time in milliseconds.
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

  /// Nothing changes: no timer is needed.
  public var isSteady: Bool { steps.count == 1 }
}
