import Foundation

/// Measures the sound that arrives, and detects the end of speech: a simple rule that a scenario can foresee, in place
/// of a provider's recognizer.
struct TalkEar {
  /// A block counts as speech from this root mean square on: 44 dB below full scale.
  static let speechLevel = 200.0
  private static let blockMilliseconds = 20
  /// Speech is speech after so many loud blocks, and over after so many quiet ones in a row: 60 ms and 500 ms.
  private static let loudBlocksMin = 3
  private static let quietBlocksMax = 25

  /// What was heard in a stretch of sound, on the scale of 16 bits.
  struct Measure: Equatable {
    let rate: Int
    var samples = 0
    var squares = 0.0
    var peak = 0
    var loudBlocks = 0

    var milliseconds: Int { samples * 1000 / rate }
    var rms: Int { samples == 0 ? 0 : Int((squares / Double(samples)).squareRoot().rounded()) }
    var speechMilliseconds: Int { loudBlocks * TalkEar.blockMilliseconds }
    var isSpeech: Bool { loudBlocks >= TalkEar.loudBlocksMin }

    fileprivate mutating func add(_ block: some Collection<Int16>) {
      for sample in block {
        squares += Double(sample) * Double(sample)
        peak = max(peak, abs(Int(sample)))
      }
      samples += block.count
    }
  }

  /// All of it, and what came since the last utterance ended.
  private(set) var total: Measure
  private(set) var utterance: Measure
  private let blockLength: Int
  private var rest: [Int16] = []
  private var quietBlocks = 0

  init(rate: Int) {
    total = Measure(rate: rate)
    utterance = total
    blockLength = rate * Self.blockMilliseconds / 1000
  }

  /// The utterances that ended in these samples. The pause that ends one belongs to it.
  mutating func hear(_ samples: [Int16]) -> [Measure] {
    rest += samples
    var ended: [Measure] = []
    var start = 0
    while rest.count - start >= blockLength {
      take(rest[start..<(start + blockLength)])
      start += blockLength
      guard utterance.isSpeech, quietBlocks >= Self.quietBlocksMax else { continue }
      ended.append(cut())
    }
    rest.removeFirst(start)
    return ended
  }

  /// The utterance that no pause has ended; nil without speech.
  mutating func finish() -> Measure? {
    if !rest.isEmpty { take(rest[...]) }
    rest = []
    return utterance.isSpeech ? cut() : nil
  }

  private mutating func take(_ block: ArraySlice<Int16>) {
    var measure = Measure(rate: total.rate)
    measure.add(block)
    let isLoud = Double(measure.squares / Double(block.count)).squareRoot() >= Self.speechLevel
    quietBlocks = isLoud ? 0 : quietBlocks + 1
    for path in [\TalkEar.total, \.utterance] {
      self[keyPath: path].add(block)
      if isLoud { self[keyPath: path].loudBlocks += 1 }
    }
  }

  private mutating func cut() -> Measure {
    let whole = utterance
    utterance = Measure(rate: total.rate)
    quietBlocks = 0
    return whole
  }
}
