// Motion: steps, activities, orientation and impacts, computed from the samples of a sensor. It knows a sensor only as
// `MotionSource`, and nothing of sessions or the router.

import Codec
import Runtime

/// The configuration of motion.
public struct MotionSettings: Sendable {
  /// Requested samples a second.
  public var rate: Float = 50
  /// The engine's configuration.
  public var configuration = MotionConfiguration()

  /// The defaults.
  public init() {}
}

/// The commands of the capability `motion`.
public enum MotionCommand: Sendable {
  case activity, pedometer
}

/// Gets answers, and jolts.
public protocol MotionDelegate: AnyObject {
  /// The request `token` can be answered, by calling `MotionService.write` during this call. Called exactly once for
  /// each request.
  func motionAnswered(_ token: Int, _ command: MotionCommand, _ window: MotionWindow)
  /// The board was bumped, or fell.
  func felt(_ impact: Impact)
  /// A person shook the board hard; only where `MotionConfiguration.shake` is set.
  func shaken(_ shake: Shake)
}

/// The state of the sensor.
public enum MotionSourceState: Sendable {
  /// None is configured.
  case absent
  /// Not opened yet.
  case opening
  /// It is sampled.
  case open
  /// It cannot be opened, or was lost, for this reason; it is tried again.
  case lost(MotionError)
}

/// Samples the sensor in batches, so that the CPU sleeps in between, keeps a history, and answers requests from it.
///
/// While the sensor is drained, some milliseconds twice a second, sensor, engine and history belong to a job on a
/// separate worker, and otherwise to the loop. Requests wait for the end of a drain.
public final class MotionService {
  private struct Waiter {
    var token: Int
    var command: MotionCommand
    var window: MotionWindow
  }

  let clock: any Clock
  let log: Log
  private let sensing: any JobRunner
  private let drain: DrainJob
  let keeper: MotionKeeper
  private let waiters: UnsafeMutableBufferPointer<Waiter>
  private var waiting = 0
  private var retryPause = Budget.motionRetryMilliseconds.lowerBound
  private var due: Int64?
  private var isStopping = false
  /// A calibration that is not in the engine yet.
  private var solved: (offset: Vector3, scale: Vector3)?
  /// Gets the answers. A strong reference: both live as long as the program.
  public var delegate: (any MotionDelegate)?
  /// The sensor's state.
  public private(set) var source: MotionSourceState
  /// Facts about the sensor, once it was opened.
  public private(set) var facts: MotionFacts?
  /// The engine's state after the last drain.
  public private(set) var state = MotionState()
  /// Batches in which samples were missing, and failures of the sensor, since start.
  public private(set) var gaps: UInt64 = 0
  public private(set) var failures: UInt64 = 0
  /// A calibration in progress, if any; see `MotionService+Calibration`.
  var positions: SixPositions?

  /// A service that is not started.
  /// - Parameters:
  ///   - source: the sensor; nil: none is configured.
  ///   - sensing: runs the drains, and nothing that takes longer.
  ///   - store: for history and calibration; not shared, because a worker of `runner` writes there.
  @export(interface)
  public init(
    source: (any MotionSource)?, settings: MotionSettings, store: any RecordStore, sensing: any JobRunner,
    runner: any JobRunner, clock: any Clock, log: Log
  ) {
    self.clock = clock
    self.log = log
    self.sensing = sensing
    self.source = source == nil ? .absent : .opening
    keeper = MotionKeeper(store: store, runner: runner, clock: clock, log: log)
    drain = DrainJob(source: source, settings: settings, keeper.history, clock: clock)
    waiters = .allocate(capacity: Budget.runningInvokes)
    drain.service = self
  }

  deinit { waiters.deallocate() }

  /// Loads history and calibration, and starts sampling. Blocks: at start only.
  public func start() {
    guard drain.source != nil else { return }
    keeper.load()
    drain.calibration = keeper.calibration
    run()
  }

  /// Stops sampling, and writes what is not on flash yet.
  public func stop() {
    isStopping = true
    due = nil
    if !drain.isPending { end() }
  }

  /// The monotonic instant.
  public var now: Int64 { clock.monotonic }

  /// True when nothing is under way any more.
  public var isStopped: Bool { drain.source == nil || (!drain.isPending && keeper.isSettled) }

  // MARK: Requests

  /// Starts the request `token`, a number chosen by the caller; the delegate gets the answer, perhaps within this call.
  public func request(_ token: Int, _ command: MotionCommand, _ parameters: JSONView) throws(MotionError) {
    let window = try MotionWindow(parameters, now: clock.wall)
    if drain.source == nil { throw .noSensor }
    // The history is still there after the sensor was lost; only without any sensor is there nothing to report.
    if facts == nil, case .lost(let error) = source { throw error }
    if !drain.isPending {
      delegate?.motionAnswered(token, command, window)
      return
    }
    guard waiting < waiters.count else { throw .tooMany }
    (waiters.baseAddress! + waiting).initialize(to: Waiter(token: token, command: command, window: window))
    waiting += 1
  }

  /// Cancels a request without an answer.
  public func cancel(_ token: Int) {
    for index in 0..<waiting where waiters[index].token == token {
      waiting -= 1
      waiters[index] = waiters[waiting]
      return
    }
  }

  /// Writes a result. Only within `motionAnswered`.
  public func write(_ command: MotionCommand, _ window: MotionWindow, to writer: inout JSONWriter) {
    switch command {
    case .activity: drain.history.writeActivities(window, to: &writer)
    case .pedometer: drain.history.writePedometer(window, to: &writer)
    }
  }

  // MARK: Time

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? { earliest(drain.isPending ? nil : due, keeper.nextDeadline) }

  /// Drains when that is due.
  public func advance(to now: Int64) {
    keeper.advance(to: now)
    guard let due, due <= now, !drain.isPending else { return }
    run()
  }

  private func run() {
    // A worker of its own has room for its one job.
    keeper.isHistoryTaken = sensing.submit(drain)
    due = keeper.isHistoryTaken ? nil : clock.monotonic + Budget.motionDrainMilliseconds
  }

  // MARK: Drains

  fileprivate func drained() {
    let now = clock.monotonic
    keeper.isHistoryTaken = false
    if let error = drain.failure {
      lost(error, now)
    } else {
      sampled(now)
    }
    drain.calibration = keeper.calibration
    answer()
    while let impact = drain.engine?.nextImpact() { delegate?.felt(impact) }
    if let shake = drain.engine?.nextShake() { delegate?.shaken(shake) }
    if isStopping { return end() }
    keeper.saveIfDue(now)
  }

  private func sampled(_ now: Int64) {
    if let opened = drain.opened {
      facts = opened
      logOpened(opened)
    }
    source = .open
    if drain.batch.hasGap { gaps += 1 }
    if positions != nil {
      for index in 0..<drain.batch.count { positions?.add(drain.batch[index]) }
    }
    if let engine = drain.engine { look(at: engine) }
    if drain.batch.count > 0 { retryPause = Budget.motionRetryMilliseconds.lowerBound }
    let memory = facts?.memory ?? Budget.motionDrainMilliseconds
    due = now + min(Budget.motionDrainMilliseconds, max(memory / 2, 20))
  }

  private func lost(_ error: MotionError, _ now: Int64) {
    failures += 1
    var isNews = true
    if case .lost(let last) = source, last.isSame(error) { isNews = false }
    source = .lost(error)
    if isNews { log.write(.warning, "motion") { error.write(to: &$0) } }
    due = now + retryPause
    retryPause = min(2 * retryPause, Budget.motionRetryMilliseconds.upperBound)
  }

  private func logOpened(_ facts: MotionFacts) {
    log.write(.info, "motion") { line in
      line.add(facts.name.span)
      line.add(" samples at ")
      line.add(Int64(clamping: facts.rate.rounded()))
      line.add(" Hz")
    }
  }

  private func answer() {
    while waiting > 0, !drain.isPending {
      waiting -= 1
      let waiter = waiters[waiting]
      delegate?.motionAnswered(waiter.token, waiter.command, waiter.window)
    }
  }

  private func end() {
    drain.close()
    keeper.flush()
  }

  private func look(at engine: MotionEngine) {
    if let (offset, scale) = solved {
      engine.calibrate(offset: offset, scale: scale)
      solved = nil
    }
    state = engine.state
    guard engine.hasNewBias else { return }
    var calibration = keeper.calibration
    calibration.bias = engine.calibration.bias
    keeper.set(calibration)
    engine.calibrationStored()
  }

  /// Takes a calibration of the accelerometer; it is put into the engine after the next drain.
  func calibrate(offset: Vector3, scale: Vector3) {
    var calibration = keeper.calibration
    (calibration.offset, calibration.scale) = (offset, scale)
    keeper.set(calibration)
    solved = (offset, scale)
  }
}

/// One drain, on a worker: opens the sensor if it is closed, reads its samples, and runs the engine.
private final class DrainJob: Job {
  let source: (any MotionSource)?
  private let settings: MotionSettings
  private let clock: any Clock
  let batch = MotionBatch()
  let history: MotionHistory
  var calibration = MotionCalibration()
  private(set) var engine: MotionEngine?
  private var isOpen = false
  /// Facts about a sensor that this run has opened.
  private(set) var opened: MotionFacts?
  private(set) var failure: MotionError?
  unowned(unsafe) var service: MotionService?

  init(source: (any MotionSource)?, settings: MotionSettings, _ history: MotionHistory, clock: any Clock) {
    self.source = source
    self.settings = settings
    self.history = history
    self.clock = clock
  }

  override func run() {
    guard let source else { return }
    (opened, failure) = (nil, nil)
    batch.clear()
    do throws(MotionError) {
      if !isOpen { try open(source) }
      try source.drain(into: batch)
    } catch {
      isOpen = false
      failure = error
      return
    }
    guard let engine, batch.count > 0 || batch.hasGap else { return }
    let now = clock.monotonic
    history.add(engine.process(batch, monotonic: now), wall: clock.wall, monotonic: now)
  }

  /// A new engine for each opening, because nothing continues across a gap.
  private func open(_ source: any MotionSource) throws(MotionError) {
    let facts = try source.open(rate: settings.rate)
    engine = MotionEngine(facts, settings.configuration, calibration: calibration)
    isOpen = true
    opened = facts
  }

  /// Closes the sensor; not while a run is pending.
  func close() {
    if isOpen { source?.close() }
    isOpen = false
  }

  override func finish() { service?.drained() }
}
