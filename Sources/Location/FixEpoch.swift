import Codec

/// Collects a receiver's messages of one epoch.
///
/// Each talker has a solution of its own (`FixSolution`). What a single system says of itself, that it has no fix or
/// how it is computed, says nothing about the solution of all systems or of another one; only the talker of all systems
/// speaks for all. The best solution gives the position, and the others give the values that it lacks.
struct FixEpoch {
  /// Types of message that decide when a fix is complete: a byte for each talker.
  struct Kinds: OptionSet {
    let rawValue: UInt64
    static let fix = Kinds(each: 1)
    static let minimum = Kinds(each: 2)
    static let motion = Kinds(each: 4)
    static let place = Kinds(each: 8)
    static let errors = Kinds(each: 16)
    static let time = Kinds(each: 32)
    /// NAV-PVT, which is complete by itself.
    static let pvt = Kinds(each: 64)
    /// Types that are awaited if the previous epoch had them, because they have the error.
    static let awaited = Kinds(each: 16 | 64)
    /// Types with a position, or the status that there is none.
    static let position = Kinds(each: 1 | 2 | 8 | 64)

    init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Types of any talker.
    private init(each types: UInt8) { rawValue = UInt64(types) * 0x0101_0101_0101_0101 }
    /// Types of one talker.
    init(_ kinds: Kinds, of talker: NMEATalker) {
      rawValue = kinds.rawValue & 0xFF << (8 * UInt64(talker.rawValue))
    }

    /// True when any talker's types are among them.
    func has(_ kinds: Kinds) -> Bool { !isDisjoint(with: kinds) }

    /// True when more than one talker has a position.
    fileprivate var hasSeveralPositions: Bool {
      var talkers = 0
      var left = intersection(.position).rawValue
      while left != 0 {
        if left & 0xFF != 0 { talkers += 1 }
        left >>= 8
      }
      return talkers > 1
    }
  }

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
  /// True when a message that speaks for all reported that there is no fix.
  private var isVoid = false
  /// One for each `NMEATalker`. UBX and gpsd speak for all systems together.
  private var solutions = InlineArray<8, FixSolution>(repeating: FixSolution())
  /// The date of ZDA or UBX.
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
  var hasPosition: Bool { kinds.has(.position) }

  /// The slowly changing values that were reported; nil where there is no fix.
  var reported: CarriedValues.Values? {
    guard let best, mode != .none else { return nil }
    return CarriedValues.Values(
      hdop: value(best) { $0.hdop }, altitude: value(best) { $0.altitude }, dimensions: dimensions(best),
      satellites: value(best) { $0.satellites }, horizontalError: value(best) { $0.horizontalError },
      verticalError: value(best) { $0.verticalError })
  }

  /// A message of this epoch arrived at `arrival` already.
  mutating func began(at arrival: Int64) { self.arrival = min(self.arrival, arrival) }

  /// True when position, geometry, motion and date are there, or everything that the previous epoch had. Where several
  /// talkers have positions all of these are awaited, for the best one may come last.
  func isComplete(like previous: Kinds) -> Bool {
    if kinds.has(.pvt) { return true }
    if !previous.isEmpty, kinds.isSuperset(of: previous) { return true }
    var awaited = previous.intersection(.awaited)
    if previous.hasSeveralPositions { awaited.formUnion(previous.intersection(.position)) }
    return kinds.has(.fix) && kinds.has(.minimum) && kinds.isSuperset(of: awaited)
  }

  // MARK: Messages

  /// Takes a sentence of this epoch.
  mutating func merge(_ sentence: NMEASentence) {
    switch sentence {
    case .gga(let fix):
      insert(.fix, fix.talker)
      solutions[Int(fix.talker.rawValue)].merge(fix)
    case .rmc(let minimum):
      insert(.minimum, minimum.talker)
      let index = Int(minimum.talker.rawValue)
      solutions[index].merge(minimum)
      solutions[index].date = solutions[index].date ?? day(minimum.date, at: minimum.timeOfDayMilliseconds)
    case .gns(let fix):
      insert(.fix, fix.talker)
      solutions[Int(fix.talker.rawValue)].merge(fix)
    case .gll(let place):
      insert(.place, place.talker)
      solutions[Int(place.talker.rawValue)].merge(place)
    case .vtg(let motion):
      insert(.motion, motion.talker)
      solutions[Int(motion.talker.rawValue)].merge(motion)
    case .zda(let time):
      insert(.time, .combined)
      date = day(time.date, at: time.timeOfDayMilliseconds) ?? date
    case .gst(let errors):
      insert(.errors, errors.talker)
      solutions[Int(errors.talker.rawValue)].merge(errors)
    case .gsa(let active):
      // Of all systems together there may be several, each about one system that only its satellites tell.
      let talker = active.system.map { NMEATalker($0) } ?? active.talker
      solutions[Int(talker.rawValue)].merge(active)
    case .gsv, .gbs: break
    }
  }

  /// Takes motion and date of a valid RMC of another stamp, where this epoch has none.
  mutating func mergeMotion(_ minimum: NMEAMinimum) {
    let index = Int(minimum.talker.rawValue)
    solutions[index].mergeMotion(minimum)
    solutions[index].date = solutions[index].date ?? day(minimum.date, at: minimum.timeOfDayMilliseconds)
  }

  /// Takes NAV-PVT of this epoch, which overrides the sentences.
  mutating func merge(_ position: UBXPosition) {
    insert(.pvt, .combined)
    // With its own error it is complete by itself.
    if position.horizontalMeters > 0 { earlier = CarriedValues.Values() }
    week = position.week
    solutions[0].merge(position)
    merge(position.time)
  }

  /// Takes NAV-TIMEUTC of this epoch.
  mutating func merge(_ time: UBXTime) {
    insert(.time, .combined)
    week = time.week
    date = day(time.date, at: time.timeOfDayMilliseconds) ?? date
    isResolved = time.isFullyResolved
  }

  /// Takes NAV-DOP and NAV-STATUS if their time of week is that of this epoch.
  mutating func merge(_ dilution: UBXDilution?, _ status: UBXStatus?) {
    guard let week else { return }
    if let dilution, dilution.week == week { solutions[0].hdop = dilution.hdop }
    if let status, status.week == week, !status.isOK { isVoid = true }
  }

  /// Takes the report of a gpsd, of which the last SKY told the geometry and the satellites in use.
  mutating func merge(_ position: GPSDPosition, on date: CivilDate?, hdop: Double?, used: UInt32?) {
    insert(.pvt, .combined)
    solutions[0].merge(position, hdop: hdop, used: used)
    self.date = date
  }

  private mutating func insert(_ kind: Kinds, _ talker: NMEATalker) { kinds.formUnion(Kinds(kind, of: talker)) }

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

  // MARK: Solutions

  /// The best of all GSA.
  private var bestDimensions: UInt8? {
    var best: UInt8?
    for index in 0..<solutions.count {
      if let dimensions = solutions[index].dimensions { best = max(best ?? 0, dimensions) }
    }
    return best
  }

  /// True when a talker did not report that it has no fix. Its GSA counts for that when no other GSA reports a fix, for
  /// many receivers send one GSA for each system, and the rest under one talker.
  private func isUsable(_ index: Int) -> Bool {
    !solutions[index].isVoid && (solutions[index].dimensions != 1 || bestDimensions != 1)
  }

  /// The talker whose position counts: the one with the best source, the one for all systems before single ones.
  private var best: Int? {
    if isVoid || solutions[0].isVoid { return nil }
    var best: Int?
    for index in 0..<solutions.count where solutions[index].location != nil && isUsable(index) {
      if solutions[index].rank.rawValue > best.map({ solutions[$0].rank.rawValue }) ?? 0 { best = index }
    }
    return best
  }

  /// A value of the best solution, or of the first other one that has it.
  private func value<Value>(_ best: Int, _ read: (FixSolution) -> Value?) -> Value? {
    if let value = read(solutions[best]) { return value }
    for index in 0..<solutions.count where isUsable(index) {
      if let value = read(solutions[index]) { return value }
    }
    return nil
  }

  /// 2 or 3 by GSA, or by a message that is complete by itself.
  private func dimensions(_ best: Int) -> UInt8? {
    if let own = solutions[best].dimensions, own > 1 { return own }
    return bestDimensions.flatMap { $0 > 1 ? $0 : nil }
  }

  // MARK: Results

  /// How the position was determined; none when there is none.
  var mode: Fix.Mode {
    guard let best else { return .none }
    if let named = solutions[best].namedMode ?? solutions[0].namedMode { return named }
    let dimensions = dimensions(best)
    // Some receivers report quality 1 without a satellite. That height was not measured.
    if dimensions == nil, value(best, { $0.satellites }) == 0 { return .twoDimensions }
    if let dimensions = dimensions ?? earlier.dimensions {
      return dimensions == 2 ? .twoDimensions : .threeDimensions
    }
    return (value(best) { $0.altitude } ?? earlier.altitude) == nil ? .twoDimensions : .threeDimensions
  }

  /// The first date that is plausible: of ZDA or UBX, of the best solution, of the others, and of those without a fix.
  private func instant(earliest: Int64) -> Int64? {
    func plausible(_ date: CivilDate?) -> Int64? {
      FixDate.instant(of: date, timeOfDay: Int64(timeOfDay), earliest: earliest)
    }
    if let instant = plausible(date) { return instant }
    if let best, let instant = plausible(solutions[best].date) { return instant }
    for index in 0..<solutions.count where isUsable(index) {
      if let instant = plausible(solutions[index].date) { return instant }
    }
    for index in 0..<solutions.count where !isUsable(index) {
      if let instant = plausible(solutions[index].date) { return instant }
    }
    return nil
  }

  /// The time by the receiver's own date, if plausible.
  func time(earliest: Int64) -> GNSSTime? {
    guard Int64(timeOfDay) < FixDate.day, let instant = instant(earliest: earliest) else { return nil }
    // NMEA does not report whether the receiver knows the leap seconds. With a fix by satellites it usually does.
    return GNSSTime(instant: instant, arrival: arrival, isFullyResolved: isResolved ?? mode.isMeasured)
  }

  /// The fix of this epoch: nil without a valid position.
  /// - Parameters:
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  ///   - earliest: the first plausible instant, likewise.
  func fix(wall: Int64, earliest: Int64) throws(UndatedFix) -> Fix? {
    let mode = mode
    guard let best, mode != .none, let location = solutions[best].location else { return nil }
    let instant =
      instant(earliest: earliest)
      ?? FixDate.instant(of: nil, timeOfDay: Int64(timeOfDay), wall: wall, earliest: earliest)
    guard let instant else { throw UndatedFix() }
    let hdop = value(best) { $0.hdop } ?? earlier.hdop
    let accuracy = FixAccuracy.meters(
      estimate: value(best) { $0.horizontalError } ?? earlier.horizontalError, hdop: hdop, isMeasured: mode.isMeasured)
    let speed = value(best) { $0.speed }
    var fix = Fix(
      latitude: location.latitude, longitude: location.longitude, accuracy: accuracy.meters, speed: speed,
      heading: FixMotion.isMoving(speed) ? value(best) { $0.course } : nil, instant: instant, arrival: arrival,
      isMeasured: mode.isMeasured, mode: mode, satellites: value(best) { $0.satellites } ?? earlier.satellites,
      hdop: hdop.flatMap { $0 > 0 ? $0 : nil }, accuracySource: accuracy.source)
    // A height of two dimensions is assumed.
    if mode != .twoDimensions {
      fix.altitude = value(best) { $0.altitude } ?? earlier.altitude
      let error = value(best) { $0.verticalError } ?? earlier.verticalError
      fix.verticalAccuracy = error.flatMap { $0 > 0 ? $0 : nil }
    }
    return fix
  }
}

/// There is a position, but no date.
struct UndatedFix: Error {}
