/// Calibration of the accelerometer by a person, who lays the board on each of its six sides in turn.
extension MotionService {
  /// Starts a calibration. False without a working sensor.
  public func beginCalibration() -> Bool {
    guard case .open = source else { return false }
    positions = SixPositions()
    return true
  }

  /// Positions that were taken; nil when no calibration is in progress.
  public var calibrationCount: Int? { positions?.count }

  /// Takes the current position. After the sixth the calibration is computed, applied and stored.
  public func takePosition() throws(CalibrationError) -> Face {
    guard positions != nil else { throw .incomplete }
    let face = try positions!.take()
    guard let complete = positions, complete.count == 6 else { return face }
    positions = nil
    let (offset, scale) = try complete.solve()
    calibrate(offset: offset, scale: scale)
    return face
  }

  /// Drops the samples so far, because the board is being turned.
  public func restartPosition() { positions?.restart() }

  /// Cancels the calibration.
  public func cancelCalibration() { positions = nil }
}
