/// Calibrating the accelerometer by hand: the board is laid on each of its six sides in turn.
extension MotionService {
  /// Begins anew. False without a sensor that is sampled.
  public func beginCalibration() -> Bool {
    guard case .open = source else { return false }
    positions = SixPositions()
    return true
  }

  /// Positions that were taken; nil while nobody calibrates.
  public var calibrationCount: Int? { positions?.count }

  /// Takes the position at hand. When it was the sixth, the calibration is solved, applied and kept, and over.
  public func takePosition() throws(CalibrationError) -> Face {
    guard positions != nil else { throw .incomplete }
    let face = try positions!.take()
    guard let complete = positions, complete.count == 6 else { return face }
    positions = nil
    let (offset, scale) = try complete.solve()
    calibrate(offset: offset, scale: scale)
    return face
  }

  /// Forgets the samples so far: the board is being turned.
  public func restartPosition() { positions?.restart() }

  /// Gives it up.
  public func cancelCalibration() { positions = nil }
}
