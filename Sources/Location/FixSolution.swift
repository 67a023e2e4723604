import Codec

/// What one talker of a receiver reported in an epoch: its own verdict, position and values. A receiver of several
/// systems has up to one for each, and one for all together.
struct FixSolution {
  /// Sources of a position, the best one last: GLL and RMC have fewer digits in some receivers.
  enum Rank: Int { case none, place, minimum, combined, fix, pvt }

  /// m/s in a knot (1852 m an hour, by definition of the nautical mile).
  private static let metersPerSecondPerKnot = 1852.0 / 3600

  /// True when a message reported that there is no fix.
  var isVoid = false
  private(set) var rank = Rank.none
  private(set) var location: GNSSPlace?
  /// A mode from a message, when it is not an ordinary satellite mode.
  private(set) var namedMode: Fix.Mode?
  /// The best of all GSA: 1 none, 2 or 3.
  private(set) var dimensions: UInt8?
  var hdop: Double?
  private(set) var satellites: UInt32?
  private(set) var altitude: Double?
  private(set) var speed: Double?
  private(set) var course: Double?
  private(set) var horizontalError: Double?
  private(set) var verticalError: Double?
  /// The date of RMC.
  var date: CivilDate?

  private var hasPVT: Bool { rank == .pvt }

  // MARK: NMEA

  /// Takes GGA.
  mutating func merge(_ fix: NMEAFix) {
    let quality = fix.quality ?? 0
    if quality == 0 { isVoid = true }
    // Not measured: dead reckoning, manual, simulated.
    if (6...8).contains(quality) { name(Fix.Mode(rawValue: UInt8(quality))) }
    put(fix.place, .fix)
    put(altitude: fix.altitudeMeters, hdop: fix.hdop, satellites: fix.satellites)
  }

  /// Takes GNS.
  mutating func merge(_ fix: NMEACombinedFix) {
    if fix.isUnsafe || fix.mode == nil { isVoid = true }
    put(fix.mode)
    put(fix.place, .combined)
    put(altitude: fix.altitudeMeters, hdop: fix.hdop, satellites: fix.satellites)
  }

  /// Takes RMC, except its date.
  mutating func merge(_ minimum: NMEAMinimum) {
    if !minimum.isValid || minimum.isUnsafe { isVoid = true }
    put(minimum.mode)
    put(minimum.place, .minimum)
    put(knots: minimum.speedKnots, course: minimum.courseDegrees)
  }

  /// Takes the motion of a valid RMC of another stamp, where there is none.
  mutating func mergeMotion(_ minimum: NMEAMinimum) {
    guard minimum.isValid, !minimum.isUnsafe, speed == nil else { return }
    put(knots: minimum.speedKnots, course: minimum.courseDegrees)
  }

  /// Takes GLL.
  mutating func merge(_ place: NMEAPlace) {
    if !place.isValid { isVoid = true }
    put(place.mode)
    put(place.place, .place)
  }

  /// Takes VTG.
  mutating func merge(_ motion: NMEAMotion) {
    if motion.mode == NMEAMode.none { return }
    let knots = motion.speedKnots ?? motion.speedKilometersPerHour.map { $0 / 1.852 }
    put(knots: knots, course: motion.courseDegrees)
  }

  /// Takes GST.
  mutating func merge(_ errors: NMEAErrors) {
    if hasPVT { return }
    horizontalError = FixAccuracy.horizontal(latitude: errors.latitudeMeters, longitude: errors.longitudeMeters)
    verticalError = errors.altitudeMeters
  }

  /// Takes GSA.
  mutating func merge(_ active: NMEAActiveSatellites) {
    if let received = active.dimensions { dimensions = max(dimensions ?? 0, received) }
    hdop = hdop ?? active.hdop
  }

  // MARK: UBX

  /// Takes NAV-PVT, except its time; it overrides the sentences.
  mutating func merge(_ position: UBXPosition) {
    if !position.isOK || position.place == nil { isVoid = true }
    switch position.kind {
    case .none, .timeOnly: isVoid = true
    case .deadReckoning: namedMode = .deadReckoning
    case .combined: namedMode = .combined
    case .twoDimensions: dimensions = 2
    case .threeDimensions: dimensions = 3
    }
    override(with: position.place)
    let used = position.satellites > 0 ? UInt32(position.satellites) : nil
    put(altitude: position.altitudeMeters, hdop: nil, satellites: used)
    put(metersPerSecond: position.speed, course: position.courseDegrees)
    horizontalError = position.horizontalMeters
    verticalError = position.verticalMeters
  }

  // MARK: gpsd

  /// Takes the report of a gpsd, which overrides an earlier one of the same instant.
  /// - Parameter used: satellites in use, when reported.
  mutating func merge(_ position: GPSDPosition, hdop: Double?, used: UInt32?) {
    switch position.mode {
    case .none: isVoid = true
    case .twoDimensions: dimensions = 2
    case .threeDimensions: dimensions = 3
    case .combined, .deadReckoning, .manual, .simulated: namedMode = position.mode
    }
    override(with: position.place)
    put(altitude: position.altitudeMeters, hdop: hdop, satellites: used)
    put(metersPerSecond: position.speed, course: position.courseDegrees)
    horizontalError = position.horizontalMeters
    verticalError = position.verticalMeters
  }

  // MARK: Values

  /// The position of a message that is complete by itself: what others said of height and motion does not count.
  private mutating func override(with place: GNSSPlace?) {
    put(place, .pvt)
    (rank, altitude, satellites, speed, course) = (.pvt, nil, nil, nil, nil)
  }

  private mutating func name(_ mode: Fix.Mode?) {
    if !hasPVT { namedMode = mode }
  }

  private mutating func put(_ mode: NMEAMode?) {
    switch mode {
    case NMEAMode.none?: isVoid = true
    case .estimated?: name(.deadReckoning)
    case .manual?: name(.manual)
    case .simulated?: name(.simulated)
    default: break
    }
  }

  private mutating func put(_ place: GNSSPlace?, _ rank: Rank) {
    guard let place, rank.rawValue > self.rank.rawValue else { return }
    location = place
    self.rank = rank
  }

  private mutating func put(altitude meters: Double?, hdop: Double?, satellites: UInt32?) {
    self.hdop = hdop ?? self.hdop
    altitude = altitude ?? meters.flatMap { FixMotion.altitude($0) }
    if !hasPVT || self.satellites == nil { self.satellites = satellites ?? self.satellites }
  }

  private mutating func put(knots: Double?, course: Double?) {
    put(metersPerSecond: knots.map { $0 * Self.metersPerSecondPerKnot }, course: course)
  }

  private mutating func put(metersPerSecond: Double?, course degrees: Double?) {
    speed = speed ?? metersPerSecond.flatMap { FixMotion.speed($0) }
    course = course ?? degrees.flatMap { FixMotion.course($0) }
  }
}
