import Runtime

/// The word or phrase in a recording, and its position.
public struct SpokenWord: Equatable, Sendable {
  /// Whether a recording is usable, and if not, why.
  public enum Verdict: UInt8, Sendable {
    case good, silent, quiet, noisy, short, long, cut, loud

    /// The text for people.
    public var text: StaticString {
      switch self {
      case .good: "heard well"
      case .silent: "nothing was said"
      case .quiet: "too quiet: come nearer, or raise the microphone's gain"
      case .noisy: "the room is too loud for that voice: come nearer, or wait until it is quieter"
      case .short: "too short: a phrase of two syllables or more is needed"
      case .long: "too long: at most two seconds are heard as one phrase"
      case .cut: "cut off: wait for the word \"now\", say it, and be silent again"
      case .loud: "too loud for the microphone: speak more softly, or lower its gain"
      }
    }
  }

  public var verdict: Verdict
  /// The samples of the word.
  public var range: Range<Int>
  /// The highest level of 30 ms, of 1, and that of the room.
  public var level: Float
  public var floor: Float

  /// Samples of a frame: 10 ms.
  private static let look = 160
  /// Frames of silence that may be within a phrase, and frames kept at either end.
  private static let pause = 35, margin = 4
  /// Frames of the shortest and the longest phrase.
  private static let lengths = 25...200
  /// The least level of a voice, and its least ratio to the room's.
  private static let least: Float = 0.004, clear: Float = 4
  /// Level of the ends relative to the loudest frame: -30 dB, as an amplitude.
  private static let depth: Float = 0.032

  /// Finds the one word in samples of 16 kHz, -1 to 1.
  public static func find(in samples: [Float]) -> SpokenWord {
    let levels = levels(of: samples)
    let sorted = levels.sorted()
    guard levels.count > 2 * margin, let loudest = sorted.last, loudest > 0 else {
      return SpokenWord(verdict: .silent, range: 0..<0, level: 0, floor: 0)
    }
    let floor = sorted[levels.count / 10]
    var word = SpokenWord(verdict: .good, range: 0..<0, level: loudest, floor: floor)
    let bound = max(2 * floor, depth * loudest)
    let (first, last) = longest(levels, above: bound)
    word.range = (max(0, first - margin) * look)..<(min(levels.count, last + 1 + margin) * look)
    word.verdict = verdict(word, looks: last + 1 - first, isWhole: first >= margin && last + margin < levels.count)
    if word.verdict == .good, isClipped(samples) { word.verdict = .loud }
    return word
  }

  private static func verdict(_ word: SpokenWord, looks: Int, isWhole: Bool) -> Verdict {
    if word.level < least { return word.level < 2 * word.floor || word.level < least / 4 ? .silent : .quiet }
    if word.level < clear * word.floor { return .noisy }
    if looks < lengths.lowerBound { return .short }
    if looks > lengths.upperBound { return .long }
    return isWhole ? .good : .cut
  }

  /// The level of each frame with its two neighbors.
  private static func levels(of samples: [Float]) -> [Float] {
    let count = samples.count / look
    var powers = [Float](repeating: 0, count: count)
    for index in 0..<count {
      var (sum, squares): (Float, Float) = (0, 0)
      for place in (index * look)..<((index + 1) * look) {
        sum += samples[place]
        squares += samples[place] * samples[place]
      }
      let mean = sum / Float(look)
      powers[index] = max(0, squares / Float(look) - mean * mean)
    }
    var levels = powers
    for index in 0..<count {
      let (before, after) = (powers[max(0, index - 1)], powers[min(count - 1, index + 1)])
      levels[index] = ((before + powers[index] + after) / 3).squareRoot()
    }
    return levels
  }

  /// The stretch of frames above a threshold with most of the sound: a click before it is not the word.
  private static func longest(_ levels: [Float], above bound: Float) -> (first: Int, last: Int) {
    var (best, first, last) = ((first: 0, last: 0, sum: Float(0)), -1, -1)
    var sum: Float = 0
    for index in levels.indices where levels[index] > bound {
      if first < 0 || index - last > pause { (first, sum) = (index, 0) }
      last = index
      sum += levels[index]
      if sum > best.sum { best = (first, last, sum) }
    }
    return (best.first, best.last)
  }

  /// True when more than a thousandth of the samples are at full scale.
  private static func isClipped(_ samples: [Float]) -> Bool {
    var count = 0
    for sample in samples where sample.magnitude > 0.999 { count += 1 }
    return count * 1000 > samples.count
  }
}
