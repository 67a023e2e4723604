/// Detects that the board has moved from where it was last reported.
public struct MoveWatch: Sendable {
  private let threshold: Double
  private var reference: Place?

  /// - Parameter threshold: meters; 0: never.
  public init(threshold: Double) { self.threshold = threshold }

  /// Sets the reference position, as known before a restart.
  public mutating func begin(at place: Place) { reference = place }

  /// Takes a fix; true when the distance less the fix's error is above the threshold. Then the fix becomes the
  /// reference.
  public mutating func hasMoved(_ fix: Fix) -> Bool {
    guard threshold > 0, fix.isMeasured else { return false }
    guard let from = reference else {
      reference = fix.place
      return false
    }
    guard from.distance(to: fix.place) - fix.accuracy > threshold else { return false }
    reference = fix.place
    return true
  }
}
