import Codec

/// Makes fixes of messages: joins those of the same epoch, keeps the newest fix, and drops messages that are out of
/// order.
///
/// Receivers send the messages of an epoch in any order and selection. Messages with positions begin epochs, each at
/// its own time; messages with only time or errors join them, with timestamps that may differ (`EpochClock`). A fix is
/// made as soon as GGA (or GNS) and RMC are there, or NAV-PVT, or everything that the previous epoch had, and at the
/// latest when the next epoch begins.
public struct FixTracker: ~Copyable {
  /// A message of an epoch that has not begun, or of a type whose time offset is not known yet.
  private struct Held {
    var message: GNSSMessage
    var kind: EpochClock.Kind
    var time: UInt32
    var arrival: Int64
  }

  /// An epoch out of order.
  private struct Dropped {
    var kind: EpochClock.Kind
    var talker: NMEATalker
    var moment: UInt32
    /// How many there were in a row.
    var count = 1
  }

  /// What is known of epochs that are complete or over.
  private struct Settled {
    /// The mode of the newest.
    var mode = Fix.Mode.none
    /// How many more are complete only when they are over.
    var caution: UInt8 = 0
  }

  /// Milliseconds for which a message is held. The slowest receivers send every ten seconds, and at the same time of
  /// the next day it must be gone.
  private static let heldMax: Int64 = 20_000
  /// Milliseconds without an epoch after which a system without a fix begins one: talkers change with the systems that
  /// are in use (NMEA 0183 4.0), and GP alone may speak when GN no longer does. The slowest receivers send every ten
  /// seconds.
  static let asideMax: Int64 = 15_000
  /// Milliseconds between stamps of one cycle.
  private static let cycleMax: Int32 = 2_000
  /// Epochs out of order, all of one type, after which that is the receiver's time: the type that it went by is gone.
  private static let droppedMax = 10
  /// Epochs whose fix is made at their end, after one that a late message took back: such a receiver says first one
  /// thing and then another in each epoch, and the answer must not depend on when it is asked for.
  private static let cautionMax: UInt8 = 60

  /// The newest fix, however old.
  public internal(set) var latest: Fix?
  /// The complete fix of the previous epoch; nil when it had none.
  public private(set) var finished: Fix?
  /// Counts epochs, to tell them apart.
  public private(set) var epochs: UInt32 = 0
  /// True when the newest position could not be reported because its date is unknown.
  public internal(set) var lacksDate = false
  /// The receiver's newest time with its date, with or without a fix; nil when there is none that is plausible.
  public internal(set) var time: GNSSTime?
  /// The satellites.
  public let satellitesInView = SatellitesInView()
  /// How the newest position was determined; none while there is none.
  public var mode: Fix.Mode { daemon?.mode ?? settled.mode }
  /// The last reports of a gpsd, when that is the source.
  var daemon: GPSDState?
  let earliest: Int64
  private var epoch: FixEpoch?
  private var settled = Settled()
  /// The type and talker of the message that began the epoch.
  private var beginner: (kind: EpochClock.Kind, talker: NMEATalker)?
  /// The usual message types of an epoch, from the last two; nil before the first.
  private var habit: FixEpoch.Kinds?
  private var previousKinds: FixEpoch.Kinds = []
  private var clock = EpochClock()
  var carried = CarriedValues()
  /// At most one of each kind.
  private var held = InlineArray<8, Held?>(repeating: nil)
  /// An epoch out of order, which was dropped. If the next one continues it, the receiver's clock was set back (a leap
  /// second, a restart, a recording that starts over).
  private var dropped: Dropped?
  /// The time of a valid RMC that was dropped: its day is right where the receiver's other messages have none.
  private var droppedTime: GNSSTime?
  private var dilution: UBXDilution?
  private var status: UBXStatus?

  /// A tracker without a fix.
  /// - Parameter isArchive: true for a recording that may be years old, so that dates before the last rollover of the
  ///   week number are right.
  public init(isArchive: Bool = false) {
    earliest = isArchive ? FixDate.gpsEpoch : FixDate.lastRollover
  }

  /// The receiver may have been exchanged, so the state of its messages is reset. The newest fix stays.
  public mutating func receiverRestarted() {
    (lacksDate, time, epoch, habit) = (false, nil, nil, nil)
    (dropped, droppedTime, dilution, status, daemon) = (nil, nil, nil, nil, nil)
    (settled, beginner) = (Settled(), nil)
    (clock, carried, held) = (EpochClock(), CarriedValues(), InlineArray(repeating: nil))
    satellitesInView.clear()
  }

  /// Takes the next message.
  /// - Parameters:
  ///   - arrival: when it arrived, in milliseconds of `Clock.monotonic`.
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func accept(_ message: GNSSMessage, at arrival: Int64, wall: Int64) -> Bool {
    var isNew = false
    if let (kind, time) = message.stamp {
      let talker = message.talker
      // The time of a system without a fix may be wild.
      let isAside = message.isVoid && isAside(talker, arrival)
      let moment = isAside ? time : clock.take(kind, time, at: arrival, epoch: epoch?.timeOfDay)
      if let moment, isAtHand(moment) {
        // Joins it below.
      } else if let moment, !isAside, outranks(message) || begins(kind, talker, moment) {
        isNew = begin(moment, arrival, wall)
        beginner = (kind, talker)
      } else {
        if let time = message.datedTime(arrival, earliest: earliest) { droppedTime = time }
        held[Int(kind.rawValue)] = Held(message: message, kind: kind, time: time, arrival: arrival)
        return mergeMotion(message, at: time) && publish(wall)
      }
    }
    satellitesInView.accept(message, epoch: epochs, at: arrival)
    // A message of a type that never has a time belongs to the current epoch.
    guard message.stamp != nil || message.isTimeless else { return false }
    merge(message)
    if let received = epoch?.time(earliest: earliest) { time = received }
    return publish(wall) || isNew
  }

  /// Makes a fix of the current epoch, when no more messages of it will come.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func finish(wall: Int64) -> Bool {
    var isNew = beginHeld(wall: wall)
    isNew = finishEpoch(wall) || isNew
    epoch = nil
    return isNew
  }

  /// Begins the epoch of positions whose time offset is still unknown, when no further messages will come. `finish`
  /// does so too; this is for callers that need `finished` of the epoch before.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func beginHeld(wall: Int64) -> Bool {
    guard let current = epoch else { return false }
    for index in 0..<held.count {
      guard let early = held[index], early.kind.hasPosition, clock.moment(early.kind, early.time) == nil,
        EpochClock.step(from: current.timeOfDay, to: early.time) > 0
      else { continue }
      return begin(early.time, early.arrival, wall)
    }
    return false
  }

  /// Begins an epoch with the messages that were held for it.
  private mutating func begin(_ moment: UInt32, _ arrival: Int64, _ wall: Int64) -> Bool {
    let isNew = finishEpoch(wall)
    epoch = FixEpoch(timeOfDay: moment, arrival: arrival, earlier: carried.values(at: arrival))
    epochs &+= 1
    dropped = nil
    for index in 0..<held.count {
      guard let early = held[index], clock.place(early.kind, early.time, in: moment) else { continue }
      held[index] = nil
      if arrival - early.arrival > Self.heldMax { continue }
      epoch?.began(at: early.arrival)
      merge(early.message)
    }
    return isNew
  }

  private mutating func merge(_ message: GNSSMessage) {
    switch message {
    case .nmea(let sentence): epoch?.merge(sentence)
    case .ubx(.pvt(let position)): epoch?.merge(position)
    case .ubx(.time(let time)): epoch?.merge(time)
    case .ubx(.dilution(let received)): dilution = received
    case .ubx(.status(let received)): status = received
    case .ubx, .vendor: break
    }
    epoch?.merge(dilution, status)
  }

  /// Gives motion and date of a sentence that is out of order to the current epoch, whose stamp is another one of the
  /// same cycle. The place is that of its own stamp. False when it is no such sentence.
  private mutating func mergeMotion(_ message: GNSSMessage, at stamp: UInt32) -> Bool {
    guard case .nmea(.rmc(let minimum)) = message, let epoch,
      abs(EpochClock.step(from: epoch.timeOfDay, to: stamp)) <= Self.cycleMax
    else { return false }
    self.epoch?.mergeMotion(minimum)
    return true
  }

  /// Makes a fix of an epoch that has ended, and remembers which message types it had.
  private mutating func finishEpoch(_ wall: Int64) -> Bool {
    finished = nil
    guard let done = epoch else { return false }
    if done.hasPosition {
      settled.mode = done.mode
      if settled.caution > 0 { settled.caution -= 1 }
      // Types that come only with every second position are not awaited.
      habit = habit == nil ? done.kinds : done.kinds.intersection(previousKinds)
      previousKinds = done.kinds
      if let reported = done.reported { carried.take(reported, at: done.arrival) } else { carried = CarriedValues() }
    }
    let isNew = !done.isPublished && makeLatest(of: done, wall)
    if done.isPublished || isNew { finished = latest }
    return isNew
  }

  /// Makes a fix of the current epoch when it is complete. Later messages of it improve the fix, or withdraw it.
  private mutating func publish(_ wall: Int64) -> Bool {
    guard let current = epoch else { return false }
    if current.isPublished {
      settled.mode = current.mode
      if !makeLatest(of: current, wall) { (latest, settled.caution) = (nil, Self.cautionMax) }
      return false
    }
    guard settled.caution == 0, current.isComplete(like: habit ?? []) else { return false }
    settled.mode = current.mode
    guard makeLatest(of: current, wall) else { return false }
    epoch?.isPublished = true
    return true
  }

  private mutating func makeLatest(of epoch: FixEpoch, _ wall: Int64) -> Bool {
    do throws(UndatedFix) {
      lacksDate = false
      guard let fix = try epoch.fix(wall: calendar(epoch.arrival, wall), earliest: earliest) else {
        return false
      }
      latest = fix
      return true
    } catch {
      lacksDate = true
      return false
    }
  }

  /// The day for an epoch without a date: from the receiver's last date, else from the board's clock.
  func calendar(_ arrival: Int64, _ wall: Int64) -> Int64 {
    (time ?? droppedTime).map { $0.instant + (arrival - $0.arrival) } ?? wall
  }

  /// True when `moment` is that of the current epoch.
  private func isAtHand(_ moment: UInt32) -> Bool {
    epoch.map { EpochClock.isSame(moment, $0.timeOfDay) } ?? false
  }

  /// True for a single system when another talker began the epoch: without a fix it does not begin one.
  private func isAside(_ talker: NMEATalker, _ arrival: Int64) -> Bool {
    guard talker != .combined, let beginner, let epoch, arrival - epoch.arrival < Self.asideMax else { return false }
    return beginner.talker != talker
  }

  /// True for a message with a position after an epoch of one other system that has none, whatever its time.
  private func outranks(_ message: GNSSMessage) -> Bool {
    guard let epoch, let beginner, beginner.talker != .combined, beginner.talker != message.talker else { return false }
    return message.hasPlace && !message.isVoid && epoch.mode == .none
  }

  /// True when a message of this type begins an epoch at `moment`, which is after the current one, midnight included.
  private mutating func begins(_ kind: EpochClock.Kind, _ talker: NMEATalker, _ moment: UInt32) -> Bool {
    // A message without a position does not begin an epoch.
    if !kind.hasPosition, clock.hasPositions { return false }
    guard let current = epoch, current.hasPosition else { return true }
    if EpochClock.step(from: current.timeOfDay, to: moment) <= 0, !continuesDropped(kind, talker, moment) {
      return false
    }
    return true
  }

  /// Takes a message out of order: true when it continues the ones before, so that the receiver's clock was set back.
  /// The type that began the current epoch shows that at once. Other types may always be behind it.
  private mutating func continuesDropped(
    _ kind: EpochClock.Kind, _ talker: NMEATalker, _ moment: UInt32
  ) -> Bool {
    let isUsual = beginner.map { $0.kind == kind && $0.talker == talker } ?? false
    guard let last = dropped else {
      dropped = Dropped(kind: kind, talker: talker, moment: moment)
      return false
    }
    let isSameType = last.kind == kind && last.talker == talker
    guard isUsual || isSameType else { return false }
    let isLater = EpochClock.step(from: last.moment, to: moment) > 0 && !EpochClock.isSame(last.moment, moment)
    if isLater, isUsual || last.count >= Self.droppedMax { return true }
    dropped = Dropped(kind: kind, talker: talker, moment: moment, count: isSameType && isLater ? last.count + 1 : 1)
    return false
  }
}

extension GNSSMessage {
  /// The message's type and timestamp: UTC since midnight in milliseconds; nil when it has none.
  fileprivate var stamp: (kind: EpochClock.Kind, time: UInt32)? {
    switch self {
    case .nmea(let sentence): sentence.stamp
    case .ubx(.pvt(let position)): position.time.timeOfDayMilliseconds.map { (.pvt, $0) }
    case .ubx(.time(let time)): time.timeOfDayMilliseconds.map { (.timeUTC, $0) }
    case .ubx, .vendor: nil
    }
  }

  /// Who speaks; a message of UBX is about all systems.
  fileprivate var talker: NMEATalker {
    switch self {
    case .nmea(.gga(let fix)): fix.talker
    case .nmea(.rmc(let minimum)): minimum.talker
    case .nmea(.gns(let fix)): fix.talker
    case .nmea(.gll(let place)): place.talker
    case .nmea, .ubx, .vendor: .combined
    }
  }

  /// True when it has a position, or room for one that is empty.
  fileprivate var hasPlace: Bool { stamp?.kind.hasPosition == true }

  /// True when it reports that there is no fix.
  fileprivate var isVoid: Bool {
    switch self {
    case .nmea(.gga(let fix)): fix.place == nil || (fix.quality ?? 0) == 0
    case .nmea(.rmc(let minimum)):
      minimum.place == nil || !minimum.isValid || minimum.isUnsafe || minimum.mode == NMEAMode.none
    case .nmea(.gns(let fix)): fix.place == nil || fix.isUnsafe || (fix.mode ?? NMEAMode.none) == NMEAMode.none
    case .nmea(.gll(let place)): place.place == nil || !place.isValid || place.mode == NMEAMode.none
    case .nmea, .ubx, .vendor: false
    }
  }

  /// The time of a valid RMC with a plausible date.
  fileprivate func datedTime(_ arrival: Int64, earliest: Int64) -> GNSSTime? {
    guard case .nmea(.rmc(let minimum)) = self, minimum.isValid, let time = minimum.timeOfDayMilliseconds,
      let instant = FixDate.instant(of: minimum.date, timeOfDay: Int64(time), earliest: earliest)
    else { return nil }
    return GNSSTime(instant: instant, arrival: arrival, isFullyResolved: false)
  }

  /// True for a type that never has a time of day.
  fileprivate var isTimeless: Bool {
    switch self {
    case .nmea(.vtg), .nmea(.gsa), .ubx(.dilution), .ubx(.status): true
    case .nmea, .ubx, .vendor: false
    }
  }
}

extension NMEASentence {
  fileprivate var stamp: (kind: EpochClock.Kind, time: UInt32)? {
    switch self {
    case .gga(let fix): fix.timeOfDayMilliseconds.map { (.gga, $0) }
    case .rmc(let minimum): minimum.timeOfDayMilliseconds.map { (.rmc, $0) }
    case .gns(let fix): fix.timeOfDayMilliseconds.map { (.gns, $0) }
    case .gll(let place): place.timeOfDayMilliseconds.map { (.gll, $0) }
    case .zda(let time): time.timeOfDayMilliseconds.map { (.zda, $0) }
    case .gst(let errors): errors.timeOfDayMilliseconds.map { (.gst, $0) }
    // GBS is not used for fixes.
    case .vtg, .gsa, .gsv, .gbs: nil
    }
  }
}
