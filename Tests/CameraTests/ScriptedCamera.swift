import Runtime

@testable import Camera

/// A camera that offers the frames of a script, and then fails.
final class ScriptedCamera: CameraSource {
  struct Frame {
    var format: PixelFormat
    var width = 0
    var height = 0
    var rowBytes = 0
    var isFullRange = true
    var bytes: [UInt8]
    var sensor = Sensor.generic
    /// Microseconds.
    var time: Int64 = 0
  }

  var frames: [Frame] = [] { didSet { offered = 0 } }
  /// What comes after the last frame; nil: nothing does, and time passes.
  var end: CameraError? = .timeout
  var listing: CameraError?
  /// Milliseconds of the clock for each frame.
  var pace: Int64 = 0
  /// Devices that are not plugged in.
  var missing: [CameraText] = []
  /// Why a stream cannot be started, one after the other; nil: it can.
  var refusals: [CameraError?] = []
  var isSteady = true
  var exposure: ExposureControls?
  /// Of the camera /dev/video0.
  var axes = CameraAxes()
  /// The ids of the cameras that are found.
  var entries = ["one"]
  /// An axis that does not move.
  var stuck: CameraAxis?
  /// How far an axis goes from one look to the next; 0: it is there at once. And how far from 0 it goes at all.
  var (speed, reach) = (0, Int.max)
  /// Why axes do not move without a stream; nil: they do. Of one axis, or all.
  var stillRefusal: CameraError?
  var stillAxis: CameraAxis?
  /// True when axes ignore movements without a stream, or cannot be read without one.
  var (isDeaf, isMute) = (false, false)
  /// Why the position cannot be read, one after the other; nil: it can.
  var lookRefusals: [CameraError?] = []
  /// Told what passes, in order.
  var journal: ((String) -> Void)?
  private(set) var orders: [StreamOrder] = []
  private(set) var settings: [ExposureSetting] = []
  private(set) var moves: [(CameraAxis, Int)] = []
  private(set) var offered = 0
  private(set) var stops = 0
  private(set) var isStreaming = false
  private var targets = PerAxis<Int>()
  private let clock: StillClock?
  private var shown: [UInt8] = []

  init(clock: StillClock? = nil) { self.clock = clock }

  var kind: StaticString { "simulated" }

  func enumerate(into list: inout CameraList) throws(CameraError) {
    if let listing { throw listing }
    list.removeAll()
    for id in entries {
      list.append(CameraEntry(id: CameraText(cutting: id), name: CameraText(cutting: "Camera \"1\"")))
    }
  }

  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    orders.append(order)
    journal?("start")
    if let device = order.device, missing.contains(device) { throw .unknownDevice(device) }
    if !refusals.isEmpty, let refusal = refusals.removeFirst() { throw refusal }
    let id = order.device ?? CameraText(cutting: "one")
    var facts = StreamFacts(
      camera: CameraEntry(id: id, name: CameraText(cutting: "Camera"), bus: id), format: frames.first?.format ?? .mjpeg,
      width: frames.first?.width ?? 0, height: frames.first?.height ?? 0, rate: 30_000, exposure: exposure)
    facts.isSteady = isSteady
    isStreaming = true
    return facts
  }

  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    guard offered < frames.count else {
      guard let end else {
        clock?.monotonic += milliseconds
        return nil
      }
      throw end
    }
    clock?.monotonic += pace
    let frame = frames[offered]
    offered += 1
    shown = frame.bytes
    return shown.withUnsafeBufferPointer { bytes in
      RawFrame(
        format: frame.format, width: frame.width, height: frame.height, rowBytes: frame.rowBytes,
        isFullRange: frame.isFullRange, bytes: bytes, sensor: frame.sensor, time: frame.time)
    }
  }

  /// Why the exposure cannot be set; nil: it can.
  var exposureRefusal: CameraError?

  func expose(_ setting: ExposureSetting) throws(CameraError) {
    if let exposureRefusal { throw exposureRefusal }
    settings.append(setting)
  }

  func stop() {
    journal?("stop")
    stops += 1
    isStreaming = false
  }

  func axes(of device: CameraText) throws(CameraError) -> CameraAxes {
    guard device == CameraText(cutting: "/dev/video0") else { throw .unknownDevice(device) }
    if isMute, !isStreaming { throw .io(.inputOutput) }
    defer { turn() }
    if !lookRefusals.isEmpty, let refusal = lookRefusals.removeFirst() { throw refusal }
    return axes
  }

  /// Its motors go on.
  private func turn() {
    for axis in CameraAxis.allCases {
      guard let target = targets[axis], let value = axes[axis]?.value else { continue }
      axes[axis]?.value = value + min(max(target - value, -speed), speed)
    }
  }

  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) {
    if axis == stuck { throw .io(.inputOutput) }
    let isStill = !isStreaming && stillAxis ?? axis == axis
    if isStill, let stillRefusal { throw stillRefusal }
    moves.append((axis, value))
    if isStill, isDeaf { return }
    let target = min(max(value, -reach), reach)
    if speed == 0 { axes[axis]?.value = target } else { targets[axis] = target }
  }
}

/// A light that may be broken.
final class ScriptedLight: Indicator {
  var isBroken = false
  var journal: ((String) -> Void)?
  private(set) var isOn = false

  func light(_ isOn: Bool) -> Bool {
    journal?(isOn ? "light" : "dark")
    if !isBroken { self.isOn = isOn }
    return !isBroken
  }
}

extension CameraEntry {
  init(id: StaticString, name: StaticString) {
    self.init(id: CameraText(cutting: id), name: CameraText(cutting: name))
  }
}
