import Location
import Runtime

/// What follows from where the board is, whether anybody asks or not: the last fix is kept on flash, the gateway is told of a move, and
/// the clock is set when nothing else has.
final class LocationFollower: LocationObserver {
  private let keeper: FixKeeper
  private let date: any DateSetter
  private let boot: LastFix.Boot
  private let clock: any Clock
  private let beacon: PresenceBeacon
  private let clockKeeper: ClockKeeper?
  private var moves: MoveWatch

  init(
    settings: LocationSettings, keeper: FixKeeper, date: any DateSetter, boot: LastFix.Boot, beacon: PresenceBeacon,
    clock: any Clock, log: Log
  ) {
    self.keeper = keeper
    self.date = date
    self.boot = boot
    self.beacon = beacon
    self.clock = clock
    moves = MoveWatch(threshold: settings.significantMove)
    clockKeeper = settings.setsClock ? ClockKeeper(clock: clock, setter: date, log: log) : nil
  }

  /// Reads what the last run left. Blocks: at start only.
  func start() {
    keeper.load()
    if let last = keeper.restored { moves.begin(at: last.fix.place) }
  }

  /// Keeps what is not on flash yet.
  func stop() { keeper.flush(now: clock.monotonic) }

  /// True while a worker writes.
  var isWriting: Bool { keeper.isWriting }

  /// The last fix of the run before, when its age can be told.
  func restored(_ now: Int64) -> Fix? {
    keeper.restored?.aged(boot: boot, wall: date.isSet ? clock.wall : nil, now: now)
  }

  func located(_ fix: Fix) {
    keeper.take(fix, now: clock.monotonic)
    if moves.hasMoved(fix) { beacon.send(.significantLocation) }
  }

  func told(_ time: GNSSTime) { clockKeeper?.take(time) }
}
