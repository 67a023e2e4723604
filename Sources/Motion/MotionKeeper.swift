import Runtime

/// Keeps history and calibration on flash. What changed is copied, a record at a time, and a worker writes the copy, so that a slow
/// flash never holds up a drain.
final class MotionKeeper {
  /// What stands in one record.
  enum Content: Equatable {
    case calibration
    /// A place of the history.
    case day(Int)
  }

  /// The history; whoever drains uses it, and the keeper only while nobody does.
  let history = MotionHistory()
  /// The calibration as it is now.
  private(set) var calibration = MotionCalibration()
  private let runner: any JobRunner
  private let job: MotionSaveJob
  private let log: Log
  private var isCalibrationChanged = false
  private var nextSave = Int64.min
  private var hasFailed = false
  private var isFlushing = false
  private var isFailureLogged = false

  init(store: any RecordStore, runner: any JobRunner, log: Log) {
    self.runner = runner
    self.log = log
    job = MotionSaveJob(store: store)
    job.keeper = self
  }

  deinit { job.keeper = nil }

  /// True while a worker writes.
  var isWriting: Bool { job.isPending }

  /// Takes over another calibration.
  func set(_ calibration: MotionCalibration) {
    self.calibration = calibration
    isCalibrationChanged = true
  }

  /// Reads what the last run left. Blocks.
  func load() {
    do throws(StoreError) {
      if try history.load(from: job.store) > 0 {
        log.write(.warning, "motion", "a day of the stored steps cannot be read: it is forgotten")
      }
      if let stored = try job.loadCalibration() { calibration = stored }
    } catch {
      log.write(.warning, "motion", "stored steps or the sensor's calibration cannot be read: they are forgotten")
    }
  }

  /// Begins to write what changed, when that is due. Only while nobody drains.
  func saveIfDue(_ now: Int64) {
    guard !job.isPending, now >= nextSave else { return }
    // A flash that is full or broken is not tried all the time.
    if hasFailed || !writeNext() { nextSave = now + Budget.motionHistorySaveMilliseconds }
    hasFailed = false
  }

  /// Begins to write all that changed: the program ends, and nobody drains any more.
  func flush() {
    isFlushing = true
    if !job.isPending { _ = writeNext() }
  }

  /// Has one record written; false when nothing changed, or no worker takes it.
  private func writeNext() -> Bool {
    guard prepare() else { return false }
    if runner.submit(job) { return true }
    putBack()
    return false
  }

  private func prepare() -> Bool {
    if isCalibrationChanged {
      isCalibrationChanged = false
      calibration.encode(into: job.buffer.bytes)
      (job.content, job.count) = (.calibration, MotionCalibration.encodedBytes)
      return true
    }
    guard let (place, count) = history.takeRecord(into: job.buffer.bytes) else { return false }
    (job.content, job.count) = (.day(place), count)
    return true
  }

  private func putBack() {
    switch job.content {
    case .calibration: isCalibrationChanged = true
    case .day(let place): history.putBack(place)
    }
  }

  fileprivate func ended(_ failure: StoreError?) {
    guard failure != nil else {
      isFailureLogged = false
      if isFlushing { _ = writeNext() }
      return
    }
    hasFailed = true
    putBack()
    guard !isFailureLogged else { return }
    isFailureLogged = true
    log.write(.warning, "motion", "steps could not be written to flash; it is tried again later")
  }
}

/// The write of one record.
private final class MotionSaveJob: Job {
  let store: any RecordStore
  let buffer = FixedBuffer(capacity: MotionDay.recordBytes)
  var content = MotionKeeper.Content.calibration
  var count = 0
  private var failure: StoreError?
  unowned(unsafe) var keeper: MotionKeeper?

  init(store: any RecordStore) { self.store = store }

  func loadCalibration() throws(StoreError) -> MotionCalibration? {
    guard let (count, _) = try store.load(MotionCalibration.name.path, into: buffer.bytes) else { return nil }
    guard let found = MotionCalibration(UnsafeBufferPointer(rebasing: buffer.bytes[..<count])) else { throw .torn }
    return found
  }

  override func run() {
    failure = nil
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
    do throws(StoreError) {
      switch content {
      case .calibration: try store.save(MotionCalibration.name.path, bytes)
      case .day(let place):
        try MotionHistory.withName(place) { name throws(StoreError) in try store.save(name, bytes) }
      }
    } catch {
      failure = error
    }
  }

  override func finish() { keeper?.ended(failure) }
}
