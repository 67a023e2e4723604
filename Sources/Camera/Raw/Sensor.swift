import Codec

/// A model of image sensor.
public enum Sensor: Equatable, Sendable, CaseIterable {
  /// Any other.
  case generic
  /// OmniVision OV5647: Camera Module 1.
  case ov5647
  /// Sony IMX219: Camera Module 2.
  case imx219
  /// Sony IMX477: High Quality Camera.
  case imx477
  /// Sony IMX708: Camera Module 3.
  case imx708

  private static let known: InlineArray<4, Sensor> = [.ov5647, .imx219, .imx477, .imx708]

  /// The sensor that a driver's name begins with ("imx219 10-0010", the name of its media entity), else `.generic`.
  public init(named name: Span<UInt8>) {
    self = .generic
    for index in 0..<Self.known.count where Self.known[index].begins(name) { self = Self.known[index] }
  }

  /// The kernel driver's name.
  public var name: StaticString {
    switch self {
    case .generic: "generic"
    case .ov5647: "ov5647"
    case .imx219: "imx219"
    case .imx477: "imx477"
    case .imx708: "imx708"
    }
  }

  private func begins(_ name: Span<UInt8>) -> Bool {
    let own = self.name
    guard name.count >= own.utf8CodeUnitCount else { return false }
    for index in 0..<own.utf8CodeUnitCount where name[index] != own.utf8Start[index] { return false }
    return true
  }
}

/// The relation of a sensor's gain control to the gain factor.
public enum GainLaw: Equatable, Sendable {
  /// value / one
  case linear(one: Int)
  /// full / (full - value)
  case reciprocal(full: Int)

  /// The factor of a control's value.
  func factor(_ value: Int) -> Double {
    switch self {
    case .linear(let one): Double(value) / Double(max(one, 1))
    case .reciprocal(let full): Double(full) / Double(max(full - value, 1))
    }
  }

  /// The control's value, rounded, for a factor of at least 1.
  func value(_ factor: Double) -> Int {
    switch self {
    case .linear(let one): Int(clamping: (factor * Double(one)).rounded())
    case .reciprocal(let full): Int(clamping: (Double(full) - Double(full) / factor).rounded())
    }
  }
}

/// The properties of a sensor.
///
/// Black level, matrix (the one for 4,600 to 4,700 K, near the middle of daylight and lamps) and the ends of the
/// white-balance curve (2,400 to 8,600 K) are those of the tuning files of Raspberry Pi's libcamera, gain laws those of
/// its camera helpers (src/ipa/rpi/vc4/data and src/ipa/rpi/cam_helper of raspberrypi/libcamera, BSD-2-Clause). For a
/// sensor without a public source black is 0, and colors are unchanged.
struct SensorProfile {
  /// The value of black, in 1/65536 of the full range.
  let black: Int
  /// The color matrix from the sensor's R, G and B after white balance to the picture's, row by row; each row adds up
  /// to 1.
  let matrix: InlineArray<9, Double>
  /// Range of white balance factors for red and blue relative to green, from candlelight to blue sky.
  let redGain, blueGain: ClosedRange<Double>
}

extension Sensor {
  /// Range of gray-world factors for a sensor without a published curve.
  private static let anyGain = 0.5...4.0

  /// Its properties.
  var profile: SensorProfile {
    switch self {
    case .generic:
      SensorProfile(
        black: 0, matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1], redGain: Self.anyGain, blueGain: Self.anyGain)
    case .ov5647:
      SensorProfile(
        black: 1024,
        matrix: [
          2.00971, -0.51461, -0.49511, -0.52109, 2.01003, -0.48894, -0.09527, -0.67318, 1.76845,
        ], redGain: 0.97...1.65, blueGain: 0.99...2.23)
    case .imx219:
      SensorProfile(
        black: 4096,
        matrix: [
          2.18174, -0.70887, -0.47287, -0.70196, 2.76426, -1.06231, -0.25157, -0.71978, 1.97135,
        ], redGain: 1.07...2.31, blueGain: 1.24...2.78)
    case .imx477:
      SensorProfile(
        black: 4096,
        matrix: [
          2.15423, -0.98143, -0.17279, -0.38131, 2.14763, -0.76632, -0.10069, -0.54383, 1.64452,
        ], redGain: 1.66...3.97, blueGain: 1.27...3.24)
    case .imx708:
      SensorProfile(
        black: 4096,
        matrix: [
          1.52972, -0.35168, -0.17804, -0.28309, 1.67098, -0.38788, 0.01695, -0.57209, 1.55515,
        ], redGain: 1.14...2.69, blueGain: 1.45...3.84)
    }
  }

  /// The law of its gain control; nil when unknown.
  public var gainLaw: GainLaw? {
    switch self {
    case .generic: nil
    case .ov5647: .linear(one: 16)
    case .imx219: .reciprocal(full: 256)
    case .imx477, .imx708: .reciprocal(full: 1024)
    }
  }
}
