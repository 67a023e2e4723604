import Runtime

/// How exactly callers may know where the board is.
///
/// A position that is limited is moved to the middle of the cell of a fixed grid that it lies in. The grid does not depend on
/// where the board is, so that asking often tells nothing more, as it would if a random error were added each time.
public struct LocationPrecision: Equatable, Sendable {
  /// Length of a cell's edge in metres; 0: positions are given as they are.
  public var cell: Double

  /// Positions as they are.
  public static let exact = LocationPrecision(cell: 0)

  /// - Parameter cell: metres; 0 is exact.
  public init(cell: Double) { self.cell = cell }

  /// The fix as callers may know it: in the middle of its cell, with an error that covers the whole cell, and without what would tell
  /// more: altitude, speed and heading.
  public func limit(_ fix: Fix) -> Fix {
    guard cell > 0 else { return fix }
    var limited = fix
    let rows = cell / Place.metersPerDegree
    limited.latitude = min(max(Self.middle(fix.latitude, rows), -90), 90)
    // Cells of one row are as wide as they are high in its middle; near a pole one cell goes around.
    let shrink = Trigonometry.cosine(Trigonometry.radians(degrees: limited.latitude))
    let columns = min(rows / max(shrink, 1e-6), 360)
    limited.longitude = min(max(Self.middle(fix.longitude, columns), -180), 180)
    let half = cell * 0.5.squareRoot()
    limited.accuracy = fix.accuracy + half
    limited.altitude = nil
    limited.speed = nil
    limited.heading = nil
    limited.verticalAccuracy = nil
    limited.isLimited = true
    return limited
  }

  /// The middle of the interval of this width that `degrees` lies in.
  private static func middle(_ degrees: Double, _ width: Double) -> Double {
    ((degrees / width).rounded(.down) + 0.5) * width
  }
}
