import Runtime

/// A variation of speaking a phrase.
public struct Manner: Equatable, Sendable {
  /// The synthesizer.
  public enum Family: UInt8, Sendable { case flite, espeak }

  public var family: Family
  /// Of espeak-ng: the voice's name, an accent and perhaps a variant of it.
  public var voice: String
  /// For flite: duration factor; for espeak-ng: words a minute.
  public var pace: Double
  /// For flite: pitch factor; for espeak-ng: 0 to 99.
  public var pitch: Double
  /// The change of the vocal tract: `Room.bend`.
  public var bend: Double
  /// How pitch and pace sway within the word.
  public var sway = Sway.none
}

/// A slow change of pitch and pace within a word, so that one synthesizer's rhythm and melody become many.
public struct Sway: Equatable, Sendable {
  /// The largest change, as a fraction of the word's own pace.
  public var depth: Double
  /// Samples from one crest to the next, and where in the first wave the word begins, in radians.
  public var length: Double
  public var phase: Double

  public static let none = Sway(depth: 0, length: 1, phase: 0)

  /// Samples that the word is ahead at a sample of it.
  func lead(at sample: Int) -> Double {
    let turn = 2 * Trigonometry.pi / length
    return depth / turn * (Trigonometry.sine(phase + turn * Double(sample)) - Trigonometry.sine(phase))
  }
}

/// Variations of speaking a phrase, so that the built-in voice and, where installed, espeak-ng's become many. The same
/// seed gives the same plan.
public struct SpeakingPlan {
  /// The ranges of a synthesizer's variations.
  struct Ranges {
    let pace: ClosedRange<Double>
    let pitch: ClosedRange<Double>
    let bend: ClosedRange<Double>
  }

  /// To the slow side: synthesizers speak faster than people call a machine (docs/developers/WAKE-PHRASES.md).
  static let flite = Ranges(pace: 0.7...1.5, pitch: 0.5...1.25, bend: 0.82...1.22)
  static let espeak = Ranges(pace: 110...190, pitch: 20...80, bend: 0.82...1.22)
  /// A syllable to a word of three.
  static let swayDepth = 0.0...0.075, swayLength = 4_800.0...12_800
  static let variants: [StaticString] = [
    "", "+m1", "+m2", "+m3", "+m4", "+m5", "+m6", "+m7", "+f1", "+f2", "+f3", "+f4", "+f5", "+klatt2", "+klatt4",
  ]

  private let voices: [String]
  private var random: SeededRandom
  private var count = 0

  /// A plan for a language's voices, at least one.
  public init(_ language: Language = .english, seed: UInt64) {
    voices = language.voices
    random = SeededRandom(seed: seed)
  }

  /// The next variation for a synthesizer.
  public mutating func next(_ family: Manner.Family) -> Manner {
    let ranges = family == .flite ? Self.flite : Self.espeak
    var voice = ""
    if family == .espeak {
      voice =
        voices[Int(random.next() % UInt64(voices.count))] + Self.string(Self.variants[count % Self.variants.count])
      count += 1
    }
    return Manner(
      family: family, voice: voice, pace: random.number(ranges.pace), pitch: random.number(ranges.pitch),
      bend: random.number(ranges.bend),
      sway: Sway(
        depth: random.number(Self.swayDepth), length: random.number(Self.swayLength),
        phase: random.number(0...2 * Trigonometry.pi)))
  }

  private static func string(_ text: StaticString) -> String { String(decoding: text.bytes, as: UTF8.self) }
}
