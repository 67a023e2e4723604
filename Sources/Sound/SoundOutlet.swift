import Runtime

/// A source of samples for playback.
public protocol SoundVoice: AnyObject {
  /// Samples a second, one channel.
  var rate: UInt32 { get }
  /// Writes the next samples, and returns how many, 0 at the end.
  func speak(into samples: UnsafeMutableBufferPointer<Int16>) -> Int
}

/// Converts samples to a card's frames: at its rate, in its sample format, the same in all channels. Allocates nothing
/// after `init`.
public final class SoundOutlet {
  private let resampler: any Resampler
  private let words = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.soundBlock)
  private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: Budget.soundBlock)
  private let resampled: UnsafeMutableBufferPointer<Float>
  /// Samples of `resampled` that are not used yet.
  private var waiting = 0..<0
  private var facts: SoundFacts?
  private let factor: Float
  /// True when the voice has ended, and all of it was converted.
  public private(set) var isDone = false

  /// An outlet with a gain in decibels.
  @export(interface)
  public init(resampler: any Resampler, decibels: Int = 0) {
    self.resampler = resampler
    factor = AutomaticGain.factor(decibels: decibels) / 32768
    // One block from the lowest rate to the highest, and the resampler's delay.
    let most =
      Budget.soundBlock * Int(Budget.soundCardRates.upperBound / Budget.soundCardRates.lowerBound) + 1024
    resampled = .allocate(capacity: most)
    words.initialize(repeating: 0)
    samples.initialize(repeating: 0)
    resampled.initialize(repeating: 0)
  }

  deinit {
    words.deallocate()
    samples.deallocate()
    resampled.deallocate()
  }

  /// Starts with a card, and a voice of `rate` samples a second.
  public func begin(_ facts: SoundFacts, rate: UInt32) throws(SoundError) {
    guard Budget.soundCardRates.contains(facts.rate), Budget.soundCardRates.contains(rate),
      (1...Budget.soundChannels).contains(facts.channels), resampler.set(from: rate, to: facts.rate)
    else { throw .noFormat }
    self.facts = facts
    waiting = 0..<0
    isDone = false
  }

  /// Writes whole frames, and returns how many bytes. Fewer than there is room for: the voice has ended.
  public func give(_ voice: any SoundVoice, into bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let facts else { return 0 }
    let stride = facts.frameBytes
    var count = 0
    while (count + 1) * stride <= bytes.count {
      if waiting.isEmpty, !refill(voice) { break }
      let at = bytes.baseAddress! + count * stride
      let value = resampled[waiting.lowerBound]
      waiting = (waiting.lowerBound + 1)..<waiting.upperBound
      for channel in 0..<facts.channels { facts.format.write(value, to: at + channel * facts.format.bytes) }
      count += 1
    }
    return count * stride
  }

  private func refill(_ voice: any SoundVoice) -> Bool {
    while waiting.isEmpty, !isDone {
      let count = voice.speak(into: words)
      isDone = count == 0
      for index in 0..<count { samples[index] = Float(words[index]) * factor }
      let input = UnsafeBufferPointer(rebasing: samples[..<count])
      if count > 0 { waiting = 0..<resampler.run(input, into: resampled).given }
    }
    return !waiting.isEmpty
  }
}
