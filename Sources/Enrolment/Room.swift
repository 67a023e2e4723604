import Runtime

/// What a room, a microphone and other noise make of a voice.
public enum Room {
  private static let rate = 16_000.0
  /// Samples before the end of the first window that is wanted, for a window hears nine vectors and what the network needs for the
  /// first of them; and samples behind a word.
  public static let before = 22_400
  private static let tail = 4_800
  private static let reflections = 120

  /// Puts a word into a room: the sound, and where in it the word ends.
  /// - Parameter first: samples before the word's end at which the first window that is wanted may end
  public static func place(_ word: [Float], first: Int, _ random: inout SeededRandom) -> (samples: [Int16], end: Int) {
    // The windows of one word do not all begin at the same sample.
    let start = max(1600, before + first - word.count) + Int(random.next() % 1280)
    var samples = [Float](repeating: 0, count: start + word.count + tail)
    for index in word.indices { samples[start + index] = word[index] }
    if random.number(0...1) < 0.6 { samples = echo(samples, from: start, &random) }
    limitBand(&samples, &random)
    var loudest: Float = 1e-6
    for sample in samples { loudest = max(loudest, sample.magnitude) }
    let gain = 32_768 * factor(decibels: random.number(-30 ... -2)) / loudest
    addNoise(&samples, level: level(of: samples, from: start, count: word.count), &random)
    var heard = [Int16](repeating: 0, count: samples.count)
    for index in samples.indices { heard[index] = Int16(max(-32_768, min(32_767, (samples[index] * gain).rounded()))) }
    return (heard, start + word.count)
  }

  /// A word as if another throat had said it, a little faster and higher or slower and lower: by cubic interpolation (E. Catmull and
  /// R. Rom, "A class of local interpolating splines", 1974).
  public static func bend(_ word: [Float], by speed: Double) -> [Float] {
    guard word.count > 3, speed > 0.5, speed < 2 else { return word }
    var bent = [Float](repeating: 0, count: Int(Double(word.count - 3) / speed))
    for index in bent.indices {
      let place = Double(index) * speed + 1
      let whole = min(Int(place), word.count - 3)
      let part = Float(place - Double(whole))
      let (a, b, c, d) = (word[whole - 1], word[whole], word[whole + 1], word[whole + 2])
      let third = 3 * (b - c) + d - a
      bent[index] = b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * third))
    }
    return bent
  }

  private static func factor(decibels: Double) -> Float {
    Float(Trigonometry.exponential(decibels * 0.115_129_254_649_702_3))
  }

  /// 120 reflections that die away; a tenth of a second to half a second until they are a thousandth.
  private static func echo(_ samples: [Float], from start: Int, _ random: inout SeededRandom) -> [Float] {
    let duration = random.number(0.1...0.5)
    let strength = Float(random.number(0.1...0.5))
    var result = samples
    for _ in 0..<reflections {
      let delay = random.number(0.002...duration)
      let gain = strength * factor(decibels: -60 * delay / duration) * random.normal() / 3
      let offset = Int(delay * rate)
      result.withUnsafeMutableBufferPointer { result in
        samples.withUnsafeBufferPointer { samples in
          for index in start..<max(start, samples.count - offset) { result[index + offset] += gain * samples[index] }
        }
      }
    }
    return result
  }

  /// What a small microphone and its case leave: poles at 60 to 300 Hz and 3 to 7.5 kHz.
  private static func limitBand(_ samples: inout [Float], _ random: inout SeededRandom) {
    let low = Float(Trigonometry.exponential(-2 * Trigonometry.pi * random.number(60...300) / rate))
    let high = Float(Trigonometry.exponential(-2 * Trigonometry.pi * random.number(3000...7500) / rate))
    var (last, passed, smooth): (Float, Float, Float) = (0, 0, 0)
    for index in samples.indices {
      passed = low * (passed + samples[index] - last)
      last = samples[index]
      smooth += (1 - high) * (passed - smooth)
      samples[index] = smooth
    }
  }

  /// White or pink noise, 5 to 35 dB below the voice.
  private static func addNoise(_ samples: inout [Float], level: Float, _ random: inout SeededRandom) {
    let amount = level * factor(decibels: -random.number(5...35))
    let colour: Float = random.number(0...1) < 0.5 ? 0 : 0.95
    let scale = amount * (1 - colour * colour).squareRoot()
    var noise: Float = 0
    for index in samples.indices {
      // The sum of three even numbers is near enough to a normal one.
      let white = Float(random.next() >> 40) + Float(random.next() >> 40) + Float(random.next() >> 40)
      noise = colour * noise + (white / 8_388_608 - 3) * scale
      samples[index] += noise
    }
  }

  /// The root of the mean power.
  private static func level(of samples: [Float], from start: Int, count: Int) -> Float {
    var sum: Float = 0
    for index in start..<(start + count) { sum += samples[index] * samples[index] }
    return (sum / Float(max(1, count))).squareRoot()
  }
}
