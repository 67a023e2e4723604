import Runtime

/// Keeps history and calibration on flash: what changed, a record at a time, so that a slow flash never holds up a
/// drain.
final class MotionKeeper: RecordDelegate {
  /// What stands in one record.
  private enum Content: Equatable {
    case calibration
    /// A place of the history.
    case day(Int)
  }

  /// The history; the drain uses it while it runs, and the keeper only while it does not.
  let history = MotionHistory()
  /// The calibration as it is now.
  private(set) var calibration = MotionCalibration()
  /// A drain has the history.
  var isHistoryTaken = false
  private let store: any RecordStore
  private let memory = FixedBuffer(capacity: MotionDay.recordBytes)
  private let kept: Kept
  private let log: Log
  private var isCalibrationChanged = false
  /// A drain had the history when it was to be written.
  private var isInterrupted = false
  private var nextSave = Int64.min
  private var content = Content.calibration
  /// A day that could not be written while a drain had the history.
  private var unwritten: Int?

  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    self.store = store
    self.log = log
    let period = Budget.motionHistorySaveMilliseconds
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log, "motion", "steps",
      pauses: period...period)
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Nothing is on its way to flash.
  var isSettled: Bool { kept.isSettled }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { kept.nextDeadline }

  /// Writes again what could not be written, when that is due.
  func advance(to now: Int64) { kept.advance(to: now) }

  /// Takes over another calibration.
  func set(_ calibration: MotionCalibration) {
    self.calibration = calibration
    isCalibrationChanged = true
  }

  /// Reads what the last run left. Blocks.
  func load() {
    do throws(StoreError) {
      if try history.load(from: store) > 0 {
        log.write(.warning, "motion", "a day of the stored steps cannot be read: it is forgotten")
      }
      if let (count, _) = try kept.load(MotionCalibration.name) {
        guard let found = MotionCalibration(kept.prefix(count)) else {
          kept.setAside(MotionCalibration.name, count)
          throw .torn
        }
        calibration = found
      }
    } catch {
      log.write(.warning, "motion", "stored steps or the sensor's calibration cannot be read: they are forgotten")
    }
  }

  /// Begins to write what changed, when that is due. Only while no drain has the history.
  func saveIfDue(_ now: Int64) {
    guard isInterrupted || now >= nextSave else { return }
    isInterrupted = false
    nextSave = now + Budget.motionHistorySaveMilliseconds
    kept.changed(waits: true)
  }

  /// Begins to write all that changed: the program ends, and nothing drains any more.
  func flush() {
    kept.changed()
    kept.flush()
  }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    if isCalibrationChanged {
      isCalibrationChanged = false
      content = .calibration
      calibration.encode(into: bytes)
      return RecordOrder(MotionCalibration.name.bytes, MotionCalibration.encodedBytes)
    }
    if isHistoryTaken {
      isInterrupted = true
      return nil
    }
    if let place = unwritten { history.putBack(place) }
    unwritten = nil
    guard let (place, count) = history.takeRecord(into: bytes) else { return nil }
    content = .day(place)
    return MotionHistory.order(place, count)
  }

  func recordKept(_ failure: StoreError?) {
    guard failure != nil else { return }
    switch content {
    case .calibration: isCalibrationChanged = true
    case .day(let place): unwritten = place
    }
  }
}
