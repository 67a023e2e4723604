import Codec

/// Makes fixes of messages: joins those that tell the same instant, keeps the newest fix, and drops what comes out of
/// order.
///
/// Receivers send the messages of an epoch in any order and choice, and with stamps that may differ (`EpochClock`). What
/// tells positions begins epochs; what tells only the time, or errors, joins them. A fix is made as soon as GGA (or GNS) and RMC are
/// there, or NAV-PVT, or whatever the epoch before had, and at the latest when the next epoch begins.
public struct FixTracker: ~Copyable {
  /// A message of an epoch that has not begun, or of a kind whose stamps are not understood yet.
  private struct Held {
    var message: GNSSMessage
    var kind: EpochClock.Kind
    var time: UInt32
    var arrival: Int64
  }

  /// The newest fix, however old.
  public internal(set) var latest: Fix?
  /// The fix of the epoch before the one at hand, with everything that was said of it; nil when that was none.
  public private(set) var finished: Fix?
  /// Counts epochs, to tell them apart.
  public private(set) var epochs: UInt32 = 0
  /// True when the newest position could not be reported for want of a date.
  public internal(set) var lacksDate = false
  /// The newest moment that the receiver told with its date, with a fix or without; nil when it has told none that can
  /// be believed.
  public internal(set) var time: GNSSTime?
  /// The satellites.
  public let sky = Sky()
  /// What the newest position was made from; none while there is none.
  public var mode: Fix.Mode { daemon?.mode ?? epoch?.mode ?? .none }
  /// What a gpsd told last, when that is the source.
  var daemon: GPSDState?
  let earliest: Int64
  private var epoch: FixEpoch?
  /// What an epoch consists of, by the last two; nil before the first.
  private var habit: FixEpoch.Kinds?
  private var previousKinds: FixEpoch.Kinds = []
  private var clock = EpochClock()
  private var rhythm = FixRhythm()
  /// At most one of each kind.
  private var held = InlineArray<8, Held?>(repeating: nil)
  /// An epoch out of order, which was dropped. If the next one continues it, the receiver's clock was set back (a leap
  /// second learned, a restart, a recording that begins anew).
  private var dropped: (kind: EpochClock.Kind, moment: UInt32)?
  private var dilution: UBXDilution?
  private var status: UBXStatus?

  /// A tracker that knows nothing.
  /// - Parameter isArchive: true when what it will read may be years old, so that dates from before the last rollover
  ///   of
  ///   the week number are true.
  public init(isArchive: Bool = false) {
    earliest = isArchive ? FixDate.gpsEpoch : FixDate.lastRollover
  }

  /// The receiver may have been exchanged: what it says next continues nothing. The newest fix stays.
  public mutating func receiverRestarted() {
    (lacksDate, time, epoch, habit) = (false, nil, nil, nil)
    (dropped, dilution, status, daemon) = (nil, nil, nil, nil)
    (clock, rhythm, held) = (EpochClock(), FixRhythm(), InlineArray(repeating: nil))
    sky.clear()
  }

  /// Takes the next message.
  /// - Parameters:
  ///   - arrival: when it arrived, in milliseconds of `Clock.monotonic`.
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func accept(_ message: GNSSMessage, at arrival: Int64, wall: Int64) -> Bool {
    var isNew = false
    if let (kind, time) = message.stamp {
      let moment = clock.take(kind, time, at: arrival, epoch: epoch?.timeOfDay)
      if let moment, isAtHand(moment) {
        // Joins it below.
      } else if let moment, begins(kind, moment) {
        isNew = begin(moment, arrival, wall)
      } else {
        held[Int(kind.rawValue)] = Held(message: message, kind: kind, time: time, arrival: arrival)
        return false
      }
    }
    sky.accept(message, epoch: epochs, at: arrival)
    // A message without a time belongs to the epoch at hand if it is of the kind that never has one.
    guard message.stamp != nil || message.isTimeless else { return false }
    merge(message)
    if let told = epoch?.time(earliest: earliest) { time = told }
    return publish(wall) || isNew
  }

  /// Makes a fix of the epoch at hand, for nothing more will be said of it.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func finish(wall: Int64) -> Bool {
    var isNew = beginHeld(wall: wall)
    isNew = finishEpoch(wall) || isNew
    epoch = nil
    return isNew
  }

  /// Begins the epoch of positions that waited for the stamps of their kind to be understood, for nothing comes that
  /// could tell. `finish` does so too; this is for those who want `finished` of the epoch before.
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

  /// Begins the epoch of a moment, with what was held for it.
  private mutating func begin(_ moment: UInt32, _ arrival: Int64, _ wall: Int64) -> Bool {
    let isNew = finishEpoch(wall)
    epoch = FixEpoch(timeOfDay: moment, arrival: arrival, earlier: rhythm.values(at: arrival))
    epochs &+= 1
    for index in 0..<held.count {
      guard let early = held[index], clock.place(early.kind, early.time, in: moment) else { continue }
      held[index] = nil
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
    case .ubx(.dilution(let told)): dilution = told
    case .ubx(.status(let told)): status = told
    case .ubx: break
    }
    epoch?.merge(dilution, status)
  }

  /// Makes a fix of an epoch that got no further, and remembers what such an epoch consists of.
  private mutating func finishEpoch(_ wall: Int64) -> Bool {
    finished = nil
    guard let done = epoch else { return false }
    if done.hasPosition {
      // What comes with every second position only is not waited for.
      habit = habit == nil ? done.kinds : done.kinds.intersection(previousKinds)
      previousKinds = done.kinds
      if let told = done.told { rhythm.take(told, at: done.arrival) } else { rhythm = FixRhythm() }
    }
    let isNew = !done.isPublished && makeLatest(of: done, wall)
    if done.isPublished || isNew { finished = latest }
    return isNew
  }

  /// Makes a fix of the epoch at hand when it is complete. What comes later improves the fix, or takes it back.
  private mutating func publish(_ wall: Int64) -> Bool {
    guard let current = epoch else { return false }
    if current.isPublished {
      if !makeLatest(of: current, wall) { latest = nil }
      return false
    }
    guard current.isComplete(like: habit ?? []), makeLatest(of: current, wall) else { return false }
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

  /// What tells the day when an epoch does not: the receiver's last date, and only without one the board's clock.
  private func calendar(_ arrival: Int64, _ wall: Int64) -> Int64 {
    time.map { $0.instant + (arrival - $0.arrival) } ?? wall
  }

  /// True when `moment` is that of the epoch at hand.
  private func isAtHand(_ moment: UInt32) -> Bool {
    epoch.map { EpochClock.isSame(moment, $0.timeOfDay) } ?? false
  }

  /// True when a message of this kind begins an epoch at `moment`: that comes after the one at hand, midnight included.
  private mutating func begins(_ kind: EpochClock.Kind, _ moment: UInt32) -> Bool {
    // What tells no position waits for what does.
    if !kind.hasPosition, clock.hasPositions { return false }
    guard let current = epoch, current.hasPosition else { return true }
    if EpochClock.step(from: current.timeOfDay, to: moment) <= 0 {
      let isAnchor = kind == clock.anchor
      let continues = dropped.map {
        (isAnchor || kind == $0.kind) && EpochClock.step(from: $0.moment, to: moment) > 0
          && !EpochClock.isSame($0.moment, moment)
      }
      if continues != true {
        if isAnchor || dropped == nil { dropped = (kind, moment) }
        return false
      }
    }
    dropped = nil
    return true
  }
}

extension GNSSMessage {
  /// Which clock stamps the message, and the stamp: UTC since midnight in milliseconds; nil when it has none.
  fileprivate var stamp: (kind: EpochClock.Kind, time: UInt32)? {
    switch self {
    case .nmea(let sentence): sentence.stamp
    case .ubx(.pvt(let position)): position.time.timeOfDayMilliseconds.map { (.pvt, $0) }
    case .ubx(.time(let time)): time.timeOfDayMilliseconds.map { (.timeUTC, $0) }
    case .ubx: nil
    }
  }

  /// True for a kind that never tells a time of day.
  fileprivate var isTimeless: Bool {
    switch self {
    case .nmea(.vtg), .nmea(.gsa), .ubx(.dilution), .ubx(.status): true
    case .nmea, .ubx: false
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
    // A fix takes nothing from GBS.
    case .vtg, .gsa, .gsv, .gbs: nil
    }
  }
}
