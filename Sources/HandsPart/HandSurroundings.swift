import Node
import Runtime

/// What hands need of the agent.
public final class HandSurroundings {
  public let router: Router
  public let outbox: Outbox
  public let runner: any JobRunner
  /// One worker for what waits for sensors and serial lines, and one for programs, so that neither holds up the other,
  /// nor a camera.
  public let readings: any JobRunner
  public let programs: any JobRunner
  public let clock: any Clock
  public let log: Log
  /// Keeps what hands must not forget.
  public let keeper: HandKeeper

  /// The surroundings of all hands. `store`: of records of `Budget.handRecordBytes`; it must not be shared, because a
  /// worker writes there.
  @export(interface)
  public init(
    router: Router, outbox: Outbox, store: any RecordStore, runner: any JobRunner,
    readings: (any JobRunner)? = nil, programs: (any JobRunner)? = nil, clock: any Clock, log: Log
  ) {
    self.router = router
    self.outbox = outbox
    self.runner = runner
    self.readings = readings ?? runner
    self.programs = programs ?? runner
    self.clock = clock
    self.log = log
    keeper = HandKeeper(store: store, runner: runner, clock: clock, log: log)
  }
}
