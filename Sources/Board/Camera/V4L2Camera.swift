import CLinux
import Camera
import Codec
import Runtime

/// Cameras of the kernel: Video4Linux2, streaming into mapped buffers. The device is closed between streams, so that
/// the camera sleeps and other programs can use it.
public final class V4L2Camera: CameraSource {
  /// Restricts streams to one format and size, for trying a camera out.
  public var only: (code: FourCC?, size: FrameSize?) = (nil, nil)
  /// Frames that the driver marked as damaged, since the start of the program.
  public var damagedFrames: Int { stream.damagedFrames }
  /// See `CameraSource`.
  public var began: Int64 { stream.began }
  let cameraSettings: CameraSettingsTable
  private let root: CameraText
  private let stream: V4L2Stream
  /// The streaming camera.
  private var device: V4L2Device?
  /// Its sensor, when it is a raw Bayer sensor.
  private var sensor: V4L2Sensor?
  private var sensorKind = Sensor.generic

  /// All video devices of the board.
  /// - Parameter roster: the configured cameras.
  @export(interface)
  public convenience init(cameraSettings: CameraSettingsTable, clock: any Clock) {
    self.init(cameraSettings: cameraSettings, clock: clock, root: CameraText())
  }

  /// - Parameter root: the prefix of /dev and /sys; empty except in tests.
  init(cameraSettings: CameraSettingsTable, clock: any Clock, root: CameraText) {
    self.cameraSettings = cameraSettings
    self.root = root
    stream = V4L2Stream(clock: clock)
  }

  deinit { stop() }

  /// "v4l2"
  public var kind: StaticString { "v4l2" }

  /// Every `/dev/videoN`, in the order of N, that captures video in a format known here. Throws `.noPermission`
  /// when there are devices and none may be opened.
  public func enumerate(into list: inout CameraList) throws(CameraError) {
    list.removeAll()
    let nodes = try present()
    var isRefused = false
    for number in 0..<V4L2Node.limit where nodes.contains(number) && !list.isFull {
      do throws(CameraError) {
        guard let camera = try V4L2Device(V4L2Node(number: number, root: root)) else { continue }
        defer { camera.close() }
        if isUsable(camera) { list.append(camera.entry) }
      } catch {
        if case .noPermission = error { isRefused = true }
      }
    }
    if list.count == 0, isRefused { throw .noPermission }
  }

  // MARK: Stream

  /// See `CameraSource`. Throws `.noSignal` when nothing is plugged into the camera, `.busy` when another program has
  /// it, `.unsupportedFormat` when it has no mode that can be used, and `.io` for whatever else the kernel refuses.
  public func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    stop()
    let camera = try find(order.device)
    device = camera
    do throws(CameraError) {
      return try start(camera, order)
    } catch {
      stop()
      throw error
    }
  }

  private func start(_ camera: V4L2Device, _ order: StreamOrder) throws(CameraError) -> StreamFacts {
    if tl_video_has_signal(camera.file.number) == 0 { throw .noSignal }
    let settings = cameraSettings.settings(for: camera.entry)
    var selection = selection(order, settings)
    (selection.code, selection.size) = only
    guard let mode = camera.best(selection) else { throw .unsupportedFormat }
    do throws(CameraError) {
      return try start(camera, mode, order, settings)
    } catch {
      guard error.isRefusal else { throw error }
      stream.stop()
      sensor?.close()
      sensor = nil
      // A driver that refused once may do it the second time. A smaller mode needs less of a bus that is too slow, and
      // less memory.
      guard error.isOfRoom, only.size == nil, order.width > 0 else { return try start(camera, mode, order, settings) }
      var less = order
      less.width = min(order.width, max(mode.width, mode.height)) / 2
      selection = self.selection(less, settings)
      selection.code = only.code
      return try start(camera, camera.best(selection, smallerThan: mode) ?? mode, order, settings)
    }
  }

  private func start(
    _ camera: V4L2Device, _ mode: CameraMode, _ order: StreamOrder, _ settings: CameraSettings
  ) throws(CameraError) -> StreamFacts {
    try stream.set(mode, setsRate: order.rate > 0, order: settings.bayerOrder, of: camera)
    var mismatches = ControlMismatches()
    let exposure = apply(settings, to: camera, &mismatches)
    if stream.mode.format == .h264 { prepareCoding(camera) }
    try stream.start(camera, isPhoto: order.purpose == .photo)
    var facts = StreamFacts(
      camera: camera.entry, format: stream.mode.format ?? .yu12, width: stream.mode.width,
      height: stream.mode.height, rate: stream.mode.rate, exposure: exposure)
    facts.mismatches = mismatches
    return facts
  }

  /// See `CameraSource`.
  public func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    try stream.next(within: milliseconds, sensor: sensorKind)
  }

  /// See `CameraSource`.
  public func expose(_ setting: ExposureSetting) throws(CameraError) { try sensor?.expose(setting) }

  /// See `CameraSource`.
  public func stop() {
    stream.stop()
    sensor?.close()
    sensor = nil
    device?.close()
    device = nil
  }

  /// Sets the configured controls, and those that a raw sensor needs in addition.
  private func apply(
    _ settings: CameraSettings, to camera: V4L2Device, _ mismatches: inout ControlMismatches
  ) -> ExposureControls? {
    var controls = settings.controls
    sensorKind = settings.sensor ?? .generic
    var exposure: ExposureControls?
    if case .bayer = stream.mode.format {
      let sensor = V4L2Sensor(of: camera, settings.sensor)
      self.sensor = sensor
      sensorKind = sensor.kind
      sensor.apply(controls, to: &mismatches, width: stream.mode.width)
      exposure = sensor.controls(controls)
      if sensor.canExpose { (controls.exposure, controls.gain) = (nil, nil) }
    }
    var applied = V4L2Settings(of: camera.file, mismatches)
    applied.apply(controls)
    mismatches = applied.mismatches
    return exposure
  }

  /// Asks for H.264 in which a clip can begin at any second: a key frame each second, with parameter sets. A camera
  /// without these controls keeps its defaults.
  private func prepareCoding(_ camera: V4L2Device) {
    let period = Int32(clamping: max(stream.mode.rate / 1000, 1))
    _ = tl_video_set_control(camera.file.number, TL_REPEAT_SEQ_HEADER, 1)
    _ = tl_video_set_control(camera.file.number, TL_GOP_SIZE, period)
    _ = tl_video_set_control(camera.file.number, TL_H264_I_PERIOD, period)
  }

  // MARK: Axes

  /// See `CameraSource`. Throws the kernel's refusal when the camera has axes and the positions of all were refused.
  public func axes(of device: CameraText) throws(CameraError) -> CameraAxes {
    let camera = try find(device)
    defer { camera.close() }
    var axes = CameraAxes()
    var refusal: Errno?
    for index in 0..<Self.axes.count {
      guard let control = V4L2Control.find(Self.axes[index].id, of: camera.file), control.isReadable else { continue }
      do throws(Errno) {
        let value = try control.read(of: camera.file)
        axes[Self.axes[index].axis] = AxisState(value: value, range: control.range, home: control.home)
      } catch {
        refusal = error
      }
    }
    if let refusal, axes == CameraAxes() { throw Self.error(refusal) }
    return axes
  }

  /// See `CameraSource`. Throws `.noAxis` when the camera does not have this axis, `.lockedAxis` while its driver does
  /// not let go of it.
  public func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) {
    let camera = try find(device)
    defer { camera.close() }
    for index in 0..<Self.axes.count where Self.axes[index].axis == axis {
      guard let control = V4L2Control.find(Self.axes[index].id, of: camera.file) else { throw .noAxis(axis) }
      do throws(Errno) { try control.set(value, of: camera.file) } catch {
        throw control.reason(of: error, of: camera.file) == .locked ? .lockedAxis(axis) : Self.error(error)
      }
    }
  }

  private static let axes: InlineArray<3, (axis: CameraAxis, id: UInt32)> = [
    (.pan, TL_PAN_ABSOLUTE), (.tilt, TL_TILT_ABSOLUTE), (.zoom, TL_ZOOM_ABSOLUTE),
  ]

  // MARK: Devices

  /// Opens the camera by its id or bus, or the first one.
  func find(_ name: CameraText?) throws(CameraError) -> V4L2Device {
    let nodes = try present()
    var failure = name.map { CameraError.unknownDevice($0) } ?? .noDevice
    for number in 0..<V4L2Node.limit where nodes.contains(number) {
      let node = V4L2Node(number: number, root: root)
      do throws(CameraError) {
        guard let camera = try V4L2Device(node) else { continue }
        let isWanted = name == nil || name == node.id || name == camera.entry.bus
        if isWanted, isUsable(camera) { return camera }
        camera.close()
      } catch {
        // The device was unplugged since the folder was read.
        if case .disconnected = error { continue }
        if name == nil || name == node.id { failure = error }
      }
    }
    throw failure
  }

  func selection(_ order: StreamOrder, _ settings: CameraSettings) -> ModeSelection {
    ModeSelection(order, settings.orientation) { code, size in
      VendorFormat.of(code.value)?.fits(width: size.width, height: size.height) ?? false
    }
  }

  private func isUsable(_ camera: V4L2Device) -> Bool {
    let anything = StreamOrder(device: nil, purpose: .photo, width: 0)
    return camera.isUsable(selection(anything, cameraSettings.settings(for: camera.entry)))
  }

  private func present() throws(CameraError) -> V4L2Node.Numbers {
    do throws(Errno) { return try V4L2Node.present(root: root) } catch { throw Self.error(error) }
  }

  // MARK: Errors

  /// Turns the result of a C function into a value or a `CameraError`.
  @discardableResult
  static func check(_ result: Int64) throws(CameraError) -> Int64 {
    if result < 0 { throw error(Errno(Int32(truncatingIfNeeded: -result))) }
    return result
  }

  /// The `CameraError` for an errno.
  static func error(_ reason: Errno) -> CameraError {
    switch reason {
    case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress, .inputOutput: .disconnected
    case .accessDenied, .notPermitted: .noPermission
    case .busy: .busy
    default: .io(reason)
    }
  }
}

extension CameraError {
  /// True when the kernel refused a call, so that another way or the second time may work. A camera that is gone or in
  /// use refuses that as well; but EIO is also the answer when a camera did not answer (uvcvideo), and EBUSY that of a
  /// driver that is not done with the stream before.
  var isRefusal: Bool {
    switch self {
    case .io, .disconnected, .busy: true
    default: false
    }
  }

  /// What the kernel's reason means; nil where it gave none.
  private var trouble: DeviceTrouble? {
    if case .io(let reason) = self { DeviceTrouble(reason, of: .camera) } else { nil }
  }

  /// True when a smaller picture may be possible: the bus has too little bandwidth, or there is too little memory.
  var isOfRoom: Bool { isOfMemory || trouble?.isOfBandwidth == true }

  /// True when there is too little memory.
  var isOfMemory: Bool { trouble?.isOfMemory == true }
}
