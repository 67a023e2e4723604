import Codec

/// The last reports of a gpsd.
struct GPSDState {
  var mode = Fix.Mode.none
  /// Geometry and satellites in use of a SKY since the last position.
  var hdop: Double?
  var used: UInt32?
  /// The instant of its newest fix.
  var instant: Int64?
  /// The instant of a fix out of order, which was dropped.
  var dropped: Int64?
  /// The receiver of the newest fix, until it reports that it has none, and when that fix arrived.
  var followed: (device: GPSDDevice, arrival: Int64)?
  /// The receiver of the newest list of satellites.
  var lister = GPSDDevice()

  /// True for another receiver than the one that has a fix: what it lacks says nothing about that, and two receivers
  /// must not take turns.
  func isAside(_ device: GPSDDevice, _ arrival: Int64) -> Bool {
    guard let followed, arrival - followed.arrival < FixTracker.asideMax else { return false }
    return device != followed.device
  }
}

extension FixTracker {
  /// Takes the next report of a gpsd, instead of a receiver's messages. The daemon itself joins the messages of one
  /// epoch; a second report of the same instant improves the fix.
  /// - Parameters:
  ///   - arrival: when it arrived, in milliseconds of `Clock.monotonic`.
  ///   - wall: milliseconds since the Unix epoch, for an implausible date.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func accept(_ report: GPSDReport, at arrival: Int64, wall: Int64) -> Bool {
    var state = daemon ?? GPSDState()
    defer { daemon = state }
    switch report {
    case .sky(let received):
      state.lister = received.device
      if state.isAside(received.device, arrival) { break }
      state.hdop = received.hdop ?? state.hdop
      state.used = received.used ?? state.used
      if received.count != nil { satellitesInView.beginList(arrival) }
    case .satellite(let satellite, let signal):
      if state.isAside(state.lister, arrival) { break }
      satellitesInView.addToList(satellite, signal: signal, arrival)
    case .position(let position): return accept(position, &state, arrival, wall)
    case .version, .devices, .error: break
    }
    return false
  }

  private mutating func accept(
    _ position: GPSDPosition, _ state: inout GPSDState, _ arrival: Int64, _ wall: Int64
  ) -> Bool {
    if state.isAside(position.device, arrival) { return false }
    state.mode = position.place == nil ? .none : position.mode
    if state.mode == .none { state.followed = nil }
    guard let received = position.instant, received >= 0 else { return false }
    let (date, timeOfDay) = (CivilDate(daysSinceEpoch: received / FixDate.day), received % FixDate.day)
    var epoch = FixEpoch(timeOfDay: UInt32(timeOfDay), arrival: arrival, earlier: carried.values(at: arrival))
    epoch.merge(position, on: date, hdop: state.hdop, used: state.used)
    (state.hdop, state.used) = (nil, nil)
    let instant = FixDate.instant(
      of: date, timeOfDay: timeOfDay, wall: calendar(arrival, wall), earliest: earliest)
    receive(epoch.time(earliest: earliest), position)
    guard let fix = dated(epoch, calendar(arrival, wall)) else {
      // A warning withdraws the fix of the same instant.
      if let instant, instant == state.instant { latest = nil }
      if state.mode == .none { carried = CarriedValues() }
      return false
    }
    state.followed = (device: position.device, arrival: arrival)
    return keep(fix, epoch, &state)
  }

  /// The daemon's time. A second report of the same instant is no later time.
  private mutating func receive(_ received: GNSSTime?, _ position: GPSDPosition) {
    guard let received, received.instant != time?.instant else { return }
    time = GNSSTime(
      instant: received.instant, arrival: received.arrival,
      isFullyResolved: position.hasLeapSeconds || received.isFullyResolved)
  }

  private mutating func dated(_ epoch: FixEpoch, _ wall: Int64) -> Fix? {
    do throws(UndatedFix) {
      lacksDate = false
      return try epoch.fix(wall: wall, earliest: earliest)
    } catch {
      lacksDate = true
      return nil
    }
  }

  /// Makes a fix the newest one, unless it is out of order.
  private mutating func keep(_ fix: Fix, _ epoch: FixEpoch, _ state: inout GPSDState) -> Bool {
    let instant = fix.instant
    if let last = state.instant, instant < last {
      // If the next one continues it, the daemon's clock was set back.
      guard let dropped = state.dropped, instant > dropped else {
        state.dropped = instant
        return false
      }
    }
    let isNew = instant != state.instant || latest == nil
    var fix = fix
    if !isNew, let first = latest { fix.arrival = first.arrival }
    if instant != state.instant, let reported = epoch.reported { carried.take(reported, at: fix.arrival) }
    (state.dropped, state.instant) = (nil, instant)
    latest = fix
    return isNew
  }
}
