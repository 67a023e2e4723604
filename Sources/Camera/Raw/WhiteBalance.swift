import Codec

/// White balance factors.
struct WhiteBalance: Equatable {
  /// The factor 1.
  static let one = 1024
  /// No change.
  static let none = WhiteBalance(red: one, green: one, blue: one)

  /// In 1/1024; each at least 1, so that overexposed areas stay white, and below 16.
  let red, green, blue: Int

  private init(red: Int, green: Int, blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// Gray-world: the means of red and blue become that of green, within the sensor's range of factors. A black scene is
  /// unchanged.
  init(grayWorld scene: FrameStatistics, _ sensor: Sensor) {
    let profile = sensor.profile
    guard scene.red > 0, scene.green > 0, scene.blue > 0 else {
      self = .none
      return
    }
    let red = Self.clamped(Double(scene.green) / Double(scene.red), profile.redGain)
    let blue = Self.clamped(Double(scene.green) / Double(scene.blue), profile.blueGain)
    let least = min(red, blue, 1)
    func fixed(_ factor: Double) -> Int { Int(clamping: (factor / least * Double(Self.one)).rounded()) }
    self.init(red: fixed(red), green: fixed(1), blue: fixed(blue))
  }

  private static func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(value, range.lowerBound), range.upperBound)
  }
}
