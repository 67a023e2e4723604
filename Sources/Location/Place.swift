import Runtime

/// A point on the earth.
public struct Place: Equatable, Sendable {
  /// Meters: the mean radius R1 of the WGS 84 ellipsoid (Moritz, "Geodetic Reference System 1980", 2000).
  static let earthRadius = 6_371_008.8
  /// Meters along a meridian in one degree of the mean sphere.
  static let metersPerDegree = earthRadius * Trigonometry.pi / 180

  /// Degrees north, in -90...90.
  public var latitude: Double
  /// Degrees east, in -180...180.
  public var longitude: Double

  /// A point; see the properties.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Meters along the surface of the mean sphere, within 0.6 % of the ellipsoid's (haversine formula: Sinnott, "Virtues
  /// of the haversine", Sky and Telescope 68, 1984).
  public func distance(to other: Place) -> Double {
    let north = Trigonometry.radians(degrees: latitude)
    let otherNorth = Trigonometry.radians(degrees: other.latitude)
    let halfNorth = Trigonometry.sine((otherNorth - north) / 2)
    let halfEast = Trigonometry.sine(Trigonometry.radians(degrees: other.longitude - longitude) / 2)
    let square =
      halfNorth * halfNorth + Trigonometry.cosine(north) * Trigonometry.cosine(otherNorth) * halfEast * halfEast
    return 2 * Self.earthRadius * Trigonometry.arcsine(min(square, 1).squareRoot())
  }
}

extension Fix {
  /// Its position.
  public var place: Place { Place(latitude: latitude, longitude: longitude) }
}
