import CLinux
import Camera
import Codec
import Runtime

/// The controls of a raw sensor: on the camera's own node, or on a subdevice with its own node.
struct V4L2Sensor {
  /// The sensor model.
  let kind: Sensor
  private let file: Descriptor
  /// True when `file` is a subdevice, to be closed here.
  private let isPart: Bool
  /// Exposure in lines, and analog gain.
  private let lines, gain: V4L2Control?

  /// The sensor of an open camera: of several subdevices the configured one, or else the first known sensor.
  init(of camera: V4L2Device, _ configured: Sensor?) {
    let (part, name) = Self.part(configured, root: camera.node.root)
    kind = configured ?? name ?? Sensor(named: camera.card.span)
    let (lines, gain) = Self.controls(of: camera.file)
    guard lines == nil, let part else {
      part?.close()
      (file, isPart) = (camera.file, false)
      (self.lines, self.gain) = (lines, gain)
      return
    }
    (file, isPart) = (part, true)
    (self.lines, self.gain) = Self.controls(of: part)
  }

  /// Closes what `init` opened.
  func close() { if isPart { file.close() } }

  private static func controls(of file: Descriptor) -> (lines: V4L2Control?, gain: V4L2Control?) {
    (
      V4L2Control.find(TL_EXPOSURE, of: file),
      V4L2Control.find(TL_ANALOGUE_GAIN, of: file) ?? V4L2Control.find(TL_GAIN, of: file)
    )
  }

  private static func part(_ configured: Sensor?, root: CameraText) -> (Descriptor?, Sensor?) {
    var found: Sensor?
    do throws(Errno) {
      let parts = try V4L2Node.present(.part, root: root)
      for number in 0..<V4L2Node.limit where parts.contains(number) {
        let node = V4L2Node(.part, number: number, root: root)
        let kind = Sensor(named: node.kernelName.span)
        guard kind != .generic, configured ?? kind == kind else { continue }
        found = kind
        return (try node.open(), kind)
      }
    } catch {
      // A subdevice that cannot be opened still has a name.
    }
    return (nil, found)
  }

  // MARK: Exposure

  /// True when exposure and gain can be set.
  var canExpose: Bool { lines != nil && gain != nil }

  /// The limits for `AutoExposure`; nil when the sensor cannot be set, or when the configuration sets it.
  func controls(_ wanted: CameraControls) -> ExposureControls? {
    if case .value = wanted.exposure { return nil }
    guard let lines, let gain else { return nil }
    var range = gain.range
    if case .value(let value) = wanted.gain { range = ControlRange(minimum: value, maximum: value) }
    return ExposureControls(lines: lines.range, gain: range, law: kind.gainLaw)
  }

  /// Sets both. Throws `.io` whatever the reason: the stream shows whether the camera is still there.
  func expose(_ setting: ExposureSetting) throws(CameraError) {
    guard let lines, let gain else { return }
    do throws(Errno) {
      try lines.set(setting.lines, of: file)
      try gain.set(setting.gain, of: file)
    } catch {
      throw .io(error)
    }
  }

  /// Sets the configured exposure and gain, converted to lines and analog gain: a raw sensor has no automatic exposure
  /// and counts no microseconds.
  func apply(_ wanted: CameraControls, to mismatches: inout ControlMismatches, width: Int) {
    if case .value(let time) = wanted.exposure, let lines {
      if let count = self.lines(time, width: width) {
        set(lines, count, &mismatches)
      } else {
        mismatches.append(ControlMismatch(name: CameraText(cutting: "pixel_rate" as StaticString), reason: .missing))
      }
    }
    if case .value(let value) = wanted.gain, let gain { set(gain, value, &mismatches) }
  }

  private func set(_ control: V4L2Control, _ value: Int, _ mismatches: inout ControlMismatches) {
    do throws(Errno) {
      try control.set(value, of: file)
      guard let now = control.value(of: file), now != value else { return }
      mismatches.append(ControlMismatch(name: control.name, reason: .differs(is: now, wanted: value)))
    } catch {
      mismatches.append(ControlMismatch(name: control.name, reason: control.reason(of: error, of: file)))
    }
  }

  /// The lines that a sensor reads in `time` units of 100 microseconds.
  private func lines(_ time: Int, width: Int) -> Int? {
    var (rate, blank): (Int64, Int32) = (0, 0)
    guard tl_video_wide_control(file.number, TL_PIXEL_RATE, &rate) >= 0, rate > 0,
      tl_video_control_value(file.number, TL_HBLANK, &blank) >= 0
    else { return nil }
    return Self.lines(time, pixelRate: rate, lineLength: width + Int(blank))
  }

  /// The lines of `lineLength` pixels, at so many pixels a second, that `time` units of 100 microseconds take.
  static func lines(_ time: Int, pixelRate: Int64, lineLength: Int) -> Int {
    let lines = Double(time) * Double(pixelRate) / (10_000 * Double(max(lineLength, 1)))
    return Int(clamping: lines.bounded(1, Double(Int32.max)))
  }
}
