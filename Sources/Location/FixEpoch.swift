import Codec

/// What a receiver said about one instant, sentence by sentence.
struct FixEpoch {
  /// Kinds of sentence.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let fix = Kinds(rawValue: 1)
    static let minimum = Kinds(rawValue: 2)
    static let motion = Kinds(rawValue: 4)
    /// What makes a whole fix.
    static let whole = Kinds(rawValue: 3)
  }

  /// Metres a second in a knot (1852 m an hour, by definition of the nautical mile).
  private static let metersPerSecondPerKnot = 1852.0 / 3600
  /// Where civil receivers must give up, in metres a second (1000 knots, the export limit): nothing faster is believed.
  private static let speedMax = 515.0
  /// Below this the course is noise, in metres a second: a standing receiver's position wanders about so fast.
  private static let standingMax = 0.5
  /// Metres above sea level that are believed.
  private static let altitudes = -1_000.0...100_000.0

  /// UTC, milliseconds since midnight.
  let timeOfDay: UInt32
  /// When the first sentence arrived: milliseconds of `Clock.monotonic`.
  let arrival: Int64
  /// The sentences so far.
  private(set) var kinds: Kinds = []
  /// True once a fix was made of it.
  var isPublished = false
  /// True when a sentence said that there is no fix.
  private var isVoid = false
  private var isMeasured = true
  private var latitude: Double?
  private var longitude: Double?
  private var hdop: Double?
  private var altitude: Double?
  private var speed: Double?
  private var course: Double?
  private var date: CivilDate?

  /// An epoch whose first sentence is at hand.
  init(timeOfDay: UInt32, arrival: Int64) {
    self.timeOfDay = timeOfDay
    self.arrival = arrival
  }

  /// True when position, geometry, motion and date are there, or all that the receiver said the last time.
  func isComplete(like previous: Kinds) -> Bool {
    kinds.isSuperset(of: .whole) || (!previous.isEmpty && kinds.isSuperset(of: previous))
  }

  /// Takes a sentence of this instant.
  mutating func merge(_ sentence: NMEASentence) {
    switch sentence {
    case .gga(let fix): merge(fix)
    case .rmc(let minimum): merge(minimum)
    case .vtg(let motion): merge(motion)
    }
  }

  private mutating func merge(_ fix: NMEAFix) {
    kinds.insert(.fix)
    let quality = fix.quality ?? 0
    if quality == 0 { isVoid = true }
    // 6 dead reckoning, 7 manual, 8 simulated: nobody measured.
    isMeasured = quality < 6 || quality > 8
    latitude = fix.latitude
    longitude = fix.longitude
    hdop = fix.hdop
    if let meters = fix.altitudeMeters, Self.altitudes.contains(meters) { altitude = meters }
  }

  private mutating func merge(_ minimum: NMEAMinimum) {
    kinds.insert(.minimum)
    if !minimum.isValid { isVoid = true }
    latitude = latitude ?? minimum.latitude
    longitude = longitude ?? minimum.longitude
    date = minimum.date
    merge(knots: minimum.speedKnots, course: minimum.courseDegrees)
  }

  private mutating func merge(_ motion: NMEAMotion) {
    kinds.insert(.motion)
    let knots = motion.speedKnots ?? motion.speedKilometersPerHour.map { $0 / 1.852 }
    merge(knots: knots, course: motion.courseDegrees)
  }

  private mutating func merge(knots: Double?, course degrees: Double?) {
    if speed == nil, let knots {
      let metersPerSecond = knots * Self.metersPerSecondPerKnot
      if metersPerSecond >= 0, metersPerSecond <= Self.speedMax { speed = metersPerSecond }
    }
    if course == nil, let degrees, degrees >= 0, degrees <= 360 { course = degrees == 360 ? 0 : degrees }
  }

  /// What can be reported of it: nil without a valid position.
  /// - Parameter wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  func fix(wall: Int64) throws(UndatedFix) -> Fix? {
    guard !isVoid, let latitude, let longitude else { return nil }
    guard let instant = FixDate.instant(of: date, timeOfDay: Int64(timeOfDay), wall: wall) else {
      throw UndatedFix()
    }
    let isMoving = (speed ?? 0) >= Self.standingMax
    return Fix(
      latitude: latitude, longitude: longitude,
      accuracy: FixAccuracy.meters(hdop: hdop, isMeasured: isMeasured), altitude: altitude, speed: speed,
      heading: isMoving ? course : nil, instant: instant, arrival: arrival, isMeasured: isMeasured)
  }
}

/// There is a position, and nothing that knows its date.
struct UndatedFix: Error {}
