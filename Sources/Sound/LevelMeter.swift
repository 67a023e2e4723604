import Runtime

/// The condition of a microphone, judged only by levels.
public enum MicrophoneCondition: Equatable, Sendable {
  /// Not measured for long enough.
  case unknown
  case good
  /// Only zeros: it is muted, or not connected.
  case zeros
  /// A constant value: its converter is stuck.
  case constant
  /// More than one percent of the samples are at full scale: its gain is too high.
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

  /// The problem for people; nil when there is none.
  public var trouble: StaticString? {
    switch self {
    case .unknown, .good: nil
    case .zeros: "the microphone gives only zeros: is it muted, or not plugged in?"
    case .constant: "the microphone gives a constant value: its converter is stuck; plug it in again"
    case .clipping: "the microphone clips: lower its gain"
    }
  }
}

/// Measures the unprocessed sound, block by block: level, peak, noise floor, and the microphone's condition.
public struct LevelMeter: Sendable {
  /// Samples from here on are at full scale.
  private static let fullScale: Float = 0.999
  /// Largest range of a stuck converter: two steps of 16 bits.
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
  /// The noise floor.
  public var floor: Float { noise.level }
  /// Blocks since the start.
  public private(set) var blocks: UInt64 = 0
  /// The condition in the last 2 s.
  public private(set) var verdict = MicrophoneCondition.unknown
  private var window = Window()
  private var noise = NoiseFloor()

  /// A meter without measurements.
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

  /// Frames were lost, or the card has changed: starts over.
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
