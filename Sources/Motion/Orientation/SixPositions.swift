/// Why a position cannot be used for calibration.
public enum CalibrationError: Error, Equatable {
  /// The board was moved; the standard deviation in g.
  case notStill(Float)
  /// No axis points up or down.
  case askew
  /// This side was taken before.
  case again(Face)
  /// Positions are missing.
  case incomplete
  /// The result is not plausible for a working sensor.
  case implausible
}

/// Which of the sensor's axes points up.
public enum Face: UInt8, Sendable {
  case forward, backward, left, right, top, bottom

  /// The text for people.
  public var text: StaticString {
    switch self {
    case .forward: "x up"
    case .backward: "x down"
    case .left: "y up"
    case .right: "y down"
    case .top: "z up"
    case .bottom: "z down"
    }
  }
}

/// Calibrates an accelerometer by gravity in six positions (STMicroelectronics, design tip DT0053, "6-point tumble
/// sensor calibration"; offsets and scales are solved for, so that the positions need not be exact).
public struct SixPositions {
  /// Largest standard deviation of a sensor at rest, in g.
  private static let still: Float = 0.03
  /// Least part of gravity on the upright axis: a tilt of 25 degrees.
  private static let upright: Float = 0.9
  /// Least number of samples of a position.
  public static let samples = 40

  private var meter = StillnessMeter()
  private var means = InlineArray<6, Vector3>(repeating: Vector3())
  private var taken: UInt8 = 0

  /// No position yet.
  public init() {}

  /// Positions that were taken.
  public var count: Int { taken.nonzeroBitCount }

  /// True when a position was taken with this side up.
  public func has(_ face: Face) -> Bool { taken & 1 << face.rawValue != 0 }

  /// Takes a sample of the current position, as it came from the sensor.
  public mutating func add(_ sample: MotionSample) { meter.add(sample) }

  /// Forgets the samples of the current position.
  public mutating func restart() { meter.clear() }

  /// Samples of the current position.
  public var pending: Int { meter.count }

  /// Takes the current position; its samples are dropped, whether it is accepted or not.
  public mutating func take() throws(CalibrationError) -> Face {
    defer { meter.clear() }
    guard meter.count >= Self.samples else { throw .incomplete }
    let restless = meter.restlessness.acceleration
    guard restless < Self.still else { throw .notStill(restless) }
    let mean = meter.mean.acceleration
    let face = try Self.face(of: mean)
    guard !has(face) else { throw .again(face) }
    means[Int(face.rawValue)] = mean
    taken |= 1 << face.rawValue
    return face
  }

  private static func face(of mean: Vector3) throws(CalibrationError) -> Face {
    let least = upright * mean.magnitude
    if abs(mean.x) >= least { return mean.x > 0 ? .forward : .backward }
    if abs(mean.y) >= least { return mean.y > 0 ? .left : .right }
    if abs(mean.z) >= least { return mean.z > 0 ? .top : .bottom }
    throw .askew
  }

  /// Offsets and scales with which gravity is 1 g in all positions.
  ///
  /// (s(m - o))² over the axes is 1 in each position. With p = s² and q = -2s²o, all by the same factor so that the
  /// right side stays 1, that is linear: six equations for six unknowns.
  public func solve() throws(CalibrationError) -> (offset: Vector3, scale: Vector3) {
    guard count == 6 else { throw .incomplete }
    var equations = LinearEquations()
    for index in 0..<6 {
      let mean = means[index]
      let (x, y, z) = (Double(mean.x), Double(mean.y), Double(mean.z))
      equations.setRow(index, [x * x, y * y, z * z, x, y, z, 1])
    }
    guard let solution = equations.solve() else { throw .implausible }
    var offset = InlineArray<3, Double>(repeating: 0)
    var whole = 1.0
    for axis in 0..<3 {
      guard solution[axis] > 0 else { throw .implausible }
      offset[axis] = -solution[axis + 3] / (2 * solution[axis])
      whole += solution[axis] * offset[axis] * offset[axis]
    }
    func scale(_ axis: Int) -> Float { Float((solution[axis] / whole).squareRoot()) }
    var calibration = MotionCalibration()
    calibration.offset = Vector3(Float(offset[0]), Float(offset[1]), Float(offset[2]))
    calibration.scale = Vector3(scale(0), scale(1), scale(2))
    guard calibration.isPlausible else { throw .implausible }
    return (calibration.offset, calibration.scale)
  }
}

/// Six linear equations with six unknowns.
private struct LinearEquations {
  /// Rows of six factors and the right side.
  private var rows = InlineArray<42, Double>(repeating: 0)

  private subscript(row: Int, column: Int) -> Double {
    get { rows[row * 7 + column] }
    set { rows[row * 7 + column] = newValue }
  }

  mutating func setRow(_ row: Int, _ values: InlineArray<7, Double>) {
    for column in 0..<7 { self[row, column] = values[column] }
  }

  /// By Gaussian elimination with pivoting; nil when the system is singular.
  mutating func solve() -> InlineArray<6, Double>? {
    for column in 0..<6 {
      var best = column
      for row in column..<6 where abs(self[row, column]) > abs(self[best, column]) { best = row }
      guard abs(self[best, column]) > 1e-9 else { return nil }
      for place in 0..<7 {
        let kept = self[column, place]
        self[column, place] = self[best, place]
        self[best, place] = kept
      }
      for row in 0..<6 where row != column {
        let factor = self[row, column] / self[column, column]
        for place in column..<7 { self[row, place] -= factor * self[column, place] }
      }
    }
    var solution = InlineArray<6, Double>(repeating: 0)
    for row in 0..<6 { solution[row] = self[row, 6] / self[row, row] }
    return solution
  }
}
