import Codec

/// Collects a receiver's messages of one epoch.
struct FixEpoch {
  /// Types of message that decide when a fix is complete.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let fix = Kinds(rawValue: 1)
    static let minimum = Kinds(rawValue: 2)
    static let motion = Kinds(rawValue: 4)
    static let place = Kinds(rawValue: 8)
    static let errors = Kinds(rawValue: 16)
    static let time = Kinds(rawValue: 32)
    /// NAV-PVT, which is complete by itself.
    static let pvt = Kinds(rawValue: 64)
    /// The types of a complete fix.
    static let whole = Kinds(rawValue: 3)
    /// Types that are awaited if the previous epoch had them, because they have the error.
    static let awaited = Kinds(rawValue: 16 | 64)
    /// Types with a position, or the status that there is none.
    static let position = Kinds(rawValue: 1 | 2 | 8 | 64)
  }

  /// Sources of a position, the best one last: GLL and RMC have fewer digits in some receivers.
  private enum Rank: Int { case none, place, minimum, combined, fix, pvt }

  /// m/s in a knot (1852 m an hour, by definition of the nautical mile).
  private static let metersPerSecondPerKnot = 1852.0 / 3600

  /// UTC, milliseconds since midnight; a whole day or more within a leap second.
  let timeOfDay: UInt32
  /// When the first message arrived: milliseconds of `Clock.monotonic`.
  private(set) var arrival: Int64
  /// Values of earlier epochs that are still valid.
  private var earlier: CarriedValues.Values
  /// The messages so far.
  private(set) var kinds: Kinds = []
  /// True once a fix was made of it.
  var isPublished = false
  /// True when a message reported that there is no fix.
  private var isVoid = false
  private var rank = Rank.none
  private var location: GNSSPlace?
  /// A mode from a message, when it is not an ordinary satellite mode.
  private var namedMode: Fix.Mode?
  /// The best of all GSA.
  private var dimensions: UInt8?
  private var hdop: Double?
  private var satellites: UInt32?
  private var altitude: Double?
  private var speed: Double?
  private var course: Double?
  private var horizontalError: Double?
  private var verticalError: Double?
  private var date: CivilDate?
  /// Whether the receiver knows the leap seconds, when it reports that.
  private var isResolved: Bool?
  /// Milliseconds of the GPS week, from a UBX message.
  private var week: UInt32?

  /// An epoch that begins with a message.
  init(timeOfDay: UInt32, arrival: Int64, earlier: CarriedValues.Values) {
    self.timeOfDay = timeOfDay
    self.arrival = arrival
    self.earlier = earlier
    // Within a leap second, which has no Unix time. The receiver sends another epoch a second later.
    isVoid = Int64(timeOfDay) >= FixDate.day
  }

  /// True when a message had a position, or the status that there is none.
  var hasPosition: Bool { !kinds.isDisjoint(with: .position) }

  /// The slowly changing values that were reported; nil where there is no fix.
  var reported: CarriedValues.Values? {
    mode == .none
      ? nil
      : CarriedValues.Values(
        hdop: hdop, altitude: altitude, dimensions: dimensions, satellites: satellites,
        horizontalError: horizontalError, verticalError: verticalError)
  }

  /// A message of this epoch arrived at `arrival` already.
  mutating func began(at arrival: Int64) { self.arrival = min(self.arrival, arrival) }

  /// True when position, geometry, motion and date are there, or everything that the previous epoch had.
  func isComplete(like previous: Kinds) -> Bool {
    if kinds.contains(.pvt) { return true }
    if !previous.isEmpty, kinds.isSuperset(of: previous) { return true }
    return kinds.isSuperset(of: .whole) && kinds.isSuperset(of: previous.intersection(.awaited))
  }

  // MARK: NMEA

  /// Takes a sentence of this epoch.
  mutating func merge(_ sentence: NMEASentence) {
    switch sentence {
    case .gga(let fix): merge(fix)
    case .rmc(let minimum): merge(minimum)
    case .gns(let fix): merge(fix)
    case .gll(let place): merge(place)
    case .vtg(let motion): merge(motion)
    case .zda(let time):
      kinds.insert(.time)
      date = day(time.date, at: time.timeOfDayMilliseconds) ?? date
    case .gst(let errors): merge(errors)
    case .gsa(let active):
      if let received = active.dimensions { dimensions = max(dimensions ?? 0, received) }
      hdop = hdop ?? active.hdop
    case .gsv, .gbs: break
    }
  }

  private mutating func merge(_ fix: NMEAFix) {
    kinds.insert(.fix)
    let quality = fix.quality ?? 0
    if quality == 0 { isVoid = true }
    // Not measured: dead reckoning, manual, simulated.
    if (6...8).contains(quality) { name(Fix.Mode(rawValue: UInt8(quality))) }
    put(fix.place, .fix)
    put(altitude: fix.altitudeMeters, hdop: fix.hdop, satellites: fix.satellites)
  }

  private mutating func merge(_ fix: NMEACombinedFix) {
    kinds.insert(.fix)
    if fix.isUnsafe || fix.mode == nil { isVoid = true }
    take(fix.mode)
    put(fix.place, .combined)
    put(altitude: fix.altitudeMeters, hdop: fix.hdop, satellites: fix.satellites)
  }

  private mutating func merge(_ minimum: NMEAMinimum) {
    kinds.insert(.minimum)
    if !minimum.isValid || minimum.isUnsafe { isVoid = true }
    take(minimum.mode)
    put(minimum.place, .minimum)
    date = date ?? day(minimum.date, at: minimum.timeOfDayMilliseconds)
    put(knots: minimum.speedKnots, course: minimum.courseDegrees)
  }

  private mutating func merge(_ place: NMEAPlace) {
    kinds.insert(.place)
    if !place.isValid { isVoid = true }
    take(place.mode)
    put(place.place, .place)
  }

  private mutating func merge(_ motion: NMEAMotion) {
    kinds.insert(.motion)
    if motion.mode == NMEAMode.none { return }
    let knots = motion.speedKnots ?? motion.speedKilometersPerHour.map { $0 / 1.852 }
    put(knots: knots, course: motion.courseDegrees)
  }

  private mutating func merge(_ errors: NMEAErrors) {
    kinds.insert(.errors)
    if kinds.contains(.pvt) { return }
    horizontalError = FixAccuracy.horizontal(
      latitude: errors.latitudeMeters, longitude: errors.longitudeMeters)
    verticalError = errors.altitudeMeters
  }

  private mutating func take(_ mode: NMEAMode?) {
    switch mode {
    case NMEAMode.none?: isVoid = true
    case .estimated?: name(.deadReckoning)
    case .manual?: name(.manual)
    case .simulated?: name(.simulated)
    default: break
    }
  }

  // MARK: UBX

  /// Takes NAV-PVT of this epoch, which overrides the sentences.
  mutating func merge(_ position: UBXPosition) {
    kinds.insert(.pvt)
    // It is complete by itself.
    earlier = CarriedValues.Values()
    week = position.week
    if !position.isOK || position.place == nil { isVoid = true }
    switch position.kind {
    case .none, .timeOnly: isVoid = true
    case .deadReckoning: namedMode = .deadReckoning
    case .combined: namedMode = .combined
    case .twoDimensions: dimensions = 2
    case .threeDimensions: dimensions = 3
    }
    put(position.place, .pvt)
    altitude = nil
    put(altitude: position.altitudeMeters, hdop: nil, satellites: UInt32(position.satellites))
    speed = nil
    course = nil
    put(metersPerSecond: position.speed, course: position.courseDegrees)
    horizontalError = position.horizontalMeters
    verticalError = position.verticalMeters
    merge(position.time)
  }

  /// Takes NAV-TIMEUTC of this epoch.
  mutating func merge(_ time: UBXTime) {
    kinds.insert(.time)
    week = time.week
    date = day(time.date, at: time.timeOfDayMilliseconds) ?? date
    isResolved = time.isFullyResolved
  }

  /// Takes NAV-DOP and NAV-STATUS if their time of week is that of this epoch.
  mutating func merge(_ dilution: UBXDilution?, _ status: UBXStatus?) {
    guard let week else { return }
    if let dilution, dilution.week == week { hdop = dilution.hdop }
    if let status, status.week == week, !status.isOK { isVoid = true }
  }

  // MARK: Values

  /// The day of this epoch from a message whose timestamp may be on the other side of midnight.
  private func day(_ date: CivilDate?, at stamp: UInt32?) -> CivilDate? {
    guard let date, let stamp else { return date }
    if stamp > timeOfDay, stamp - timeOfDay > EpochClock.day / 2 {
      return CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
    }
    if timeOfDay > stamp, timeOfDay - stamp > EpochClock.day / 2 {
      return CivilDate(daysSinceEpoch: date.daysSinceEpoch - 1)
    }
    return date
  }

  private mutating func name(_ mode: Fix.Mode?) {
    if !kinds.contains(.pvt) { namedMode = mode }
  }

  private mutating func put(_ place: GNSSPlace?, _ rank: Rank) {
    guard let place, rank.rawValue > self.rank.rawValue else { return }
    (location, self.rank) = (place, rank)
  }

  private mutating func put(altitude meters: Double?, hdop: Double?, satellites: UInt32?) {
    self.hdop = hdop ?? self.hdop
    altitude = altitude ?? meters.flatMap { FixMotion.altitude($0) }
    if !kinds.contains(.pvt) || self.satellites == nil { self.satellites = satellites ?? self.satellites }
  }

  private mutating func put(knots: Double?, course: Double?) {
    put(metersPerSecond: knots.map { $0 * Self.metersPerSecondPerKnot }, course: course)
  }

  private mutating func put(metersPerSecond: Double?, course degrees: Double?) {
    speed = speed ?? metersPerSecond.flatMap { FixMotion.speed($0) }
    course = course ?? degrees.flatMap { FixMotion.course($0) }
  }

  // MARK: Results

  /// How the position was determined; none when there is none.
  var mode: Fix.Mode {
    guard !isVoid, location != nil, dimensions != 1 else { return .none }
    if let namedMode { return namedMode }
    // Some receivers report quality 1 without a satellite. That height was not measured.
    if dimensions == nil, satellites == 0 { return .twoDimensions }
    if let dimensions = dimensions ?? earlier.dimensions {
      return dimensions == 2 ? .twoDimensions : .threeDimensions
    }
    return (altitude ?? earlier.altitude) == nil ? .twoDimensions : .threeDimensions
  }

  /// The time by the receiver's own date, if plausible.
  func time(earliest: Int64) -> GNSSTime? {
    guard Int64(timeOfDay) < FixDate.day else { return nil }
    guard let instant = FixDate.instant(of: date, timeOfDay: Int64(timeOfDay), earliest: earliest) else {
      return nil
    }
    // NMEA does not report whether the receiver knows the leap seconds. With a fix it usually does.
    return GNSSTime(instant: instant, arrival: arrival, isFullyResolved: isResolved ?? (mode != .none))
  }

  /// The fix of this epoch: nil without a valid position.
  /// - Parameters:
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  ///   - earliest: the first plausible instant, likewise.
  func fix(wall: Int64, earliest: Int64) throws(UndatedFix) -> Fix? {
    let mode = mode
    guard mode != .none, let location else { return nil }
    let instant = FixDate.instant(of: date, timeOfDay: Int64(timeOfDay), wall: wall, earliest: earliest)
    guard let instant else { throw UndatedFix() }
    let hdop = hdop ?? earlier.hdop
    let verticalError = verticalError ?? earlier.verticalError
    let accuracy = FixAccuracy.meters(
      estimate: horizontalError ?? earlier.horizontalError, hdop: hdop, isMeasured: mode.isMeasured)
    return Fix(
      latitude: location.latitude, longitude: location.longitude, accuracy: accuracy.meters,
      altitude: altitude ?? earlier.altitude, speed: speed, heading: FixMotion.isMoving(speed) ? course : nil,
      instant: instant, arrival: arrival, isMeasured: mode.isMeasured, mode: mode,
      satellites: satellites ?? earlier.satellites, hdop: hdop.flatMap { $0 > 0 ? $0 : nil },
      verticalAccuracy: verticalError.flatMap { $0 > 0 ? $0 : nil }, accuracySource: accuracy.source)
  }
}

/// There is a position, but no date.
struct UndatedFix: Error {}
