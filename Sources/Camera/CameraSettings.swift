import Runtime

/// The position of a camera, in the words of `camera.list`.
public enum CameraPosition: Sendable {
  case front, back, external, unknown

  /// The word on the wire.
  public var word: StaticString {
    switch self {
    case .front: "front"
    case .back: "back"
    case .external: "external"
    case .unknown: "unknown"
    }
  }
}

/// The setting of a control.
public enum ControlSetting: Equatable, Sendable {
  /// Automatic.
  case automatic
  /// This value, in the control's own unit.
  case value(Int)
}

/// The power line frequency, at which lamps flicker.
public enum PowerLine: Int, Sendable {
  // The numbers are V4L2's (`V4L2_CID_POWER_LINE_FREQUENCY`).
  case off, hertz50, hertz60, automatic
}

/// A control by its name, for controls without a key of their own.
public struct NamedControl: Sendable {
  /// As `v4l2-ctl -l` prints it: lower case, underscores.
  public var name: CameraText
  public var value: Int

  /// A control; see the properties.
  public init(name: CameraText, value: Int) {
    self.name = name
    self.value = value
  }
}

/// The configuration of a camera's controls; nil leaves a control unchanged.
public struct CameraControls: Sendable {
  /// Units of 100 microseconds.
  public var exposure: ControlSetting?
  /// The driver's own units.
  public var gain: ControlSetting?
  /// Kelvin.
  public var whiteBalance: ControlSetting?
  /// The driver's own units.
  public var focus: ControlSetting?
  public var powerLine: PowerLine?
  /// Others; `namedCount` of them count, and they are set last, in this order.
  public private(set) var named: InlineArray<8, NamedControl>
  public private(set) var namedCount = 0

  /// No changes.
  public init() {
    precondition(Budget.namedControls == 8)
    named = InlineArray(repeating: NamedControl(name: CameraText(), value: 0))
  }

  /// Adds a control by name; false when there are too many.
  public mutating func add(_ control: NamedControl) -> Bool {
    guard namedCount < named.count else { return false }
    named[namedCount] = control
    namedCount += 1
    return true
  }
}

/// The configuration of one camera.
public struct CameraSettings: Sendable {
  /// Its name, which is also its `deviceId`; empty: not configured.
  public var name = CameraText()
  /// Its bus (`CameraEntry.bus`), or its id.
  public var device = CameraText()
  public var position = CameraPosition.unknown
  /// Turns by 90 degrees clockwise, after the flips.
  public var quarters = 0
  /// Mirrored left to right; flipped top to bottom.
  public var isMirrored = false, isFlipped = false
  public var controls = CameraControls()
  /// The sensor of a raw camera, when the kernel's name does not identify it.
  public var sensor: Sensor?
  /// The order of a raw camera's colors, when its driver says a wrong one; nil: the driver's.
  public var bayerOrder: BayerOrder?

  /// The defaults.
  public init() {}

  /// The orientation that makes its pictures upright.
  public var orientation: Orientation {
    Orientation(quarters: quarters, isMirrored: isMirrored, isFlipped: isFlipped)
  }
}

/// The configuration of all cameras: some by name, and the others together.
public struct CameraSettingsTable: Sendable {
  /// For every camera without settings of its own.
  public var others = CameraSettings()
  private var cameras: InlineArray<8, CameraSettings>
  /// Cameras with settings of their own.
  public private(set) var count = 0

  /// The defaults.
  public init() {
    cameras = InlineArray(repeating: CameraSettings())
    precondition(Budget.cameras == cameras.count)
  }

  /// Adds a camera; false when there are too many.
  public mutating func append(_ settings: CameraSettings) -> Bool {
    guard count < cameras.count else { return false }
    cameras[count] = settings
    count += 1
    return true
  }

  /// The camera at `index`, which is below `count`.
  public subscript(_ index: Int) -> CameraSettings {
    get {
      precondition(index < count)
      return cameras[index]
    }
    set {
      precondition(index < count)
      cameras[index] = newValue
    }
  }

  /// The settings for a camera.
  public func settings(for camera: CameraEntry) -> CameraSettings {
    for index in 0..<count where cameras[index].device == camera.bus || cameras[index].device == camera.id {
      return cameras[index]
    }
    return others
  }
}
