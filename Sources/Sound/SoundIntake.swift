import Codec
import Runtime

/// Which of a card's channels is heard.
public enum SoundChannel: Equatable, Sendable {
  /// The mean of all.
  case mix
  /// One of them, from 0.
  case one(Int)
}

/// Hears what an intake made.
public protocol SoundListener: AnyObject {
  /// The next `Budget.soundBlock` samples of 16 kHz, one channel; valid until it returns.
  func heard(_ block: UnsafeBufferPointer<Int16>)
}

/// Makes blocks for the rooms out of what a card captures: one channel of it, at 16 kHz, its level measured, without what is constant in
/// it, made louder and cleaned as is wished. Allocates nothing after `init`.
public final class SoundIntake {
  private let resampler: any Resampler
  private let denoiser: (any Denoiser)?
  private let channel: SoundChannel
  private let chunk = UnsafeMutableBufferPointer<Float>.allocate(capacity: Budget.soundChunk)
  private let resampled: UnsafeMutableBufferPointer<Float>
  private let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: Budget.soundBlock)
  private let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.soundBlock)
  private var blockCount = 0
  private var facts: SoundFacts?
  private var highPass = HighPass()
  private var gain: AutomaticGain
  /// What was heard, before anything was done to it.
  public private(set) var meter = LevelMeter()
  /// What it is multiplied by now.
  public var factor: Float { gain.factor }

  /// An intake; see the types of its parts. `denoiser` nil: noise is left in.
  public init(resampler: any Resampler, denoiser: (any Denoiser)?, gain: SoundGain, channel: SoundChannel) {
    self.resampler = resampler
    self.denoiser = denoiser
    self.gain = AutomaticGain(gain)
    self.channel = channel
    // One chunk from the lowest rate on, and what a resampler held back.
    let most =
      Budget.soundChunk * Budget.soundRate / Int(Budget.soundCardRates.lowerBound) + Budget.soundChunk
    resampled = .allocate(capacity: most)
    chunk.initialize(repeating: 0)
    resampled.initialize(repeating: 0)
    block.initialize(repeating: 0)
    output.initialize(repeating: 0)
  }

  deinit {
    chunk.deallocate()
    resampled.deallocate()
    block.deallocate()
    output.deallocate()
  }

  /// From now on it takes frames of this card. Throws `.noFormat` for a rate or a number of channels that is out of the question, and
  /// `.noChannel` where the wanted one is none of the card's.
  public func begin(_ facts: SoundFacts) throws(SoundError) {
    guard Budget.soundCardRates.contains(facts.rate), (1...Budget.soundChannels).contains(facts.channels),
      resampler.set(from: facts.rate, to: UInt32(Budget.soundRate))
    else { throw .noFormat }
    if case .one(let index) = channel, index >= facts.channels { throw .noChannel(index + 1) }
    self.facts = facts
    interrupt()
  }

  /// What comes next does not follow what came last.
  public func interrupt() {
    blockCount = 0
    resampler.reset()
    highPass = HighPass()
    meter.interrupt()
  }

  /// Takes whole frames, and tells the listener each block that is full.
  public func take(_ bytes: UnsafeRawBufferPointer, _ listener: any SoundListener) {
    guard let facts else { return }
    let frames = bytes.count / facts.frameBytes
    var done = 0
    while done < frames {
      let count = min(frames - done, Budget.soundChunk)
      decode(bytes.baseAddress! + done * facts.frameBytes, count, facts)
      done += count
      var rest = UnsafeBufferPointer(rebasing: chunk[..<count])
      while !rest.isEmpty {
        let (taken, given) = resampler.run(rest, into: resampled)
        fill(UnsafeBufferPointer(rebasing: resampled[..<given]), listener)
        // A resampler that takes nothing and gives nothing would be asked for ever.
        if taken == 0, given == 0 { break }
        rest = UnsafeBufferPointer(rebasing: rest[taken...])
      }
    }
  }

  private func decode(_ frames: UnsafeRawPointer, _ count: Int, _ facts: SoundFacts) {
    let (format, stride) = (facts.format, facts.frameBytes)
    if case .one(let index) = channel {
      let at = frames + index * format.bytes
      for frame in 0..<count { chunk[frame] = format.read(at + frame * stride) }
      return
    }
    let scale = 1 / Float(facts.channels)
    for frame in 0..<count {
      let at = frames + frame * stride
      var sum: Float = 0
      for index in 0..<facts.channels { sum += format.read(at + index * format.bytes) }
      chunk[frame] = sum * scale
    }
  }

  private func fill(_ samples: UnsafeBufferPointer<Float>, _ listener: any SoundListener) {
    for sample in samples {
      block[blockCount] = sample
      blockCount += 1
      if blockCount == Budget.soundBlock {
        blockCount = 0
        finish(listener)
      }
    }
  }

  private func finish(_ listener: any SoundListener) {
    meter.add(UnsafeBufferPointer(block))
    highPass.apply(to: block)
    gain.apply(to: block, meter)
    for index in 0..<block.count {
      let value = (block[index] * 32768).rounded()
      output[index] = Int16(clamping: value)
    }
    denoiser?.clean(output)
    listener.heard(UnsafeBufferPointer(output))
  }
}

/// Takes out what is constant: a pole at 0.995, so 3 dB less at 13 Hz, far below any voice.
struct HighPass {
  private var (input, output): (Float, Float) = (0, 0)

  mutating func apply(to block: UnsafeMutableBufferPointer<Float>) {
    for index in 0..<block.count {
      let value = block[index]
      output = value - input + 0.995 * output
      input = value
      block[index] = output
    }
  }
}
