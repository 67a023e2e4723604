/// The estimated error of a fix.
enum FixAccuracy {
  /// Meters of error for each unit of horizontal dilution of precision (node-commands 11). The error of a range
  /// measured without corrections is about that.
  static let metersPerHDOP = 5.0
  /// Up to here a fix is called precise, in meters (node-commands 11).
  static let preciseMax = 100.0
  /// Meters reported when the receiver reports no geometry, or did not measure: that of an HDOP of 30, above which
  /// receivers report no fix. Above `preciseMax`, so that an unknown error is never taken for a small one.
  static let unknown = 150.0

  /// The error in meters, from the best source: the receiver's own estimate, or the geometry. Receivers and simulators
  /// write an HDOP of 0 when it is unknown. A position that was not measured is never called precise.
  static func meters(
    estimate: Double?, hdop: Double?, isMeasured: Bool
  ) -> (meters: Double, source: Fix.AccuracySource) {
    let known: (meters: Double, source: Fix.AccuracySource)
    if let estimate, estimate > 0 {
      known = (estimate, .receiver)
    } else if let hdop, hdop > 0 {
      known = (hdop * metersPerHDOP, .geometry)
    } else {
      return (unknown, .assumed)
    }
    return isMeasured || known.meters > unknown ? known : (unknown, .assumed)
  }

  /// One horizontal figure of two standard deviations (GST): the root of the sum of their squares, the distance root
  /// mean square, within which 63 to 68 of 100 positions lie; u-blox's hAcc is the same. Nil when one is not known.
  static func horizontal(latitude: Double?, longitude: Double?) -> Double? {
    guard let latitude, let longitude, latitude > 0 || longitude > 0 else { return nil }
    return (latitude * latitude + longitude * longitude).squareRoot()
  }
}
