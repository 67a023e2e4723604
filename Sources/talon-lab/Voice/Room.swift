import Foundation

/// What a room, a microphone and other noise make of a voice.
struct Room {
  private static let rate = 16_000.0
  /// Samples before the end of the first window that is wanted, for a window hears nine vectors and what the network needs for the
  /// first of them, and samples behind a word.
  static let before = 22_400, tail = 4_800

  /// Puts a word into a room: the sound, and where in it the word ends.
  /// - Parameter first: samples before the word's end at which the first window that is wanted may end
  static func place(_ word: [Float], first: Int, _ random: inout LabRandom) -> (samples: [Int16], end: Int) {
    // The windows of one word do not all begin at the same sample.
    let start = max(1600, before + first - word.count) + Int(random.next() % 1280)
    var samples = [Float](repeating: 0, count: start + word.count + tail)
    for (index, sample) in word.enumerated() { samples[start + index] = sample }
    if random.number(0...1) < 0.6 { samples = echo(samples, from: start, &random) }
    samples = band(samples, &random)
    let loudest = max(samples.map(abs).max() ?? 0, 1e-6)
    let gain = Float(pow(10, random.number(-30 ... -2) / 20)) / loudest
    addNoise(&samples, level: rootMeanSquare(of: samples[start..<(start + word.count)]), &random)
    return (SoundFile.integers(samples.map { $0 * gain }), start + word.count)
  }

  /// 120 reflections that die away; a tenth of a second to half a second until they are a thousandth.
  private static func echo(_ samples: [Float], from start: Int, _ random: inout LabRandom) -> [Float] {
    let duration = random.number(0.1...0.5)
    let strength = Float(random.number(0.1...0.5))
    var result = samples
    for _ in 0..<120 {
      let delay = random.number(0.002...duration)
      let gain = strength * Float(pow(10, -3 * delay / duration)) * random.normal() / 3
      let offset = Int(delay * rate)
      result.withUnsafeMutableBufferPointer { result in
        samples.withUnsafeBufferPointer { samples in
          for index in start..<max(start, samples.count - offset) {
            result[index + offset] += gain * samples[index]
          }
        }
      }
    }
    return result
  }

  /// What a small microphone and its case leave: poles at 60 to 300 Hz and 3 to 7.5 kHz.
  private static func band(_ samples: [Float], _ random: inout LabRandom) -> [Float] {
    let low = Float(exp(-2 * Double.pi * random.number(60...300) / rate))
    let high = Float(exp(-2 * Double.pi * random.number(3000...7500) / rate))
    var (last, passed, smooth): (Float, Float, Float) = (0, 0, 0)
    return samples.map { sample in
      passed = low * (passed + sample - last)
      last = sample
      smooth += (1 - high) * (passed - smooth)
      return smooth
    }
  }

  /// White or pink noise, 5 to 35 dB below the voice.
  private static func addNoise(_ samples: inout [Float], level: Float, _ random: inout LabRandom) {
    let amount = level * Float(pow(10, -random.number(5...35) / 20))
    let colour = random.number(0...1) < 0.5 ? Float(0) : Float(0.95)
    let scale = amount * (1 - colour * colour).squareRoot()
    var noise: Float = 0
    for index in samples.indices {
      // The sum of three even numbers is near enough to a normal one.
      let white = Float(random.next() >> 40) + Float(random.next() >> 40) + Float(random.next() >> 40)
      noise = colour * noise + (white / 8_388_608 - 3) * scale
      samples[index] += noise
    }
  }

  private static func rootMeanSquare(of samples: ArraySlice<Float>) -> Float {
    (samples.map { $0 * $0 }.reduce(0, +) / Float(max(1, samples.count))).squareRoot()
  }
}
