import Runtime

/// A source of frames: V4L2, or simulated. Calls come from worker threads and may block. One stream at a time;
/// `enumerate`, `axes` and `move` may run at the same time on another worker.
public protocol CameraSource: AnyObject {
  /// The `deviceType` of `camera.list`: "v4l2" or "simulated".
  var kind: StaticString { get }

  /// Replaces `list` by the usable cameras. No camera is an empty list, not an error.
  func enumerate(into list: inout CameraList) throws(CameraError)

  /// When the stream began, or began anew by itself because a driver had refused something, in milliseconds of
  /// `Clock.monotonic`; 0 where it cannot begin anew.
  var began: Int64 { get }

  /// Opens a camera, sets its mode and controls, and starts its stream. Nothing stays open when it throws.
  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts

  /// The next frame of the stream, its bytes valid until the next call of anything but `expose`; nil when none came
  /// within `milliseconds`, or only one that the driver marked as damaged. After an error the caller must call `stop`.
  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame?

  /// Sets exposure time and gain of a streaming sensor with `StreamFacts.exposure`.
  func expose(_ setting: ExposureSetting) throws(CameraError)

  /// Stops the stream and closes the camera. Does nothing when there is none.
  func stop()

  /// A camera's pan, tilt and zoom; nil for axes that it does not have.
  /// - Parameter device: its id or bus.
  func axes(of device: CameraText) throws(CameraError) -> CameraAxes

  /// Moves an axis of a camera to a value within the axis' range.
  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError)
}

extension CameraSource {
  /// 0
  public var began: Int64 { 0 }
}

/// The requested stream.
public struct StreamOrder: Sendable {
  /// Its purpose.
  public enum Purpose: Sendable {
    /// One good frame: compressed as JPEG, or plain, or raw.
    case photo
    /// Continuous frames in real time, preferably H.264.
    case clip
  }

  /// The camera's id or bus; nil: the first one.
  public var device: CameraText?
  public var purpose: Purpose
  /// Requested width in pixels, of the upright photo or the clip's long edge. The camera chooses the nearest mode.
  public var width: Int
  /// Requested frames in a thousand seconds; 0: any.
  public var rate: Int

  /// An order; see the properties.
  public init(device: CameraText?, purpose: Purpose, width: Int, rate: Int = 0) {
    self.device = device
    self.purpose = purpose
    self.width = width
    self.rate = rate
  }
}

/// Facts about a stream.
public struct StreamFacts: Sendable {
  public var camera: CameraEntry
  public var format: PixelFormat
  /// Pixels of a frame.
  public var width, height: Int
  /// Frames in a thousand seconds; 0 when the driver does not say.
  public var rate: Int
  /// For a raw sensor, whose exposure must be controlled.
  public var exposure: ExposureControls?
  /// Configured controls that could not be set.
  public var mismatches = ControlMismatches()
  /// True without a sensor, when no warm-up is needed.
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

/// The exposure controls of a raw sensor.
public struct ExposureControls: Sendable {
  /// Exposure time in lines.
  public var lines: ControlRange
  /// Analogue gain in the sensor's own counting.
  public var gain: ControlRange
  /// Its law; nil when unknown.
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

  /// Its name in the protocol.
  public var word: StaticString {
    switch self {
    case .pan: "pan"
    case .tilt: "tilt"
    case .zoom: "zoom"
    }
  }
}

/// The state of an axis. Pan and tilt are in arc seconds, to the right and up; zoom in its own unit
/// (`V4L2_CID_PAN_ABSOLUTE` and its neighbors).
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

/// The state of a camera's axes; nil for axes that it does not have.
public typealias CameraAxes = PerAxis<AxisState>
