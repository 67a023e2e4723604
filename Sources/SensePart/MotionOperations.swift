import Codec
import Motion
import Node
import Runtime

/// The operation of the local socket that calibrates the sensor.
enum MotionOperations {
  /// `{step}`: the calibration of the accelerometer in six positions. `begin` starts it, `restart` drops the samples of
  /// the current position, `take` accepts them, `cancel` ends it. The answer has the number of accepted positions, and
  /// the side that was up.
  static func calibrate(_ motion: MotionService, _ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let step = request.member("step"), step.kind == .string else { return refuseStep(control, call) }
    if step.equals("begin") {
      guard motion.beginCalibration() else {
        return control.fail(call, DeskFailure("UNAVAILABLE", "no motion sensor is sampled"))
      }
      return answer(control, call, 0, nil)
    }
    if step.equals("cancel") {
      motion.cancelCalibration()
      return answer(control, call, 0, nil)
    }
    guard let count = motion.calibrationCount else {
      return control.fail(
        call, DeskFailure("NOT_BEGUN", "no calibration is under way, or it was canceled: start again"))
    }
    if step.equals("restart") {
      motion.restartPosition()
      return answer(control, call, count, nil)
    }
    guard step.equals("take") else { return refuseStep(control, call) }
    do throws(CalibrationError) {
      let face = try motion.takePosition()
      answer(control, call, motion.calibrationCount ?? 6, face)
    } catch {
      control.fail(call, Self.failure(error))
    }
  }

  private static func refuseStep(_ control: Control, _ call: Int) {
    control.refuse(call, "\"step\" is begin, restart, take or cancel")
  }

  private static func answer(_ control: Control, _ call: Int, _ count: Int, _ face: Face?) {
    control.finish(call) { writer in
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
      DeskFailure("IMPLAUSIBLE", "the six positions contradict each other: start again, and hold the board still")
    }
  }
}
