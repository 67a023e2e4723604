import Codec

/// The last reports of a gpsd.
struct GPSDState {
  var mode = Fix.Mode.none
  var hdop: Double?
  var used: UInt32?
  /// The instant of its newest fix.
  var instant: Int64?
  /// The instant of a fix out of order, which was dropped.
  var dropped: Int64?
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
      state.hdop = received.hdop ?? state.hdop
      state.used = received.used ?? state.used
      if received.count != nil { satellitesInView.beginList(arrival) }
    case .satellite(let satellite, let signal): satellitesInView.addToList(satellite, signal: signal, arrival)
    case .position(let position): return accept(position, &state, arrival, wall)
    case .version, .devices, .error: break
    }
    return false
  }

  private mutating func accept(
    _ position: GPSDPosition, _ state: inout GPSDState, _ arrival: Int64, _ wall: Int64
  ) -> Bool {
    state.mode = position.place == nil ? .none : position.mode
    guard let instant = believed(position, state.mode, arrival, wall) else { return false }
    guard let place = position.place, state.mode != .none else {
      // A warning withdraws the fix of the same instant.
      if instant == state.instant, latest?.instant == instant { latest = nil }
      return false
    }
    if let last = state.instant, instant < last {
      // If the next one continues it, the daemon's clock was set back.
      guard let dropped = state.dropped, instant > dropped else {
        state.dropped = instant
        return false
      }
    }
    state.dropped = nil
    var fix = position.fix(at: place, state, instant: instant, arrival: arrival)
    let isNew = instant != state.instant || latest?.instant != instant
    if !isNew, let first = latest { fix.arrival = first.arrival }
    state.instant = instant
    latest = fix
    return isNew
  }

  /// The instant of a report, on a day that can be believed.
  private mutating func believed(
    _ position: GPSDPosition, _ mode: Fix.Mode, _ arrival: Int64, _ wall: Int64
  ) -> Int64? {
    guard let received = position.instant, received >= 0 else { return nil }
    let date = CivilDate(daysSinceEpoch: received / FixDate.day)
    if let instant = FixDate.instant(of: date, timeOfDay: received % FixDate.day, earliest: earliest) {
      lacksDate = false
      if instant != time?.instant {
        time = GNSSTime(
          instant: instant, arrival: arrival, isFullyResolved: position.hasLeapSeconds || mode != .none)
      }
      return instant
    }
    let instant = FixDate.instant(of: nil, timeOfDay: received % FixDate.day, wall: wall, earliest: earliest)
    lacksDate = mode != .none && instant == nil
    return instant
  }
}

extension GPSDPosition {
  fileprivate func fix(at place: GNSSPlace, _ state: GPSDState, instant: Int64, arrival: Int64) -> Fix {
    let speed = speed.flatMap { FixMotion.speed($0) }
    let accuracy = FixAccuracy.meters(estimate: horizontalMeters, hdop: state.hdop, isMeasured: mode.isMeasured)
    return Fix(
      latitude: place.latitude, longitude: place.longitude, accuracy: accuracy.meters,
      altitude: altitudeMeters.flatMap { FixMotion.altitude($0) }, speed: speed,
      heading: FixMotion.isMoving(speed) ? courseDegrees.flatMap { FixMotion.course($0) } : nil, instant: instant,
      arrival: arrival, isMeasured: mode.isMeasured, mode: mode, satellites: state.used,
      hdop: state.hdop.flatMap { $0 > 0 ? $0 : nil }, verticalAccuracy: verticalMeters.flatMap { $0 > 0 ? $0 : nil },
      accuracySource: accuracy.source)
  }
}
