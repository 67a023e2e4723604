/// How far off a fix may be: what receivers tell (a factor of satellite geometry) turned into metres.
enum FixAccuracy {
  /// Metres of error for each unit of horizontal dilution of precision (node-commands 11). The error of a
  /// range measured without corrections is about that.
  static let metersPerHDOP = 5.0
  /// Up to here a fix is called precise, in metres (node-commands 11).
  static let preciseMax = 100.0
  /// Metres claimed when the receiver does not tell its geometry, or did not measure: that of an HDOP of 30, worse than which
  /// receivers report no fix. Above `preciseMax`, so nobody takes an unknown error for a small one.
  static let unknown = 150.0

  /// The error in metres. An HDOP of 0 is what receivers and simulators write that do not know it.
  static func meters(hdop: Double?, isMeasured: Bool) -> Double {
    guard let hdop, hdop > 0 else { return unknown }
    let meters = hdop * metersPerHDOP
    return isMeasured ? meters : max(meters, unknown)
  }
}
