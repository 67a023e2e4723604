import Runtime

/// A source of pictures: the V4L2 driver or its simulated twin. Calls come from worker threads and may block there.
/// One stream at a time; `enumerate`, `axes` and `move` may run beside it on another worker.
public protocol CameraSource: AnyObject {
  /// The `deviceType` of `camera.list`: "v4l2" or "simulated".
  var kind: StaticString { get }

  /// Replaces `list` by the cameras that can be used now. No camera is an empty list, not an error.
  func enumerate(into list: inout CameraList) throws(CameraError)

  /// Opens a camera, sets its mode and controls, and starts its stream. Nothing stays open when it throws.
  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts

  /// The next frame of the stream, its bytes valid until the next call of anything but `expose`; nil when none came
  /// within `milliseconds`, or only one that the driver itself calls damaged. `.disconnected` and other errors leave
  /// the stream to be stopped.
  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame?

  /// Sets exposure time and gain of the streaming sensor, which has said `StreamFacts.exposure`.
  func expose(_ setting: ExposureSetting) throws(CameraError)

  /// Ends the stream and closes the camera. Harmless when there is none.
  func stop()

  /// What a camera's pan, tilt and zoom are; those that it has not are nil.
  /// - Parameter device: its id or bus.
  func axes(of device: CameraText) throws(CameraError) -> CameraAxes

  /// Moves an axis of a camera to a value within the axis' range.
  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError)
}

/// The stream that is wanted.
public struct StreamOrder: Sendable {
  /// What it is for.
  public enum Purpose: Sendable {
    /// One good frame: compressed as JPEG, or plain, or raw.
    case photo
    /// Frame after frame, in time: H.264 is welcome.
    case clip
  }

  /// The camera's id or bus; nil: the first one.
  public var device: CameraText?
  public var purpose: Purpose
  /// Pixels across that would be enough: of the upright photo, of the clip's long edge. A camera gives the nearest that
  /// it has.
  public var width: Int
  /// Frames in a thousand seconds that would be enough; 0: any.
  public var rate: Int

  /// An order; see the properties.
  public init(device: CameraText?, purpose: Purpose, width: Int, rate: Int = 0) {
    self.device = device
    self.purpose = purpose
    self.width = width
    self.rate = rate
  }
}

/// What a stream turned out to be.
public struct StreamFacts: Sendable {
  public var camera: CameraEntry
  public var format: PixelFormat
  /// Pixels of a frame.
  public var width, height: Int
  /// Frames in a thousand seconds; 0 when the driver does not say.
  public var rate: Int
  /// Of a bare sensor that has to be told how to expose.
  public var exposure: ExposureControls?
  /// What of the configuration's controls the camera did not take.
  public var complaints = ControlComplaints()
  /// True when there is no sensor, so that nothing has to settle.
  public var isSteady = false

  /// Facts; see the properties.
  public init(
    camera: CameraEntry, format: PixelFormat, width: Int, height: Int, rate: Int, exposure: ExposureControls? = nil
  ) {
    self.camera = camera
    self.format = format
    self.width = width
    self.height = height
    self.rate = rate
    self.exposure = exposure
  }
}

/// What a bare sensor's exposure can be set to.
public struct ExposureControls: Sendable {
  /// Exposure time in lines.
  public var lines: ControlRange
  /// Analogue gain in the sensor's own counting.
  public var gain: ControlRange
  /// How that counts; nil when nobody knows.
  public var law: GainLaw?

  /// Controls; see the properties.
  public init(lines: ControlRange, gain: ControlRange, law: GainLaw?) {
    self.lines = lines
    self.gain = gain
    self.law = law
  }
}

/// A direction in which a camera moves.
public enum CameraAxis: Int, CaseIterable, Sendable {
  case pan, tilt, zoom

  /// Its name on the wire.
  public var word: StaticString {
    switch self {
    case .pan: "pan"
    case .tilt: "tilt"
    case .zoom: "zoom"
    }
  }
}

/// Where an axis is. Pan and tilt count in arc seconds, to the right and up; zoom in steps of its own
/// (`V4L2_CID_PAN_ABSOLUTE` and its neighbours).
public struct AxisState: Equatable, Sendable {
  public var value: Int
  public var range: ControlRange
  public var home: Int

  /// A state; see the properties.
  public init(value: Int, range: ControlRange, home: Int) {
    self.value = value
    self.range = range
    self.home = home
  }
}

/// A value for each of a camera's axes, or for some.
public struct PerAxis<Value: Equatable & Sendable>: Equatable, Sendable {
  public var pan, tilt, zoom: Value?

  /// None.
  public init() {}

  /// One of them.
  public subscript(_ axis: CameraAxis) -> Value? {
    get {
      switch axis {
      case .pan: pan
      case .tilt: tilt
      case .zoom: zoom
      }
    }
    set {
      switch axis {
      case .pan: pan = newValue
      case .tilt: tilt = newValue
      case .zoom: zoom = newValue
      }
    }
  }
}

/// Where a camera's axes are; what it has not is nil.
public typealias CameraAxes = PerAxis<AxisState>
