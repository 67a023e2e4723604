import Runtime

/// Which way a camera looks, in the words of `camera.list`.
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

/// What a control is to be set to.
public enum ControlSetting: Equatable, Sendable {
  /// The camera sees to it.
  case automatic
  /// This value, in the control's own unit.
  case value(Int)
}

/// The frequency at which lamps flicker.
public enum PowerLine: Int, Sendable {
  // The numbers are V4L2's (`V4L2_CID_POWER_LINE_FREQUENCY`).
  case off, hertz50, hertz60, automatic
}

/// A control by its name, for whatever has no key of its own.
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

/// What a person wants of a camera's controls; what is nil stays as the camera has it.
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

  /// All stays as it is.
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

/// What a person says of one camera.
public struct CameraSettings: Sendable {
  /// What it is called, and its `deviceId`; empty for cameras that nobody named.
  public var name = CameraText()
  /// Where it is plugged in (`CameraEntry.bus`), or its id.
  public var device = CameraText()
  public var position = CameraPosition.unknown
  /// Turns by 90 degrees clockwise, after the flips.
  public var quarters = 0
  /// Left and right change places; top and bottom do.
  public var isMirrored = false, isFlipped = false
  public var controls = CameraControls()
  /// Which sensor a raw camera has, when the kernel's name of it says nothing.
  public var sensor: Sensor?

  /// Nothing is said.
  public init() {}

  /// What turns its pictures upright.
  public var orientation: Orientation {
    Orientation(quarters: quarters, isMirrored: isMirrored, isFlipped: isFlipped)
  }
}

/// What a person says of all cameras: some by name, and the others together.
public struct CameraRoster: Sendable {
  /// For every camera without settings of its own.
  public var others = CameraSettings()
  private var cameras: InlineArray<8, CameraSettings>
  /// Cameras with settings of their own.
  public private(set) var count = 0

  /// Nothing is said.
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

  /// What counts for a camera.
  public func settings(for camera: CameraEntry) -> CameraSettings {
    for index in 0..<count where cameras[index].device == camera.bus || cameras[index].device == camera.id {
      return cameras[index]
    }
    return others
  }
}
