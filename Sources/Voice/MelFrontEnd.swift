import Runtime

/// The network's input: 32 mel bands in decibels, of 512 samples every 160, as computed in the ONNX port of the network
/// from samples between -1 and 1: power of at least 1e-10, limited to 80 dB below the maximum, then divided by ten plus
/// two.
///
/// The maximum decays by 3 dB a second, because a stream has no overall maximum.
public final class MelFrontEnd {
  /// Samples from one row to the next: 10 ms.
  public static let hop = 160
  /// Bands of a row.
  public static let bands = VoiceModel.bands

  private static let size = VoiceModel.transformSize
  /// Decibels below the maximum that count; decibels by which the maximum decays with each row; 1e-10 in decibels.
  private static let range: Float = 80
  private static let forgetting: Float = 0.03
  private static let quietest: Float = -100

  private let model: VoiceModel
  private let transform = RealTransform()
  private let samples = FloatTable(count: size)
  private let power = FloatTable(count: VoiceModel.frequencies + 7)
  private let row = FloatTable(count: bands)
  /// The range of frequencies of each band.
  private let ranges: UnsafeMutablePointer<(first: Int, end: Int)>
  private var filled = 0
  private var loudest = MelFrontEnd.quietest

  /// A front end without input.
  @export(interface)
  public init(_ model: VoiceModel) {
    self.model = model
    ranges = .allocate(capacity: Self.bands)
    for band in 0..<Self.bands {
      var (first, end) = (VoiceModel.frequencies, 0)
      for frequency in 0..<VoiceModel.frequencies where model.mel[frequency * Self.bands + band] != 0 {
        (first, end) = (min(first, frequency), frequency + 1)
      }
      ranges[band] = (min(first, end), end)
    }
  }

  deinit { ranges.deallocate() }

  /// Clears its state.
  public func reset() { (filled, loudest) = (0, Self.quietest) }

  /// Takes a hop of 160 samples, and returns the row that it completes, valid until the next call.
  public func push(_ hop: UnsafePointer<Int16>) -> UnsafePointer<Float>? {
    let floats = samples.floats
    if filled + Self.hop > Self.size {
      let kept = Self.size - Self.hop
      let surplus = filled - kept
      for index in 0..<kept { floats[index] = floats[index + surplus] }
      filled = kept
    }
    for index in 0..<Self.hop { floats[filled + index] = Float(hop[index]) * (1 / 32_768) }
    filled += Self.hop
    return filled == Self.size ? makeRow() : nil
  }

  private func makeRow() -> UnsafePointer<Float> {
    transform.power(of: samples.floats, model.window, into: power.floats)
    loudest = max(loudest - Self.forgetting, Self.quietest)
    for band in 0..<Self.bands {
      var sum: Float = 0
      for frequency in ranges[band].first..<ranges[band].end {
        sum += power.floats[frequency] * model.mel[frequency * Self.bands + band]
      }
      row.floats[band] = Self.decibels(sum)
      loudest = max(loudest, row.floats[band])
    }
    for band in 0..<Self.bands { row.floats[band] = max(row.floats[band], loudest - Self.range) / 10 + 2 }
    return UnsafePointer(row.floats)
  }

  private static func decibels(_ power: Float) -> Float {
    Float(Trigonometry.logarithm(Double(max(power, 1e-10))) * 4.342_944_819_032_518)
  }
}
