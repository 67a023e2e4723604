/// What the bearer of the sensor is doing.
public enum Activity: UInt8, Sendable {
  case unknown, stationary, walking, running, cycling, automotive
}

/// The confidence of an activity.
public enum Confidence: UInt8, Sendable {
  case low, medium, high

  /// The word of node-commands 4.8.
  public var word: StaticString {
    switch self {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}

/// An activity with its confidence.
public struct ActivityReading: Equatable, Sendable {
  public var activity: Activity
  public var confidence: Confidence

  /// Unknown by default.
  public init(_ activity: Activity = .unknown, _ confidence: Confidence = .low) {
    (self.activity, self.confidence) = (activity, confidence)
  }
}
