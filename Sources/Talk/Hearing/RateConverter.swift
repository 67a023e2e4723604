import Codec
import Runtime

/// Converts the sample rate with a polyphase windowed sinc filter. For the few rates that gateways request (8, 16 and
/// 24 kHz from 16 kHz). Streaming: the output does not depend on how the input is split.
public final class RateConverter {
  /// Lobes of the sinc on each side, at the lower of both rates: 60 dB with the window of Blackman.
  private static let lobes = 12

  /// `up` output samples for `down` input samples.
  public let up: Int
  public let down: Int
  private let taps: Int
  private let table: UnsafeMutablePointer<Float>
  /// The last inputs, stored twice in a row, so that any `taps` of them are contiguous.
  private let history: UnsafeMutablePointer<Float>
  private var next = 0
  private var phase = 0

  /// A converter between two rates in Hz, of which the table has no more than 512 phases.
  @export(interface)
  public init(from input: Int, to output: Int) {
    var (left, right) = (input, output)
    while right != 0 { (left, right) = (right, left % right) }
    (up, down) = (output / left, input / left)
    precondition(up <= 512 && down <= 512)
    let cutoff = up < down ? Double(up) / Double(down) : 1
    taps = 2 * Int(clamping: (Double(Self.lobes) / cutoff).rounded(.up))
    table = .allocate(capacity: up * taps)
    history = .allocate(capacity: 2 * taps)
    history.initialize(repeating: 0, count: 2 * taps)
    // A little below the Nyquist frequency, so that the transition band ends there.
    for place in 0..<up { fill(place, 0.92 * cutoff) }
  }

  /// A converter between two rates in Hz; nil where its table would be too large.
  public static func between(_ input: Int, _ output: Int) -> RateConverter? {
    var (left, right) = (input, output)
    while right != 0 { (left, right) = (right, left % right) }
    return max(input, output) / max(1, left) <= 512 ? RateConverter(from: input, to: output) : nil
  }

  deinit {
    table.deallocate()
    history.deallocate()
  }

  private func fill(_ place: Int, _ cutoff: Double) {
    var sum = 0.0
    let center = Double(taps) / 2
    for tap in 0..<taps {
      let distance = Double(tap) - center + Double(place) / Double(up)
      let angle = Trigonometry.pi * distance / center
      let window =
        abs(distance) >= center ? 0 : 0.42 + 0.5 * Trigonometry.cosine(angle) + 0.08 * Trigonometry.cosine(2 * angle)
      let turn = Trigonometry.pi * cutoff * distance
      let value = window * (abs(turn) < 1e-9 ? 1 : Trigonometry.sine(turn) / turn)
      table[place * taps + tap] = Float(value)
      sum += value
    }
    for tap in 0..<taps { table[place * taps + tap] /= Float(sum) }
  }

  /// The largest number of output samples for `count` input samples.
  public func maximumOutput(of count: Int) -> Int { (count * up + down - 1) / down + 1 }

  /// Clears the history.
  public func reset() {
    history.update(repeating: 0, count: 2 * taps)
    (next, phase) = (0, 0)
  }

  /// Converts; `output` has room for `maximumOutput`. Returns how many samples that made.
  public func convert(_ input: UnsafeBufferPointer<Int16>, into output: UnsafeMutableBufferPointer<Int16>) -> Int {
    var count = 0
    for sample in input {
      next = next == 0 ? taps - 1 : next - 1
      history[next] = Float(sample)
      history[next + taps] = Float(sample)
      while phase < up {
        output[count] = value
        count += 1
        phase += down
      }
      phase -= up
    }
    return count
  }

  private var value: Int16 {
    let filter = table + phase * taps
    let newest = history + next
    var sum: Float = 0
    for tap in 0..<taps { sum += filter[tap] * newest[tap] }
    return Int16(clamping: sum.rounded())
  }
}
