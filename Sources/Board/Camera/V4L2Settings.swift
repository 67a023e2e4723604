import CLinux
import Camera
import Runtime

/// Sets the configured controls of a camera and reads them back.
struct V4L2Settings {
  /// The automatic/manual switches of controls that a camera can regulate itself.
  private struct Switch {
    let id: UInt32
    /// The values for automatic and for manual; the second of each where the first is refused.
    let automatic, manual: (Int, Int)
  }

  private static let exposure = Switch(
    // V4L2_EXPOSURE_AUTO and _APERTURE_PRIORITY, _MANUAL and _SHUTTER_PRIORITY: cameras have one of each pair.
    id: TL_EXPOSURE_AUTO, automatic: (0, 3), manual: (1, 2))
  private static func onOff(_ id: UInt32) -> Switch { Switch(id: id, automatic: (1, 1), manual: (0, 0)) }

  private let file: Descriptor
  private(set) var mismatches: ControlMismatches

  /// Settings of an open camera, about which there may be mismatches already.
  init(of file: Descriptor, _ mismatches: ControlMismatches = ControlMismatches()) {
    self.file = file
    self.mismatches = mismatches
  }

  /// Sets all controls; `mismatches` has what was not accepted.
  mutating func apply(_ wanted: CameraControls) {
    apply(wanted.exposure, Self.exposure, TL_EXPOSURE_ABSOLUTE, "exposure_time_absolute")
    apply(wanted.gain, Self.onOff(TL_AUTOGAIN), TL_GAIN, "gain")
    apply(
      wanted.whiteBalance, Self.onOff(TL_AUTO_WHITE_BALANCE), TL_WHITE_BALANCE_TEMPERATURE,
      "white_balance_temperature")
    apply(wanted.focus, Self.onOff(TL_FOCUS_AUTO), TL_FOCUS_ABSOLUTE, "focus_absolute")
    if let powerLine = wanted.powerLine {
      let name = CameraText(cutting: "power_line_frequency" as StaticString)
      set(V4L2Control.find(TL_POWER_LINE_FREQUENCY, of: file), powerLine.rawValue, name)
    }
    for index in 0..<wanted.namedCount {
      let (name, value) = (wanted.named[index].name, wanted.named[index].value)
      set(V4L2Control.find(named: name, of: file), value, name)
    }
  }

  /// Sets a control that has an automatic/manual switch.
  private mutating func apply(
    _ setting: ControlSetting?, _ automatic: Switch, _ id: UInt32, _ name: StaticString
  ) {
    guard let setting else { return }
    let control = V4L2Control.find(automatic.id, of: file)
    switch setting {
    case .automatic:
      guard let control else {
        mismatches.append(ControlMismatch(name: CameraText(cutting: Self.name(of: automatic.id)), reason: .missing))
        return
      }
      turn(control, automatic.automatic)
    case .value(let value):
      // A control without a switch is always manual.
      if let control, !turn(control, automatic.manual) { return }
      set(V4L2Control.find(id, of: file), value, CameraText(cutting: name))
    }
  }

  private static func name(of id: UInt32) -> StaticString {
    switch id {
    case TL_EXPOSURE_AUTO: "auto_exposure"
    case TL_AUTOGAIN: "gain_automatic"
    case TL_AUTO_WHITE_BALANCE: "white_balance_automatic"
    default: "focus_automatic_continuous"
    }
  }

  /// Sets a switch to one of two values; false, with a mismatch, when it accepts neither.
  @discardableResult
  private mutating func turn(_ control: V4L2Control, _ values: (Int, Int)) -> Bool {
    do throws(Errno) {
      try control.set(values.0, of: file)
      if control.value(of: file) ?? values.0 == values.0 { return true }
    } catch {}
    do throws(Errno) {
      try control.set(values.1, of: file)
      return true
    } catch {
      mismatches.append(ControlMismatch(name: control.name, reason: control.reason(of: error, of: file)))
      return false
    }
  }

  private mutating func set(_ control: V4L2Control?, _ value: Int, _ name: CameraText) {
    guard let control else {
      mismatches.append(ControlMismatch(name: name, reason: .missing))
      return
    }
    do throws(Errno) {
      try control.set(value, of: file)
    } catch {
      // Some drivers refuse what others move to the nearest value.
      let nearest = control.range.nearest(value)
      guard error == .outOfRange || error == .invalidArgument, nearest != value, retry(control, nearest) else {
        mismatches.append(ControlMismatch(name: control.name, reason: control.reason(of: error, of: file)))
        return
      }
    }
    guard let now = control.value(of: file), now != value else { return }
    mismatches.append(ControlMismatch(name: control.name, reason: .differs(is: now, wanted: value)))
  }

  private func retry(_ control: V4L2Control, _ value: Int) -> Bool {
    do throws(Errno) {
      try control.set(value, of: file)
      return true
    } catch {
      return false
    }
  }
}
