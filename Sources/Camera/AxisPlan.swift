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

/// Wishes for some axes: degrees for pan and tilt, percent for zoom.
public typealias AxisValues = PerAxis<Double>

/// What a camera is to do with its axes.
public enum AxisOperation: Equatable, Sendable {
  /// Only tell where they are.
  case look
  case set(AxisValues)
  /// By so much from where they are.
  case move(AxisValues)
  /// To where the camera calls home.
  case home
}

/// The driver's values that an operation asks for.
struct AxisPlan {
  /// Wishes beyond an axis' range, or between its steps.
  private(set) var adjusted = AxisSet()
  private var values = PerAxis<Int>()

  /// The value for an axis; nil: it stays.
  subscript(_ axis: CameraAxis) -> Int? { values[axis] }

  /// Throws `.noAxis` for a wish that the camera has no axis for.
  init(_ operation: AxisOperation, _ axes: CameraAxes) throws(CameraError) {
    for axis in CameraAxis.allCases {
      switch operation {
      case .look: continue
      case .home: values[axis] = axes[axis]?.home
      case .set(let wishes):
        if let wish = wishes[axis] { try plan(axis, axes[axis]) { _ in wish } }
      case .move(let wishes):
        if let wish = wishes[axis] { try plan(axis, axes[axis]) { $0 + wish } }
      }
    }
  }

  private mutating func plan(
    _ axis: CameraAxis, _ state: AxisState?, _ target: (Double) -> Double
  ) throws(CameraError) {
    guard let state else { throw .noAxis(axis) }
    let scale = AxisScale(axis, state.range)
    let wish = target(scale.shown(state.value))
    let value = state.range.nearest(scale.value(wish))
    values[axis] = value
    // Half a step is what rounding costs anyway; more than that is a wish that was not met.
    let slack = max(Double(state.range.step) / 2, 0.5) / scale.factor
    if abs(scale.shown(value) - wish) > slack * 1.001 || value == state.range.minimum && wish < scale.shown(value)
      || value == state.range.maximum && wish > scale.shown(value)
    {
      adjusted.insert(axis)
    }
  }
}

/// Between the driver's values and those on the wire.
struct AxisScale {
  /// Driver's units in one of the wire's.
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

  /// The wire's value of a driver's.
  func shown(_ value: Int) -> Double { (Double(value) - zero) / factor }

  /// The driver's value of the wire's, far away ones cut to what an `Int32` holds: controls are such.
  func value(_ shown: Double) -> Int {
    Int(clamping: (shown * factor + zero).rounded().bounded(Double(Int32.min), Double(Int32.max)))
  }
}
