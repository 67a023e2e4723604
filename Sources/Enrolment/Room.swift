import Codec
import Runtime

/// Simulates a room, a microphone and noise.
public enum Room {
  /// Samples per second.
  private static let rate = 16_000.0
  /// Samples before the end of the first window (nine vectors, and the network's context of the first), and samples
  /// after a word.
  public static let before = 22_400
  private static let tail = 4_800
  private static let reflections = 120
  /// Fraction of the words with speech before them, and of these the fraction with speech after them. Otherwise the
  /// detector would learn the silence before a word, and fail in the middle of a sentence.
  private static let talked = 0.5, followed = 0.6
  /// Samples of silence between two words, at most.
  private static let pause: UInt64 = 4_000
  /// Largest amplification of other words: nearly silent ones stay so.
  private static let loudestTalk: Float = 30

  /// Puts a word into a room: the sound, and where in it the word ends.
  /// - Parameters:
  ///   - first: samples before the word's end at which the first window may end
  ///   - talk: speech before half of the words, and after some of those; empty for silence
  public static func place(
    _ word: [Float], first: Int, among talk: [Float] = [], _ random: inout SeededRandom
  ) -> (samples: [Int16], end: Int) {
    // Random offset, so that windows begin at different samples.
    let start = max(1600, before + first - word.count) + Int(random.next() % 1280)
    var samples = [Float](repeating: 0, count: start + word.count + tail)
    for index in word.indices { samples[start + index] = word[index] }
    if random.number(0...1) < 0.6 { samples = echo(samples, from: start, &random) }
    limitBand(&samples, &random)
    let voice = level(of: samples, from: start, count: word.count)
    if talk.count > samples.count, random.number(0...1) < talked {
      addTalk(talk, to: &samples, besides: start..<(start + word.count), level: voice, &random)
    }
    var loudest: Float = 1e-6
    for sample in samples { loudest = max(loudest, sample.magnitude) }
    let gain = 32_768 * factor(decibels: random.number(-30 ... -2)) / loudest
    addNoise(&samples, level: voice, &random)
    var heard = [Int16](repeating: 0, count: samples.count)
    for index in samples.indices { heard[index] = Int16(clamping: (samples[index] * gain).rounded()) }
    return (heard, start + word.count)
  }

  /// A word as from another vocal tract, a little faster and higher or slower and lower, and swaying, by cubic
  /// interpolation (E. Catmull and R. Rom, "A class of local interpolating splines", 1974).
  public static func bend(_ word: [Float], by speed: Double, _ sway: Sway = .none) -> [Float] {
    guard word.count > 3, speed > 0.5, speed < 2 else { return word }
    var bent = [Float](repeating: 0, count: Int(clamping: Double(word.count - 3) / speed))
    for index in bent.indices {
      let place = min(max(1, Double(index) * speed + 1 + sway.lead(at: index)), Double(word.count - 2))
      let whole = min(Int(clamping: place), word.count - 3)
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

  /// 120 decaying reflections; the reverberation time is a tenth to half a second.
  private static func echo(_ samples: [Float], from start: Int, _ random: inout SeededRandom) -> [Float] {
    let duration = random.number(0.1...0.5)
    let strength = Float(random.number(0.1...0.5))
    var result = samples
    for _ in 0..<reflections {
      let delay = random.number(0.002...duration)
      let gain = strength * factor(decibels: -60 * delay / duration) * random.normal() / 3
      let offset = Int(clamping: delay * rate)
      result.withUnsafeMutableBufferPointer { result in
        samples.withUnsafeBufferPointer { samples in
          for index in start..<max(start, samples.count - offset) { result[index + offset] += gain * samples[index] }
        }
      }
    }
    return result
  }

  /// The band of a small microphone in a case: poles at 60 to 300 Hz and 3 to 7.5 kHz.
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

  /// Other words before a word, and after some, up to a quarter of a second from it; 10 dB softer to 4 dB louder.
  private static func addTalk(
    _ talk: [Float], to samples: inout [Float], besides word: Range<Int>, level voice: Float,
    _ random: inout SeededRandom
  ) {
    let offset = Int(random.next() % UInt64(talk.count - samples.count))
    let end = word.lowerBound - Int(random.next() % pause)
    let next = random.number(0...1) < followed ? word.upperBound + Int(random.next() % pause) : samples.count
    let other = level(of: talk, from: offset, count: samples.count)
    let gain = min(loudestTalk, voice / max(other, 1e-4) * factor(decibels: random.number(-10...4)))
    for index in samples.indices where index < end || index >= next { samples[index] += gain * talk[offset + index] }
  }

  /// White or pink noise, 5 to 35 dB below the voice.
  private static func addNoise(_ samples: inout [Float], level: Float, _ random: inout SeededRandom) {
    let amount = level * factor(decibels: -random.number(5...35))
    let color: Float = random.number(0...1) < 0.5 ? 0 : 0.95
    let scale = amount * (1 - color * color).squareRoot()
    var noise: Float = 0
    for index in samples.indices {
      // The sum of three uniform numbers is close enough to a normal distribution.
      let white = Float(random.next() >> 40) + Float(random.next() >> 40) + Float(random.next() >> 40)
      noise = color * noise + (white / 8_388_608 - 3) * scale
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
