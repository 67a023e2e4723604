import CVoiceModel
import Codec
import Runtime
import Voice

/// Why bytes are not a valid bank of speech.
public enum SpeechBankError: UInt8, Error, Sendable {
  /// Does not begin with the magic of a bank.
  case wrongFormat
  /// Of a version that this version of Talon does not know.
  case unsupportedVersion
  /// Another size than its header says.
  case truncated
  /// The checksum is wrong.
  case damaged
  /// A number is NaN or infinite.
  case invalid

  /// The error for people, to be put after the file's name.
  public var text: StaticString {
    switch self {
    case .wrongFormat: "is not a bank of speech"
    case .unsupportedVersion: "is of a version that this Talon does not know"
    case .truncated: "is cut off"
    case .damaged: "is damaged: its checksum is wrong"
    case .invalid: "has numbers that make no sense"
    }
  }
}

/// Embeddings of real speech as negative examples, in borrowed memory: 40 components of a byte for every 80 ms.
///
/// All little-endian, CRC-32 over everything before it:
///
///     0   "TALONBNK"
///     8   u32 version, 2           12  u32 steps
///     16  u32 recordings           20  u32 words
///     24  f32 mean, 96; basis, 40 lines of 96, scaled so that a component has a variance of one;
///         covariance, 9 tables of 40 lines of 40: of a step with the one that many steps after it
///     ... of each recording u32 steps, u32 words
///     ... u16 words: what was said, each as `hash` makes a number of it; filled up to a multiple of four with zeros
///     ... steps, 40 signed bytes of 1/24 each
///     ... u32 checksum
public struct SpeechBank {
  /// As drawn above.
  public static let version: UInt32 = 2
  public static let magic: StaticString = "TALONBNK"
  public static let headerBytes = 24
  /// Components of a step.
  public static let components = StepRuns.components
  static let width = EmbeddingNetwork.width
  /// Floats of the tables.
  public static let floats = width + components * width + Budget.wakeVectors * components * components

  /// One recording.
  public struct Recording {
    public let run: StepRuns.Run
    let words: Int
    /// Number of words that are known to be in it.
    public let wordCount: Int
  }

  private let bytes: UnsafeRawBufferPointer
  /// Number of recordings.
  public let count: Int
  /// Total number of steps of 80 ms.
  public let stepCount: Int
  private let wordsOffset: Int
  private let stepsOffset: Int

  /// The built-in bank; nil when its format is wrong, which is a broken build.
  public static var builtIn: SpeechBank? {
    var count: Int64 = 0
    let start = tl_voice_speech(&count)
    return try? SpeechBank(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  /// A bank in memory that outlives this.
  public init(_ bytes: UnsafeRawBufferPointer) throws(SpeechBankError) {
    for index in 0..<8 where index >= bytes.count || bytes[index] != Self.magic.utf8Start[index] { throw .wrongFormat }
    guard bytes.count >= Self.headerBytes else { throw .truncated }
    guard Self.number(bytes, 8) == Self.version else { throw .unsupportedVersion }
    let (steps, recordings, words) = (Self.number(bytes, 12), Self.number(bytes, 16), Self.number(bytes, 20))
    // 32 bits each, so sums fit 64 bits; on 32-bit boards the file's size is the limit.
    let tables = Int64(Self.headerBytes + 4 * Self.floats)
    let wordsOffset = tables + 8 * Int64(recordings)
    let stepsOffset = wordsOffset + (2 * Int64(words) + 3) / 4 * 4
    guard stepsOffset + Int64(Self.components) * Int64(steps) + 4 == Int64(bytes.count) else { throw .truncated }
    (self.bytes, count, stepCount) = (bytes, Int(recordings), Int(steps))
    (self.wordsOffset, self.stepsOffset) = (Int(wordsOffset), Int(stepsOffset))
    try check(words: Int(words))
  }

  private func check(words: Int) throws(SpeechBankError) {
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)]))
    guard checksum.value == Self.number(bytes, bytes.count - 4) else { throw .damaged }
    for index in 0..<Self.floats where !(float(index).magnitude < 1e6) { throw .invalid }
    var (steps, said) = (0, 0)
    for index in 0..<count {
      let recording = lengths(index)
      guard recording.steps <= stepCount - steps, recording.words <= words - said else { throw .invalid }
      (steps, said) = (steps + recording.steps, said + recording.words)
    }
    guard steps == stepCount, said == words else { throw .invalid }
  }

  private func lengths(_ index: Int) -> (steps: Int, words: Int) {
    let offset = Self.headerBytes + 4 * Self.floats + 8 * index
    return (Int(clamping: Self.number(bytes, offset)), Int(clamping: Self.number(bytes, offset + 4)))
  }

  private func float(_ index: Int) -> Float { Float(bitPattern: Self.number(bytes, Self.headerBytes + 4 * index)) }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  // MARK: Contents

  var steps: UnsafePointer<Int8> { (bytes.baseAddress! + stepsOffset).assumingMemoryBound(to: Int8.self) }

  /// Calls `body` with each recording, in order.
  public func forEach(_ body: (Recording) -> Void) {
    var (step, word) = (0, 0)
    for index in 0..<count {
      let (steps, words) = lengths(index)
      body(Recording(run: StepRuns.Run(start: step, count: steps), words: word, wordCount: words))
      (step, word) = (step + steps, word + words)
    }
  }

  /// True when all words of a phrase are in a recording, in order.
  public func has(_ phrase: [UInt16], in recording: Recording) -> Bool {
    guard !phrase.isEmpty, recording.wordCount >= phrase.count else { return false }
    for start in 0...(recording.wordCount - phrase.count) {
      var isSame = true
      for index in phrase.indices where word(recording.words + start + index) != phrase[index] { isSame = false }
      if isSame { return true }
    }
    return false
  }

  private func word(_ index: Int) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: wordsOffset + 2 * index, as: UInt16.self))
  }

  /// The words of a normalized text as numbers: FNV-1a (G. Fowler, L. C. Noll and K.-P. Vo), folded to 16 bits. Of
  /// 10,000 words one in seven collides with another, which at worst excludes a recording.
  public static func hashes(of text: [UInt8]) -> [UInt16] {
    var hashes: [UInt16] = []
    var state: UInt32 = 2_166_136_261
    var length = 0
    for byte in text + [0x20] {
      guard byte == 0x20 else {
        state = (state ^ UInt32(byte)) &* 16_777_619
        length += 1
        continue
      }
      if length > 0 { hashes.append(UInt16(truncatingIfNeeded: state ^ state >> 16)) }
      (state, length) = (2_166_136_261, 0)
    }
    return hashes
  }

  // MARK: Components

  /// The floats of the tables: mean, basis and covariance.
  func tables() -> FloatTable {
    let table = FloatTable(count: Self.floats)
    for index in 0..<Self.floats { table.floats[index] = float(index) }
    return table
  }
}

/// Conversion from the embedding to its components and back.
final class SpeechComponents {
  private static let components = SpeechBank.components, width = SpeechBank.width
  private let table: FloatTable

  init(_ bank: SpeechBank) { table = bank.tables() }

  private var mean: UnsafePointer<Float> { UnsafePointer(table.floats) }
  private var basis: UnsafePointer<Float> { UnsafePointer(table.floats + Self.width) }
  private var covariance: UnsafePointer<Float> { basis + Self.components * Self.width }

  /// Appends the components of an embedding vector to a list.
  func project(_ vector: UnsafePointer<Float>, onto list: inout [Float]) {
    for component in 0..<Self.components {
      let line = basis + component * Self.width
      var sum: Float = 0
      for index in 0..<Self.width { sum += line[index] * (vector[index] - mean[index]) }
      list.append(sum)
    }
  }

  /// Converts weights and bias for components to those for the embedding.
  func expand(_ weights: [Float]) -> (weights: FloatTable, bias: Float) {
    let expanded = FloatTable(count: WakeDetector.weights)
    var bias = weights[Budget.wakeVectors * Self.components]
    for step in 0..<Budget.wakeVectors {
      for component in 0..<Self.components {
        let weight = weights[step * Self.components + component]
        for index in 0..<Self.width {
          let product = weight * basis[component * Self.width + index]
          expanded.floats[step * Self.width + index] += product
          bias -= product * mean[index]
        }
      }
    }
    return (expanded, bias)
  }

  /// The variance of the scores that weights give to speech, times `price`; its gradient is added. Speech is treated as
  /// stationary: the covariance of two steps depends only on their distance.
  func addSpread(_ price: Float, of weights: [Float], to gradient: inout [Float]) -> Float {
    let size = Self.components
    var cost: Float = 0
    for row in 0..<Budget.wakeVectors {
      for column in 0..<Budget.wakeVectors {
        let lag = covariance + abs(column - row) * size * size
        for first in 0..<size {
          var sum: Float = 0
          for second in 0..<size {
            let value = column >= row ? lag[first * size + second] : lag[second * size + first]
            sum += value * weights[column * size + second]
          }
          gradient[row * size + first] += 2 * price * sum
          cost += price * sum * weights[row * size + first]
        }
      }
    }
    return cost
  }
}
