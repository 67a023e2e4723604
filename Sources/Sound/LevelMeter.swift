import Runtime

/// What a microphone sounds like to somebody who knows none of what it hears.
public enum MicrophoneVerdict: Equatable, Sendable {
  /// It was not heard for long enough.
  case unknown
  case good
  /// Nothing but zeros: it is muted, or not connected.
  case zeros
  /// Nothing but one value: its converter hangs.
  case constant
  /// More than one sample of a hundred is as far out as can be: it is set too loud.
  case clipping

  /// Its name for programs.
  public var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .good: "good"
    case .zeros: "zeros"
    case .constant: "constant"
    case .clipping: "clipping"
    }
  }

  /// What is wrong, for a person; nil when nothing is.
  public var trouble: StaticString? {
    switch self {
    case .unknown, .good: nil
    case .zeros: "the microphone gives zeros alone: muted, or nothing is plugged in"
    case .constant: "the microphone gives one value alone: its converter hangs"
    case .clipping: "the microphone is too loud: it clips"
    }
  }
}

/// Measures what is heard, block by block, before anything is done to it: level, peak, noise floor, and whether it is alive.
public struct LevelMeter: Sendable {
  /// From here on a sample is as far out as can be.
  private static let fullScale: Float = 0.999
  /// What a converter that hangs may differ by: two steps of 16 bits.
  private static let hangingSpan: Float = 2.5 / 32768

  private struct Window {
    var least = Float.infinity, most = -Float.infinity
    var (samples, clipped, blocks) = (0, 0, 0)
  }

  /// Of the last block: the root of its mean square without its mean, and its highest magnitude.
  public private(set) var level: Float = 0
  public private(set) var peak: Float = 0
  /// Of the last block: its mean.
  public private(set) var offset: Float = 0
  /// What is heard when nobody speaks.
  public var floor: Float { noise.level }
  /// Blocks since the start.
  public private(set) var blocks: UInt64 = 0
  /// What the last 2 s were like.
  public private(set) var verdict = MicrophoneVerdict.unknown
  private var window = Window()
  private var noise = NoiseFloor()

  /// A meter that heard nothing.
  public init() {}

  /// True when the last block is as loud as speech.
  public var isSpeech: Bool { level >= noise.threshold }

  /// Measures a block.
  public mutating func add(_ block: UnsafeBufferPointer<Float>) {
    guard !block.isEmpty else { return }
    var (sum, squares): (Float, Float) = (0, 0)
    var (least, most): (Float, Float) = (.infinity, -.infinity)
    var clipped = 0
    for value in block {
      sum += value
      squares += value * value
      if value < least { least = value }
      if value > most { most = value }
      if value >= Self.fullScale || value <= -Self.fullScale { clipped += 1 }
    }
    let count = Float(block.count)
    offset = sum / count
    level = max(squares / count - offset * offset, 0).squareRoot()
    peak = max(most, -least)
    noise.follow(level)
    blocks += 1
    window.least = min(window.least, least)
    window.most = max(window.most, most)
    window.samples += block.count
    window.clipped += clipped
    window.blocks += 1
    if window.blocks == Budget.soundVerdictBlocks { judge() }
  }

  /// Frames were lost, or the card is another one: what was heard before says nothing of it.
  public mutating func interrupt() {
    window = Window()
    verdict = .unknown
  }

  private mutating func judge() {
    if window.least == 0, window.most == 0 {
      verdict = .zeros
    } else if window.most - window.least < Self.hangingSpan {
      verdict = .constant
    } else if window.clipped * 100 > window.samples {
      verdict = .clipping
    } else {
      verdict = .good
    }
    window = Window()
  }
}
