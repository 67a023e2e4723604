import Codec

/// What a receiver said about one instant, message by message.
struct FixEpoch {
  /// Kinds of message that bear on when a fix is whole.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let fix = Kinds(rawValue: 1)
    static let minimum = Kinds(rawValue: 2)
    static let motion = Kinds(rawValue: 4)
    static let place = Kinds(rawValue: 8)
    static let errors = Kinds(rawValue: 16)
    static let time = Kinds(rawValue: 32)
    /// NAV-PVT, which is whole by itself.
    static let pvt = Kinds(rawValue: 64)
    /// What makes a whole fix.
    static let whole = Kinds(rawValue: 3)
    /// What is waited for if the epoch before had it, for it tells the error.
    static let awaited = Kinds(rawValue: 16 | 64)
    /// What tells where the board is, or that this is not known.
    static let position = Kinds(rawValue: 1 | 2 | 8 | 64)
  }

  /// Sources of a position, the later the better: GLL and RMC have fewer digits in some receivers.
  private enum Rank: Int { case none, place, minimum, combined, fix, pvt }

  /// Metres a second in a knot (1852 m an hour, by definition of the nautical mile).
  private static let metersPerSecondPerKnot = 1852.0 / 3600

  /// UTC, milliseconds since midnight; a whole day or more within a leap second.
  let timeOfDay: UInt32
  /// When the first message arrived: milliseconds of `Clock.monotonic`.
  private(set) var arrival: Int64
  /// What earlier epochs told that still holds.
  private var earlier: FixRhythm.Values
  /// The messages so far.
  private(set) var kinds: Kinds = []
  /// True once a fix was made of it.
  var isPublished = false
  /// True when a message said that there is no fix.
  private var isVoid = false
  private var rank = Rank.none
  private var location: GNSSPlace?
  /// A mode that a message named, when it is not plainly that of satellites.
  private var namedMode: Fix.Mode?
  /// The best that any GSA said.
  private var dimensions: UInt8?
  private var hdop: Double?
  private var satellites: UInt32?
  private var altitude: Double?
  private var speed: Double?
  private var course: Double?
  private var horizontalError: Double?
  private var verticalError: Double?
  private var date: CivilDate?
  /// Whether the receiver knows the leap seconds, when it tells.
  private var isResolved: Bool?
  /// Milliseconds of the GPS week, when a UBX message told.
  private var week: UInt32?

  /// An epoch whose first message is at hand.
  init(timeOfDay: UInt32, arrival: Int64, earlier: FixRhythm.Values) {
    self.timeOfDay = timeOfDay
    self.arrival = arrival
    self.earlier = earlier
    // A moment that no calendar day has. The receiver says the same again a second later.
    isVoid = Int64(timeOfDay) >= FixDate.day
  }

  /// True when a message told where the board is, or that this is not known.
  var hasPosition: Bool { !kinds.isDisjoint(with: .position) }

  /// What was told of the slow values; nothing where there is no fix.
  var told: FixRhythm.Values? {
    mode == .none
      ? nil
      : FixRhythm.Values(
        hdop: hdop, altitude: altitude, dimensions: dimensions, satellites: satellites,
        horizontalError: horizontalError, verticalError: verticalError)
  }

  /// A message of this instant was there at `arrival` already.
  mutating func began(at arrival: Int64) { self.arrival = min(self.arrival, arrival) }

  /// True when position, geometry, motion and date are there, or all that the receiver said the last time.
  func isComplete(like previous: Kinds) -> Bool {
    if kinds.contains(.pvt) { return true }
    if !previous.isEmpty, kinds.isSuperset(of: previous) { return true }
    return kinds.isSuperset(of: .whole) && kinds.isSuperset(of: previous.intersection(.awaited))
  }

  // MARK: NMEA

  /// Takes a sentence of this instant.
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
      if let told = active.dimensions { dimensions = max(dimensions ?? 0, told) }
      hdop = hdop ?? active.hdop
    case .gsv, .gbs: break
    }
  }

  private mutating func merge(_ fix: NMEAFix) {
    kinds.insert(.fix)
    let quality = fix.quality ?? 0
    if quality == 0 { isVoid = true }
    // What nobody measured.
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

  /// Takes NAV-PVT of this instant: it knows better than what the receiver's sentences say.
  mutating func merge(_ position: UBXPosition) {
    kinds.insert(.pvt)
    // It is whole by itself.
    earlier = FixRhythm.Values()
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

  /// Takes NAV-TIMEUTC of this instant.
  mutating func merge(_ time: UBXTime) {
    kinds.insert(.time)
    week = time.week
    date = day(time.date, at: time.timeOfDayMilliseconds) ?? date
    isResolved = time.isFullyResolved
  }

  /// Takes NAV-DOP and NAV-STATUS if they are of this instant, which only the time of the week tells.
  mutating func merge(_ dilution: UBXDilution?, _ status: UBXStatus?) {
    guard let week else { return }
    if let dilution, dilution.week == week { hdop = dilution.hdop }
    if let status, status.week == week, !status.isOK { isVoid = true }
  }

  // MARK: Values

  /// The day of this instant by a message whose stamp may lie on the other side of midnight.
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

  // MARK: What comes of it

  /// What the position was made from; none when there is none.
  var mode: Fix.Mode {
    guard !isVoid, location != nil, dimensions != 1 else { return .none }
    if let namedMode { return namedMode }
    // Some receivers claim quality 1 without a satellite. Nobody measured that height.
    if dimensions == nil, satellites == 0 { return .twoDimensions }
    if let dimensions = dimensions ?? earlier.dimensions {
      return dimensions == 2 ? .twoDimensions : .threeDimensions
    }
    return (altitude ?? earlier.altitude) == nil ? .twoDimensions : .threeDimensions
  }

  /// The moment by the receiver's own date, if that can be believed.
  func time(earliest: Int64) -> GNSSTime? {
    guard Int64(timeOfDay) < FixDate.day else { return nil }
    guard let instant = FixDate.instant(of: date, timeOfDay: Int64(timeOfDay), earliest: earliest) else {
      return nil
    }
    // A receiver of sentences does not tell whether it knows the leap seconds. With a fix it mostly does.
    return GNSSTime(instant: instant, arrival: arrival, isFullyResolved: isResolved ?? (mode != .none))
  }

  /// What can be reported of it: nil without a valid position.
  /// - Parameters:
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  ///   - earliest: the first moment that is believed, likewise.
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

/// There is a position, and nothing that knows its date.
struct UndatedFix: Error {}
