import Motion
import Testing

@Suite struct CalibrationTests {
  /// What a sensor with these faults says of the true acceleration.
  private static func faulty(_ truth: Vector3) -> Vector3 {
    Vector3(truth.x / 1.05 + 0.08, truth.y / 0.97 - 0.05, truth.z / 1.02 + 0.12)
  }

  /// Six positions, none of them exact.
  private static let positions = [
    Vector3(0.995, 0.08, 0.06), Vector3(-0.99, 0.1, -0.1), Vector3(0.1, 0.99, 0.1),
    Vector3(-0.05, -0.998, 0.02),
    Vector3(0.02, -0.1, 0.995), Vector3(0.12, 0.05, -0.99),
  ].map { $0.unit }

  private func hold(_ positions: inout SixPositions, _ truth: Vector3, noise: Float = 0.004) {
    for index in 0..<SixPositions.samples {
      let jitter = index % 2 == 0 ? noise : -noise
      let felt = Self.faulty(truth)
      positions.add(MotionSample(acceleration: Vector3(felt.x + jitter, felt.y - jitter, felt.z + jitter)))
    }
  }

  @Test func sixPositionsTellOffsetsAndScales() throws {
    var six = SixPositions()
    for (index, truth) in Self.positions.enumerated() {
      #expect(six.count == index)
      hold(&six, truth)
      _ = try six.take()
    }
    let solution = try six.solve()
    var calibration = MotionCalibration()
    (calibration.offset, calibration.scale) = solution
    #expect(abs(solution.offset.x - 0.08) < 0.002 && abs(solution.offset.z - 0.12) < 0.002)
    #expect(abs(solution.scale.x - 1.05) < 0.002 && abs(solution.scale.y - 0.97) < 0.002)
    for truth in Self.positions {
      let right = calibration.apply(MotionSample(acceleration: Self.faulty(truth)))
      #expect(abs(right.acceleration.magnitude - 1) < 0.002)
    }
  }

  @Test func refusesWhatDoesNotHelp() throws {
    var six = SixPositions()
    #expect(throws: CalibrationError.incomplete) { try six.take() }
    hold(&six, Self.positions[0], noise: 0.1)
    #expect(throws: CalibrationError.self) { try six.take() }
    #expect(six.count == 0 && six.pending == 0)
    hold(&six, Vector3(0.7, 0.7, 0.1).unit)
    #expect(throws: CalibrationError.askew) { try six.take() }
    hold(&six, Self.positions[0])
    #expect(try six.take() == .forward)
    hold(&six, Self.positions[0])
    #expect(throws: CalibrationError.again(.forward)) { try six.take() }
    #expect(six.has(.forward) && !six.has(.top))
    #expect(throws: CalibrationError.incomplete) { try six.solve() }
  }

  @Test func aBrokenSensorIsNotCalibrated() throws {
    var six = SixPositions()
    for truth in Self.positions {
      for _ in 0..<SixPositions.samples {
        // One axis feels half of what there is.
        six.add(MotionSample(acceleration: Vector3(truth.x, truth.y, truth.z / 2)))
      }
      _ = try six.take()
    }
    #expect(throws: CalibrationError.implausible) { try six.solve() }
  }

  @Test func aRecordSaysWhatWasCalibrated() throws {
    var calibration = MotionCalibration()
    calibration.offset = Vector3(0.1, -0.2, 0.05)
    calibration.scale = Vector3(1.01, 0.99, 1.1)
    calibration.bias = Vector3(0.01, 0.02, -0.3)
    var bytes = [UInt8](repeating: 0, count: MotionCalibration.encodedBytes)
    bytes.withUnsafeMutableBufferPointer { calibration.encode(into: $0) }
    #expect(bytes.withUnsafeBufferPointer { MotionCalibration($0) } == calibration)
    for place in [0, 4, 5] {
      var torn = bytes
      torn[place] ^= 0xFF
      if place == 5 { torn.removeLast() }
      #expect(torn.withUnsafeBufferPointer { MotionCalibration($0) } == nil)
    }
    for place in stride(from: 8, to: bytes.count, by: 4) {
      var absurd = bytes
      absurd[place] = 0x7F
      #expect(absurd.withUnsafeBufferPointer { MotionCalibration($0) } == nil)
    }
  }
}

extension Vector3 {
  fileprivate var unit: Vector3 { Vector3(x / magnitude, y / magnitude, z / magnitude) }
}
