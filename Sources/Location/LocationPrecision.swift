import Runtime

/// Privacy: how exactly callers may know where the board is.
///
/// A limited position is moved to the center of its cell in a fixed grid. The grid does not depend on the board's
/// position, so repeated requests reveal nothing more, as they would with a random error.
public struct LocationPrecision: Equatable, Sendable {
  /// Length of a cell's edge in meters; 0: exact positions.
  public var cell: Double

  /// Positions as they are.
  public static let exact = LocationPrecision(cell: 0)

  /// - Parameter cell: meters; 0 is exact.
  public init(cell: Double) { self.cell = cell }

  /// The limited fix: in the center of its cell, with an error that covers the whole cell, and without altitude, speed
  /// and heading, which would reveal more.
  public func limit(_ fix: Fix) -> Fix {
    guard cell > 0 else { return fix }
    var limited = fix
    let rows = cell / Place.metersPerDegree
    limited.latitude = min(max(Self.middle(fix.latitude, rows), -90), 90)
    // Cells of a row are square in the row's middle; near a pole a single cell goes all around.
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

  /// The middle of the interval of this width that contains `degrees`.
  private static func middle(_ degrees: Double, _ width: Double) -> Double {
    ((degrees / width).rounded(.down) + 0.5) * width
  }
}
