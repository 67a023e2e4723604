// SensePart: position, motion, device readings and notifications: their commands, reports and records on flash, with
// the modules Location, Motion and Device. It must not know a driver, a camera, sound or a screen.

import Codec
import Device
import Gateway
import Location
import Node
import Runtime

/// `location.get`, and what happens with the position without an invoke: the last fix is kept on flash, the gateway is
/// told of significant moves, the clock is set when it has no other source, and where the configuration says so a track
/// is kept, which a tool and people at the board read.
public final class LocationPart: Part, CommandHandler, LocationDelegate, LocationUpdateDelegate {
  /// What the part needs from the board.
  public struct Board {
    /// The receiver; nil without a configured one.
    public var position: (any PositionSource)?
    /// The store of the last fix, which it must not share, because a worker writes there.
    public var store: any RecordStore
    /// The store of the track, which it must not share either; nil: none is kept.
    public var trackStore: (any RecordStore)?
    public var date: any DateSetter
    /// The boot id of the kernel (`/proc/sys/kernel/random/boot_id`); empty without one.
    public var boot: LastFix.Boot

    /// The parts; see the properties.
    public init(
      position: (any PositionSource)?, store: any RecordStore, trackStore: (any RecordStore)? = nil,
      date: any DateSetter, boot: LastFix.Boot
    ) {
      self.position = position
      self.store = store
      self.trackStore = trackStore
      self.date = date
      self.boot = boot
    }
  }

  private static let rows = [CommandRow("location.get", limit: Budget.locationInvokes)]

  private let service: LocationService
  private let isEnabled: Bool
  private let precision: LocationPrecision
  private let board: Board
  private let keeper: FixKeeper
  private let clockKeeper: ClockKeeper?
  /// The track; nil where none is kept.
  private let track: TrackKeeper?
  private let trackTool: TrackTool?
  /// When what has left the track's window is dropped next.
  private var trackEndsAt = Int64.min
  private var moves: MoveWatch
  private let router: Router
  private let beacon: PresenceBeacon
  private let clock: any Clock

  /// A part without a fix until `start`. `beacon` reports significant moves to the gateway.
  @export(interface)
  public init(
    _ board: Board, settings: LocationSettings, router: Router, beacon: PresenceBeacon, runner: any JobRunner,
    clock: any Clock, log: Log
  ) {
    self.board = board
    self.router = router
    self.beacon = beacon
    self.clock = clock
    isEnabled = settings.isEnabled
    precision = settings.precision
    service = LocationService(settings: settings, clock: clock, log: log)
    keeper = FixKeeper(store: board.store, runner: runner, clock: clock, boot: board.boot, log: log)
    moves = MoveWatch(threshold: settings.significantMove)
    track = Self.track(board, settings, runner, clock, log)
    trackTool = track.map { TrackTool($0.track, precision: settings.precision, router: router) }
    clockKeeper = settings.setsClock ? ClockKeeper(clock: clock, setter: board.date, log: log) : nil
    super.init()
    service.delegate = self
    service.observer = self
    service.restored = { [unowned(unsafe) self] now in self.restored(now) }
    trackTool?.prepare = { [unowned(unsafe) self] in self.endTrack() }
  }

  /// A board without a receiver, or one that may not use it, keeps no track whatever the file says.
  private static func track(
    _ board: Board, _ settings: LocationSettings, _ runner: any JobRunner, _ clock: any Clock, _ log: Log
  ) -> TrackKeeper? {
    guard settings.isEnabled, board.position != nil, let window = settings.track, let store = board.trackStore else {
      return nil
    }
    return TrackKeeper(window: window, store: store, runner: runner, clock: clock, log: log)
  }

  // MARK: Part

  public override var declarationPlace: Int { 1 }

  /// Without a receiver there is nothing to declare.
  public override func addCommands(to router: Router) {
    if board.position != nil { router.add(Self.rows, capability: "location", self) }
    if let trackTool { router.add(forTools: TrackTool.rows, trackTool) }
  }

  public override var permission: (name: StaticString, isGranted: Bool)? {
    ("location", board.position != nil && isEnabled)
  }

  public override var operations: [ControlRow] {
    [
      ControlRow("gps") { (control, call, _) in
        // The exact position, because this is only for people at the board.
        control.finish(call) { self.service.writeReport(to: &$0, now: self.clock.monotonic) }
      },
      ControlRow("track") { self.showTrack($0, $1, $2) },
      ControlRow("track-forget") { (control, call, _) in self.forgetTrack(control, call) },
    ]
  }

  public override func start() {
    keeper.load()
    track?.load()
    if let last = keeper.restored { moves.begin(at: last.fix.place) }
    if let position = board.position { service.start(position) }
  }

  public override func stop() { board.position?.stop() }

  public override func flush() {
    keeper.flush()
    track?.flush()
  }

  public override var isStopped: Bool { keeper.isSettled && track?.isSettled != false }

  public override func boardChanged(_ change: BoardChange) { if change == .serialPorts { board.position?.retry() } }

  public override var nextDeadline: Int64? {
    earliest(earliest(service.nextDeadline, keeper.nextDeadline), track?.nextDeadline)
  }

  public override func advance(to now: Int64) {
    service.advance(to: now)
    keeper.advance(to: now)
    track?.advance(to: now)
    guard now >= trackEndsAt else { return }
    trackEndsAt = now + Budget.trackEndMilliseconds
    endTrack()
  }

  public override func report(to report: inout HardwareReport) { report.location = service.hardware }

  public override var hasFault: Bool { service.hardware.state == .error }

  /// What the receiver is like; nil without a configured one.
  public var reading: ReceiverReading? {
    guard board.position != nil else { return nil }
    var reading = ReceiverReading()
    let counters = service.counters
    reading.errors = counters.nmea.faulty + counters.ubx.faulty + counters.rtcm.faulty + counters.gpsd.faulty
    reading.satellites = service.satellitesInView.count
    if let fix = service.latest, clock.monotonic - fix.arrival <= Budget.fixCurrentMilliseconds {
      reading.fix = isEnabled ? precision.limit(fix) : nil
      reading.hasFix = true
    }
    return reading
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard let answer = service.request(token.number, copy parameters, now: clock.monotonic) else {
      return router.progress(token, ("waiting for a fix" as StaticString).utf8Bytes)
    }
    locationAnswered(token.number, answer)
  }

  public func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  // MARK: LocationDelegate

  public func locationAnswered(_ token: Int, _ answer: LocationAnswer) {
    switch answer {
    case .fix(let fix): router.succeed(InvokeToken(token)) { fix.write(to: &$0) }
    case .failed(let error): router.fail(InvokeToken(token), error)
    }
  }

  // MARK: LocationUpdateDelegate

  /// The last fix before the restart, if its age is known.
  private func restored(_ now: Int64) -> Fix? {
    keeper.restored?.aged(boot: board.boot, wall: board.date.isSet ? clock.wall : nil, now: now)
  }

  public func located(_ fix: Fix) {
    keeper.take(fix, now: clock.monotonic)
    if moves.hasMoved(fix) { beacon.send(.significantLocation) }
    track?.receive(fix, now: clock.monotonic)
  }

  // MARK: The track

  /// Drops what has left the track's window. Before each answer, too: there may have been no fix for long.
  private func endTrack() {
    let now = clock.monotonic
    guard let track, let moment = track.track.moment(now, wall: board.date.isSet ? clock.wall : nil) else { return }
    track.expire(at: moment, now: now)
  }

  /// `{after?}`: the exact points from that number on, because this is only for people at the board.
  private func showTrack(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let track else { return Self.refuseTrack(control, call) }
    let after = request.member("after")?.int64 ?? 0
    guard after >= 0 else { return control.refuse(call, "\"after\" is the number of a point, 0 for the oldest") }
    endTrack()
    control.finish(call) { track.track.writePage(after: Int(clamping: after), to: &$0) }
  }

  /// Erases the track; answers with the number of points.
  private func forgetTrack(_ control: Control, _ call: Int) {
    guard let track else { return Self.refuseTrack(control, call) }
    let count = track.track.count
    track.removeAll(now: clock.monotonic)
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("erased")
      writer.int(Int64(count))
      writer.endObject()
    }
  }

  private static func refuseTrack(_ control: Control, _ call: Int) {
    control.fail(call, DeskFailure("NO_TRACK", "no track is kept: set track in [location], and a receiver"))
  }

  public func timeReceived(_ time: GNSSTime) { clockKeeper?.take(time) }
}

extension GNSSCounters.Frames {
  fileprivate var faulty: UInt64 { badChecksum + overlong + broken + malformed }
}

/// A position receiver at one instant.
public struct ReceiverReading {
  /// It knows the position now, and where that is; nil also where the configuration switched positions off.
  public var hasFix = false
  public var fix: Fix?
  /// In view.
  public var satellites = 0
  /// Messages with a wrong checksum or form since its line was opened.
  public var errors: UInt64 = 0
}

extension LocationService {
  var hardware: HardwareState {
    switch state {
    case .open where lacksChecksums:
      HardwareState(
        .ok,
        detail: latest == nil
          ? "no fix yet; its sentences have no checksums" : "its sentences have no checksums, so noise goes unnoticed")
    case .open: HardwareState(.ok, detail: latest == nil ? "no fix yet" : nil)
    case .absent: HardwareState(.absent, detail: "no receiver configured", isPermitted: false)
    case .lost(let reason):
      HardwareState(
        .error, detail: DeviceTrouble(reason, of: interface).text,
        isPermitted: reason != .accessDenied && reason != .notPermitted)
    }
  }
}
