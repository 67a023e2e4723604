import Codec

/// Makes fixes of messages: joins those that tell the same instant, keeps the newest fix, and drops what comes out of
/// order.
///
/// Receivers send the messages of an epoch in any order and choice. A fix is made as soon as GGA (or GNS) and RMC are
/// there, or NAV-PVT, or whatever the epoch before had, and at the latest when the next epoch begins.
public struct FixTracker: ~Copyable {
  private static let day: UInt32 = 86_400_000
  /// Times of one epoch in two protocols may differ by what they round, in milliseconds.
  private static let sameEpochMax: UInt32 = 5
  /// Epochs out of order, one after the other, until the receiver's clock counts as set back (a leap second learned, a
  /// restart, a recording that begins anew).
  private static let outOfOrderMax = 2

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
  private var previousKinds: FixEpoch.Kinds = []
  private var outOfOrder = 0
  private var lastOutOfOrder: UInt32?
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
    (lacksDate, time, epoch, previousKinds) = (false, nil, nil, [])
    (outOfOrder, lastOutOfOrder, dilution, status) = (0, nil, nil, nil)
    daemon = nil
    sky.clear()
  }

  /// Takes the next message.
  /// - Parameters:
  ///   - arrival: when it arrived, in milliseconds of `Clock.monotonic`.
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func accept(_ message: GNSSMessage, at arrival: Int64, wall: Int64) -> Bool {
    var isNew = false
    if let timeOfDay = message.timeOfDay, !isAtHand(timeOfDay) {
      guard follows(timeOfDay) else { return false }
      isNew = finishEpoch(wall)
      epoch = FixEpoch(timeOfDay: timeOfDay, arrival: arrival)
      epochs &+= 1
    }
    sky.accept(message, epoch: epochs, at: arrival)
    // A message without a time belongs to the epoch at hand if it is of the kind that never has one.
    guard message.timeOfDay != nil || message.isTimeless else { return false }
    merge(message)
    if let told = epoch?.time(earliest: earliest) { time = told }
    return publish(wall) || isNew
  }

  /// Makes a fix of the epoch at hand, for nothing more will be said of it.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func finish(wall: Int64) -> Bool {
    let isNew = finishEpoch(wall)
    epoch = nil
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
    previousKinds = done.kinds
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
    guard current.isComplete(like: previousKinds), makeLatest(of: current, wall) else { return false }
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

  /// True when `timeOfDay` is that of the epoch at hand.
  private func isAtHand(_ timeOfDay: UInt32) -> Bool {
    guard let current = epoch?.timeOfDay else { return false }
    return max(timeOfDay, current) - min(timeOfDay, current) <= Self.sameEpochMax
  }

  /// True when an epoch at `timeOfDay` comes after the one at hand, midnight included.
  private mutating func follows(_ timeOfDay: UInt32) -> Bool {
    guard let last = epoch?.timeOfDay else { return true }
    // Up to 86,400,999 within a leap second, and then 0.
    let step = (timeOfDay % Self.day + Self.day - min(last, Self.day - 1)) % Self.day
    if step > Self.day / 2 {
      if timeOfDay == lastOutOfOrder { return false }
      lastOutOfOrder = timeOfDay
      outOfOrder += 1
      if outOfOrder <= Self.outOfOrderMax { return false }
    }
    outOfOrder = 0
    lastOutOfOrder = nil
    return true
  }
}

extension GNSSMessage {
  /// UTC since midnight in milliseconds, when the message tells.
  fileprivate var timeOfDay: UInt32? {
    switch self {
    case .nmea(let sentence): sentence.timeOfDay
    case .ubx(.pvt(let position)): position.time.timeOfDayMilliseconds
    case .ubx(.time(let time)): time.timeOfDayMilliseconds
    case .ubx: nil
    }
  }

  /// True for a kind that never tells a time of day.
  fileprivate var isTimeless: Bool {
    switch self {
    case .nmea(let sentence): sentence.isTimeless
    case .ubx(.dilution): true
    case .ubx(.status): true
    case .ubx: false
    }
  }
}

extension NMEASentence {
  fileprivate var timeOfDay: UInt32? {
    switch self {
    case .gga(let fix): fix.timeOfDayMilliseconds
    case .rmc(let minimum): minimum.timeOfDayMilliseconds
    case .gns(let fix): fix.timeOfDayMilliseconds
    case .gll(let place): place.timeOfDayMilliseconds
    case .zda(let time): time.timeOfDayMilliseconds
    case .gst(let errors): errors.timeOfDayMilliseconds
    case .gbs(let fault): fault.timeOfDayMilliseconds
    case .vtg, .gsa, .gsv: nil
    }
  }

  fileprivate var isTimeless: Bool {
    switch self {
    case .vtg, .gsa: true
    default: false
    }
  }
}
