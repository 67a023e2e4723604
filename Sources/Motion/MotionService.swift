import Codec
import Runtime

/// What a person may choose about motion.
public struct MotionSettings: Sendable {
  /// Samples a second wanted of the sensor.
  public var rate: Float = 50
  /// What the engine has to know.
  public var configuration = MotionConfiguration()

  /// The usual choice.
  public init() {}
}

/// The commands of the capability `motion`.
public enum MotionCommand: Sendable {
  case activity, pedometer
}

/// Told when answers are at hand, and of jolts.
public protocol MotionDelegate: AnyObject {
  /// The request `token` can be answered: `MotionService.write` gives the result, now and not later. It is told exactly once.
  func motionAnswered(_ token: Int, _ command: MotionCommand, _ window: MotionWindow)
  /// The board was bumped, or fell.
  func felt(_ impact: Impact)
}

/// Whether there is a sensor.
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

/// Samples the sensor in batches, so that the CPU sleeps in between, keeps what they mean, and answers from it.
///
/// The sensor, the engine and the history belong to a job on a worker of its own while it drains, which takes some
/// milliseconds twice a second, and to the loop otherwise. Requests that come meanwhile wait for it.
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
  /// A calibration that the engine has not got yet.
  private var solved: (offset: Vector3, scale: Vector3)?
  /// Told the answers. Held strongly: both live as long as the program.
  public var delegate: (any MotionDelegate)?
  /// How the sensor is.
  public private(set) var source: MotionSourceState
  /// The sensor, once it was opened.
  public private(set) var facts: MotionFacts?
  /// What was known when the last drain ended.
  public private(set) var state = MotionState()
  /// Batches in which samples were missing, and failures of the sensor, since start.
  public private(set) var gaps: UInt64 = 0
  public private(set) var failures: UInt64 = 0
  /// The calibration that a person at the board is going through, if any; see `MotionService+Calibration`.
  var positions: SixPositions?

  /// A service that has not begun.
  /// - Parameters:
  ///   - source: the sensor; nil: none is configured.
  ///   - sensing: runs the drains, and nothing that takes long.
  ///   - store: where history and calibration are kept: one of its own, because a worker of `runner` writes there.
  public init(
    source: (any MotionSource)?, settings: MotionSettings, store: any RecordStore, sensing: any JobRunner,
    runner: any JobRunner, clock: any Clock, log: Log
  ) {
    self.clock = clock
    self.log = log
    self.sensing = sensing
    self.source = source == nil ? .absent : .opening
    keeper = MotionKeeper(store: store, runner: runner, log: log)
    drain = DrainJob(source: source, settings: settings, keeper.history, clock: clock)
    waiters = .allocate(capacity: Budget.runningInvokes)
    drain.service = self
  }

  deinit { waiters.deallocate() }

  /// Reads what the last run left, and begins to sample. Blocks: at start only.
  public func start() {
    guard drain.source != nil else { return }
    keeper.load()
    drain.calibration = keeper.calibration
    run()
  }

  /// Ends sampling, and keeps what is not on flash yet.
  public func stop() {
    isStopping = true
    due = nil
    if !drain.isPending { end() }
  }

  /// The monotonic instant.
  public var now: Int64 { clock.monotonic }

  /// True when nothing is under way any more.
  public var isStopped: Bool { drain.source == nil || (!drain.isPending && !keeper.isWriting) }

  // MARK: Requests

  /// Begins to answer the request `token`, a number that the caller chooses; the delegate will be told, perhaps within this call.
  public func request(_ token: Int, _ command: MotionCommand, _ parameters: JSONView) throws(MotionError) {
    let window = try MotionWindow(parameters, now: clock.wall)
    if drain.source == nil { throw .noSensor }
    // What was felt before the sensor was lost is still known; only one that never was there knows nothing.
    if facts == nil, case .lost(let error) = source { throw error }
    if !drain.isPending {
      delegate?.motionAnswered(token, command, window)
      return
    }
    guard waiting < waiters.count else { throw .tooMany }
    (waiters.baseAddress! + waiting).initialize(to: Waiter(token: token, command: command, window: window))
    waiting += 1
  }

  /// Forgets a request; nobody is told.
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
  public var nextDeadline: Int64? { drain.isPending ? nil : due }

  /// Drains when that is due.
  public func advance(to now: Int64) {
    guard let due, due <= now, !drain.isPending else { return }
    run()
  }

  private func run() {
    // A worker of its own has room for its one job.
    due = sensing.submit(drain) ? nil : clock.monotonic + Budget.motionDrainMilliseconds
  }

  // MARK: Drains

  fileprivate func drained() {
    let now = clock.monotonic
    if let error = drain.failure {
      lost(error, now)
    } else {
      sampled(now)
    }
    drain.calibration = keeper.calibration
    answer()
    while let impact = drain.engine?.nextImpact() { delegate?.felt(impact) }
    if isStopping { return end() }
    keeper.saveIfDue(now)
  }

  private func sampled(_ now: Int64) {
    if let opened = drain.opened {
      facts = opened
      sayOpened(opened)
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

  private func sayOpened(_ facts: MotionFacts) {
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

  /// Takes over what a person's calibration of the accelerometer found; the engine gets it when the next drain has ended.
  func calibrate(offset: Vector3, scale: Vector3) {
    var calibration = keeper.calibration
    (calibration.offset, calibration.scale) = (offset, scale)
    keeper.set(calibration)
    solved = (offset, scale)
  }
}

/// One drain, on a worker: opens the sensor when it is closed, takes its samples, and makes sense of them.
private final class DrainJob: Job {
  let source: (any MotionSource)?
  private let settings: MotionSettings
  private let clock: any Clock
  let batch = MotionBatch()
  let history: MotionHistory
  var calibration = MotionCalibration()
  private(set) var engine: MotionEngine?
  private var isOpen = false
  /// What the last run found.
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

  /// An engine is made for each opening: a sensor that was away has no rhythm to go on with.
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
