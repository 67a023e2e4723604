import Codec
import Motion
import Runtime

/// The operations about motion.
extension Control {
  /// What the sensor feels, and what is made of it.
  func motion(_ call: Int) {
    guard let motion = motion(for: call) else { return }
    finish(call) { motion.writeReport(to: &$0, now: motion.now) }
  }

  /// `{step}`: goes through the calibration of the accelerometer in six positions. `begin` starts it, `restart` forgets
  /// the samples of the position at hand, `take` takes it, `cancel` gives up. Answered with how many positions were taken,
  /// and with the side that was up.
  func calibrate(_ call: Int, _ request: borrowing JSONView) {
    guard let step = request.member("step"), step.kind == .string else { return refuseStep(call) }
    guard let motion = motion(for: call) else { return }
    if step.equals("begin") {
      guard motion.beginCalibration() else {
        return fail(call, DeskFailure("UNAVAILABLE", "no motion sensor is sampled"))
      }
      return answer(call, 0, nil)
    }
    if step.equals("cancel") {
      motion.cancelCalibration()
      return answer(call, 0, nil)
    }
    guard let count = motion.calibrationCount else {
      return fail(call, DeskFailure("NOT_BEGUN", "nobody calibrates, or somebody else gave it up: begin anew"))
    }
    if step.equals("restart") {
      motion.restartPosition()
      return answer(call, count, nil)
    }
    guard step.equals("take") else { return refuseStep(call) }
    do throws(CalibrationError) {
      let face = try motion.takePosition()
      answer(call, motion.calibrationCount ?? 6, face)
    } catch {
      fail(call, Self.failure(error))
    }
  }

  private func refuseStep(_ call: Int) { refuse(call, "\"step\" is begin, restart, take or cancel") }

  private func answer(_ call: Int, _ count: Int, _ face: Face?) {
    finish(call) { writer in
      writer.beginObject()
      writer.key("positions")
      writer.int(Int64(count))
      if let face {
        writer.key("face")
        writer.string(face.text)
      }
      writer.endObject()
    }
  }

  private static func failure(_ error: CalibrationError) -> DeskFailure {
    switch error {
    case .notStill: DeskFailure("NOT_STILL", "the board moved: hold it still, best on something solid")
    case .askew: DeskFailure("ASKEW", "no side points straight up: lay the board on one of its sides")
    case .again: DeskFailure("AGAIN", "this side was up before: turn up another one")
    case .incomplete: DeskFailure("TOO_FEW", "too few samples so far: wait a second")
    case .implausible:
      DeskFailure("IMPLAUSIBLE", "the six positions contradict each other: begin anew, and hold the board still")
    }
  }
}
