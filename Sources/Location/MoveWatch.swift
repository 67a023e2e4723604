/// Notices that the board has been moved a good way from where it last told of itself.
public struct MoveWatch: Sendable {
  private let threshold: Double
  private var reference: Place?

  /// - Parameter threshold: metres; 0: nothing is noticed.
  public init(threshold: Double) { self.threshold = threshold }

  /// Moves are counted from here on: what was known before a restart.
  public mutating func begin(at place: Place) { reference = place }

  /// Takes a fix; true when the board is further away than the threshold for sure, whatever the error of the fix. Moves count from there
  /// afterwards.
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
