import Enrolment
import Foundation
import Runtime
import Voice

/// Makes a bank of speech (`SpeechBank`) of recordings that were embedded.
struct BankMaker {
  /// One recording.
  struct Recording {
    var vectors: [[Float]]
    var transcript: String
  }

  private static let components = SpeechBank.components
  /// Vectors that the components are made of: every so many are enough.
  private static let thinning = 7

  let axes: PrincipalAxes
  private var covariance: [Float]
  private var steps = Data()
  private var lengths = Data()
  private var words = Data()
  private var (stepCount, wordCount, recordings) = (0, 0, 0)

  /// A bank of no speech yet, with the components and the covariance of these recordings.
  init(of recordings: [Recording]) {
    let all = recordings.flatMap(\.vectors).enumerated().filter { $0.offset % Self.thinning == 0 }.map(\.element)
    axes = PrincipalAxes(all, count: Self.components)
    covariance = []
    let projected = recordings.map { $0.vectors.map(axes.project) }
    covariance = (0..<Budget.wakeVectors).flatMap { Self.covariance(of: projected, lag: $0) }
  }

  /// How a step varies with the one that so many steps after it: 40 lines of 40.
  private static func covariance(of recordings: [[[Float]]], lag: Int) -> [Float] {
    var sums = [Double](repeating: 0, count: components * components)
    var count = 0.0
    for steps in recordings where steps.count > lag {
      for index in 0..<(steps.count - lag) {
        let (first, second) = (steps[index], steps[index + lag])
        sums.withUnsafeMutableBufferPointer { sums in
          for row in 0..<components {
            for column in 0..<components { sums[row * components + column] += Double(first[row] * second[column]) }
          }
        }
        count += 1
      }
    }
    return sums.map { Float($0 / max(1, count)) }
  }

  /// Adds a recording to the speech that phrases are told from.
  mutating func add(_ recording: Recording) {
    let runs = StepRuns(capacity: recording.vectors.count)
    guard runs.add(ArraySlice(recording.vectors.flatMap(axes.project))) else { return }
    runs.withBytes { steps.append(contentsOf: $0) }
    let text = recording.transcript.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.joined(
      separator: " ")
    let hashes = SpeechBank.hashes(of: Array(text.utf8))
    lengths.append(UInt32(recording.vectors.count))
    lengths.append(UInt32(hashes.count))
    for hash in hashes { withUnsafeBytes(of: hash.littleEndian) { words.append(contentsOf: $0) } }
    (stepCount, wordCount) = (stepCount + recording.vectors.count, wordCount + hashes.count)
    recordings += 1
  }

  /// Hours of speech in it.
  var hours: Double { Double(stepCount) * 0.08 / 3600 }

  /// The file.
  func data() -> Data {
    var data = Data(bytes: SpeechBank.magic.utf8Start, count: SpeechBank.magic.utf8CodeUnitCount)
    for number in [SpeechBank.version, UInt32(stepCount), UInt32(recordings), UInt32(wordCount)] { data.append(number) }
    for float in axes.mean + axes.basis + covariance { data.append(float.bitPattern) }
    data.append(lengths)
    data.append(words)
    if wordCount % 2 == 1 { data.append(contentsOf: [0, 0]) }
    data.append(steps)
    var checksum = Checksum()
    data.withUnsafeBytes { checksum.update($0) }
    data.append(checksum.value)
    return data
  }
}

extension Data {
  fileprivate mutating func append(_ number: UInt32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
