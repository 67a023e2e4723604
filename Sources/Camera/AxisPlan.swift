import Codec

/// Some of a camera's axes.
public struct AxisSet: Equatable, Sendable {
  private var bits: UInt8 = 0

  /// None.
  public init() {}

  /// True for the axes in it.
  public func contains(_ axis: CameraAxis) -> Bool { bits >> UInt8(axis.rawValue) & 1 == 1 }

  /// Adds an axis.
  public mutating func insert(_ axis: CameraAxis) { bits |= 1 << UInt8(axis.rawValue) }
}

/// Requested values of some axes: degrees for pan and tilt, percent for zoom.
public typealias AxisValues = PerAxis<Double>

/// An operation on a camera's axes.
public enum AxisOperation: Equatable, Sendable {
  /// Only report their state.
  case look
  case set(AxisValues)
  /// Relative to their position.
  case move(AxisValues)
  /// To the camera's home position.
  case home
}

/// The driver's values for an operation.
struct AxisPlan {
  /// Axes whose requested value is beyond the range, or between steps.
  private(set) var adjusted = AxisSet()
  private var values = PerAxis<Int>()

  /// The value for an axis; nil: unchanged.
  subscript(_ axis: CameraAxis) -> Int? { values[axis] }

  /// True when every axis is where it is to be.
  func isReached(at now: CameraAxes) -> Bool {
    for axis in CameraAxis.allCases where isOff(axis, now) { return false }
    return true
  }

  /// True when an axis is not where it is to be, and still where it was.
  func hasIdleAxis(from start: CameraAxes, at now: CameraAxes) -> Bool {
    for axis in CameraAxis.allCases where isOff(axis, now) && now[axis]?.value == start[axis]?.value { return true }
    return false
  }

  /// Axes whose requested value was adjusted, or that are elsewhere.
  func adjusted(at now: CameraAxes) -> AxisSet {
    var result: AxisSet = adjusted
    for axis in CameraAxis.allCases where isOff(axis, now) { result.insert(axis) }
    return result
  }

  /// True for an axis that is more than half a step from where it is to be.
  private func isOff(_ axis: CameraAxis, _ now: CameraAxes) -> Bool {
    guard let target = values[axis], let state = now[axis] else { return false }
    return (Int64(state.value) - Int64(target)).magnitude > UInt64(clamping: state.range.step / 2)
  }

  /// Throws `.noAxis` for an axis that the camera does not have.
  init(_ operation: AxisOperation, _ axes: CameraAxes) throws(CameraError) {
    for axis in CameraAxis.allCases {
      switch operation {
      case .look: continue
      case .home: values[axis] = axes[axis]?.home
      case .set(let requests):
        if let requested = requests[axis] { try plan(axis, axes[axis]) { _ in requested } }
      case .move(let requests):
        if let requested = requests[axis] { try plan(axis, axes[axis]) { $0 + requested } }
      }
    }
  }

  private mutating func plan(
    _ axis: CameraAxis, _ state: AxisState?, _ target: (Double) -> Double
  ) throws(CameraError) {
    guard let state else { throw .noAxis(axis) }
    let scale = AxisScale(axis, state.range)
    let requested = target(scale.shown(state.value))
    let value = state.range.nearest(scale.value(requested))
    values[axis] = value
    // Half a step is rounding; more than that is an adjustment.
    let tolerance = max(Double(state.range.step) / 2, 0.5) / scale.factor
    if abs(scale.shown(value) - requested) > tolerance * 1.001
      || value == state.range.minimum && requested < scale.shown(value)
      || value == state.range.maximum && requested > scale.shown(value)
    {
      adjusted.insert(axis)
    }
  }
}

/// Conversion between the driver's values and those of the protocol.
struct AxisScale {
  /// Driver's units in one unit of the protocol.
  let factor: Double
  private let zero: Double

  /// Pan and tilt: 3600 arc seconds a degree. Zoom: 0 to 100 percent of its range.
  init(_ axis: CameraAxis, _ range: ControlRange) {
    switch axis {
    case .pan, .tilt: (factor, zero) = (3600, 0)
    case .zoom:
      factor = max(Double(range.maximum - range.minimum) / 100, 0.01)
      zero = Double(range.minimum)
    }
  }

  /// The protocol's value for a driver's.
  func shown(_ value: Int) -> Double { (Double(value) - zero) / factor }

  /// The driver's value for the protocol's, clamped to `Int32`, the type of controls.
  func value(_ shown: Double) -> Int {
    Int(clamping: (shown * factor + zero).rounded().bounded(Double(Int32.min), Double(Int32.max)))
  }
}
