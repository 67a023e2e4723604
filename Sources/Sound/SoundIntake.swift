import Codec
import Runtime

/// Gets the blocks of an intake.
public protocol SoundListener: AnyObject {
  /// The next `Budget.soundBlock` samples at 16 kHz, one channel; valid during the call.
  func heard(_ block: UnsafeBufferPointer<Int16>)
}

/// Converts captured frames to blocks: one channel at 16 kHz, measured, without DC offset, with gain and optional noise
/// reduction. Allocates nothing after `init`.
public final class SoundIntake {
  private let resampler: any Resampler
  private let denoiser: (any Denoiser)?
  private let channel: SoundChannel
  private let chunk = UnsafeMutableBufferPointer<Float>.allocate(capacity: Budget.soundChunk)
  private let resampled: UnsafeMutableBufferPointer<Float>
  private let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: Budget.soundBlock)
  private let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.soundBlock)
  // Where the samples of the mixed channels begin in a frame; `mixed.count` of them count.
  private let offsets = UnsafeMutableBufferPointer<Int>.allocate(capacity: Budget.soundChannels)
  private var blockCount = 0
  private var facts: SoundFacts?
  /// The channels of the card that are mixed.
  public private(set) var mixed = ChannelSet()
  private var highPass = HighPass()
  private var gain: AutomaticGain
  /// Measurements of the unprocessed sound.
  public private(set) var meter = LevelMeter()
  /// The current gain factor.
  public var factor: Float { gain.factor }

  /// An intake; see the types of its parts. `denoiser` nil: no noise reduction.
  @export(interface)
  public init(resampler: any Resampler, denoiser: (any Denoiser)?, gain: SoundGain, channel: SoundChannel) {
    self.resampler = resampler
    self.denoiser = denoiser
    self.gain = AutomaticGain(gain)
    self.channel = channel
    // One chunk at the lowest rate, and the resampler's delay.
    let most =
      Budget.soundChunk * Budget.soundRate / Int(Budget.soundCardRates.lowerBound) + Budget.soundChunk
    resampled = .allocate(capacity: most)
    chunk.initialize(repeating: 0)
    resampled.initialize(repeating: 0)
    block.initialize(repeating: 0)
    output.initialize(repeating: 0)
    offsets.initialize(repeating: 0)
  }

  deinit {
    chunk.deallocate()
    resampled.deallocate()
    block.deallocate()
    output.deallocate()
    offsets.deallocate()
  }

  /// Starts with frames of a card. Throws `.noFormat` for an unsupported rate or number of channels, and `.noChannel`
  /// if the card lacks the wanted channel.
  public func begin(_ facts: SoundFacts) throws(SoundError) {
    guard Budget.soundCardRates.contains(facts.rate), (1...Budget.soundChannels).contains(facts.channels),
      resampler.set(from: facts.rate, to: UInt32(Budget.soundRate))
    else { throw .noFormat }
    mixed = try channel.channels(of: facts)
    var count = 0
    for index in 0..<facts.channels where mixed.contains(index) {
      offsets[count] = index * facts.format.bytes
      count += 1
    }
    self.facts = facts
    interrupt()
  }

  /// Frames were lost: starts over.
  public func interrupt() {
    blockCount = 0
    resampler.reset()
    highPass = HighPass()
    meter.interrupt()
  }

  /// Takes whole frames, and calls the listener with each full block.
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
        // Avoids an endless loop when the resampler neither takes nor makes samples.
        if taken == 0, given == 0 { break }
        rest = UnsafeBufferPointer(rebasing: rest[taken...])
      }
    }
  }

  private func decode(_ frames: UnsafeRawPointer, _ count: Int, _ facts: SoundFacts) {
    let (format, stride) = (facts.format, facts.frameBytes)
    let mixed = self.mixed.count
    let scale = 1 / Float(mixed)
    for frame in 0..<count {
      let at = frames + frame * stride
      var sum: Float = 0
      for index in 0..<mixed { sum += format.read(at + offsets[index]) }
      chunk[frame] = sum * scale
    }
  }

  /// Writes which channels are used, as the end of a sentence about a card: ", of which 2, 3 are heard"; nothing when
  /// all are.
  public func writeMixed(to line: inout LogLine) {
    guard let facts, mixed.count < facts.channels else { return }
    line.add(", of which ")
    var isFirst = true
    for index in 0..<facts.channels where mixed.contains(index) {
      if !isFirst { line.add(", ") }
      isFirst = false
      line.add(Int64(index + 1))
    }
    line.add(mixed.count == 1 ? " is heard" : " are heard")
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

/// Removes the DC offset: a pole at 0.995, so -3 dB at 13 Hz, far below any voice.
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
