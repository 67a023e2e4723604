import Codec
import Runtime

@testable import Talk

/// Numbers that look random and are the same each time (Marsaglia, xorshift64).
struct Dice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// Sound at 16 kHz.
enum Sound {
  static func tone(_ milliseconds: Int, amplitude: Double = 8_000, hertz: Double = 300, rate: Int = 16_000) -> [Int16] {
    (0..<(milliseconds * rate / 1000)).map {
      Int16(amplitude * Trigonometry.sine(2 * Trigonometry.pi * hertz * Double($0) / Double(rate)))
    }
  }

  static func noise(_ milliseconds: Int, amplitude: Int = 20, seed: UInt64 = 3) -> [Int16] {
    var dice = Dice(seed)
    return (0..<(milliseconds * 16)).map { _ in Int16(dice.below(2 * amplitude + 1) - amplitude) }
  }

  static func level(_ samples: [Int16]) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot()
  }
}

func text(_ span: Span<UInt8>) -> String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

extension String {
  /// The characters that a range of bytes stands for.
  func bytes(_ range: Range<Int>?) -> String? {
    range.map { String(decoding: Array(utf8)[$0], as: UTF8.self) }
  }
}

extension Array where Element == Int16 {
  /// Cut into blocks of the lengths that `dice` says.
  func cut(_ dice: inout Dice, most: Int = 900) -> [[Int16]] {
    var blocks: [[Int16]] = []
    var start = 0
    while start < count {
      let end = Swift.min(count, start + 1 + dice.below(most))
      blocks.append(Array(self[start..<end]))
      start = end
    }
    return blocks
  }
}

extension UtteranceRecorder {
  /// Hears all of it; why the recording ended, and after how many samples.
  func hear(_ samples: [Int16], block: Int = 512) -> (end: End, at: Int)? {
    var start = 0
    while start < samples.count {
      let next = min(samples.count, start + block)
      let end = samples[start..<next].withUnsafeBufferPointer { push($0) }
      start = next
      if let end { return (end, start) }
    }
    return nil
  }
}
